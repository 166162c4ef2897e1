//===- Tools.h - what is run and linked for a program --------------------------------------------------------*- C++
//-*-//

#ifndef TILECC_LIBRARY_TOOLS_H
#define TILECC_LIBRARY_TOOLS_H

#include "library/Temporaries.h"
#include "llvm/ADT/ArrayRef.h"

namespace tilecc {

/// ptxas' cubin of `ptx`; `arch` is "sm_90a". An error is what ptxas says.
llvm::Expected<std::string> assemble(Temporaries &files, llvm::StringRef ptxas, llvm::StringRef ptx,
                                     llvm::StringRef arch, llvm::ArrayRef<std::string> options);

/// A shared library of objects, with what they need of the runtime's functions that have no state, and of the C
/// library. LLD has one state for the process, so that one thread at a time links.
llvm::Expected<std::string> linkLibrary(Temporaries &files, llvm::ArrayRef<llvm::StringRef> objects);

} // namespace tilecc

#endif // TILECC_LIBRARY_TOOLS_H
