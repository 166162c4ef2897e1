//===- CudaToolkit.h - finds and queries ptxas and related programs ----------------------------------------*- C++ -*-//
//
// The driver's part of finding the toolkit; builder/CudaTools.h searches for it.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_CUDATOOLKIT_H
#define TILECC_DRIVER_CUDATOOLKIT_H

namespace tilecc {

struct Context;
struct CudaToolkit;

/// Returns the toolkit in the folder of --cuda-path, or else the one that findCudaTools() finds.
CudaToolkit findCudaToolkit(Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_CUDATOOLKIT_H
