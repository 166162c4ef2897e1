# Writes the symbols of libtilecc's functions to ORDER, in the order in which compilations first call them:
#
#   cmake -DFIRST_CALLS=<the program> -DFOLDER=<of bin/tcc and lib/libtilecc.so> -DORDER=<the file>
#         -DSOURCES=<this project> -DHEADERS=<include/> -DRESOURCES=<Clang's> -P FindOrder.cmake
#
# If the order cannot be found, the file is empty and functions keep their places.

set(ENV{TILECC_CUDA_PATH} none) # for the same result on every machine
set(library libtilecc.so.0)
file(WRITE ${ORDER} "")
file(MAKE_DIRECTORY ${FOLDER}/lib/tilecc ${FOLDER}/traced)
file(CREATE_LINK ${HEADERS} ${FOLDER}/include SYMBOLIC)
file(CREATE_LINK ${RESOURCES} ${FOLDER}/lib/tilecc/clang SYMBOLIC)
execute_process(COMMAND ${FOLDER}/bin/tcc --precompile-headers COMMAND_ERROR_IS_FATAL ANY)

# A few kinds of kernels; then variants, CPU code and host code.
foreach(compilation "--emit=ptx 01-vector-add/vector-add" "--emit=ptx 02-softmax/softmax" "--emit=ptx 03-matmul/matmul"
                    "-c 05-flash-attention/flash-attention")
  string(REGEX MATCH "(.*) (.*)" all ${compilation})
  execute_process(COMMAND ${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${FOLDER}/traced
                          ${FIRST_CALLS} ${FOLDER}/lib/${library} ${FOLDER}/traced/${library} ${ORDER} ${FOLDER}/bin/tcc
                          -w -t 1 -arch=compute_90 ${CMAKE_MATCH_1} ${SOURCES}/examples/${CMAKE_MATCH_2}.tt.cpp -o ${FOLDER}/traced/output
                  RESULT_VARIABLE result TIMEOUT 600)
  if(result)
    message(NOTICE "libtilecc's functions keep their order")
    file(WRITE ${ORDER} "")
    break()
  endif()
endforeach()
file(REMOVE_RECURSE ${FOLDER}/traced)
