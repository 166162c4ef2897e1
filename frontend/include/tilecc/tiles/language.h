//===-- tilecc/tiles/language.h - the part of <cuda_tile.h> that is compiled beforehand ---------------------------===//
//
// Like tilecc/detail/language.h, this header does not depend on what a source has included or defined, or on what is
// installed.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TILES_LANGUAGE_H
#define TILECC_TILES_LANGUAGE_H

#include "constants.h"
#include "convert.h"
#include "create.h"
#include "elements.h"
#include "extents.h"
#include "math.h"
#include "memory.h"
#include "mma.h"
#include "operators.h"
#include "print.h"
#include "reduce.h"
#include "shape.h"
#include "tensor.h"
#include "tile.h"
#include "views.h"

#endif // TILECC_TILES_LANGUAGE_H
