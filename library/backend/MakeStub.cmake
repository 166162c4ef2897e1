# Makes the library that back ends link instead of libtilecc (Exports.cmake). Usage:
#   cmake -DNM=<llvm-nm> -DLIBRARY=<libtilecc> -DNAME=<its soname> -DCXX=<compiler> -DSTUB=<output> -DFOLDER=<for files>
#         -P MakeStub.cmake
execute_process(COMMAND ${NM} -D -P --defined-only ${LIBRARY}
                COMMAND sed -n "s/^\\([^ @]*\\)@*TILECC_BACKEND .*/\\1/p"
                OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
if(NOT symbols)
  message(FATAL_ERROR "${LIBRARY} has no symbols of the version TILECC_BACKEND")
endif()
string(REGEX REPLACE "([^\n]+)\n" ".globl \\1\n\\1:\n" code "${symbols}")
file(WRITE ${FOLDER}/stub.s ".data\n${code}.section .note.GNU-stack,\"\",%progbits\n")
file(WRITE ${FOLDER}/stub.map "TILECC_BACKEND { global: *; };\n")
execute_process(COMMAND ${CXX} -shared -nostdlib -fuse-ld=lld -s ${FOLDER}/stub.s -o ${STUB} -Wl,-soname,${NAME}
                        -Wl,--version-script=${FOLDER}/stub.map COMMAND_ERROR_IS_FATAL ANY)
