//===- TargetArchs.h - which GPUs to compile for -----------------------------------------------------------*- C++ -*-//
//
// Parses -arch and -gencode. As in nvcc, code=sm_XX requests a cubin, and code=compute_XX requests PTX.
//
// Tile kernels for sm_90 are compiled for sm_90a, which runs on the same GPUs and has all of their instructions. This
// does not apply to PTX for compute_90, nor to the output of -ptx for sm_90, because both must also run on newer GPUs.
// SIMT code requests architecture-specific instructions itself, so it is compiled for exactly the given target. SIMT
// code also supports sm_75, which tile kernels do not.
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

/// Returns the back end for the targets that nvcc's options can name.
const GpuBackend &cudaBackend();

/// Returns the name that options use for the PTX of a target: "compute_90a" for sm_90a.
std::string getPtxName(const Target &arch);

/// Reads -arch and -gencode into the lists of targets in `ctx`: for tile kernels, for SIMT kernels, and for each kind
/// of back end. By default, there is code for sm_80 and sm_90, and PTX for compute_90. The lists are sorted by
/// architecture. The list for tile kernels is empty if all given targets are too old for them.
void selectTargetArchs(Context &ctx);

/// Returns the name of the architecture-specific target of a GPU: sm_100a for sm_100. Code for this target may use all
/// instructions of the GPU, and more static shared memory than portable code. Other names are returned unchanged.
std::string nameOfOwnCode(llvm::StringRef name);

/// Reports an error if an input contains tile kernels and all targets are too old for them.
void reportTooOldForTiles(Context &ctx, const Input &input);

} // namespace tilecc

#endif // TILECC_DRIVER_TARGETARCHS_H
