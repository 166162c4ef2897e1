//===- SpirvTargets.h - the SPIR-V targets and what is known of the devices they run on --------------------*- C++ -*-//
//
// SPIR-V is portable, so a target is no device: it is a sub-group size, which layouts are made for. spirv64 has
// sub-groups of 32, spirv64:16 and spirv64:64 have the others. OpenCL devices say which sizes they have.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_SPIRV_SPIRVTARGETS_H
#define TILECC_TARGETS_SPIRV_SPIRVTARGETS_H

#include "targets/GpuFacts.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace tilecc::spirv {

/// What every OpenCL device has that kernels may be launched on. Where devices differ, the smallest number.
struct Facts final : GpuFacts {
  explicit Facts(unsigned subGroupSize);
  bool fits(int64_t bytesOfSharedMemory) const override { return bytesOfSharedMemory <= getMostSharedBytes(); }
  unsigned getMostSharedBytes() const override { return 64 * 1024; }
  bool hasClusters() const override { return false; }
  unsigned getMostAdded(mlir::Type) const override { return 1; }
};

/// The facts of targets with sub-groups of `size` lanes; null for a size that there is no target of.
const Facts *findFacts(unsigned size);

/// "spirv64" is 32, "spirv64:16" is 16; nothing for what is no target.
std::optional<unsigned> parseName(llvm::StringRef name);

/// The module attribute ttg.target: "spirv:32".
std::string spellTarget(unsigned size);
std::optional<unsigned> parseTarget(llvm::StringRef spelling);

} // namespace tilecc::spirv

#endif // TILECC_TARGETS_SPIRV_SPIRVTARGETS_H
