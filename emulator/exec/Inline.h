//===-- Inline.h - inlines calls -------------------------------------------------------------------------------===//
//
// After inlining, a kernel is a single list of instructions, so the interpreter needs no call stack. PTX code stays
// small, because compilers inline nearly everything themselves.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_INLINE_H
#define TILECC_EMULATOR_EXEC_INLINE_H

#include "emulator/ptx/Module.h"

namespace tilecc::emu {

// Returns the kernel with each call replaced by the body of the called function. The parameters of calls become local
// variables. Calls of system functions (isa/SystemCalls.h) remain. Throws ptx::Error for recursion, indirect calls and
// functions without a body.
ptx::Function inlineCalls(const ptx::Module &module, const ptx::Function &kernel);

} // namespace tilecc::emu
#endif
