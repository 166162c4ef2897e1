# tilecc_add_backend(<name> <source>...) makes lib<name>.so, a back end for tcc --load-backend=lib<name>.so. The sources
# include tcc's headers ("targets/BackendPlugin.h"), and LLVM's and MLIR's, which are installed with the release of LLVM
# that tcc was built with: Debian's llvm-22-dev and libmlir-22-dev. docs/plug-ins.md describes how to write one.
function(tilecc_add_backend name)
  if(NOT TARGET TileCC::backend)
    message(FATAL_ERROR "tilecc_add_backend(${name}): this tcc was built without its compiler")
  endif()
  find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
  add_library(${name} MODULE ${ARGN})
  target_compile_features(${name} PRIVATE cxx_std_20)
  # The options that LLVM is compiled with. The library must not bring symbols of its own into tcc.
  target_compile_options(${name} PRIVATE -fno-rtti -fno-exceptions)
  set_target_properties(${name} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_include_directories(${name} SYSTEM PRIVATE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  target_link_libraries(${name} PRIVATE TileCC::backend)
  target_link_options(${name} PRIVATE -Wl,-z,defs) # report a missing symbol here, not when tcc loads the library
endfunction()
