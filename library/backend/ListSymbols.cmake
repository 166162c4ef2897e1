# Writes the version script of libtilecc (Exports.cmake). Usage:
#   cmake -DNM=<llvm-nm> -DARCHIVES=<list of archives> -DMAP=<output> -P ListSymbols.cmake

# Sets `result` to the lines of a version script for symbols in our namespaces and LLVM's, if their nm types are in
# `types`.
function(list_symbols result types)
  execute_process(COMMAND ${NM} -P --defined-only --extern-only ${ARGN}
                  COMMAND awk "$1 ~ /^_Z(TV)?NK?(4llvm|4mlir|6tilecc)/ && $1 !~ /Ul/ && $2 ~ /^[${types}]$/ { print $1 \";\" }"
                  COMMAND sort -u OUTPUT_VARIABLE symbols ERROR_VARIABLE messages)
  if(ARGN AND NOT symbols)
    message(FATAL_ERROR "${NM} lists no symbols for back ends: ${messages}")
  endif()
  set(${result} "${symbols}" PARENT_SCOPE)
endfunction()

# Functions and data that are defined once, and vtables.
list_symbols(defined TDBR ${ARCHIVES})
# Inline functions and templates may be defined in any object. Their symbols are listed only for the libraries of LLVM
# whose headers declare template instances as external.
list(FILTER ARCHIVES INCLUDE REGEX "/libLLVM(Support|Core|Analysis)\\.a$")
set(instances "")
if(ARCHIVES)
  list_symbols(instances WV ${ARCHIVES})
endif()
file(WRITE ${MAP} "TILECC_0 { global: tilecc_*; local: *; };\nTILECC_BACKEND { global:\n${defined}${instances}};\n")
