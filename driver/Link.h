//===- Link.h - the steps of the link -------------------------------------------------------------------*- C++ -*-===//
//
// tcc links a program like any other compiler driver, with one additional library, its runtime.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_LINK_H
#define TILECC_DRIVER_LINK_H

#include "driver/Actions.h"

namespace tilecc {

/// Reports an error if the inputs need the C library for another machine and it is missing.
void checkHostLibraries(Context &ctx);

/// Returns the steps that link ctx.linkLine and tcc's runtime into `output`. Reports an error and returns no steps on
/// failure.
std::vector<Action> planLink(Context &ctx, llvm::StringRef output);

/// Returns the steps that archive ctx.linkLine into a static library.
std::vector<Action> planArchive(Context &ctx, llvm::StringRef output);

} // namespace tilecc

#endif // TILECC_DRIVER_LINK_H
