set debuginfod enabled off
break debugged.tt.cpp:18
run
backtrace
printf "first = %d\n", first
printf "total = %g\n", total
printf "x[1] = %g\n", x[1]
tbreak debugged.tt.cpp:19
continue
printf "total = %g\n", total
tbreak debugged.tt.cpp:8
continue
frame
kill
