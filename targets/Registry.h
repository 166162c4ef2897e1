//===- Registry.h - the list of back ends ------------------------------------------------------------*- C++ -*-===//
//
// The driver, libtilecc and tools find back ends and CPU targets by these functions.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_REGISTRY_H
#define TILECC_TARGETS_REGISTRY_H

#include "targets/Backend.h"

namespace tilecc {

/// Returns all back ends, in the order in which messages list them.
llvm::ArrayRef<const Backend *> allBackends();

/// Returns the back end to which `target`, a value of ttg.target ("cuda:90"), belongs. If there is none, returns null
/// and sets `error` to the reason.
const GpuBackend *findGpuBackend(llvm::StringRef target, std::string &error);

/// Returns the back end for the target of the module around `op` (ttg.target), or the first GPU back end if it has
/// none.
const GpuBackend &getGpuBackend(mlir::Operation *op);

/// Returns the CPU target for one instruction set level (runtime/src/cpu/CpuLevels.def), which is given by its number
/// or name. If `level` is empty, the target has all levels, and a program uses the best one that its machine supports.
/// Code is for the machine of `triple`; if that is empty, for machines like the one on which tcc runs.
Target cpuTarget(llvm::StringRef level = {}, llvm::StringRef triple = {});

/// Does the same for names that a user has given. If there is no such target, returns nothing and sets `error` to the
/// reason.
std::optional<Target> findCpuTarget(llvm::StringRef level, llvm::StringRef triple, std::string &error);

/// Returns the name that users know for a level: "x86-64-v3", "sve256".
std::string nameOfCpuLevel(unsigned level);

/// Generates an object file from `module`, which is host code, for the machine that the module's triple names.
llvm::Expected<std::string> emitHostObject(std::unique_ptr<llvm::Module> module);

/// Registers every dialect that the IR of a kernel may contain, from TTIR to LLVM, and their translation to LLVM IR.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Registers all passes and pipelines as options of tcc-opt.
void registerAllPasses();

/// Registers the LLVM code generators that any back end uses. May be called more than once, from any thread.
void initializeLLVMTargets();

} // namespace tilecc

#endif // TILECC_TARGETS_REGISTRY_H
