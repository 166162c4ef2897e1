//===- Registry.h - the list of back ends ------------------------------------------------------------*- C++ -*-===//

#ifndef TILECC_TARGETS_REGISTRY_H
#define TILECC_TARGETS_REGISTRY_H

#include "targets/Backend.h"

namespace tilecc {

/// Returns all back ends, in the order in which messages list them.
llvm::ArrayRef<const Backend *> allBackends();

/// Returns the back end to which `target`, a value of ttg.target ("cuda:90"), belongs; null, with the reason in
/// `error`, if there is none.
const GpuBackend *findGpuBackend(llvm::StringRef target, std::string &error);

/// Returns the back end that the module around `op` names by ttg.target, or the first one for GPUs if it names none.
const GpuBackend &getGpuBackend(mlir::Operation *op);

/// Returns the target for one level of the CPU (runtime/src/cpu/CpuLevels.def), given by its number or name. If `level`
/// is empty, the target has all levels, and a program uses the best one that its machine supports. The machine is that
/// of `triple` or, if this is empty, one like the machine on which tcc runs.
Target cpuTarget(llvm::StringRef level = {}, llvm::StringRef triple = {});

/// Returns the same target as cpuTarget(), for names that a user has given. If there is no such target, returns nothing
/// and sets `error` to the reason.
std::optional<Target> findCpuTarget(llvm::StringRef level, llvm::StringRef triple, std::string &error);

/// Returns the usual name of a level: "x86-64-v3", "sve256".
std::string nameOfCpuLevel(unsigned level);

/// Generates an object from `module`, which is host code, for the machine of the module's triple.
llvm::Expected<std::string> emitHostObject(std::unique_ptr<llvm::Module> module);

/// Registers every dialect that a kernel's IR may contain, from TTIR to LLVM, with its translation.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Registers all passes and pipelines as options of tcc-opt.
void registerAllPasses();

/// Registers LLVM's code generators of all back ends. May be called more than once, from any thread.
void initializeLLVMTargets();

} // namespace tilecc

#endif // TILECC_TARGETS_REGISTRY_H
