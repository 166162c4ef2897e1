//===- Link.h - the steps of the link -------------------------------------------------------------------*- C++ -*-===//

#ifndef TILECC_DRIVER_LINK_H
#define TILECC_DRIVER_LINK_H

#include "driver/Actions.h"

namespace tilecc {

/// Reports that the C library for another machine is missing, if the inputs need it.
void checkHostLibraries(Context &ctx);

/// Returns the steps that link ctx.linkLine and tcc's runtime into `output`. Reports an error and returns no steps on
/// failure.
std::vector<Action> planLink(Context &ctx, llvm::StringRef output);

/// Returns the steps that archive ctx.linkLine into a static library.
std::vector<Action> planArchive(Context &ctx, llvm::StringRef output);

} // namespace tilecc

#endif // TILECC_DRIVER_LINK_H
