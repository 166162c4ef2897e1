//===-- Inline.h - inlines calls -------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_INLINE_H
#define TILECC_EMULATOR_EXEC_INLINE_H

#include "emulator/ptx/Module.h"

namespace tilecc::emu {

// Returns the kernel with all calls replaced by the bodies of the called functions. Parameters of calls become local
// variables. Calls of system functions (isa/SystemCalls.h) remain. Throws ptx::Error for recursion, indirect calls and
// functions without a body.
ptx::Function inlineCalls(const ptx::Module &module, const ptx::Function &kernel);

} // namespace tilecc::emu
#endif
