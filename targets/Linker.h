//===- Linker.h - runs lld in this process --------------------------------------------------------------*- C++ -*-===//
//
// Links code objects for AMD's GPUs, and the libraries of kernels that libtilecc loads.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_LINKER_H
#define TILECC_TARGETS_LINKER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <mutex>
#include <string>

namespace tilecc {

/// Runs lld's linker for ELF with one thread. Thread-safe, but calls are serialized, because lld has global state. The
/// error is lld's message.
llvm::Error runElfLinker(llvm::ArrayRef<std::string> arguments);

/// Returns the mutex that is held while lld runs. lld resets LLVM's global options (llvm::cl), so code that sets such
/// an option and depends on it must hold the mutex, too.
std::mutex &getLinkerMutex();

} // namespace tilecc

#endif // TILECC_TARGETS_LINKER_H
