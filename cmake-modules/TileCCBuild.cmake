# Sets up the build of this project's own code: LLVM's settings, and one precompiled header per group of libraries (an
# MLIR source takes 17 s to compile without one and about 1 s with it).

# The release of LLVM, and of the Debian packages that belong to it.
set(tilecc_llvm_major 22)

# Sets TILECC_CUDA_PATH to the folder of the CUDA toolkit for the build and the tests, or to "none". The environment or
# the cache may name one; otherwise, this searches the same places as tcc itself (--cuda-path in docs/driver.md).
function(tilecc_find_cuda)
  set(TILECC_CUDA_PATH "" CACHE PATH "The CUDA toolkit for the build and the tests; none: there is none; empty: look for one")
  set(cuda "$ENV{TILECC_CUDA_PATH}" "${TILECC_CUDA_PATH}" "$ENV{CUDA_PATH}")
  list(REMOVE_ITEM cuda "")
  if(cuda)
    list(GET cuda 0 cuda)
    if(NOT cuda STREQUAL none AND NOT EXISTS "${cuda}/bin/ptxas")
      message(FATAL_ERROR "there is no CUDA toolkit in '${cuda}', which TILECC_CUDA_PATH or CUDA_PATH names: bin/ptxas is missing. "
                          "set TILECC_CUDA_PATH=none to build without a toolkit")
    endif()
  else()
    find_program(nvcc nvcc NO_CACHE)
    file(REAL_PATH "${nvcc}" nvcc)
    cmake_path(GET nvcc PARENT_PATH folder)
    find_program(ptxas ptxas HINTS "${folder}" /usr/local/cuda/bin NO_DEFAULT_PATH NO_CACHE)
    set(cuda none)
    if(ptxas)
      cmake_path(GET ptxas PARENT_PATH cuda)
      cmake_path(GET cuda PARENT_PATH cuda)
    endif()
  endif()
  message(STATUS "CUDA toolkit: ${cuda}")
  set(TILECC_CUDA_PATH "${cuda}" PARENT_SCOPE)
endfunction()

# Sets TILECC_CROSS_TRIPLES to the other machines for which the runtime is built: those for which Clang links a shared
# library here. The cache may name them; an empty list means none.
function(tilecc_find_cross_triples)
  set(known x86_64-linux-gnu aarch64-linux-gnu riscv64-linux-gnu)
  list(FILTER known EXCLUDE REGEX "^${CMAKE_SYSTEM_PROCESSOR}-")
  set(TILECC_CROSS_TRIPLES auto CACHE STRING "Build the runtime for these machines, too: aarch64-linux-gnu, riscv64-linux-gnu, empty, or auto")
  set(triples ${TILECC_CROSS_TRIPLES})
  if(triples STREQUAL auto)
    set(triples)
    set(probe ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/cross-probe)
    file(WRITE ${probe}.cpp "#include <atomic>\n#include <math.h>\ndouble probe(double x) { return exp(x); }\n")
    foreach(triple ${known})
      execute_process(
        COMMAND ${CMAKE_CXX_COMPILER} --target=${triple} -std=c++20 -fuse-ld=lld -fPIC -shared ${probe}.cpp -o ${probe}.so -lm
        RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
      if(NOT failed)
        list(APPEND triples ${triple})
      endif()
    endforeach()
  endif()
  list(JOIN triples ", " names)
  message(STATUS "Runtime for other machines: ${names}")
  set(TILECC_CROSS_TRIPLES "${triples}" PARENT_SCOPE)
endfunction()

# Finds LLVM 22 with MLIR, Clang and LLD, and defines
#   tilecc::llvm_options   compile options and include folders that code against LLVM needs
macro(tilecc_find_llvm)
  find_package(MLIR ${tilecc_llvm_major}.1 REQUIRED CONFIG HINTS /usr/lib/llvm-${tilecc_llvm_major}/lib/cmake/mlir)
  find_package(LLVM ${tilecc_llvm_major}.1 REQUIRED CONFIG HINTS ${MLIR_DIR}/../llvm)
  find_package(Clang REQUIRED CONFIG HINTS ${LLVM_DIR}/../clang)
  find_package(LLD REQUIRED CONFIG HINTS ${LLVM_DIR}/../lld)
  message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_INSTALL_PREFIX}")
  list(APPEND CMAKE_MODULE_PATH ${LLVM_CMAKE_DIR} ${MLIR_CMAKE_DIR})
  set(LLVM_TABLEGEN_EXE ${LLVM_TOOLS_BINARY_DIR}/llvm-tblgen)
  include(TableGen)
  include(AddLLVM)
  include(AddMLIR)
  include_directories(SYSTEM ${MLIR_INCLUDE_DIRS}) # for mlir_tablegen; ours is the project's root
  include_directories(${PROJECT_SOURCE_DIR})

  add_library(tilecc_llvm_options INTERFACE)
  separate_arguments(_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
  target_compile_definitions(tilecc_llvm_options INTERFACE ${_definitions})
  target_include_directories(tilecc_llvm_options SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
  target_include_directories(tilecc_llvm_options INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  target_compile_options(tilecc_llvm_options INTERFACE -fno-rtti -fno-exceptions -Wall -Wextra -Wno-unused-parameter
                         -ffunction-sections -fdata-sections)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    # Without a time stamp, the precompiled header is the same in every build, so ccache can use it.
    target_compile_options(tilecc_llvm_options INTERFACE -Wno-missing-field-initializers
                           "SHELL:-Xclang -fno-pch-timestamp")
  else() # g++ 12 warns about LLVM's own templates
    target_compile_options(tilecc_llvm_options INTERFACE -Wno-comment -Wno-dangling-pointer -Wno-maybe-uninitialized
                           -Wno-missing-field-initializers)
  endif()
  if(TILECC_STATIC_LLVM)
    tilecc_link_llvm_statically()
  else()
    # The shared libraries contain all of LLVM, MLIR and Clang; linking an archive as well would give two copies.
    find_library(TILECC_CLANG_CPP NAMES libclang-cpp.so.22.1 PATHS ${LLVM_LIBRARY_DIR} NO_DEFAULT_PATH REQUIRED)
  endif()
  tilecc_leave_other_targets_out()
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang) # CMake adds an absolute path to the header, which defeats ccache
    set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -include-pch <PCH_FILE>)
  endif()
  tilecc_add_pch(mlir)
  tilecc_add_pch(clang)
endmacro()

# Debian's exports of MLIR, Clang and LLD refer to the shared libLLVM even for archives. With LLVM's archives, this
# would be a second copy of LLVM in the process, which aborts at start-up. So this makes them refer to LLVM's archives
# instead.
function(tilecc_link_llvm_statically)
  add_library(tilecc_llvm_archives INTERFACE)
  file(GLOB archives ${LLVM_LIBRARY_DIR}/libLLVM*.a) # unused ones cost nothing, and lld needs no order
  list(FILTER archives EXCLUDE REGEX "Testing|OptDriver|LineEditor|Debuginfod")
  # Compression libraries are also linked statically, so that the executables run on any distribution with this C
  # library.
  find_library(TILECC_ZLIB libz.a REQUIRED)
  find_library(TILECC_ZSTD libzstd.a REQUIRED)
  target_link_libraries(tilecc_llvm_archives INTERFACE ${archives} ${TILECC_ZLIB} ${TILECC_ZSTD} ${CMAKE_DL_LIBS})
  foreach(lib ${MLIR_EXPORTED_TARGETS} ${CLANG_EXPORTED_TARGETS} ${LLD_EXPORTED_TARGETS})
    set(type NONE)
    if(TARGET ${lib})
      get_target_property(type ${lib} TYPE)
    endif()
    if(type STREQUAL "STATIC_LIBRARY")
      get_target_property(links ${lib} INTERFACE_LINK_LIBRARIES)
      if("LLVM" IN_LIST links)
        list(TRANSFORM links REPLACE "^LLVM$" tilecc_llvm_archives)
        set_target_properties(${lib} PROPERTIES INTERFACE_LINK_LIBRARIES "${links}")
      endif()
    endif()
  endforeach()
endfunction()

# Creates TILECC_OTHER_TARGETS, a source for everything that links LLD. LLD initializes every target that LLVM was built
# with, for link-time optimization of objects for other machines. Empty initializers keep those back ends out of a
# static link: 113 MB of code and data instead of 184 MB.
function(tilecc_leave_other_targets_out)
  set(other_targets ${LLVM_TARGETS_TO_BUILD})
  list(REMOVE_ITEM other_targets X86 AArch64 RISCV NVPTX SPIRV AMDGPU) # whatever tcc runs on, it compiles for these
  set(initializers "// Made by cmake-modules/TileCCBuild.cmake, which says why.\n")
  foreach(target ${other_targets})
    foreach(part TargetInfo Target TargetMC AsmPrinter AsmParser)
      string(APPEND initializers "extern \"C\" void LLVMInitialize${target}${part}() {}\n")
    endforeach()
  endforeach()
  set(TILECC_OTHER_TARGETS ${PROJECT_BINARY_DIR}/OtherTargets.cpp)
  file(CONFIGURE OUTPUT ${TILECC_OTHER_TARGETS} CONTENT "${initializers}" @ONLY)
  return(PROPAGATE TILECC_OTHER_TARGETS)
endfunction()

# Precompiles cmake-modules/pch/<group>.h for tilecc_add_library(... PCH <group>).
#
# A precompiled header contains absolute paths, so it differs between checkouts, although the code compiled with it does
# not. With CCACHE_PCH_EXTSUM (scripts/common.sh), ccache hashes the checksum file next to it instead, and its cache
# works for all checkouts. The checksum covers everything that determines the content: the header, the compiler, its
# options, and the versions of the libraries.
function(tilecc_add_pch group)
  file(READ ${PROJECT_SOURCE_DIR}/cmake-modules/pch/${group}.h header)
  file(READ ${LLVM_INCLUDE_DIR}/llvm/Config/llvm-config.h config)
  string(SHA256 checksum "${header}${config}${LLVM_PACKAGE_VERSION}${CMAKE_CXX_COMPILER_VERSION}${CMAKE_BUILD_TYPE}\
${CMAKE_CXX_FLAGS}${CMAKE_CXX_FLAGS_RELEASE}${CMAKE_CXX_FLAGS_DEBUG}${CMAKE_CXX_STANDARD}")
  file(WRITE ${PROJECT_BINARY_DIR}/CMakeFiles/tilecc_pch_${group}.dir/cmake_pch.hxx.pch.sum "${checksum}")
  file(WRITE ${PROJECT_BINARY_DIR}/pch/${group}.cpp "// Holds the precompiled header of the group '${group}'.\n")
  add_library(tilecc_pch_${group} OBJECT ${PROJECT_BINARY_DIR}/pch/${group}.cpp)
  target_link_libraries(tilecc_pch_${group} PRIVATE tilecc_llvm_options)
  target_precompile_headers(tilecc_pch_${group} PRIVATE <cmake-modules/pch/${group}.h>) # without an absolute path
endfunction()

# tilecc_add_library(<name> PCH <group> SOURCES <file>... [LINK <target>...] [DEPENDS <target>...])
# Creates a static library that uses LLVM. LINK names our own libraries or LLVM component libraries (MLIRIR, LLVMCore,
# clangAST).
function(tilecc_add_library name)
  cmake_parse_arguments(ARG "" "PCH" "SOURCES;LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC tilecc_llvm_options)
  tilecc_link(${name} PUBLIC ${ARG_LINK})
  target_precompile_headers(${name} REUSE_FROM tilecc_pch_${ARG_PCH})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# tilecc_add_tool(<name> PCH <group> SOURCES <file>... [LINK <target>...]): an executable in bin/.
function(tilecc_add_tool name)
  cmake_parse_arguments(ARG "" "PCH" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE tilecc_llvm_options)
  tilecc_link(${name} PRIVATE ${ARG_LINK})
  target_precompile_headers(${name} REUSE_FROM tilecc_pch_${ARG_PCH})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin
                        POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIC) # matches the precompiled header, where CMake would use -fPIE
  target_link_options(${name} PRIVATE -fuse-ld=lld -Wl,--gc-sections -no-pie)
  if(TILECC_STATIC_LLVM)
    target_link_options(${name} PRIVATE -static-libstdc++ -static-libgcc -Wl,--as-needed)
  endif()
endfunction()

# Links our libraries unchanged. LLVM's are archives or, in a shared build, the three libraries that contain everything.
function(tilecc_link name scope)
  foreach(lib ${ARGN})
    if(TILECC_STATIC_LLVM OR NOT lib MATCHES "^(LLVM|MLIR|clang[A-Z])")
      target_link_libraries(${name} ${scope} ${lib})
    else()
      target_link_libraries(${name} ${scope} MLIR LLVM ${TILECC_CLANG_CPP})
    endif()
  endforeach()
endfunction()
