# Step one of enabling the language TILE: select the compiler. find_package(TileCC) has already set it.
if(NOT CMAKE_TILE_COMPILER)
  message(FATAL_ERROR "The language TILE comes with find_package(TileCC)")
endif()
mark_as_advanced(CMAKE_TILE_COMPILER)
set(CMAKE_TILE_COMPILER_ENV_VAR TILECC)
configure_file(${CMAKE_CURRENT_LIST_DIR}/CMakeTILECompiler.cmake.in
               ${CMAKE_PLATFORM_INFO_DIR}/CMakeTILECompiler.cmake @ONLY)
