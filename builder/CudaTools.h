//===- CudaTools.h - finds the CUDA toolkit -------------------------------------------------------------*- C++ -*-===//
//
// The driver and libtilecc use ptxas and other programs of the CUDA toolkit, if they find one.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_BUILDER_CUDATOOLS_H
#define TILECC_BUILDER_CUDATOOLS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace tilecc {

/// The paths of the CUDA toolkit's programs and files. The toolkit is optional.
struct CudaTools {
  std::string path; ///< empty if there is none
  std::string ptxas, fatbinary, nvlink, cuobjdump, nvdisasm; ///< paths; empty if missing
  std::string libdevice; ///< the bitcode math library; empty if missing
  std::string libraries; ///< the directory of libcudart_static.a; empty if missing

  bool hasPtxas() const { return !ptxas.empty(); }
};

/// Searches for a toolkit in these places, in this order: `named` (--cuda-path; may be empty), TILECC_CUDA_PATH,
/// CUDA_PATH, the toolkit of the nvcc on PATH, and the usual folder. The name "none" means that no toolkit should be
/// used. If the user named a folder without a toolkit, sets `mistake` to a message.
CudaTools findCudaTools(llvm::StringRef named, std::string &mistake);

} // namespace tilecc

#endif // TILECC_BUILDER_CUDATOOLS_H
