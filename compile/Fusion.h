//===- Fusion.h - joins a chain of kernels ------------------------------------------------------------*- C++ -*-===//
//
// Consecutive launches with the same grid can be replaced by one launch of a kernel that does the work of all of them,
// program by program, if no program needs results of another program. The joined kernel accesses less memory, because
// values that one kernel stores and a later one loads stay in registers (triton-forward-stores).
//
// docs/fusion.md describes the rules. Fusion.cpp proves that they hold, or rejects the chain. The joined kernel has the
// same results as the chain, bit for bit.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_COMPILE_FUSION_H
#define TILECC_COMPILE_FUSION_H

#include "compile/Kernel.h"
#include "llvm/ADT/SmallVector.h"
#include <array>

namespace tilecc {

/// Returns the TTIR of a kernel, and everything else that its code depends on, as text. Objects that are compiled with
/// -ffusion contain this text.
std::string ttirForFusion(const Kernel &kernel, const FloatOptions &floats);

struct Chain {
  /// An argument of the joined kernel.
  struct Argument {
    /// Identifies the block of memory to which a pointer points; 0 if unknown. Different blocks do not overlap.
    unsigned block = 0;
    /// True if nothing reads this memory after the chain.
    bool isTemporary = false;
  };
  struct Launch {
    std::string ttir; ///< from ttirForFusion()
    std::vector<unsigned> arguments; ///< for each parameter: the argument of the chain that is its value
  };
  std::string name; ///< the joined kernel's name in messages
  std::vector<Launch> launches;
  std::vector<Argument> arguments;
  std::array<uint32_t, 3> grid = {1, 1, 1};
};

/// Returns a kernel that is equivalent to the chain, and sets `floats` to the options for compiling it. If the
/// equivalence cannot be proved, returns nothing and sets `why` to the reason. The kernel belongs to `context`, in
/// which the dialects must have been loaded.
std::optional<Kernel> joinChain(mlir::MLIRContext &context, const Chain &chain, FloatOptions &floats, std::string &why);

} // namespace tilecc

#endif // TILECC_COMPILE_FUSION_H
