//===-- tilecc/detail/language.h - the part of <tilecc/tt.h> that kernels are written in --------------------------===//
//
// tcc uses a precompiled form of these files if possible (frontend/Precompiled.h). They must therefore not depend on
// what a source has included or defined before, or on what is installed: no other headers, no __has_include.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_DETAIL_LANGUAGE_H
#define TILECC_DETAIL_LANGUAGE_H

#include "builtins.h"
#include "../tt/atomic.h"
#include "../tt/call.h"
#include "../tt/create.h"
#include "../tt/descriptor.h"
#include "../tt/dot.h"
#include "../tt/dot_scaled.h"
#include "../tt/escape.h"
#include "../tt/hints.h"
#include "../tt/math.h"
#include "../tt/memory.h"
#include "../tt/operators.h"
#include "../tt/random.h"
#include "../tt/range.h"
#include "../tt/reduce.h"
#include "../tt/shape.h"
#include "../tt/slice.h"
#include "../tt/sort.h"
#include "../tt/tile.h"
#include "../tt/tuple.h"
#include <tilecc/abi.h>

#endif // TILECC_DETAIL_LANGUAGE_H
