//===- Fusion.h - joins a chain of kernels ------------------------------------------------------------*- C++ -*-===//
//
// Consecutive launches with the same grid can become one launch of a kernel that does the work of all of them, program
// by program, if no program needs the results of another one. It accesses less memory, because values that one kernel
// stores and a later one loads stay in registers (triton-forward-stores).
//
// docs/fusion.md describes the rules; Fusion.cpp proves that they hold, or rejects the chain. The results are those of
// the chain, bit for bit.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_COMPILE_FUSION_H
#define TILECC_COMPILE_FUSION_H

#include "compile/Kernel.h"
#include "llvm/ADT/SmallVector.h"
#include <array>

namespace tilecc {

/// Returns a kernel's TTIR and everything else that its code depends on, as text, for an object of -ffusion.
std::string ttirForFusion(const Kernel &kernel, const FloatOptions &floats);

struct Chain {
  /// An argument of the joined kernel.
  struct Argument {
    /// The block of memory to which a pointer points; 0 if unknown. Different blocks do not overlap.
    unsigned block = 0;
    /// True if nothing reads this memory after the chain.
    bool isTemporary = false;
  };
  struct Launch {
    std::string ttir; ///< from ttirForFusion()
    std::vector<unsigned> arguments; ///< for each parameter, the argument of the chain that is its value
  };
  std::string name; ///< the joined kernel's name in messages
  std::vector<Launch> launches;
  std::vector<Argument> arguments;
  std::array<uint32_t, 3> grid = {1, 1, 1};
};

/// Returns a kernel that is equivalent to the chain, and sets the float options for its compilation. Returns nothing,
/// with the reason in `why`, if the equivalence cannot be proved. The kernel belongs to `context`, which must have the
/// dialects loaded.
std::optional<Kernel> joinChain(mlir::MLIRContext &context, const Chain &chain, FloatOptions &floats, std::string &why);

} // namespace tilecc

#endif // TILECC_COMPILE_FUSION_H
