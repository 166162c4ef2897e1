//===- SpirvTargets.cpp - the SPIR-V targets and facts about their devices ----------------------------------------===//
//
// The back end uses these facts, and so does every pass that needs the number of threads of a warp.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/spirv/SpirvTargets.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace tilecc::spirv {

Facts::Facts(StringRef name, unsigned imageArch, unsigned subGroupSize, StringRef extensions)
    : name(name), imageArch(imageArch),
      hasMatrixUnit(extensions.contains("cl_intel_subgroup_matrix_multiply_accumulate")),
      convertsBFloat(extensions.contains("cl_intel_bfloat16_conversions")) {
  warpSize = subGroupSize;
  // Current GPUs support at least 512 work-items per work-group, and often 1024.
  maxWarps = std::min(32u, 1024 / subGroupSize);
  threads = 1024;
  maxThreadRegisters = 128;
  registers = threads * maxThreadRegisters / 2;
  hasCudaCalls = hasAsyncCopies = hasMatrixLoads = false;
}

ArrayRef<Facts> allTargets() {
  static const std::vector<Facts> all = [] {
    std::vector<Facts> targets = {
#define TILECC_SPIRV_TARGET(...) Facts(__VA_ARGS__),
#include "runtime/src/opencl/SpirvTargets.def"
    };
    stable_sort(targets, [](const Facts &a, const Facts &b) {
      return std::pair(a.hasMatrixUnit, a.warpSize) < std::pair(b.hasMatrixUnit, b.warpSize);
    });
    return targets;
  }();
  return all;
}

const Facts *findFacts(StringRef name) {
  const Facts *found = find_if(allTargets(), [&](const Facts &facts) { return facts.name == name; });
  return found != allTargets().end() ? found : nullptr;
}

std::string spellTarget(const Facts &facts) {
  StringRef variant = facts.name;
  variant.consume_front("spirv64-");
  return "spirv:" + (variant == facts.name ? std::to_string(facts.warpSize) : variant.str());
}

const Facts *parseTarget(StringRef spelling) {
  const Facts *found = find_if(allTargets(), [&](const Facts &facts) { return spellTarget(facts) == spelling; });
  return found != allTargets().end() ? found : nullptr;
}

} // namespace tilecc::spirv
