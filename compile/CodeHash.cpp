//===- CodeHash.cpp - whether a kernel's code may have changed ----------------------------------------------------===//
//
// compile() writes it into the kernel, the driver into the object's descriptor, and the runtime keeps it beside what it
// has measured.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "compile/CodeHash.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace tilecc {

uint64_t hashCode(const Kernel &kernel, const CodeOptions &options) {
  std::string text;
  raw_string_ostream stream(text);
  const FloatOptions &floats = options.floats;
  stream << TILECC_VERSION << ' ' << kernel.numWarps.value_or(0) << ' ' << kernel.numStages.value_or(0) << ' '
         << kernel.numCtas << ' ' << kernel.numConsumers << ' ' << kernel.isPersistent << kernel.wantsMoreWarps << kernel.wantsAllRegisters << kernel.hasVariants << options.tensorMaps << options.checkReplicas << floats.fmad
         << floats.ftz << floats.precDiv << floats.precSqrt << floats.fastMath;
  for (const TargetHint &hint : kernel.hints)
    stream << ' ' << hint.arch << ' ' << hint.kind << ' ' << hint.value;
  for (const KernelParam &param : kernel.params)
    stream << ' ' << param.noSpecialize;
  kernel.ttir.get().print(stream); // without locations
  uint64_t hash = xxh3_64bits(text);
  return hash ? hash : 1;
}

} // namespace tilecc
