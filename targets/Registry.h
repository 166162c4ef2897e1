//===- Registry.h - the back ends that there are --------------------------------------------------------------*- C++
//-*-//

#ifndef TILECC_TARGETS_REGISTRY_H
#define TILECC_TARGETS_REGISTRY_H

#include "targets/Backend.h"

namespace tilecc {

/// Every back end, in the order in which messages list them.
llvm::ArrayRef<const Backend *> allBackends();

/// Returns the back end whose spelling of ttg.target `target` is ("cuda:90"), or null after writing the reason to
/// `error`.
const GpuBackend *findGpuBackend(llvm::StringRef target, std::string &error);

/// Returns the back end that the module around `op` names by ttg.target; where it names none, the first for GPUs.
const GpuBackend &getGpuBackend(mlir::Operation *op);

/// Every dialect that a kernel's IR may contain, from TTIR to LLVM, with its translation.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Makes all passes and pipelines options of tcc-opt.
void registerAllPasses();

/// Makes LLVM's code generators of all back ends known. May be called more than once, from any thread.
void initializeLLVMTargets();

} // namespace tilecc

#endif // TILECC_TARGETS_REGISTRY_H
