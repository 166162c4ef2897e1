//===- Assembly.h - reads assembly with the call chains of its lines ---------------------------------------*- C++ -*-//
//
// Reads code that a Collector has observed, so that its line tables refer to chains (Collector.h).
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
