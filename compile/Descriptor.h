//===- Descriptor.h - the tables that tell the runtime about an object's kernels --------------------------------*- C++ -*-//
//
// Mirrors tilecc/abi.h as LLVM constants: one table per translation unit, registered by one call from a constructor, or
// found by its name where the runtime loads code that was compiled at run time.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_COMPILE_DESCRIPTOR_H
#define TILECC_COMPILE_DESCRIPTOR_H

#include "compile/Kernel.h"
#include "llvm/IR/Module.h"
#include <cstdint>
#include <string>

namespace tilecc {

/// An image of all kernels for one GPU.
struct Image {
  uint32_t kind, arch; ///< TILECC_IMAGE_*, and as tilecc_image has it
  size_t target;       ///< which of the kernels' launches it goes with
  std::string data;    ///< of a cubin empty where the fatbinary has it
};

/// Adds the tables of `kernels`, which have been compiled, the fatbinary in .nv_fatbin (empty: there is none), and the
/// constructor and destructor to the host module. `source` is the main file's name, `tuneTable` the text of
/// --tune-table.
void addDescriptor(llvm::Module &host, llvm::StringRef source, llvm::ArrayRef<Kernel> kernels,
                   llvm::ArrayRef<Image> images, llvm::StringRef fatbin, llvm::StringRef tuneTable);

/// The same in an otherwise empty module of a library for ttLibraryLoadData(), which finds the tables by their
/// symbol: there are no constructors, no host functions (each kernel's stub is a byte), and nothing that only the
/// runtime defines.
void addLibrary(llvm::Module &library, llvm::StringRef source, llvm::ArrayRef<Kernel> kernels, llvm::ArrayRef<Image> images);

} // namespace tilecc

#endif // TILECC_COMPILE_DESCRIPTOR_H
