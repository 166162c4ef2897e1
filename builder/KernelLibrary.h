//===- KernelLibrary.h - shared libraries of kernels ----------------------------------------------------*- C++ -*-===//
//
// The runtime loads kernels as shared libraries (ttLibraryLoadData). libtilecc makes them in memory, and the driver as
// files.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_BUILDER_KERNELLIBRARY_H
#define TILECC_BUILDER_KERNELLIBRARY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace tilecc {

/// Links object files into a shared library, together with those functions of the runtime (the path of its archive) and
/// of the C library that they need and that have no state. Only one thread links at a time, because LLD has global
/// state.
llvm::Error linkKernelLibrary(llvm::ArrayRef<std::string> objects, const std::string &runtime,
                              const std::string &output);

} // namespace tilecc

#endif // TILECC_BUILDER_KERNELLIBRARY_H
