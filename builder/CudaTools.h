//===- CudaTools.h - finds the CUDA toolkit -------------------------------------------------------------*- C++ -*-===//

#ifndef TILECC_BUILDER_CUDATOOLS_H
#define TILECC_BUILDER_CUDATOOLS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace tilecc {

/// The optional CUDA toolkit: its programs and files.
struct CudaTools {
  std::string path; ///< empty if there is none
  std::string ptxas, fatbinary, nvlink, cuobjdump, nvdisasm; ///< paths; empty if missing
  std::string libdevice; ///< the bitcode math library; empty if missing
  std::string libraries; ///< the directory of libcudart_static.a; empty if missing

  bool hasPtxas() const { return !ptxas.empty(); }
};

/// Searches `named` (--cuda-path; may be empty), TILECC_CUDA_PATH, CUDA_PATH, the toolkit of nvcc on PATH, and the
/// usual folder, in this order. "none" means that there is no toolkit. Sets `mistake` to a message if the user named a
/// folder without a toolkit.
CudaTools findCudaTools(llvm::StringRef named, std::string &mistake);

} // namespace tilecc

#endif // TILECC_BUILDER_CUDATOOLS_H
