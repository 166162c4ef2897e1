//===- CWriter.h - writes LLVM IR as C ------------------------------------------------------------------*- C++ -*-===//
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

/// Returns C with extensions of GCC and Clang. Fails if the module has something that this writer does not know.
llvm::Expected<std::string> writeC(llvm::Module &module);
