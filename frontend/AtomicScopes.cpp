//===- AtomicScopes.cpp - scopes of atomic operations in SIMT code --------------------------------------------------===//
//
// __scoped_atomic_*, which nvcc's __nv_atomic_* are made of (tilecc/detail/simt_builtins.h), say for which threads an operation
// is one and in order. LLVM's back end for NVIDIA's GPUs has names for these scopes, and Clang 22 does not use them: every scope
// is the system. Which name a scope has is a function of Clang's code generator, so a tcc that is linked statically has the linker
// (--wrap, see CMakeLists.txt) put the function here in front of it.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "clang/Basic/LangOptions.h"
#include "clang/Basic/SyncScope.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/AtomicOrdering.h"

using clang::LangOptions;
using clang::SyncScope;

#define SYNC_SCOPE                                                                                                    \
  "_ZNK5clang7CodeGen17TargetCodeGenInfo18getLLVMSyncScopeIDERKNS_11LangOptionsENS_9SyncScopeEN4llvm14AtomicOrderingERNS6_" \
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
  case SyncScope::DeviceScope:
    return context.getOrInsertSyncScopeID("device");
  case SyncScope::ClusterScope:
    return context.getOrInsertSyncScopeID("cluster");
  case SyncScope::WorkgroupScope:
  case SyncScope::WavefrontScope: // there is no narrower one
  case SyncScope::SingleScope:
    return context.getOrInsertSyncScopeID("block");
  default:
    return llvm::SyncScope::System;
  }
}
