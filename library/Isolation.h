//===- Isolation.h - compilations that cannot end the process -----------------------------------------*- C++ -*-===//
//

#ifndef TILECC_LIBRARY_ISOLATION_H
#define TILECC_LIBRARY_ISOLATION_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace tilecc {

/// Runs `work` in its own thread, with the stack that parsers need. Returns false and the reason if LLVM or one of our
/// passes reports a fatal error. In that case the memory that `work` has allocated leaks, and objects that it holds by
/// reference must not be used any more.
bool runIsolated(llvm::function_ref<void()> work, std::string &reason);

} // namespace tilecc

#endif // TILECC_LIBRARY_ISOLATION_H
