//===- KernelOptions.h - options for compiling a kernel -----------------------------------------------*- C++ -*-===//
//
// The table of kernel attributes. The front end registers the attributes [[tt::...]] from it, and checks their values.
// The driver and libtilecc parse options such as --num-warps with it. Code that depends on all options (the hash of a
// kernel's code, relocatable objects, the commands in reports) visits the members below. To add an attribute, add a
// member and a row of the table.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_COMPILE_KERNELOPTIONS_H
#define TILECC_COMPILE_KERNELOPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MathExtras.h"
#include <optional>
#include <string>
#include <vector>

namespace tilecc {

/// A hint for one architecture, from [[cutile::hint(...)]]. Hints of other kinds are ignored.
struct TargetHint {
  enum Kind {
    Warps,
    Occupancy,  ///< minimum number of thread blocks per multiprocessor
    Latency,    ///< how far ahead loads should start, 1 to 10
    TensorMaps, ///< 0: the kernel must not use tensor maps
  };
  unsigned arch = 0; ///< the architecture, as in __CUDA_ARCH__ (900); 0: any
  Kind kind = Warps;
  int value = 0;
};

/// The options of a kernel. An option without a value was not specified; the code that reads it applies the default.
struct KernelOptions {
  std::optional<int> numWarps;     ///< per program; the default is in Warps.h
  std::optional<int> numStages;    ///< of pipelined loops
  std::optional<int> numCtas;      ///< thread blocks that run one program together
  std::optional<int> numConsumers; ///< programs that one thread block may run side by side, loading common tiles once
  std::optional<int> persistent;   ///< a block may run several programs, one after the other
  std::vector<TargetHint> hints;
  /// Set after an assembler has reported that the kernel spills registers. For targets with an assembler, Warps.h then
  /// chooses more warps, and one program may have all registers of a multiprocessor.
  bool wantsMoreWarps = false, wantsAllRegisters = false;
  /// False for a kernel that was read as IR. Its IR already contains all assumptions about arguments, so it is compiled
  /// as it is.
  bool hasVariants = true;

  int getNumCtas() const { return numCtas.value_or(1); }
  int getNumConsumers() const { return numConsumers.value_or(1); }
  bool isPersistent() const { return persistent.has_value(); }
  bool saysWhatBlocksRun() const { return persistent || numConsumers || getNumCtas() > 1; }
};

/// A row of the table.
struct KernelAttribute {
  llvm::StringLiteral name; ///< "num_warps": [[tt::num_warps(n)]], --num-warps=n
  std::optional<int> KernelOptions::*member;
  llvm::StringLiteral summary;
  int most; ///< the maximum; the minimum is 1; 0: the attribute takes no value
  bool isPowerOfTwo;
  bool isForIRAlone; ///< the option applies to IR only; C++ sources have the attribute instead

  std::string getScopedName() const { return "tt::" + name.str(); }
  std::string getAnnotation() const { return "tt." + name.str(); }
  std::string getOption() const {
    std::string option = "--" + name.str();
    for (char &c : option)
      c = c == '_' ? '-' : c;
    return option;
  }
  bool isValid(int64_t value) const {
    return value >= 1 && value <= most && (!isPowerOfTwo || llvm::isPowerOf2_64(value));
  }
  /// Returns a text such as "a power of two from 1 to 32".
  std::string getRange() const {
    return std::string(isPowerOfTwo ? "a power of two" : "a number") + " from 1 to " + std::to_string(most);
  }
};

inline constexpr KernelAttribute kernelAttributes[] = {
    {"num_warps", &KernelOptions::numWarps, "warps that run one program", 32, true, false},
    {"num_stages", &KernelOptions::numStages, "stages of a pipelined loop", 64, false, false},
    {"num_ctas", &KernelOptions::numCtas, "thread blocks that run one program", 16, true, true},
    {"num_consumers", &KernelOptions::numConsumers, "programs of one thread block that share its loads", 4, false,
     true},
    {"persistent", &KernelOptions::persistent, "a block may run several programs", 0, false, true},
};

/// Calls visit(member) for each member.
template <typename Visit> void forEachMember(TargetHint &hint, Visit &&visit) {
  visit(hint.arch);
  visit(hint.kind);
  visit(hint.value);
}
template <typename Visit> void forEachMember(KernelOptions &options, Visit &&visit) {
  for (const KernelAttribute &attribute : kernelAttributes)
    visit(options.*attribute.member);
  visit(options.hints);
  visit(options.wantsMoreWarps);
  visit(options.wantsAllRegisters);
  visit(options.hasVariants);
}

} // namespace tilecc

#endif // TILECC_COMPILE_KERNELOPTIONS_H
