//===- Assembly.h - lines of assembly and their chains -----------------------------------------------------*- C++ -*-//
//
// Reads code that a Collector has seen on its way, whose line tables refer to chains (Collector.h).
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_PAGE_ASSEMBLY_H
#define TILECC_PAGE_ASSEMBLY_H

#include "page/Model.h"

namespace tilecc::page {

/// The function `symbol` of PTX, of assembly for CPUs, or of what `nvdisasm -c -gi` prints, without the directives that
/// only debuggers and unwinders read. Empty if it is not there.
Text readPtx(llvm::StringRef code, llvm::StringRef symbol);
Text readCpuAssembly(llvm::StringRef code, llvm::StringRef symbol);
Text readSass(llvm::StringRef code, llvm::StringRef symbol);

} // namespace tilecc::page

#endif // TILECC_PAGE_ASSEMBLY_H
