//===- Fusion.h - joins a chain of kernels to one -----------------------------------------------------*- C++ -*-===//
//
// Consecutive launches with the same grid can become one launch of a kernel that does the work of all of them, program
// by program, if no program needs the results of another one. It accesses less memory: what a kernel stores and a later
// one loads stays in registers (triton-forward-stores).
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
    /// Pointers into different blocks of memory never overlap. 0: into an unknown block.
    unsigned block = 0;
    /// Nothing reads what the chain leaves there.
    bool isTemporary = false;
  };
  struct Launch {
    std::string ttir; ///< from ttirForFusion()
    std::vector<unsigned> arguments; ///< for each parameter: the argument of the chain with its value
  };
  std::string name; ///< of the joined kernel, for humans
  std::vector<Launch> launches;
  std::vector<Argument> arguments;
  std::array<uint32_t, 3> grid = {1, 1, 1};
};

/// Returns the kernel that does the same as the chain, and the float options to compile it with. Returns nothing, with
/// the reason in `why`, if the equivalence cannot be proved. The kernel belongs to `context`, which must have the
/// dialects loaded.
std::optional<Kernel> joinChain(mlir::MLIRContext &context, const Chain &chain, FloatOptions &floats, std::string &why);

} // namespace tilecc

#endif // TILECC_COMPILE_FUSION_H
