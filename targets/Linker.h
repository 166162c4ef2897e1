//===- Linker.h - runs lld in this process --------------------------------------------------------------*- C++ -*-===//
//
// The back end for AMD's GPUs links code objects with lld, and libtilecc links the libraries of kernels that it loads.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_LINKER_H
#define TILECC_TARGETS_LINKER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <mutex>
#include <string>

namespace tilecc {

/// Runs lld's linker for ELF with one thread. It can be called from several threads, but only one call runs at a time,
/// because lld has global state. The returned error contains lld's message.
llvm::Error runElfLinker(llvm::ArrayRef<std::string> arguments);

/// Returns the mutex that is held while lld runs. lld resets LLVM's global options (llvm::cl), so code that sets such
/// an option and depends on it must hold this mutex, too.
std::mutex &getLinkerMutex();

} // namespace tilecc

#endif // TILECC_TARGETS_LINKER_H
