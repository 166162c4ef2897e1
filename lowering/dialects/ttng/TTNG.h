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

namespace tilecc::ttng {

/// On a kernel: the tensor maps that a launch makes, each for one of the last arguments. `bytes`: of an element; `swizzle`; `sizes` and
/// `box`, in elements, and `strides`, in bytes, from the second axis on, are cuTensorMapEncodeTiled's, for a tensor that begins at
/// address 0. The first stride counts times the kernel's argument number `parameter`, unless that is -1.
inline constexpr llvm::StringLiteral tensorMapsAttr = "ttng.tensor_maps";

} // namespace tilecc::ttng

#endif // TILECC_LOWERING_DIALECTS_TTNG_H
