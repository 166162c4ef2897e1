//===- TTNG.h - the dialect of what Hopper's units do -------------------------------------------------------*- C++ -*-//
//
// See TTNGOps.td.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_DIALECTS_TTNG_H
#define TILECC_LOWERING_DIALECTS_TTNG_H

#include "lowering/dialects/ttg/TTG.h"

#include "lowering/dialects/ttng/TTNGDialect.h.inc"

#define GET_OP_CLASSES
#include "lowering/dialects/ttng/TTNGOps.h.inc"

#endif // TILECC_LOWERING_DIALECTS_TTNG_H
