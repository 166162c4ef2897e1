//===- DebugInfo.h - what debuggers are told of a kernel's function ---------------------------------------*- C++ -*-//
//
// Lines, and where scalars are: the kernel's parameters, and the variables of its source that became values of their
// own. Both come from the operations' locations; the variables' names are NameLocs around them. A function that was
// inlined has its own lines and files, but no frame for debuggers: the IR does not know its name.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_DEBUGINFO_H
#define TILECC_TARGETS_CPU_DEBUGINFO_H

#include "lowering/dialects/tt/TT.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/IRBuilder.h"

namespace tilecc::cpu {

enum class DebugDetail {
  LinesAlone,        ///< with the calls that were inlined
  Variables,         ///< and lines
  VariablesInMemory, ///< where code is not optimized: a debugger then finds them at any line
};

/// Of one function. What it adds to the module is complete when it is destroyed.
class DebugInfo {
public:
  /// `folder` is what relative names of files are relative to.
  DebugInfo(llvm::Function &function, tt::FuncOp kernel, llvm::StringRef folder, DebugDetail detail,
            llvm::IRBuilder<> &b);
  ~DebugInfo();
  DebugInfo(const DebugInfo &) = delete;

  /// The place of what is emitted next; unchanged where nothing is known of `loc`.
  void moveTo(mlir::Location loc);
  /// From here on `value` is what the source knows under the name of `v`, if it has one.
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
