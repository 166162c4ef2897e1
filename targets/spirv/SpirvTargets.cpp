//===- SpirvTargets.cpp - the SPIR-V targets and facts about their devices ----------------------------------------===//
//
// The back end uses these facts, and so does every pass that needs the number of threads of a warp.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/spirv/SpirvTargets.h"

using namespace llvm;

namespace tilecc::spirv {

static constexpr unsigned usualSize = 32;

Facts::Facts(unsigned subGroupSize) {
  warpSize = subGroupSize;
  // Current GPUs support at least 512 work-items per work-group, and often 1024.
  maxWarps = std::min(32u, 1024 / subGroupSize);
  threads = 1024;
  maxThreadRegisters = 128;
  registers = threads * maxThreadRegisters / 2;
  hasAsyncCopies = hasMatrixLoads = false;
}

const Facts *findFacts(unsigned size) {
  static const Facts all[] = {Facts(16), Facts(32), Facts(64)};
  for (const Facts &facts : all)
    if (facts.warpSize == size)
      return &facts;
  return nullptr;
}

/// Parses a supported size in canonical spelling.
static std::optional<unsigned> parseSize(StringRef text) {
  unsigned size = 0;
  if (text.getAsInteger(10, size) || !findFacts(size) || text != std::to_string(size))
    return std::nullopt;
  return size;
}

std::optional<unsigned> parseName(StringRef name) {
  if (!name.consume_front("spirv64"))
    return std::nullopt;
  if (name.empty())
    return usualSize;
  return name.consume_front(":") ? parseSize(name) : std::nullopt;
}

std::string spellTarget(unsigned size) { return "spirv:" + std::to_string(size); }

std::optional<unsigned> parseTarget(StringRef spelling) {
  return spelling.consume_front("spirv:") ? parseSize(spelling) : std::nullopt;
}

} // namespace tilecc::spirv
