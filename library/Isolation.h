//===- Isolation.h - compilations that cannot end the process -----------------------------------------------*- C++
//-*-//

#ifndef TILECC_LIBRARY_ISOLATION_H
#define TILECC_LIBRARY_ISOLATION_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace tilecc {

/// Runs `work` in a thread of its own, with the stack that parsers need. False, with the reason, where LLVM or one of
/// our passes gave up: what `work` had allocated is lost then, and what it holds by reference must not be used any
/// more.
bool runIsolated(llvm::function_ref<void()> work, std::string &reason);

} // namespace tilecc

#endif // TILECC_LIBRARY_ISOLATION_H
