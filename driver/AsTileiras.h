//===- AsTileiras.h - tcc under the name tcc-tileiras ------------------------------------------------------*- C++ -*-//
//
// Front ends for CUDA Tile write bytecode and have NVIDIA's assembler, tileiras, make a cubin of it. Called as
// tcc-tileiras or tileiras, tcc takes that program's options, answers its questions, and reports errors in its form,
// which front ends read:
//
//   loc("kernels.py":12:5): error: ...
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_ASTILEIRAS_H
#define TILECC_DRIVER_ASTILEIRAS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace mlir {
class Diagnostic;
}

namespace tilecc {

struct Context;

/// Returns true if the name that tcc was called by is that of tileiras.
bool isNameOfTileiras(llvm::StringRef program);

/// The words of tcc's command line that mean the same as `words` of tileiras'. Answers --help, --version and
/// --list-versions, and ends the run after these. An Error names what tileiras does not have.
llvm::SmallVector<const char *> translateTileirasOptions(Context &ctx, llvm::ArrayRef<const char *> words);

/// Prints a diagnostic about a kernel, with its notes, in tileiras' form.
void printAsTileiras(mlir::Diagnostic &diagnostic);

} // namespace tilecc

#endif // TILECC_DRIVER_ASTILEIRAS_H
