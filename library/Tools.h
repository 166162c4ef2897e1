//===- Tools.h - runs ptxas and links libraries -------------------------------------------------------*- C++ -*-===//
//
// The steps of a compilation that run outside libtilecc, or that need files.
//
//===-------------------------------------------------------------------------------------------------------------===//
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

/// Runs the assembler of `target`, which must have one, on `assembly`. The error contains its output.
llvm::Expected<Cubin> assemble(Temporaries &files, const AssemblerOptions &options, const Target &target,
                               llvm::StringRef assembly);

/// Links objects into a shared library (builder/KernelLibrary.h).
llvm::Expected<std::string> linkLibrary(Temporaries &files, llvm::ArrayRef<llvm::StringRef> objects);

} // namespace tilecc

#endif // TILECC_LIBRARY_TOOLS_H
