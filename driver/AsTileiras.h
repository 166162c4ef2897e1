//===- AsTileiras.h - tcc under the name tcc-tileiras ------------------------------------------------------*- C++ -*-//
//
// Front ends for CUDA Tile write bytecode and run NVIDIA's assembler, tileiras, to turn it into a cubin. When tcc is
// called as tcc-tileiras or tileiras, it accepts that program's options, answers its queries, and reports errors in the
// format that the front ends parse:
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

/// Returns true if tcc was called as tcc-tileiras or tileiras.
bool isNameOfTileiras(llvm::StringRef program);

/// Translates a tileiras command line, `words`, into arguments for tcc. If it contains --help, --version or
/// --list-versions, prints the answer and ends the run. A mistake in the options ends the run, too, after it has been
/// reported.
llvm::SmallVector<const char *> translateTileirasOptions(Context &ctx, llvm::ArrayRef<const char *> words);

/// Prints a diagnostic about a kernel, with its notes, in the format of tileiras.
void printAsTileiras(mlir::Diagnostic &diagnostic);

} // namespace tilecc

#endif // TILECC_DRIVER_ASTILEIRAS_H
