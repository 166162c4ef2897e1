//===- GpuTarget.h - what a kernel is compiled for -----------------------------------------------------------*- C++ -*-//
#ifndef TILECC_LOWERING_GPU_GPUTARGET_H
#define TILECC_LOWERING_GPU_GPUTARGET_H

#include <string>

namespace tilecc {

/// An NVIDIA GPU: sm_90, or with a suffix sm_90a (that chip alone) or sm_100f (its family).
struct GpuTarget {
  unsigned arch = 80;
  char suffix = 0; ///< 0, 'a' or 'f'

  std::string sm() const { return "sm_" + std::to_string(arch) + (suffix ? std::string(1, suffix) : std::string()); }
};

/// How exact arithmetic on f32 is. The defaults are Triton's.
struct FloatOptions {
  bool fmad = true;      ///< products and sums are one operation
  bool ftz = false;      ///< subnormal numbers are zero
  bool precDiv = false;  ///< division is exact
  bool precSqrt = false; ///< square roots are
  bool fastMath = false; ///< functions are the approximations that GPUs have
};

/// Where functions of the CUDA toolkit's library come from, and how they are to compute.
struct GpuLibrary {
  std::string libdevice; ///< the toolkit's libdevice.10.bc; empty: there is none
  FloatOptions floats;
};

/// What the lowering of one kernel needs to know beside its IR.
struct GpuOptions {
  GpuTarget target;
  int numWarps = 4;
  int numStages = 3; ///< of software pipelines
  int numCtas = 1;   ///< thread blocks that run one program together
  GpuLibrary library;
};

} // namespace tilecc

#endif // TILECC_LOWERING_GPU_GPUTARGET_H
