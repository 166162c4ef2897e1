//===- CudaToolkit.h - ptxas and its neighbours, run as programs ----------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_CUDATOOLKIT_H
#define TILECC_DRIVER_CUDATOOLKIT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace tilecc {

struct Context;

/// An optional CUDA toolkit. Without one, kernels are embedded as PTX.
struct CudaToolkit {
  std::string path;    ///< empty: none
  std::string ptxas, fatbinary, cuobjdump, nvdisasm; ///< paths; empty: not there
  std::string libdevice;                             ///< the bitcode library of functions; likewise

  bool hasPtxas() const { return !ptxas.empty(); }
  /// "13.0", as ptxas says.
  std::string version(Context &ctx) const;

  /// An error that says what `stage` needs and how to get it.
  static void reportMissing(Context &ctx, llvm::StringRef tool, llvm::StringRef stage);
};

/// Looks where --cuda-path, TILECC_CUDA_PATH, CUDA_PATH, nvcc on PATH and the usual place point, in this order.
CudaToolkit findCudaToolkit(Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_CUDATOOLKIT_H
