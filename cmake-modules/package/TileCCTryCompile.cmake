# try_compile() projects include this as CMAKE_PROJECT_CMAKE_TRY_COMPILE_INCLUDE. If one has a .tt.cpp, which CMake
# considers C++, tcc compiles it.
file(STRINGS "${CMAKE_SOURCE_DIR}/CMakeLists.txt" _tilecc_sources REGEX "\\.tt\\.(cpp|cc|cxx)")
if(_tilecc_sources)
  include("${CMAKE_CURRENT_LIST_DIR}/TileCCLanguage.cmake")
  cmake_language(DEFER CALL _tilecc_sources_of_directory "${CMAKE_SOURCE_DIR}")
endif()
unset(_tilecc_sources)
