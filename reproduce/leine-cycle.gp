# Made by Amontons; run again with: gnuplot leine-cycle.gp
set encoding utf8
set terminal svg noenhanced size 880,420 font 'Helvetica,13' background rgb 'white'
if (!exists("amo_out")) amo_out = 'leine-cycle.svg'
set output amo_out
data = 'leine-cycle.dat'
set border 3 lw 1 lc rgb '#333333'
set tics nomirror out scale 0.6 textcolor rgb '#333333'
set grid lt 1 lw 0.7 lc rgb '#e4e4e4'
set style fill solid noborder
set bars 0
set multiplot layout 1,2 title 'Stick-slip of the block' font ',15'

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
set label 'stick begins' at -0.5410063539,0.2 point pt 7 ps 0.7 lc rgb '#333333' offset 0.9,0.6 front textcolor rgb '#333333'
set label 'slip begins' at 1,0.2 point pt 7 ps 0.7 lc rgb '#333333' offset 0.9,0.6 front textcolor rgb '#333333'
plot data index 0 using 1:2 with lines lw 1.8 lc rgb '#8c8c8c' title 'from (1.1, 0)', \
     data index 1 using 1:2 with lines lw 1.8 lc rgb '#0072B2' title 'cycle'

unset object
unset arrow
unset label
set title '' textcolor rgb '#333333' font ',13'
set xlabel 't [s]' textcolor rgb '#333333'
set ylabel 'x [m]' textcolor rgb '#333333'
unset logscale x
unset logscale y
set xrange [*:*]
set yrange [*:*]
set size noratio
unset key
set object rectangle from first 51.11949569, graph 0 to first 58.82452746, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first 39.11846439, graph 0 to first 46.82349616, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first 27.1174331, graph 0 to first 34.82246487, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first 15.1164018, graph 0 to first 22.82143357, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
set object rectangle from first 3.365032613, graph 0 to first 10.82040228, graph 1 fc rgb '#f3e3d3' fs solid noborder behind
plot data index 2 using 1:2 with lines lw 1.8 lc rgb '#0072B2' notitle

unset multiplot
unset output
