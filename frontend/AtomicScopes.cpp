//===- AtomicScopes.cpp - scopes of atomic operations in SIMT code ------------------------------------------------===//
//
// nvcc's __nv_atomic_* are implemented by __scoped_atomic_* (tilecc/detail/simt_builtins.h), which specify the scope of
// an atomic operation. LLVM's NVPTX back end has names for these scopes. But Clang 22 does not use these names, and
// treats every scope as the system scope. A function of Clang's code generator chooses the name. In a statically linked
// tcc, the linker (--wrap, see CMakeLists.txt) replaces that function with the function here.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "clang/Basic/LangOptions.h"
#include "clang/Basic/SyncScope.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/AtomicOrdering.h"

using clang::LangOptions;
using clang::SyncScope;

#define SYNC_SCOPE                                                                                                     \
  "_ZNK5clang7CodeGen17TargetCodeGenInfo18getLLVMSyncScopeIDERKNS_11LangOptionsENS_"                                   \
  "9SyncScopeEN4llvm14AtomicOrderingERNS6_"                                                                            \
  "11LLVMContextE"
llvm::SyncScope::ID scopeOfClang(const void *target, const LangOptions &, SyncScope, llvm::AtomicOrdering,
                                 llvm::LLVMContext &) asm("__real_" SYNC_SCOPE);
llvm::SyncScope::ID scopeOfGpu(const void *target, const LangOptions &, SyncScope, llvm::AtomicOrdering,
                               llvm::LLVMContext &) asm("__wrap_" SYNC_SCOPE);

llvm::SyncScope::ID scopeOfGpu(const void *target, const LangOptions &lang, SyncScope scope,
                               llvm::AtomicOrdering ordering, llvm::LLVMContext &context) {
  if (!lang.CUDAIsDevice)
    return scopeOfClang(target, lang, scope, ordering, context);
  switch (scope) {
  case SyncScope::DeviceScope: return context.getOrInsertSyncScopeID("device");
  case SyncScope::ClusterScope: return context.getOrInsertSyncScopeID("cluster");
  case SyncScope::WorkgroupScope:
  case SyncScope::WavefrontScope: // the narrowest scope available
  case SyncScope::SingleScope: return context.getOrInsertSyncScopeID("block");
  default: return llvm::SyncScope::System;
  }
}
