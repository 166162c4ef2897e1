//===- TargetArchs.h - which GPUs to compile for -----------------------------------------------------------*- C++ -*-//
//
// Parses -arch and -gencode, with nvcc's meaning: code=sm_XX requests a cubin, code=compute_XX requests PTX.
//
// Tile kernels for sm_90 are compiled for sm_90a, which runs on the same GPUs and has all of their instructions. PTX
// for compute_90 must also run on newer GPUs and does not use them; neither does the output of -ptx for sm_90. SIMT
// code requests architecture-specific instructions itself, so it is compiled for exactly the named target. SIMT code
// also supports sm_75, which tile kernels do not.
//
// Each target of another vendor has one name, which its back end knows.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_TARGETARCHS_H
#define TILECC_DRIVER_TARGETARCHS_H

#include "targets/Target.h"
#include <string>

namespace tilecc {

class GpuBackend;
struct Context;
struct Input;

/// Returns the back end whose targets nvcc's options name.
const GpuBackend &cudaBackend();

/// Returns the name of a target's PTX in options: "compute_90a" for sm_90a.
std::string getPtxName(const Target &arch);

/// Reads -arch and -gencode into the context's targets, for tile and SIMT kernels and for all GPU back ends. The
/// default is sm_80 and sm_90 code and compute_90 PTX. The lists are sorted by architecture. The list for tile kernels
/// is empty if all named targets are too old for them.
void selectTargetArchs(Context &ctx);

/// Returns the name of a GPU's architecture-specific target: sm_100a for sm_100. Code for this target may use all
/// instructions of the GPU, and more static shared memory than portable code. Returns other names unchanged.
std::string nameOfOwnCode(llvm::StringRef name);

/// Reports an error if an input has tile kernels and all targets are too old for them.
void reportTooOldForTiles(Context &ctx, const Input &input);

} // namespace tilecc

#endif // TILECC_DRIVER_TARGETARCHS_H
