# Enables the language TILE in the folder that includes this; CMAKE_TILE_COMPILER is tcc.
list(PREPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")
enable_language(TILE)
list(POP_FRONT CMAKE_MODULE_PATH)
include("${CMAKE_CURRENT_LIST_DIR}/TileCCSources.cmake")
