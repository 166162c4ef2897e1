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

/// Held while lld runs, which resets LLVM's global options (llvm::cl). Code that sets such an option and depends on it
/// holds it, too.
std::mutex &getLinkerMutex();

} // namespace tilecc

#endif // TILECC_TARGETS_LINKER_H
