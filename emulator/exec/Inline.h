//===-- Inline.h - calls, put in place -------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_INLINE_H
#define TILECC_EMULATOR_EXEC_INLINE_H

#include "emulator/ptx/Module.h"

namespace tilecc::emu {

// The kernel with the bodies of all the functions it calls in place of the calls. Parameters of calls become local
// variables. Calls of the device's own library (isa/SystemCalls.h) stay. Throws ptx::Error for recursion, indirect calls and functions without a body.
ptx::Function inlineCalls(const ptx::Module &module, const ptx::Function &kernel);

} // namespace tilecc::emu
#endif
