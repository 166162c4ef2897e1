//===- NoZ3.cpp - no solver for Clang's static analyzer in static builds ------------------------------------------===//
//
// Debian's LLVM was built with Z3, for which there is only a shared library of 24 MB. Clang's static analyzer
// (--analyze) uses Z3 only on request (-analyzer-constraints=z3), and otherwise its own solver. This file defines the
// symbols of LLVM's Z3Solver.o that the analyzer refers to, so that the linker does not pull that object in.
//
//===----------------------------------------------------------------------------------------------------------===//

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SMTAPI.h"

using namespace llvm;

SMTSolverRef llvm::CreateZ3Solver() { report_fatal_error("tcc was built without Z3", /*gen_crash_diag=*/false); }

void SMTSolver::dump() const { print(errs()); }
