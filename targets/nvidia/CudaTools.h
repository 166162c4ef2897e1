//===- CudaTools.h - where the CUDA toolkit is ---------------------------------------------------------------*- C++ -*-//

#ifndef TILECC_TARGETS_NVIDIA_CUDATOOLS_H
#define TILECC_TARGETS_NVIDIA_CUDATOOLS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace tilecc {

/// An optional toolkit: its programs, which are run, and its files.
struct CudaTools {
  std::string path;                                          ///< empty: none
  std::string ptxas, fatbinary, nvlink, cuobjdump, nvdisasm; ///< paths; empty: not there
  std::string libdevice;                                     ///< the bitcode library of functions; likewise
  std::string libraries;                                     ///< the folder of libcudart_static.a; likewise

  bool hasPtxas() const { return !ptxas.empty(); }
};

/// Looks where `named` (--cuda-path; may be empty), TILECC_CUDA_PATH, CUDA_PATH, nvcc on PATH and the usual place
/// point, in this order; "none" says that there is none. `mistake` is a message if somebody named a place without a
/// toolkit.
CudaTools findCudaTools(llvm::StringRef named, std::string &mistake);

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_CUDATOOLS_H
