//===- CudaToolkit.h - finds and queries ptxas and related programs ----------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_CUDATOOLKIT_H
#define TILECC_DRIVER_CUDATOOLKIT_H

namespace tilecc {

struct Context;
struct CudaToolkit;

/// Searches the folder of --cuda-path, or else where findCudaTools() searches.
CudaToolkit findCudaToolkit(Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_CUDATOOLKIT_H
