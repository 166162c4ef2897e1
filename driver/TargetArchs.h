//===- TargetArchs.h - which GPUs to compile for ---------------------------------------------------------------*- C++ -*-//
//
// -arch and -gencode, with nvcc's meaning: code=sm_XX asks for a cubin, code=compute_XX for PTX. Tile kernels' code for sm_90
// is made for sm_90a, which is the same GPUs and all of their instructions; PTX for compute_90 runs on newer GPUs, too, and is
// not; nor is what -ptx writes for sm_90. SIMT code asks for an architecture's own instructions itself, and is made for what was
// named. It may be for sm_75, too, which tile kernels are not made for.
//
// Other vendors' targets have one name each, which their back end knows: -arch=gfx942, -arch=spirv64.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_TARGETARCHS_H
#define TILECC_DRIVER_TARGETARCHS_H

#include "targets/nvidia/Architectures.h"
#include <vector>

namespace tilecc {

struct Context;
struct Input;

/// One architecture kernels are lowered for, and what becomes of its PTX.
struct TargetArch {
  nvidia::Architecture arch;
  bool cubin = false; ///< assembled by ptxas
  bool ptx = false;   ///< embedded as text, for newer GPUs
};

using TargetArchs = std::vector<TargetArch>;

/// Reads -arch and -gencode into the context's targets, of both kinds of kernels and of all back ends for GPUs; by
/// default sm_80 and sm_90 code, and compute_90 PTX. Sorted by architecture. Those of tile kernels are empty if all that
/// was named is too old for them.
void selectTargetArchs(Context &ctx);

/// The name of a GPU's own code, which has all of its instructions and as much static shared memory as there is: sm_100a for
/// sm_100. Names that have no such code stay as they are.
std::string nameOfOwnCode(llvm::StringRef name);

/// An error about the tile kernels of an input, where that is so.
void reportTooOldForTiles(Context &ctx, const Input &input);

} // namespace tilecc

#endif // TILECC_DRIVER_TARGETARCHS_H
