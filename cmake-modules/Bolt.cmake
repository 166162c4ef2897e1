# Makes BOLT lay out the code of libtilecc.so by execution profile: hot functions next to each other, cold blocks apart.
# This script runs when everything that compiles kernels has been built (driver/CMakeLists.txt):
#
#   cmake -DBOLT_DIR=<of llvm-bolt> -DTCC=<tcc> -DLIBRARY=<libtilecc.so> -DSOURCES=<this project> -DFOLDER=<for its files> -P Bolt.cmake

function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_FILE ${FOLDER}/log ERROR_FILE ${FOLDER}/log RESULT_VARIABLE result)
  if(result)
    file(READ ${FOLDER}/log log)
    message(FATAL_ERROR "${ARGN}: ${result}\n${log}")
  endif()
endfunction()

file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
file(REAL_PATH ${LIBRARY} library)
execute_process(COMMAND ${BOLT_DIR}/llvm-readelf -S ${library} OUTPUT_VARIABLE sections COMMAND_ERROR_IS_FATAL ANY)
if(sections MATCHES "note.bolt_info")
  return() # only tcc was relinked
endif()

# The profiled compilations: kernels of many kinds with their host code, and matrix products, for a GPU and for the CPU.
# GPU code stays PTX, so that no toolkit is needed.
set(instrumented ${FOLDER}/libtilecc.so.0)
run(${BOLT_DIR}/llvm-bolt ${library} -instrument -instrumentation-file=${FOLDER}/profile -instrumentation-file-append-pid -o ${instrumented})
set(programs bench/compile-time/cumsum.tt.cpp bench/compile-time/sort.tt.cpp bench/compile-time/instances.tt.cpp
    bench/compile-time/matmuls.tt.cpp examples/05-flash-attention/flash-attention.tt.cpp
    examples/15-attention-backward/attention-backward.tt.cpp)
foreach(program ${programs})
  run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${FOLDER} ${TCC} -w -c ${SOURCES}/${program} -o ${FOLDER}/object
      -gencode arch=compute_80,code=compute_80 -gencode arch=compute_90,code=compute_90)
endforeach()
file(GLOB profiles ${FOLDER}/profile.*)
execute_process(COMMAND ${BOLT_DIR}/merge-fdata ${profiles} OUTPUT_FILE ${FOLDER}/merged ERROR_FILE ${FOLDER}/log
                COMMAND_ERROR_IS_FATAL ANY)

# Replace the library but keep its time stamp, because otherwise everything linked with it would be relinked.
run(${BOLT_DIR}/llvm-bolt ${library} -data ${FOLDER}/merged -o ${FOLDER}/laid-out -reorder-blocks=ext-tsp -reorder-functions=cdsort
    -split-functions -split-all-cold -split-eh -icf=1 -plt=hot -use-old-text)
run(touch -r ${library} ${FOLDER}/laid-out)
file(RENAME ${FOLDER}/laid-out ${library})
file(REMOVE ${instrumented} ${profiles})
