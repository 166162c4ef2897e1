# Step two of enabling the language TILE: define the commands that call tcc, whose options are Clang's. Compiler
# launchers such as ccache are used as for C++, because CMake supports launchers only for its own languages.
set(_tilecc_launcher ${CMAKE_TILE_COMPILER_LAUNCHER})
if(NOT DEFINED CMAKE_TILE_COMPILER_LAUNCHER)
  set(_tilecc_launcher ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
set(CMAKE_TILE_LAUNCHER_OF_RULE "${_tilecc_launcher}") # TileCCSources.cmake handles targets with another launcher
list(APPEND _tilecc_launcher "<CMAKE_TILE_COMPILER>")
list(JOIN _tilecc_launcher " " _tilecc_launcher)
# clangd and clang-tidy, which read compile commands, use this option; tcc ignores it.
get_filename_component(_tilecc_tools "${CMAKE_TILE_COMPILER}" REALPATH)
get_filename_component(_tilecc_tools "${_tilecc_tools}/../../lib/tilecc/tilecc-tools.cfg" ABSOLUTE)
string(REPLACE " " "\\ " _tilecc_tools "${_tilecc_tools}")
set(CMAKE_TILE_COMPILE_OBJECT
    "${_tilecc_launcher} --config=${_tilecc_tools} -c <DEFINES> <INCLUDES> <FLAGS> -o <OBJECT> <SOURCE>")
unset(_tilecc_tools)
unset(_tilecc_launcher)
set(CMAKE_TILE_OUTPUT_EXTENSION .o)
set(CMAKE_INCLUDE_FLAG_TILE "-I")
set(CMAKE_INCLUDE_SYSTEM_FLAG_TILE "-isystem ")
# The include folders of libraries installed in the system contain /usr/include, which must come after the folders of
# C++.
set(CMAKE_TILE_IMPLICIT_INCLUDE_DIRECTORIES ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES})
# Support toolchain files that set CMAKE_SYSROOT and similar variables for C++.
set(CMAKE_TILE_COMPILE_OPTIONS_SYSROOT "--sysroot=")
set(CMAKE_TILE_COMPILE_OPTIONS_TARGET "--target=")
set(CMAKE_TILE_COMPILER_TARGET "${CMAKE_CXX_COMPILER_TARGET}")
set(CMAKE_TILE_COMPILE_OPTIONS_EXTERNAL_TOOLCHAIN "--gcc-toolchain=")
set(CMAKE_TILE_COMPILER_EXTERNAL_TOOLCHAIN "${CMAKE_CXX_COMPILER_EXTERNAL_TOOLCHAIN}")
set(CMAKE_TILE_COMPILE_OPTIONS_PIC "-fPIC")
set(CMAKE_TILE_COMPILE_OPTIONS_PIE "-fPIE")
set(CMAKE_SHARED_LIBRARY_TILE_FLAGS "-fPIC")

# The compiler finds header dependencies, with Ninja and with Makefiles.
set(CMAKE_DEPFILE_FLAGS_TILE "-MD -MT <DEP_TARGET> -MF <DEP_FILE>")
set(CMAKE_TILE_DEPFILE_FORMAT gcc)
set(CMAKE_TILE_DEPENDS_USE_COMPILER TRUE)

# These flags are only for tcc. It also gets the project's C++ flags, which TileCCSources.cmake adds at the end of each
# folder.
set(CMAKE_TILE_FLAGS "" CACHE STRING "Flags for tcc, in addition to those for C++")
mark_as_advanced(CMAKE_TILE_FLAGS)

set(CMAKE_TILE_INFORMATION_LOADED 1)
