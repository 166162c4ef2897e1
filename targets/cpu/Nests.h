//===- Nests.h - loops over the elements of a tile ---------------------------------------------------------*- C++ -*-//
//
// A root (a store, a reduction, a value that gets a buffer) evaluates its formulas chunk by chunk. This file builds the
// loops for that. It chooses the vector dimension, hoists code out of the loop over a row, removes masks (RowMasks.h),
// and emits run-time checks that select a simpler version of the whole nest.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_NESTS_H
#define TILECC_TARGETS_CPU_NESTS_H

#include "targets/cpu/Loops.h"
#include "targets/cpu/RowMasks.h"
#include "targets/cpu/Streams.h"

namespace tilecc::cpu {

/// Formulas that are needed again later. Their elements are stored while the nest of the root computes them.
class SideOutputs {
public:
  SideOutputs(EmitContext &ctx, Buffers &buffers, Evaluator &evaluator, llvm::ArrayRef<mlir::Operation *> roots);
  /// Evaluates and stores the elements at chunk `c`.
  void write(const Chunk &c);
  /// Stores the given vectors instead, one for each formula.
  void write(const Chunk &c, llvm::ArrayRef<llvm::Value *> values);
  /// Must be called once all elements have been stored. From then on, the formulas are read from their buffers.
  void finish();

private:
  Buffers &buffers;
  Evaluator &evaluator;
  llvm::SmallVector<std::pair<mlir::Value, Buffer>> outputs;
};

struct Nest {
  static constexpr int choose = -2;

  /// The operation whose side outputs the nest writes, and with which loads are fused; null if there is none. If two
  /// programs are joined, a store is emitted together with its copy for the second program.
  mlir::Operation *root;
  Shape shape; ///< the iteration space
  llvm::SmallVector<mlir::Value> demands; ///< the values that are evaluated at the chunks of the nest
  int vecDim; ///< the vector dimension; -1 for none, or `choose`
  /// Evaluates the demands at a chunk and stores the results.
  std::function<void(const Chunk &)> body;
};

class Nests {
public:
  Nests(EmitContext &ctx, Buffers &buffers, Evaluator &evaluator, Loops &loops);
  Nests(const Nests &) = delete;

  void emit(const Nest &nest);

  /// Evaluates `v` into the buffer `target`, in a nest of `root`.
  void storeTile(mlir::Operation *root, mlir::Value v, const Buffer &target);
  /// Evaluates `v` into a new buffer, from which later uses read it.
  void materialize(mlir::Value v);

  //===--- building blocks for other kinds of nests ---===//

  /// Returns the dimension along which the most memory accesses are contiguous. If there is no such dimension, returns
  /// the last one whose size is not one.
  int chooseVecDim(Shape shape, llvm::ArrayRef<mlir::Value> demands);
  /// Returns the number of lanes of a chunk that takes several registers, in a row of `size` elements.
  unsigned wideLanes(const Chunk &c, int64_t size) const;
  /// Emits the loop over a row, along c.vecDim. In the unmasked part of the row, `body` gets chunks of several
  /// registers, whose operations are interleaved to hide latency; `narrow` then reduces the carried values to one
  /// register. The loop skips the chunks from `until` on, if that is given. `begin` is given if at most one element
  /// lies between `begin` and `until`.
  Values vectorLoop(Chunk c, int64_t size, mlir::Operation *root, llvm::ArrayRef<mlir::Value> demands, Values carried,
                    llvm::function_ref<Values(const Chunk &, llvm::ArrayRef<llvm::Value *>)> body,
                    llvm::function_ref<Values(llvm::ArrayRef<llvm::Value *>)> narrow, llvm::Value *until = nullptr,
                    llvm::Value *begin = nullptr);
  void vectorLoop(const Chunk &c, int64_t size, mlir::Operation *root, llvm::ArrayRef<mlir::Value> demands,
                  llvm::function_ref<void(const Chunk &)> body);
  /// Returns the constant that a formula has where its masks are false, along the row that starts at `c`.
  std::optional<RowMasks::Filling> fillingOf(mlir::Value v, const Chunk &c, int64_t size) {
    return rowMasks.fillingOf(v, c, size);
  }
  /// A tile that is already in memory, row by row, with contiguous rows.
  struct InMemory {
    llvm::Value *first; // address
    llvm::Value *rowStride; // in bytes
    llvm::Value *holds; // true if no element is masked off and no index wraps around, so that this is the tile
  };
  /// Returns the memory of a tile of rank 2, if it is loaded from such memory.
  std::optional<InMemory> findInMemory(mlir::Value tile);
  /// Calls `body` on the chunk `first`, moved to every index of a tile of `shape` along all dimensions except `axis`,
  /// which is the vector dimension.
  void aroundAxis(Shape shape, int axis, const Chunk &first, llvm::function_ref<void(const Chunk &)> body);
  /// Runs `body` on the chunks of a tile of `shape`. Along `axis`, it visits [begin, end) in order, or in reverse order
  /// if `reverse` is true. The vector dimension differs from `axis`, or is -1.
  void alongAxis(mlir::Operation *root, Shape shape, int vecDim, llvm::ArrayRef<mlir::Value> demands, int axis,
                 int64_t begin, int64_t end, bool reverse, llvm::function_ref<void(const Chunk &)> body);
  /// Emits an i1 that is true if a launch is too large for running two programs side by side, given that they end in
  /// `store`. A large launch loads from memory; alternating between the cache lines of two rows is then slower than
  /// reading one row after the other.
  llvm::Value *isTooLargeForTwo(tt::StoreOp store);
  /// Emits the code of a root. If its formulas can be simplified under a condition, or if loads are fused with a store,
  /// calls `emit` twice, for a fast and a slow version; otherwise once.
  Values versioned(mlir::Operation *root, const Chunk &first, llvm::ArrayRef<mlir::Value> demands,
                   llvm::function_ref<Values()> emit);

private:
  struct Row;
  Values finishRow(Chunk c, llvm::Value *begin, llvm::Value *end, unsigned one, unsigned several, Values carried,
                   llvm::function_ref<Values(const Chunk &, llvm::ArrayRef<llvm::Value *>)> body);
  void visitRow(mlir::Value v, const Chunk &c, Row &row);
  void emitLoops(const Nest &nest, int dim, Chunk c, SideOutputs &sideOutputs);
  void collectConditions(mlir::Value v, const Chunk &c, llvm::DenseSet<mlir::Value> &seen, Values &conditions);

  EmitContext &ctx;
  llvm::IRBuilder<> &b;
  Buffers &buffers;
  Evaluator &evaluator;
  Loops &loops;
  RowMasks rowMasks;
  Streams streams;
  AffineEmitter affine;
  // True while the slow version is emitted. It has no chunks of several registers, because it rarely runs, and its
  // gathers would be very large.
  bool compact = false;
};

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_NESTS_H
