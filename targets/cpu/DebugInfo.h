//===- DebugInfo.h - debug information of a kernel's function ----------------------------------------------*- C++ -*-//
//
// Emits line information, and locations of scalars: the kernel's parameters, and source variables that became SSA
// values. Both come from the operations' locations; a NameLoc around a location names the variable. An inlined function
// has its own lines and files but no debugger frame, because the IR does not know its name.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_DEBUGINFO_H
#define TILECC_TARGETS_CPU_DEBUGINFO_H

#include "lowering/dialects/tt/TT.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/IRBuilder.h"

namespace tilecc::cpu {

enum class DebugDetail {
  LinesAlone, ///< with inlined call sites
  Variables, ///< and lines
  VariablesInMemory, ///< for unoptimized code: a debugger finds them at any line
};

/// Debug information of one function. Its additions to the module are complete when it is destroyed.
class DebugInfo {
public:
  /// Relative file names are relative to `folder`.
  DebugInfo(llvm::Function &function, tt::FuncOp kernel, llvm::StringRef folder, DebugDetail detail,
            llvm::IRBuilder<> &b);
  ~DebugInfo();
  DebugInfo(const DebugInfo &) = delete;

  /// Sets the location of the instructions emitted next. Has no effect if `loc` is unknown.
  void moveTo(mlir::Location loc);
  /// Records that, from here on, `value` is the source variable that `v` names, if any.
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
