//===- GpuTarget.h - options for compiling a kernel for a GPU -------------------------------------------*- C++ -*-===//
//
// Options that the back ends pass to the passes they run. This file does not depend on MLIR.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_GPU_GPUTARGET_H
#define TILECC_LOWERING_GPU_GPUTARGET_H

#include <cstdint>
#include <string>
#include <vector>

namespace tilecc {

/// The precision of f32 arithmetic. The defaults are Triton's.
struct FloatOptions {
  bool fmad = true; ///< contract products and sums
  bool ftz = false; ///< flush subnormal numbers to zero
  bool precDiv = false; ///< divide with correct rounding
  bool precSqrt = false; ///< take square roots with correct rounding
  bool fastMath = false; ///< use the GPU's approximate functions
  bool operator==(const FloatOptions &) const = default;
};
/// Calls visit(member) for each member.
template <typename Visit> void forEachMember(FloatOptions &floats, Visit &&visit) {
  visit(floats.fmad);
  visit(floats.ftz);
  visit(floats.precDiv);
  visit(floats.precSqrt);
  visit(floats.fastMath);
}

/// The location of the CUDA toolkit's math library, and the float options for it.
struct GpuLibrary {
  std::string libdevice; ///< the toolkit's libdevice.10.bc; empty if there is none
  FloatOptions floats;
};

/// A tensor map that a launch creates, and passes after the kernel's own arguments. See ttng.tensor_maps (TTNG.h) for
/// its fields.
struct TensorMap {
  static constexpr unsigned axes = 4;
  uint32_t bytes = 0, swizzle = 0;
  int32_t parameter = -1;
  uint32_t limits[2] = {UINT32_MAX, UINT32_MAX};
  int32_t base = -1;
  uint64_t sizes[axes] = {}, strides[axes - 1] = {};
  uint32_t box[axes] = {};
  uint32_t imageDimensions = 0;
  std::vector<int64_t> code; ///< only for images
  bool operator==(const TensorMap &) const = default;
};

} // namespace tilecc

#endif // TILECC_LOWERING_GPU_GPUTARGET_H
