# Step three of enabling the language TILE: test the compiler. The package's own tests have done so.
set(CMAKE_TILE_COMPILER_WORKS TRUE)
