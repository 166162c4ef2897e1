//===- Isolation.h - compilations that cannot end the process -----------------------------------------*- C++ -*-===//
//
// LLVM reports fatal errors by ending the process. A library must not do so.
//
//===-------------------------------------------------------------------------------------------------------------===//
//

#ifndef TILECC_LIBRARY_ISOLATION_H
#define TILECC_LIBRARY_ISOLATION_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace tilecc {

/// Runs `work` in a thread of its own, with a stack that is large enough for parsers. If LLVM or one of our passes
/// reports a fatal error, returns false and sets `reason`. In that case, the memory that `work` has allocated leaks,
/// and objects to which it holds references must not be used any more.
bool runIsolated(llvm::function_ref<void()> work, std::string &reason);

} // namespace tilecc

#endif // TILECC_LIBRARY_ISOLATION_H
