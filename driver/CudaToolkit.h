//===- CudaToolkit.h - finds and queries ptxas and related programs ----------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_CUDATOOLKIT_H
#define TILECC_DRIVER_CUDATOOLKIT_H

#include "builder/CudaTools.h"
#include "targets/Target.h"
#include <string>

namespace tilecc {

struct Context;

/// A version such as 13.0.88. Numbers that ptxas does not report are 0.
struct ToolkitVersion {
  unsigned major = 0, minor = 0, build = 0;
};

/// An optional CUDA toolkit. Without one, kernels are embedded as PTX.
struct CudaToolkit : CudaTools {
  /// The version as ptxas reports it, for example "13.0".
  std::string version() const;
  ToolkitVersion fullVersion() const;
  /// Returns true if ptxas supports `arch`; an older ptxas does not support the newest GPUs.
  bool assembles(const Target &arch);

  /// Reports an error that says what `stage` needs and how to get it.
  static void reportMissing(Context &ctx, llvm::StringRef tool, llvm::StringRef stage);

  std::string ptxasHelp; ///< cached output of --help
};

/// Searches the folder of --cuda-path, or else where findCudaTools() searches.
CudaToolkit findCudaToolkit(Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_CUDATOOLKIT_H
