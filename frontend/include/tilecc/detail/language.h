//===-- tilecc/detail/language.h - the part of <tilecc/tt.h> that kernels are written in --------------------------===//
//
// tcc reads these files from a form compiled beforehand where it can (frontend/Precompiled.h). So nothing here may depend
// on what a source has included or defined before, or on what is installed: no header from elsewhere, no __has_include.
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_DETAIL_LANGUAGE_H
#define TILECC_DETAIL_LANGUAGE_H

#include "atomic.h"
#include "builtins.h"
#include "escape.h"
#include "linalg.h"
#include "math.h"
#include "memory.h"
#include "movement.h"
#include "operators.h"
#include "order.h"
#include "pair.h"
#include "random.h"
#include "range.h"
#include "reduce.h"
#include "shape.h"
#include "tile.h"

#endif // TILECC_DETAIL_LANGUAGE_H
