//===- EmitContext.h - what all parts of a kernel's emission share -----------------------------------------*- C++ -*-//
//
// The function that is being filled, where its next instruction goes, for which processor, the scalars computed so far,
// and what LLVM's types for elements are. It decides nothing.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_EMITCONTEXT_H
#define TILECC_TARGETS_CPU_EMITCONTEXT_H

#include "targets/cpu/Chunk.h"
#include "targets/cpu/DebugInfo.h"
#include "targets/cpu/Isa.h"
#include "targets/cpu/Prepare.h"
#include "targets/cpu/Schedule.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace tilecc::cpu {

class EmitContext {
public:
  /// Creates the function, with an entry block still to come.
  EmitContext(const Schedule &schedule, const Isa &target, llvm::Module &module, llvm::StringRef symbol, bool contract);
  EmitContext(const EmitContext &) = delete;

  const Schedule &schedule;
  const Isa &target;
  llvm::Module &module;
  llvm::IRBuilder<> b;
  llvm::Function *fn;
  llvm::Value *dummy = nullptr; ///< where masked-off scalar accesses go
  std::optional<DebugInfo> debug;
  bool isStreaming = false; ///< what is stored now goes around the caches
  const AccessChecks *checks = nullptr; ///< null: accesses are not checked

  /// The function's parameters (tilecc_cpu_fn in abi.h).
  llvm::Value *getArguments() const { return fn->getArg(0); }
  llvm::Value *loadProgramId(unsigned axis) { return loadAxis(fn->getArg(1), axis); }
  llvm::Value *loadNumPrograms(unsigned axis) { return loadAxis(fn->getArg(2), axis); }
  llvm::Value *getScratch() const { return fn->getArg(3); }

  /// The value of a scalar, which has been computed.
  llvm::Value *scalar(mlir::Value v) const;
  /// The same, or null if it has not.
  llvm::Value *findScalar(mlir::Value v) const { return scalars.lookup(v); }
  void setScalar(mlir::Value v, llvm::Value *value);
  /// What is emitted next is of this line.
  void moveTo(mlir::Location loc) {
    if (debug)
      debug->moveTo(loc);
  }

  llvm::Type *registerType(mlir::Type element); ///< of an element in a register: i16 for f16 and bf16
  llvm::Type *storageType(mlir::Type element);  ///< of an element in memory: i8 for i1
  unsigned storageBytes(mlir::Type element);
  /// Of a chunk's elements in a register: a vector, or for a chunk of one element a scalar.
  llvm::Type *vectorType(llvm::Type *element, const Chunk &c);
  llvm::ConstantInt *index(int64_t value) { return b.getInt64(value); }
  llvm::Value *splat(llvm::Value *scalar, unsigned lanes) { return b.CreateVectorSplat(lanes, scalar); }
  llvm::BasicBlock *newBlock(const llvm::Twine &name);
  /// A constant that messages need. It is named by what it says, as functions are named by their code, which mentions
  /// the name alone.
  llvm::Constant *text(llvm::StringRef text);

  /// The first chunk of a tile: vectors along `vecDim`, none if that is -1.
  Chunk firstChunk(Shape shape, int vecDim);

  /// Reports, once, an operation that has no code on the CPU.
  void reject(mlir::Operation *op, const llvm::Twine &what = "");
  bool hasErrors() const { return !rejected.empty(); }

private:
  llvm::Value *loadAxis(llvm::Value *array, unsigned axis);

  llvm::DenseMap<mlir::Value, llvm::Value *> scalars;
  llvm::SmallPtrSet<mlir::Operation *, 4> rejected;
};

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_EMITCONTEXT_H
