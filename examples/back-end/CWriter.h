//===- CWriter.h - writes LLVM IR as C ------------------------------------------------------------------*- C++ -*-===//
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

/// Returns C with extensions of GCC and Clang. Fails if the module contains anything that this writer does not support.
llvm::Expected<std::string> writeC(llvm::Module &module);
