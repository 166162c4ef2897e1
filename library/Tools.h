//===- Tools.h - runs ptxas and links libraries -------------------------------------------------------*- C++ -*-===//
//

#ifndef TILECC_LIBRARY_TOOLS_H
#define TILECC_LIBRARY_TOOLS_H

#include "library/Temporaries.h"
#include "targets/Assembler.h"
#include "llvm/ADT/ArrayRef.h"

namespace tilecc {

struct Cubin {
  std::string bytes;
  AssemblerReport report;
};

/// Runs the assembler of `target`, which must have one, on `assembly`. The error is the program's output.
llvm::Expected<Cubin> assemble(Temporaries &files, const AssemblerOptions &options, const Target &target,
                               llvm::StringRef assembly);

/// Links objects into a shared library, with the stateless functions of the runtime and the C library that they need.
/// LLD has global state, so only one thread links at a time.
llvm::Expected<std::string> linkLibrary(Temporaries &files, llvm::ArrayRef<llvm::StringRef> objects);

} // namespace tilecc

#endif // TILECC_LIBRARY_TOOLS_H
