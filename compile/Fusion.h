//===- Fusion.h - kernels of a chain as one --------------------------------------------------------------*- C++ -*-//
//
// Launches of one grid, each behind the other, may be one launch of a kernel that does what all of them do, program by
// program, if no program needs what another one has done. That one reads and writes less: what a kernel stores and a
// later one loads stays in registers (triton-forward-stores).
//
// docs/fusion.md has the rules in prose; Fusion.cpp proves or refuses them. Results are those of the chain, bit for
// bit.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_COMPILE_FUSION_H
#define TILECC_COMPILE_FUSION_H

#include "compile/Kernel.h"
#include "llvm/ADT/SmallVector.h"
#include <array>

namespace tilecc {

/// A kernel's TTIR with all that its code depends on besides, as text, for an object of -ffusion.
std::string ttirForFusion(const Kernel &kernel, const FloatOptions &floats);

struct Chain {
  /// An argument of the joined kernel.
  struct Argument {
    /// Pointers of different blocks of memory have no byte in common. 0: of a block that nobody knows.
    unsigned block = 0;
    /// Nobody reads what the chain leaves there.
    bool isTemporary = false;
  };
  struct Launch {
    std::string ttir;                ///< of ttirForFusion()
    std::vector<unsigned> arguments; ///< of each parameter: the chain's argument that has its value
  };
  std::string name; ///< of the joined kernel, for people
  std::vector<Launch> launches;
  std::vector<Argument> arguments;
  std::array<uint32_t, 3> grid = {1, 1, 1};
};

/// The kernel that does what the chain does, and how it is to compute. Nothing, with the reason in `why`, where that
/// cannot be proved. The kernel is of `context`, which has the dialects loaded.
std::optional<Kernel> joinChain(mlir::MLIRContext &context, const Chain &chain, FloatOptions &floats, std::string &why);

} // namespace tilecc

#endif // TILECC_COMPILE_FUSION_H
