//===- Tools.h - what is run and linked for a program --------------------------------------------------------*- C++
//-*-//

#ifndef TILECC_LIBRARY_TOOLS_H
#define TILECC_LIBRARY_TOOLS_H

#include "library/Temporaries.h"
#include "targets/nvidia/Ptxas.h"
#include "llvm/ADT/ArrayRef.h"

namespace tilecc {

struct Cubin {
  std::string bytes;
  AssemblerReport report;
};

/// ptxas' cubin of `ptx`. An error is what ptxas says.
llvm::Expected<Cubin> assemble(Temporaries &files, const PtxasOptions &ptxas, const nvidia::Architecture &arch, llvm::StringRef ptx);

/// A shared library of objects, with what they need of the runtime's functions that have no state, and of the C
/// library. LLD has one state for the process, so that one thread at a time links.
llvm::Expected<std::string> linkLibrary(Temporaries &files, llvm::ArrayRef<llvm::StringRef> objects);

} // namespace tilecc

#endif // TILECC_LIBRARY_TOOLS_H
