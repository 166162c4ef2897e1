//===- LinkFunctions.h - links a library's functions into a module --------------------------------------*- C++ -*-===//
//
// Kernels may call functions of bitcode libraries: libdevice, and device functions that the front end has compiled.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_COMPILE_LINKFUNCTIONS_H
#define TILECC_COMPILE_LINKFUNCTIONS_H

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include <memory>

namespace tilecc {

/// Links the functions of `library` that `module` needs, and makes them internal. Variables keep their names, because
/// host code may look for them. The triple and data layout of the library are replaced by those of the module, because
/// libraries come from other versions of LLVM. Returns false if linking fails.
inline bool linkFunctions(llvm::Module &module, std::unique_ptr<llvm::Module> library) {
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  return !llvm::Linker::linkModules(module, std::move(library), llvm::Linker::LinkOnlyNeeded,
                                    [](llvm::Module &linked, const llvm::StringSet<> &names) {
                                      llvm::internalizeModule(linked, [&](const llvm::GlobalValue &value) {
                                        return !value.hasName() || !names.contains(value.getName()) ||
                                               !llvm::isa<llvm::Function>(value);
                                      });
                                    });
}

} // namespace tilecc

#endif // TILECC_COMPILE_LINKFUNCTIONS_H
