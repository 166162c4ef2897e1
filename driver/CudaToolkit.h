//===- CudaToolkit.h - ptxas and its neighbours, run as programs -------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_CUDATOOLKIT_H
#define TILECC_DRIVER_CUDATOOLKIT_H

#include "targets/nvidia/CudaTools.h"
#include "targets/nvidia/Architectures.h"
#include <string>

namespace tilecc {

struct Context;

/// 13.0.88: numbers that are 0 where ptxas does not tell.
struct ToolkitVersion {
  unsigned major = 0, minor = 0, build = 0;
};

/// An optional CUDA toolkit. Without one, kernels are embedded as PTX.
struct CudaToolkit : CudaTools {
  /// "13.0", as ptxas says.
  std::string version() const;
  ToolkitVersion fullVersion() const;
  /// Whether ptxas assembles code for `arch`: an older one does not know the newest GPUs.
  bool assembles(const nvidia::Architecture &arch);

  /// An error that says what `stage` needs and how to get it.
  static void reportMissing(Context &ctx, llvm::StringRef tool, llvm::StringRef stage);

  std::string ptxasHelp; ///< once it has been asked for
};

/// Looks where --cuda-path points, else where findCudaTools() looks.
CudaToolkit findCudaToolkit(Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_CUDATOOLKIT_H
