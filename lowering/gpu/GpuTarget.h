//===- GpuTarget.h - for what and how a kernel is compiled ---------------------------------------------------*- C++ -*-//
#ifndef TILECC_LOWERING_GPU_GPUTARGET_H
#define TILECC_LOWERING_GPU_GPUTARGET_H

#include <cstdint>
#include <string>
#include <vector>

namespace tilecc {

/// How exact arithmetic on f32 is. The defaults are Triton's.
struct FloatOptions {
  bool fmad = true;      ///< products and sums are one operation
  bool ftz = false;      ///< subnormal numbers are zero
  bool precDiv = false;  ///< division is exact
  bool precSqrt = false; ///< square roots are
  bool fastMath = false; ///< functions are the approximations that GPUs have
  bool operator==(const FloatOptions &) const = default;
};
/// Calls visit(member) for each.
template <typename Visit> void forEachMember(FloatOptions &floats, Visit &&visit) {
  visit(floats.fmad);
  visit(floats.ftz);
  visit(floats.precDiv);
  visit(floats.precSqrt);
  visit(floats.fastMath);
}

/// Where functions of the CUDA toolkit's library come from, and how they are to compute.
struct GpuLibrary {
  std::string libdevice; ///< the toolkit's libdevice.10.bc; empty: there is none
  FloatOptions floats;
};

/// A tensor map that a launch makes, and passes behind the kernel's own arguments: see ttng.tensor_maps.
struct TensorMap {
  static constexpr unsigned axes = 4;
  uint32_t bytes = 0, swizzle = 0;
  int32_t parameter = -1;
  uint32_t limits[2] = {UINT32_MAX, UINT32_MAX};
  int32_t base = -1;
  uint64_t sizes[axes] = {}, strides[axes - 1] = {};
  uint32_t box[axes] = {};
  uint32_t imageDimensions = 0;
  std::vector<int64_t> code; ///< of images
  bool operator==(const TensorMap &) const = default;
};

} // namespace tilecc

#endif // TILECC_LOWERING_GPU_GPUTARGET_H
