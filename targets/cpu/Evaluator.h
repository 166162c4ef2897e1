//===- Evaluator.h - the elements of tile values at a chunk ------------------------------------------------*- C++ -*-//
//
// Evaluates the formula of a tile value at a chunk, and caches the results. For each result it records how the elements
// vary along the lanes of the chunk (Lane): not at all, by a constant stride, or arbitrarily. Pointer arithmetic thus
// stays scalar: a tile of pointers is one address and a stride, and a load through it is one vector load.
//
// Code after a loop body or a branch cannot use the values that were computed inside, so a Scope discards these from
// the cache. A caller that has checked masks or remainders at run time can declare that masks are true (KnownMasks), or
// that remainders leave an index unchanged (Unchanged), in the code that is emitted next.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_EVALUATOR_H
#define TILECC_TARGETS_CPU_EVALUATOR_H

#include "targets/cpu/Buffers.h"
#include "targets/cpu/Elementwise.h"
#include "llvm/Support/SaveAndRestore.h"
#include <map>

namespace tilecc::cpu {

class Evaluator {
public:
  Evaluator(EmitContext &ctx, Buffers &buffers, Elementwise &elementwise)
      : ctx(ctx), b(ctx.b), buffers(buffers), elementwise(elementwise), scopes(1) {}
  Evaluator(const Evaluator &) = delete;

  /// Returns the elements of `v` at chunk `c` in their cheapest form. A scalar is uniform for any chunk.
  Lane eval(mlir::Value v, const Chunk &c);
  /// Returns the exact elements as a vector, or as a scalar if the chunk has one element.
  llvm::Value *vec(mlir::Value v, const Chunk &c);
  /// Returns the mask of an access in its cheapest form. Without a mask, it is true.
  Lane evalMask(mlir::Value mask, const Chunk &c);

  /// Returns the chunk of the operands from which chunk `c` of `v` is computed. For movements, each coordinate is a
  /// coordinate of the result or a constant; for all other operations, it is the same chunk.
  Chunk operandChunk(mlir::Value v, const Chunk &c);
  /// Returns the operands that are evaluated together with a formula, element by element. The source of a gather is not
  /// among them, since it is usually in a buffer.
  mlir::OperandRange elementOperands(mlir::Operation *op) const;
  /// Calls `found` with the addresses of each load in a formula, and the chunk at which they are evaluated. Skips the
  /// loads in `seen`.
  void findLoads(mlir::Value v, const Chunk &c, llvm::DenseSet<mlir::Value> &seen,
                 llvm::function_ref<void(mlir::Value, const Chunk &)> found);
  /// Returns true if all scalars that a formula needs have been computed.
  bool isEvaluable(mlir::Value v) const;

  class Scope;
  class KnownMasks;
  /// During its lifetime, operations for which isIdentityInBounds() is true do nothing, as AffineEmitter::isUnchanged()
  /// has checked.
  class Unchanged : llvm::SaveAndRestore<bool> {
  public:
    Unchanged(Evaluator &evaluator, bool unchanged) : SaveAndRestore(evaluator.unchanged, unchanged) {}
  };
  /// Returns true if `op` can be omitted here, because it leaves its operand unchanged.
  bool isIdentity(mlir::Operation *op) const { return unchanged && isIdentityInBounds(op); }

private:
  Lane evalFormula(mlir::Operation *op, const Chunk &c);
  Lane evalArithmetic(mlir::Operation *op, const Chunk &c);
  Lane evalConstant(mlir::arith::ConstantOp op, const Chunk &c);
  Lane evalLoad(tt::LoadOp op, const Chunk &c);
  Lane evalGather(tt::GatherOp op, const Chunk &c);
  llvm::Value *chooseByPosition(mlir::arith::SelectOp op, const Chunk &c);
  bool isAlignedRange(mlir::Value v, const Chunk &c);

  // The results so far, by value and chunk.
  struct Key {
    mlir::Value value;
    std::vector<llvm::Value *> index;
    int vecDim;
    unsigned lanes;
    Key(mlir::Value value, const Chunk &c)
        : value(value), index(c.index.begin(), c.index.end()), vecDim(c.vecDim), lanes(c.lanes) {}
    bool operator<(const Key &o) const {
      auto rank = [](const Key &k) { return std::make_tuple(k.value.getAsOpaquePointer(), k.vecDim, k.lanes); };
      return rank(*this) != rank(o) ? rank(*this) < rank(o) : index < o.index;
    }
  };
  struct Evaluated {
    std::map<Key, Lane> lanes;
    std::map<Key, llvm::Value *> vectors;
  };

  EmitContext &ctx;
  llvm::IRBuilder<> &b;
  Buffers &buffers;
  Elementwise &elementwise;
  std::vector<Evaluated> scopes;
  llvm::SmallVector<std::pair<mlir::Value, Chunk>> knownMasks;
  bool unchanged = false;
};

/// Forgets, at the end of its lifetime, the values that were evaluated during it.
class Evaluator::Scope {
public:
  explicit Scope(Evaluator &evaluator) : evaluator(evaluator) { evaluator.scopes.emplace_back(); }
  ~Scope() { evaluator.scopes.pop_back(); }
  Scope(const Scope &) = delete;

private:
  Evaluator &evaluator;
};

/// During its lifetime, the given masks are true at vector chunks of the given rows. (Transposed values may also be
/// evaluated along other rows, where the masks are not known.)
class Evaluator::KnownMasks {
public:
  KnownMasks(Evaluator &evaluator, llvm::ArrayRef<std::pair<mlir::Value, Chunk>> masks)
      : evaluator(evaluator), before(evaluator.knownMasks.size()) {
    llvm::append_range(evaluator.knownMasks, masks);
  }
  ~KnownMasks() { evaluator.knownMasks.truncate(before); }
  KnownMasks(const KnownMasks &) = delete;

private:
  Evaluator &evaluator;
  size_t before;
};

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_EVALUATOR_H
