# Made by Amontons; run again with: gnuplot leine-fig2.gp
set encoding utf8
set terminal svg noenhanced size 600,420 font 'Helvetica,13' background rgb 'white'
if (!exists("amo_out")) amo_out = 'leine-fig2.svg'
set output amo_out
data = 'leine-fig2.dat'
set border 3 lw 1 lc rgb '#333333'
set tics nomirror out scale 0.6 textcolor rgb '#333333'
set grid lt 1 lw 0.7 lc rgb '#e4e4e4'
set style fill solid noborder
set bars 0
set multiplot layout 1,1 title 'Dry friction of the block' font ',15'

unset object
unset arrow
unset label
set title '' textcolor rgb '#333333' font ',13'
set xlabel 'relative velocity [m/s]' textcolor rgb '#333333'
set ylabel 'friction force on the block [N]' textcolor rgb '#333333'
unset logscale x
unset logscale y
set xrange [*:*]
set yrange [*:*]
set size noratio
set key default
set key above horizontal left maxrows 1 font ',11' Left reverse samplen 1.4 width -1 spacing 1.1 textcolor rgb '#333333'
set arrow from graph 0, first 0 to graph 1, first 0 nohead lw 1 dt (6,4) lc rgb '#777777' back
plot data index 0 using 1:2 with lines lw 1.8 lc rgb '#0072B2' title 'slip', \
     data index 1 using 1:2 with lines lw 1.8 lc rgb '#0072B2' notitle, \
     data index 2 using 1:2 with lines lw 3.6 lc rgb '#D55E00' title 'stick', \
     data index 3 using 1:2 with points pt 7 ps 0.55 lc rgb '#222222' title 'checked'

unset multiplot
unset output
