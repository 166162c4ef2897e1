//===- ProgramWork.h - compares the work of a kernel's programs -----------------------------------------*- C++ -*-===//
//
// In causal attention, for example, the programs of a grid execute different numbers of iterations. Passes that choose
// the order of programs, and the choice of variants, use this analysis.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_ANALYSIS_PROGRAMWORK_H
#define TILECC_LOWERING_ANALYSIS_PROGRAMWORK_H

#include "lowering/dialects/tt/TT.h"

namespace tilecc {

/// The known facts about the work of a kernel's programs.
struct ProgramWork {
  bool isUneven = false; ///< programs differ in the number of iterations that they execute
  /// Programs with a larger index along x are known to execute more iterations, or fewer.
  bool growsAlongX = false, shrinksAlongX = false;
};

/// Compares the programs by the bounds of the loops that each of them executes.
ProgramWork findProgramWork(tt::FuncOp kernel);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_PROGRAMWORK_H
