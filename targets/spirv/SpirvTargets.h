//===- SpirvTargets.h - the SPIR-V targets and facts about their devices --------------------------------*- C++ -*-===//
//
// SPIR-V is portable, so a target is not a device but a sub-group size, for which layouts are computed. The target
// spirv64 has sub-groups of 32 lanes; spirv64:16 and spirv64:64 have other sizes. OpenCL devices report which sizes
// they support.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_SPIRV_SPIRVTARGETS_H
#define TILECC_TARGETS_SPIRV_SPIRVTARGETS_H

#include "targets/GpuFacts.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace tilecc::spirv {

/// Properties that every OpenCL device has on which kernels may be launched. If devices differ in a number, it is the
/// smallest value.
struct Facts final : GpuFacts {
  explicit Facts(unsigned subGroupSize);
  bool fits(int64_t bytesOfSharedMemory) const override { return bytesOfSharedMemory <= getMostSharedBytes(); }
  unsigned getMostSharedBytes() const override { return 64 * 1024; }
  bool hasClusters() const override { return false; }
  unsigned getMostAdded(mlir::Type) const override { return 1; }
};

/// Returns the facts about targets with sub-groups of `size` lanes, or null if there is no such target.
const Facts *findFacts(unsigned size);

/// Returns 32 for "spirv64" and 16 for "spirv64:16"; returns nothing for other names.
std::optional<unsigned> parseName(llvm::StringRef name);

/// Convert a sub-group size to the module attribute ttg.target, "spirv:32", and back.
std::string spellTarget(unsigned size);
std::optional<unsigned> parseTarget(llvm::StringRef spelling);

} // namespace tilecc::spirv

#endif // TILECC_TARGETS_SPIRV_SPIRVTARGETS_H
