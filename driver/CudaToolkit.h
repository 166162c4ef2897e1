//===- CudaToolkit.h - ptxas and its neighbours, run as programs -------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_CUDATOOLKIT_H
#define TILECC_DRIVER_CUDATOOLKIT_H

#include "lowering/nvidia/Architectures.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tilecc {

struct Context;

/// An optional CUDA toolkit. Without one, kernels are embedded as PTX.
struct CudaToolkit {
  std::string path;    ///< empty: none
  std::string ptxas, fatbinary, nvlink, cuobjdump, nvdisasm; ///< paths; empty: not there
  std::string libdevice;                             ///< the bitcode library of functions; likewise
  std::string libraries;                             ///< the folder of libcudart_static.a; likewise

  bool hasPtxas() const { return !ptxas.empty(); }
  /// "13.0", as ptxas says.
  std::string version() const;
  /// Whether ptxas assembles code for `arch`: an older one does not know the newest GPUs.
  bool assembles(const nvidia::Architecture &arch);

  /// An error that says what `stage` needs and how to get it.
  static void reportMissing(Context &ctx, llvm::StringRef tool, llvm::StringRef stage);

private:
  std::string ptxasHelp; ///< once it has been asked for
};

/// Looks where --cuda-path, TILECC_CUDA_PATH, CUDA_PATH, nvcc on PATH and the usual place point, in this order.
CudaToolkit findCudaToolkit(Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_CUDATOOLKIT_H
