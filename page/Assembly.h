//===- Assembly.h - reads assembly with the call chains of its lines ---------------------------------------*- C++ -*-//
//
// The code must have been compiled with a Collector as the observer. The Collector replaces source locations by numbers
// of call chains, so the lines in the code's line tables are such numbers (Collector.h).
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_PAGE_ASSEMBLY_H
#define TILECC_PAGE_ASSEMBLY_H

#include "page/Model.h"

namespace tilecc::page {

/// Returns the function `symbol` from PTX, CPU assembly, or the output of `nvdisasm -c -gi`, without directives for
/// debuggers and unwinders. Empty if there is no such function.
Text readPtx(llvm::StringRef code, llvm::StringRef symbol);
Text readCpuAssembly(llvm::StringRef code, llvm::StringRef symbol);
Text readSass(llvm::StringRef code, llvm::StringRef symbol);

} // namespace tilecc::page

#endif // TILECC_PAGE_ASSEMBLY_H
