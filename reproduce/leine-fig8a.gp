# Made by Amontons; run again with: gnuplot leine-fig8a.gp
set encoding utf8
set terminal svg noenhanced size 880,420 font 'Helvetica,13' background rgb 'white'
if (!exists("amo_out")) amo_out = 'leine-fig8a.svg'
set output amo_out
data = 'leine-fig8a.dat'
set border 3 lw 1 lc rgb '#333333'
set tics nomirror out scale 0.6 textcolor rgb '#333333'
set grid lt 1 lw 0.7 lc rgb '#e4e4e4'
set style fill solid noborder
set bars 0
set multiplot layout 1,2 title 'String of 1 mm' font ',15'

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
plot data index 0 using 1:2 with lines lw 1.8 lc rgb '#0072B2' title 'string', \
     data index 1 using 1:2 with lines dt (8,5) lw 1.8 lc rgb '#D55E00' title 'one degree of freedom'

unset object
unset arrow
unset label
set title '' textcolor rgb '#333333' font ',13'
set xlabel 'x [m]' textcolor rgb '#333333'
set ylabel 'phi'' r [m/s]' textcolor rgb '#333333'
unset logscale x
unset logscale y
set xrange [*:*]
set yrange [*:*]
set size noratio
unset key
plot data index 2 using 1:2 with lines lw 1.8 lc rgb '#009E73' notitle

unset multiplot
unset output
