# Made by Amontons; run again with: gnuplot leine-fig6-attractor.gp
set encoding utf8
set terminal svg noenhanced size 880,420 font 'Helvetica,13' background rgb 'white'
if (!exists("amo_out")) amo_out = 'leine-fig6-attractor.svg'
set output amo_out
data = 'leine-fig6-attractor.dat'
set border 3 lw 1 lc rgb '#333333'
set tics nomirror out scale 0.6 textcolor rgb '#333333'
set grid lt 1 lw 0.7 lc rgb '#e4e4e4'
set style fill solid noborder
set bars 0
set multiplot layout 1,2 title 'Time-dependent static friction, a = 0.1 1/s, b = 10 1/s, beta = 2' font ',15'

unset object
unset arrow
unset label
set title '' textcolor rgb '#333333' font ',13'
set xlabel 'x [m]' textcolor rgb '#333333'
set ylabel 'x'' [m/s]' textcolor rgb '#333333'
unset logscale x
unset logscale y
set xrange [*:*]
set yrange [*:*]
set size noratio
set key default
set key above horizontal left maxrows 1 font ',11' Left reverse samplen 1.4 width -1 spacing 1.1 textcolor rgb '#333333'
plot data index 0 using 1:2 with lines lw 2.7 lc rgb '#0072B2' title 'attractor', \
     data index 1 using 1:2 with lines dt (8,5) lw 1.8 lc rgb '#D55E00' title 'unstable cycle', \
     data index 2 using 1:2 with lines lw 1.8 lc rgb '#8c8c8c' title 'constant static friction'

unset object
unset arrow
unset label
set title '' textcolor rgb '#333333' font ',13'
set xlabel 't - t0 [s]' textcolor rgb '#333333'
set ylabel 'force, limit [N]' textcolor rgb '#333333'
unset logscale x
unset logscale y
set xrange [*:*]
set yrange [*:*]
set size noratio
set key default
set key above horizontal left maxrows 1 font ',11' Left reverse samplen 1.4 width -1 spacing 1.1 textcolor rgb '#333333'
set object rectangle from first 46.5416281, graph 0 to first 50.71780415, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first 27.18697789, graph 0 to first 40.22970977, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first 19.35465021, graph 0 to first 23.53082626, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first 0, graph 0 to first 13.04273189, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -7.832327671, graph 0 to first -3.656151626, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -27.18697789, graph 0 to first -14.144246, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -35.01930556, graph 0 to first -30.84312951, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -54.37395577, graph 0 to first -41.33122388, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -62.20628344, graph 0 to first -58.0301074, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -81.56093366, graph 0 to first -68.51820177, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -89.39326133, graph 0 to first -85.21708528, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -108.7479115, graph 0 to first -95.70517966, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -116.5802392, graph 0 to first -112.4040632, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -135.9348894, graph 0 to first -122.8921575, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -143.7672171, graph 0 to first -139.5910411, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -163.1218673, graph 0 to first -150.0791354, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -170.954195, graph 0 to first -166.7780189, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -190.3088452, graph 0 to first -177.2661133, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -198.1411729, graph 0 to first -193.9649968, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -217.4958231, graph 0 to first -204.4530912, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -225.3281508, graph 0 to first -221.1519747, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -244.682801, graph 0 to first -231.6400691, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -252.5151286, graph 0 to first -248.3389526, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -271.8697789, graph 0 to first -258.827047, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -279.7021065, graph 0 to first -275.5259305, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -299.0567567, graph 0 to first -286.0140249, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -306.8890844, graph 0 to first -302.7129084, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -326.2437346, graph 0 to first -313.2010027, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -334.0760623, graph 0 to first -329.8998863, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -353.4307125, graph 0 to first -340.3879806, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -361.2630402, graph 0 to first -357.0868641, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -380.6176904, graph 0 to first -367.5749585, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -388.4500181, graph 0 to first -384.273842, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -407.8046683, graph 0 to first -394.7619364, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -415.636996, graph 0 to first -411.4608199, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -434.9916462, graph 0 to first -421.9489143, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -442.8239739, graph 0 to first -438.6477978, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -462.178624, graph 0 to first -449.1358922, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -470.0109516, graph 0 to first -465.8347757, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -489.365602, graph 0 to first -476.32287, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -497.19793, graph 0 to first -493.0217536, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -516.5525795, graph 0 to first -503.5098484, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -524.3849056, graph 0 to first -520.2087312, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -543.7395592, graph 0 to first -530.6968239, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -551.571894, graph 0 to first -547.3957105, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -570.9265289, graph 0 to first -557.8838123, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -578.7588246, graph 0 to first -574.5826822, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -598.1135438, graph 0 to first -585.0707432, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -605.9460147, graph 0 to first -601.7696877, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -625.3003552, graph 0 to first -612.2579322, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -633.1320396, graph 0 to first -628.9565418, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -652.4880812, graph 0 to first -639.4439619, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -660.3232981, graph 0 to first -656.1440754, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -679.6717021, graph 0 to first -666.6351986, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -687.4910719, graph 0 to first -683.3285616, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -706.8738079, graph 0 to first -693.8030696, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -714.7646673, graph 0 to first -710.5268011, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -733.9939159, graph 0 to first -721.0762155, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -741.5701424, graph 0 to first -737.6646777, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -761.5027303, graph 0 to first -747.8834612, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -770.6364744, graph 0 to first -765.1009613, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first -787.682554, graph 0 to first -776.9339034, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
plot data index 3 using 1:2 with lines lw 1.8 lc rgb '#0072B2' title 'friction force', \
     data index 4 using 1:2 with lines dt (8,5) lw 1.8 lc rgb '#D55E00' title 'limit in stick'

unset multiplot
unset output
