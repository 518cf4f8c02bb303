# Made by Amontons; run again with: gnuplot leine-fig4b.gp
set encoding utf8
set terminal svg noenhanced size 600,420 font 'Helvetica,13' background rgb 'white'
if (!exists("amo_out")) amo_out = 'leine-fig4b.svg'
set output amo_out
data = 'leine-fig4b.dat'
set border 3 lw 1 lc rgb '#333333'
set tics nomirror out scale 0.6 textcolor rgb '#333333'
set grid lt 1 lw 0.7 lc rgb '#e4e4e4'
set style fill solid noborder
set bars 0
set multiplot layout 1,1 title 'Switch model, eta = 1e-6 m/s, RKF45 with tol 1e-8' font ',15'

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
plot data index 0 using 1:2 with lines lw 1.8 lc rgb '#8c8c8c' title 'exact', \
     data index 1 using 1:2 with points pt 6 lw 1.6 ps 0.65 lc rgb '#0072B2' title 'integration points'

unset multiplot
unset output
