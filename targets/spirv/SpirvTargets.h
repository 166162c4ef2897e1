//===- SpirvTargets.h - the SPIR-V targets and facts about their devices --------------------------------*- C++ -*-===//
//
// SPIR-V is portable, so a target is not a device but a sub-group size, for which layouts are computed, and a set of
// extensions. The target spirv64 has sub-groups of 32 lanes; spirv64:16 and spirv64:64 have other sizes. spirv64-intel
// uses extensions that Intel's GPUs have. OpenCL devices report which targets they support.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_SPIRV_SPIRVTARGETS_H
#define TILECC_TARGETS_SPIRV_SPIRVTARGETS_H

#include "targets/GpuFacts.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tilecc::spirv {

/// Properties that every device of a target has on which kernels may be launched. If devices differ in a number, it is
/// the smallest value.
struct Facts final : GpuFacts {
  Facts(llvm::StringRef name, unsigned imageArch, unsigned subGroupSize, llvm::StringRef extensions);
  bool fits(int64_t bytesOfSharedMemory) const override { return bytesOfSharedMemory <= getMostSharedBytes(); }
  unsigned getMostSharedBytes() const override { return 64 * 1024; }
  bool hasClusters() const override { return false; }
  unsigned getMostAdded(mlir::Type) const override { return 1; }

  llvm::StringRef name; ///< "spirv64:16"
  unsigned imageArch; ///< the number of images in tilecc_image
  bool hasMatrixUnit; ///< SPV_INTEL_subgroup_matrix_multiply_accumulate
  bool convertsBFloat; ///< SPV_INTEL_bfloat16_conversion
};

/// Returns all targets, those with extensions last.
llvm::ArrayRef<Facts> allTargets();

/// Returns the facts about the target `name`, or null if there is no such target.
const Facts *findFacts(llvm::StringRef name);

/// Returns the target of a module, by its attribute ttg.target: "spirv:32", "spirv:intel". Returns null if there is no
/// such target.
const Facts *parseTarget(llvm::StringRef spelling);
std::string spellTarget(const Facts &facts);

} // namespace tilecc::spirv

#endif // TILECC_TARGETS_SPIRV_SPIRVTARGETS_H
