//===- Target.cpp - the spelling of targets -------------------------------------------------------------------------===//
//
// For messages and file names of the driver, and for whoever names a target in text.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "compile/Target.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tilecc {

std::string Target::str() const {
  if (backend == Nvidia)
    return architecture().sm();
  return arch ? "cpu:" + std::to_string(arch) : "cpu";
}

std::optional<Target> Target::parse(StringRef text) {
  if (text.consume_front("sm_")) {
    auto arch = nvidia::Architecture::parse(text);
    return arch && nvidia::findFacts(*arch) ? std::optional(gpu(*arch)) : std::nullopt;
  }
  if (!text.consume_front("cpu"))
    return std::nullopt;
  unsigned level = 0;
  if (!text.empty() && (!text.consume_front(":") || text.getAsInteger(10, level) || level < 2 || level > 4))
    return std::nullopt;
  return cpu(level);
}

} // namespace tilecc
