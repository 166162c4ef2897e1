//===- NoZ3.cpp - no solver for Clang's static analyzer in static builds ------------------------------------------===//
//
// Debian's LLVM was built with Z3, of which there is only a shared library, of 24 MB. The analyzer (--analyze) asks
// for it when told to (-analyzer-constraints=z3), and otherwise has a solver of its own. What the analyzer names of
// LLVM's Z3Solver.o is here, so that the linker leaves that out.
//
//===----------------------------------------------------------------------------------------------------------===//

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SMTAPI.h"

using namespace llvm;

SMTSolverRef llvm::CreateZ3Solver() { report_fatal_error("tcc was built without Z3", /*gen_crash_diag=*/false); }

void SMTSolver::dump() const { print(errs()); }
