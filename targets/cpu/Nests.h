//===- Nests.h - loops over the elements of a tile ---------------------------------------------------------*- C++ -*-//
//
// A root (a store, a reduction, a value that gets memory) evaluates its formulas (see Schedule.h) chunk by chunk. This
// file builds its loops. It chooses the vector dimension, hoists code out of a row's loop, removes masks (RowMasks.h),
// and emits checks that select a simpler version of the whole nest.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_NESTS_H
#define TILECC_TARGETS_CPU_NESTS_H

#include "targets/cpu/Loops.h"
#include "targets/cpu/RowMasks.h"
#include "targets/cpu/Streams.h"

namespace tilecc::cpu {

/// The side outputs of a nest: formulas that the nest evaluates for its root and that other roots need later. The nest
/// also stores their elements in buffers, so that they are not evaluated again.
class SideOutputs {
public:
  SideOutputs(EmitContext &ctx, Buffers &buffers, Evaluator &evaluator, llvm::ArrayRef<mlir::Operation *> roots);
  /// Stores the elements of a chunk.
  void write(const Chunk &c);
  /// Stores these vectors instead, one per output.
  void write(const Chunk &c, llvm::ArrayRef<llvm::Value *> values);
  /// Must be called when all elements are stored. From then on, they are read from their buffers.
  void finish();

private:
  Buffers &buffers;
  Evaluator &evaluator;
  llvm::SmallVector<std::pair<mlir::Value, Buffer>> outputs;
};

struct Nest {
  static constexpr int choose = -2;

  /// The operation whose side outputs the nest writes and with which loads are fused; null: none. A store's twin is
  /// emitted with it.
  mlir::Operation *root;
  Shape shape; ///< the iteration space
  llvm::SmallVector<mlir::Value> demands; ///< values evaluated at the nest's chunks
  int vecDim; ///< the dimension of vectors, -1 for none, or `choose`
  /// Evaluates the demands at a chunk and stores the results.
  std::function<void(const Chunk &)> body;
};

class Nests {
public:
  Nests(EmitContext &ctx, Buffers &buffers, Evaluator &evaluator, Loops &loops);
  Nests(const Nests &) = delete;

  void emit(const Nest &nest);

  /// Evaluates `v` into `target` for `root`.
  void storeTile(mlir::Operation *root, mlir::Value v, const Buffer &target);
  /// Evaluates `v` into a buffer. Later uses read it from there.
  void materialize(mlir::Value v);

  //===--- building blocks for other kinds of nests ---===//

  /// Returns the dimension along which most memory accesses are contiguous; by default the last one whose size is not
  /// one.
  int chooseVecDim(Shape shape, llvm::ArrayRef<mlir::Value> demands);
  /// Returns the number of lanes of a chunk of several registers, in a row of that size.
  unsigned wideLanes(const Chunk &c, int64_t size) const;
  /// Emits the loop along c.vecDim. In the unmasked part, the body gets chunks of several registers, whose operations
  /// are interleaved to hide latency. `narrow` then narrows the carried values to one register. The loop skips chunks
  /// from `until` on, if given. `begin` is given if at most one element lies between them.
  Values vectorLoop(Chunk c, int64_t size, mlir::Operation *root, llvm::ArrayRef<mlir::Value> demands, Values carried,
                    llvm::function_ref<Values(const Chunk &, llvm::ArrayRef<llvm::Value *>)> body,
                    llvm::function_ref<Values(llvm::ArrayRef<llvm::Value *>)> narrow, llvm::Value *until = nullptr,
                    llvm::Value *begin = nullptr);
  void vectorLoop(const Chunk &c, int64_t size, mlir::Operation *root, llvm::ArrayRef<mlir::Value> demands,
                  llvm::function_ref<void(const Chunk &)> body);
  /// Returns the constant that the masks of a formula leave along the row that starts at `c`.
  std::optional<RowMasks::Filling> fillingOf(mlir::Value v, const Chunk &c, int64_t size) {
    return rowMasks.fillingOf(v, c, size);
  }
  /// A tile that is already in memory, row by row, with contiguous rows.
  struct InMemory {
    llvm::Value *first; // address
    llvm::Value *rowStride; // in bytes
    llvm::Value *holds; // true if this is the tile: no element is masked off, and no index wraps around
  };
  /// Finds the memory of a tile of rank 2 that is loaded in this way.
  std::optional<InMemory> findInMemory(mlir::Value tile);
  /// Executes `body` on `first` at every index of a tile of `shape`, except along `axis`, which is the vector
  /// dimension.
  void aroundAxis(Shape shape, int axis, const Chunk &first, llvm::function_ref<void(const Chunk &)> body);
  /// Runs `body` on the chunks of a tile of `shape`, in order along `axis`, in [begin, end), from the other end if
  /// `reverse`. The vector dimension differs from `axis`, or is -1.
  void alongAxis(mlir::Operation *root, Shape shape, int vecDim, llvm::ArrayRef<mlir::Value> demands, int axis,
                 int64_t begin, int64_t end, bool reverse, llvm::function_ref<void(const Chunk &)> body);
  /// Emits an i1 that is true if a launch is too large to run two programs that end in this store side by side:
  /// alternating between the lines of two rows loads from memory more slowly than reading one row after the other.
  llvm::Value *isTooLargeForTwo(tt::StoreOp store);
  /// Runs `emit` once or, where the formulas can be simplified under a condition or loads are fused with a store,
  /// twice.
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
  // The slow version has no chunks of several registers: it runs rarely, and its gathers would be very large.
  bool compact = false;
};

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_NESTS_H
