# The language TILE, step two: how to call tcc. Its options are Clang's.
set(CMAKE_TILE_COMPILE_OBJECT "<CMAKE_TILE_COMPILER> <DEFINES> <INCLUDES> <FLAGS> -o <OBJECT> -c <SOURCE>")
set(CMAKE_TILE_OUTPUT_EXTENSION .o)
set(CMAKE_INCLUDE_FLAG_TILE "-I")
set(CMAKE_INCLUDE_SYSTEM_FLAG_TILE "-isystem ")
set(CMAKE_TILE_COMPILE_OPTIONS_PIC "-fPIC")
set(CMAKE_TILE_COMPILE_OPTIONS_PIE "-fPIE")
set(CMAKE_SHARED_LIBRARY_TILE_FLAGS "-fPIC")

# Headers are found by the compiler, with Ninja and with Makefiles.
set(CMAKE_DEPFILE_FLAGS_TILE "-MD -MT <DEP_TARGET> -MF <DEP_FILE>")
set(CMAKE_TILE_DEPFILE_FORMAT gcc)
set(CMAKE_TILE_DEPENDS_USE_COMPILER TRUE)

# The project's flags for C++ hold for its host code here, too.
foreach(config "" _DEBUG _RELEASE _RELWITHDEBINFO _MINSIZEREL)
  set(CMAKE_TILE_FLAGS${config} "${CMAKE_CXX_FLAGS${config}}" CACHE STRING "Flags for tcc")
  mark_as_advanced(CMAKE_TILE_FLAGS${config})
endforeach()

set(CMAKE_TILE_INFORMATION_LOADED 1)
