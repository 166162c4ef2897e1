//===- Images.h - code that programs give to the driver ----------------------------------------------------*- C++ -*-//

#ifndef TILECC_EMULATOR_CUDA_IMAGES_H
#define TILECC_EMULATOR_CUDA_IMAGES_H

#include <cuda.h>
#include <string>

namespace tilecc::cuda {

/// PTX, or a library that tcc has made.
struct Image {
  const char *bytes = nullptr;
  size_t size = 0;
  std::string decompressed; ///< owns the bytes, if they were compressed
};

/// Finds the code that the device can run in an image: PTX, a fat binary or its wrapper, or a library of tcc. Returns
/// an error, which it has printed, if there is none.
CUresult readImage(const void *bytes, Image &image);

} // namespace tilecc::cuda

#endif // TILECC_EMULATOR_CUDA_IMAGES_H
