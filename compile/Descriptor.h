//===- Descriptor.h - the tables that describe an object's kernels to the runtime -----------------------*- C++ -*-===//
//
// The runtime learns about the kernels of an object from tables (tilecc/abi.h). This file creates these tables as LLVM
// constants, one for each translation unit. A constructor registers them; if code was compiled at run time, the runtime
// finds them by name.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_COMPILE_DESCRIPTOR_H
#define TILECC_COMPILE_DESCRIPTOR_H

#include "compile/Kernel.h"
#include "llvm/IR/Module.h"
#include <cstdint>
#include <string>

namespace tilecc {

/// An image of all kernels for one GPU.
struct Image {
  uint32_t kind, arch; ///< kind: TILECC_IMAGE_*; arch: as in tilecc_image
  size_t target; ///< the index of this GPU in KernelVariant::launches
  std::string bundleSection, bundleEntry; ///< as in EmbeddedImage
  std::string data; ///< empty for a cubin that is in the fatbinary
};

/// Adds to the host module the tables of the compiled `kernels`, the fatbinary in .nv_fatbin (empty: there is none),
/// and the constructor and destructor. `source` is the name of the main file, and `tuneTable` is the text of
/// --tune-table.
void addDescriptor(llvm::Module &host, llvm::StringRef source, llvm::ArrayRef<Kernel> kernels,
                   llvm::ArrayRef<Image> images, llvm::StringRef fatbin, llvm::StringRef tuneTable);

/// Adds the same tables to `library`, an otherwise empty module for a library that ttLibraryLoadData() will load and
/// whose tables it will find by their symbol. The library has no constructors, no host functions (the stub of each
/// kernel is a byte), and no references to symbols of the runtime.
void addLibrary(llvm::Module &library, llvm::StringRef source, llvm::ArrayRef<Kernel> kernels,
                llvm::ArrayRef<Image> images);

} // namespace tilecc

#endif // TILECC_COMPILE_DESCRIPTOR_H
