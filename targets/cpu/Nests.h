//===- Nests.h - loops over the elements of a tile ---------------------------------------------------------*- C++ -*-//
//
// A root (a store, a reduction, a value that gets memory) evaluates the formulas behind it chunk by chunk. Here is how
// its loops are made: which dimension is a vector, what is computed ahead of a row, where masks can be left out
// (RowMasks.h), and which conditions are checked first so that a simpler version of the whole nest may run.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_NESTS_H
#define TILECC_TARGETS_CPU_NESTS_H

#include "targets/cpu/Loops.h"
#include "targets/cpu/RowMasks.h"
#include "targets/cpu/Streams.h"

namespace tilecc::cpu {

/// Formulas that are needed later: their elements are kept while the roots' nest computes them.
class SideOutputs {
public:
  SideOutputs(EmitContext &ctx, Buffers &buffers, Evaluator &evaluator, llvm::ArrayRef<mlir::Operation *> roots);
  /// Stores the elements of a chunk.
  void write(const Chunk &c);
  /// Stores these vectors instead, one for each output.
  void write(const Chunk &c, llvm::ArrayRef<llvm::Value *> values);
  /// All elements are stored: from here on they are read from their buffers.
  void finish();

private:
  Buffers &buffers;
  Evaluator &evaluator;
  llvm::SmallVector<std::pair<mlir::Value, Buffer>> outputs;
};

struct Nest {
  static constexpr int choose = -2;

  /// Whose side outputs the nest writes, and to whom loads are fused; null: it only looks. A store's twin is emitted with it.
  mlir::Operation *root;
  Shape shape;                            ///< iterated over
  llvm::SmallVector<mlir::Value> demands; ///< values evaluated at the nest's chunks
  int vecDim;                             ///< the dimension of vectors; -1: none; or `choose`
  /// Evaluates the demands at a chunk and puts them where they belong.
  std::function<void(const Chunk &)> body;
};

class Nests {
public:
  Nests(EmitContext &ctx, Buffers &buffers, Evaluator &evaluator, Loops &loops);
  Nests(const Nests &) = delete;

  void emit(const Nest &nest);

  /// Evaluates `v` into `target` on behalf of `root`.
  void storeTile(mlir::Operation *root, mlir::Value v, const Buffer &target);
  /// Evaluates `v` into a buffer, from which it is read from then on.
  void materialize(mlir::Value v);

  //===--- what nests of another form are made of ---===//

  /// The dimension along which most memory is contiguous; by default the last one whose size is not one.
  int chooseVecDim(Shape shape, llvm::ArrayRef<mlir::Value> demands);
  /// The lanes of a chunk of several registers in a row of that size.
  unsigned wideLanes(const Chunk &c, int64_t size) const;
  /// The loop along c.vecDim. The body gets chunks of several registers in the unmasked part: operations on those come
  /// out interleaved, which hides their latencies. Values carried in that part are then narrowed to one register.
  /// Chunks from `until` on are left out, if it is given; `begin` is if there is at most one between them.
  Values vectorLoop(Chunk c, int64_t size, mlir::Operation *root, llvm::ArrayRef<mlir::Value> demands, Values carried,
                    llvm::function_ref<Values(const Chunk &, llvm::ArrayRef<llvm::Value *>)> body,
                    llvm::function_ref<Values(llvm::ArrayRef<llvm::Value *>)> narrow, llvm::Value *until = nullptr,
                    llvm::Value *begin = nullptr);
  void vectorLoop(const Chunk &c, int64_t size, mlir::Operation *root, llvm::ArrayRef<mlir::Value> demands,
                  llvm::function_ref<void(const Chunk &)> body);
  /// The masks' effect on a formula along the row that starts at `c`.
  std::optional<RowMasks::Filling> fillingOf(mlir::Value v, const Chunk &c, int64_t size) {
    return rowMasks.fillingOf(v, c, size);
  }
  /// A tile that is already in memory, row by row, with contiguous rows.
  struct InMemory {
    llvm::Value *first;     // address
    llvm::Value *rowStride; // in bytes
    llvm::Value *holds;     // whether this holds: no element is masked off, no index wraps around
  };
  /// Of a tile of rank 2 that is loaded like that.
  std::optional<InMemory> findInMemory(mlir::Value tile);
  /// Runs `body` on `first` at every index of a tile of `shape` outside `axis`, whose vectors are along the axis.
  void aroundAxis(Shape shape, int axis, const Chunk &first, llvm::function_ref<void(const Chunk &)> body);
  /// Runs `body` on the chunks of a tile of `shape`, in order along `axis`, of which it visits [begin, end), from the
  /// other end if `reverse`. The vector dimension is another one, or -1.
  void alongAxis(mlir::Operation *root, Shape shape, int vecDim, llvm::ArrayRef<mlir::Value> demands, int axis,
                 int64_t begin, int64_t end, bool reverse, llvm::function_ref<void(const Chunk &)> body);
  /// Whether a launch of programs that end in this store touches more than two of them should touch side by side: lines of
  /// two rows, by turns, come from memory slower than those of one after the other.
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
  // In the slow version, no chunks of several registers: it runs rarely, and gathers would fill pages of code.
  bool compact = false;
};

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_NESTS_H
