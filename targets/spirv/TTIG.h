//===- TTIG.h - the dialect of Intel's matrix unit ------------------------------------------------------*- C++ -*-===//
//
// TTIG.td describes the encoding.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_SPIRV_TTIG_H
#define TILECC_TARGETS_SPIRV_TTIG_H

#include "lowering/dialects/ttg/TTG.h"

#include "targets/spirv/TTIGDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "targets/spirv/TTIGAttributes.h.inc"

#endif // TILECC_TARGETS_SPIRV_TTIG_H
