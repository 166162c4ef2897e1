//===- DebugInfo.h - debug information of a kernel's function ----------------------------------------------*- C++ -*-//
//
// Emits line information, and the locations of scalars: the parameters of the kernel, and source variables that have
// become SSA values. Both come from the locations of operations; a NameLoc around a location names a variable. Code
// from an inlined function has its own lines and files, but a debugger shows no frame for it, because the IR does not
// know the name of the function.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_DEBUGINFO_H
#define TILECC_TARGETS_CPU_DEBUGINFO_H

#include "lowering/dialects/tt/TT.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/IRBuilder.h"

namespace tilecc::cpu {

enum class DebugDetail {
  LinesAlone, ///< lines, with the call sites of inlined functions
  Variables, ///< lines and variables
  VariablesInMemory, ///< lines and variables, for unoptimized code: a debugger finds the variables at any line
};

/// Debug information for one function. The destructor completes what it adds to the module.
class DebugInfo {
public:
  /// `folder` is the folder to which relative file names are relative.
  DebugInfo(llvm::Function &function, tt::FuncOp kernel, llvm::StringRef folder, DebugDetail detail,
            llvm::IRBuilder<> &b);
  ~DebugInfo();
  DebugInfo(const DebugInfo &) = delete;

  /// Sets the source location of the instructions that are emitted next. Does nothing if `loc` is unknown.
  void moveTo(mlir::Location loc);
  /// If `v` has the name of a source variable, records that `value` is this variable from here on.
  void describe(mlir::Value v, llvm::Value *value);

private:
  llvm::DILocation *locationOf(mlir::Location loc, llvm::DILocation *caller);
  llvm::DIFile *fileOf(llvm::StringRef name);
  llvm::DIScope *scopeIn(llvm::StringRef file);
  llvm::DIType *typeOf(mlir::Type type);
  llvm::DILocalVariable *variableOf(mlir::Value v, llvm::StringRef name);
  llvm::Value *slotOf(llvm::DILocalVariable *variable, llvm::Type *type);

  llvm::IRBuilder<> &b;
  llvm::DIBuilder builder;
  std::string folder;
  DebugDetail detail;
  llvm::DISubprogram *subprogram;
  llvm::DenseMap<mlir::Value, llvm::DILocalVariable *> parameters;
  llvm::StringMap<llvm::DILocalVariable *> variables;
  llvm::StringMap<llvm::DIScope *> scopes;
  llvm::DenseMap<llvm::DILocalVariable *, llvm::Value *> slots;
};

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_DEBUGINFO_H
