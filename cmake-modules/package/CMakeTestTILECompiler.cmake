# The language TILE, step three: the package's own tests have tried the compiler.
set(CMAKE_TILE_COMPILER_WORKS TRUE)
