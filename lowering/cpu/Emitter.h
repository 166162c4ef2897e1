// How a kernel becomes CPU code.
//
// A program of the grid runs on one thread, so a tile is not distributed over anything: it is a loop over its elements.
// Most tiles never exist in memory. An operation on tiles is a formula for an element, kept as the SSA graph that it
// is, and only a *root* (a store, a reduction, a matrix product, a value carried around a loop) makes code: a loop nest
// over the root's shape whose body evaluates the formulas that the root needs, a register's worth of neighbouring
// elements (a Chunk) at a time. Schedule.h decides which values are formulas and which get a buffer.
//
// Evaluation tracks how an element varies along the lanes of a chunk (Lane): not at all, by a constant step, or freely.
// Pointer arithmetic stays scalar that way: a tile of pointers is one address and a step, a load through it one vector
// load; and a comparison of an index with a bound says how many leading elements of a row are in bounds, which splits
// the loop into an unmasked, unrolled part and a masked rest.
//
// Triton's semantics are those of whole tiles: a load has finished before a later store or barrier begins. A nest that
// loads and stores element by element may only do so if no store can hit what is still to be loaded. That is decided at
// run time by the ranges of the addresses (Affine.h); where they overlap, the loads first go to buffers. A load moves only
// towards its consumers, so it always sees the stores before it; a barrier is that and no code.
//
// All of it is emitted by one class, KernelEmitter, spread over files by subject:
//   EmitKernel       the function, its parameters, scalar operations, buffers, LLVM loops
//   EmitControl      scf and cf: loops and branches that carry tiles
//   EmitTile         formulas: evaluation of tile values at a chunk
//   EmitElementwise  one arithmetic operation, on scalars or vectors
//   EmitMemory       loads and stores at a chunk
//   EmitNest         loop nests: order, vector dimension, splitting by masks, versions
//   EmitReduce       reductions
//   EmitScan         scans
//   EmitAtomic       atomic accesses
//   EmitMessage      print, assert, functions of scalars
//   EmitMovement     gathers; reshapes, joins and whatever else is written to where it belongs
//   EmitDot          matrix products
#ifndef TILECC_LOWERING_CPU_EMITTER_H
#define TILECC_LOWERING_CPU_EMITTER_H

#include "lowering/cpu/Affine.h"
#include "lowering/cpu/FloatMath.h"
#include "lowering/cpu/Isa.h"
#include "lowering/cpu/Schedule.h"
#include "lowering/dialects/tt/TT.h"
#include "llvm/IR/IRBuilder.h"
#include <map>

namespace tilecc::cpu {

/// A place in a tile: one element, or `lanes` neighbours along dimension `vecDim`, the first of them at `index`.
struct Chunk {
  llvm::SmallVector<llvm::Value *, 4> index; // i64 per dimension
  int vecDim = -1;
  unsigned lanes = 1;

  bool isVector() const { return vecDim >= 0; }
  /// Whether the chunks differ at most in where along the vector dimension they are.
  bool isInRowOf(const Chunk &other) const;
};

/// The elements of a value at a chunk.
struct Lane {
  enum Kind {
    Uniform, // all equal: `value` is the scalar
    Strided, // integers or pointers `value + lane * stride` (bytes for pointers)
    Vector   // `value` is a vector
  } kind = Uniform;
  llvm::Value *value = nullptr;
  llvm::Value *stride = nullptr;
  // Strided integers wrap as the vector would, except after a widening cast: then the form serves addresses, which do
  // not wrap (as Triton assumes), and the elements themselves are computed as a vector.
  bool exact = true;
};

/// A tile in memory, row-major but for a place within another tile's buffer, which has strides (in elements).
struct Buffer {
  llvm::Value *ptr = nullptr;
  mlir::RankedTensorType type;
  llvm::SmallVector<int64_t, 4> strides = {};

  llvm::SmallVector<int64_t, 4> getStrides() const;
  int64_t getStride(unsigned dim) const { return getStrides()[dim]; }
};

class KernelEmitter {
public:
  KernelEmitter(tt::FuncOp func, const Schedule &schedule, const Isa &target, llvm::Module &module, llvm::StringRef symbol,
                bool contract = true);

  /// Emits the function; fails after a diagnostic.
  mlir::FailureOr<llvm::Function *> run();
  /// Bytes of scratch the function uses.
  uint64_t getScratchBytes() const { return scratchSize; }

private:
  using Values = llvm::SmallVector<llvm::Value *, 4>;
  using Shape = llvm::ArrayRef<int64_t>;

  //===--- EmitKernel ---===//
  void emitParameters();
  void emitBlock(mlir::Block &block);
  void emitOp(mlir::Operation &op);
  llvm::Value *scalar(mlir::Value v);
  /// Reports, once, an operation that has no code on the CPU.
  void reject(mlir::Operation *op, const llvm::Twine &what = "");
  llvm::Type *registerType(mlir::Type element); // of an element in a register: i16 for f16 and bf16
  llvm::Type *storageType(mlir::Type element);  // of an element in memory: i8 for i1
  llvm::Type *vectorType(llvm::Type *element, const Chunk &c);
  unsigned storageBytes(mlir::Type element);
  llvm::ConstantInt *index(int64_t value) { return b.getInt64(value); }
  llvm::BasicBlock *newBlock(const llvm::Twine &name);
  /// for (i = lo; i < hi; i += step), with values carried around; returns them after the loop.
  Values loop(llvm::Value *lo, llvm::Value *hi, int64_t step, llvm::ArrayRef<llvm::Value *> inits,
              llvm::function_ref<Values(llvm::Value *, llvm::ArrayRef<llvm::Value *>)> body);
  void loop(int64_t size, int64_t step, llvm::function_ref<void(llvm::Value *)> body);
  /// `fast` where cond holds, else `slow`; their results merged.
  Values branch(llvm::Value *cond, llvm::function_ref<Values()> fast, llvm::function_ref<Values()> slow);
  Buffer allocate(mlir::RankedTensorType type);
  llvm::Value *allocateBytes(uint64_t bytes);
  /// Frees what nothing after `op` reads.
  void freeBuffers(mlir::Operation *op);
  /// Where the result of an operation goes: where its consumer wants it, or a new buffer.
  Buffer destinationOf(mlir::Value v);

  //===--- EmitControl ---===//
  void emitFor(mlir::scf::ForOp op);
  void emitIf(mlir::scf::IfOp op);
  void emitWhile(mlir::scf::WhileOp op);
  void emitBranch(mlir::Operation *op);
  void declareBlockArguments(mlir::Block *block);
  void enterEdge(mlir::Block *target, mlir::ValueRange args);
  void yieldTo(mlir::Operation *root, mlir::Value v, llvm::Value *target);

  //===--- EmitTile ---===//
  Lane eval(mlir::Value v, const Chunk &c);
  Lane evalFormula(mlir::Operation *op, const Chunk &c);
  Lane evalArithmetic(mlir::Operation *op, const Chunk &c);
  Lane evalConstant(mlir::arith::ConstantOp op, const Chunk &c);
  /// The elements as a vector (a scalar where the chunk is one element), exactly.
  llvm::Value *vec(mlir::Value v, const Chunk &c);
  llvm::Value *divideByUniform(llvm::Value *x, llvm::Value *d);
  llvm::Value *splat(llvm::Value *scalar, unsigned lanes);
  Chunk operandChunk(mlir::Value v, const Chunk &c);
  llvm::Value *bufferAddress(const Buffer &buffer, const Chunk &c, int64_t &vecStride);
  llvm::Value *readBuffer(const Buffer &buffer, const Chunk &c);
  void writeBuffer(const Buffer &buffer, const Chunk &c, llvm::Value *value);

  //===--- EmitElementwise ---===//
  llvm::Value *emitElementwise(mlir::Operation *op, llvm::ArrayRef<llvm::Value *> operands);
  llvm::Value *emitIntDivision(mlir::Operation *op, llvm::Value *lhs, llvm::Value *rhs);
  llvm::Value *emitFloatOp(mlir::Operation *op, llvm::ArrayRef<llvm::Value *> operands);
  llvm::Value *emitMath(mlir::Operation *op, llvm::ArrayRef<llvm::Value *> operands);
  llvm::Value *emitLibraryCall(tt::ExternElementwiseOp op, llvm::ArrayRef<llvm::Value *> in, llvm::Type *resultType);
  llvm::Value *convertFloat(llvm::Value *v, mlir::Type from, mlir::Type to);

  //===--- EmitMemory ---===//
  Lane emitLoad(tt::LoadOp op, const Chunk &c);
  void emitStore(tt::StoreOp op, const Chunk &c);
  void prefetch(mlir::Value ptrs, const Chunk &c, int64_t distance, bool write);
  void choosePrefetches(mlir::Operation *root, llvm::ArrayRef<mlir::Value> demands);
  bool isEvaluable(mlir::Value v);
  Lane maskLane(mlir::Value mask, const Chunk &c);
  llvm::Value *loadVector(llvm::Type *storage, const Lane &ptr, llvm::Value *mask, llvm::Value *other, unsigned lanes,
                          unsigned bytes);

  //===--- EmitNest ---===//
  struct Nest {
    mlir::Operation *root;                  // whose byproducts the nest writes, and to whom loads are fused
    Shape shape;                            // iterated over
    llvm::SmallVector<mlir::Value> demands; // values evaluated at the nest's chunks
    int vecDim = -2;                        // -2: to be chosen
    // Evaluates the demands at a chunk and puts them where they belong.
    std::function<void(const Chunk &)> body;
  };
  void emitNest(const Nest &nest);
  void emitLoops(const Nest &nest, int dim, Chunk c);
  int chooseVecDim(Shape shape, llvm::ArrayRef<mlir::Value> demands);
  Chunk firstChunk(Shape shape, int vecDim);
  /// The loop along c.vecDim. The body gets chunks of several registers in the unmasked part: operations on those come
  /// out interleaved, which hides their latencies. Values carried in that part are then narrowed to one register.
  Values vectorLoop(Chunk c, int64_t size, mlir::Operation *root, llvm::ArrayRef<mlir::Value> demands, Values carried,
                    llvm::function_ref<Values(const Chunk &, llvm::ArrayRef<llvm::Value *>)> body,
                    llvm::function_ref<Values(llvm::ArrayRef<llvm::Value *>)> narrow);
  void vectorLoop(const Chunk &c, int64_t size, mlir::Operation *root, llvm::ArrayRef<mlir::Value> demands,
                  llvm::function_ref<void(const Chunk &)> body);
  /// The lanes of a chunk of several registers in a row of that size.
  unsigned wideLanes(const Chunk &c, int64_t size);
  /// Runs `emit` once or, where the formulas can be simplified under a condition or loads are fused with a store, twice.
  Values versioned(mlir::Operation *root, const Chunk &first, llvm::ArrayRef<mlir::Value> demands,
                   llvm::function_ref<Values()> emit);
  struct RowInfo;
  void visitRow(mlir::Value v, const Chunk &c, RowInfo &row);
  struct MaskExtent {
    llvm::Value *leading; // so many elements from the first on are true for certain; null: cannot tell
    llvm::Value *end;     // from here on all are false
  };
  MaskExtent maskExtent(mlir::Value mask, const Chunk &c, int64_t size);
  MaskExtent maskExtent(mlir::arith::CmpIOp cmp, const Chunk &c, int64_t size);
  void collectConditions(mlir::Value v, const Chunk &c, llvm::DenseSet<mlir::Value> &seen, Values &conditions);
  void findAccesses(mlir::Value v, const Chunk &c, llvm::DenseSet<mlir::Value> &seen,
                    llvm::function_ref<void(mlir::Value, const Chunk &)> found);
  void materialize(mlir::Value v);
  /// Evaluates `v` into `target`, on behalf of `root`.
  void storeTile(mlir::Operation *root, mlir::Value v, Buffer target);
  void emitStoreRoot(tt::StoreOp op);
  void allocateRiders(mlir::Operation *root);
  void writeRiders(mlir::Operation *root, const Chunk &c);
  void finishRiders(mlir::Operation *root);

  //===--- EmitReduce ---===//
  void emitReduce(tt::ReduceOp op);
  Values combine(mlir::Region &combiner, llvm::ArrayRef<llvm::Value *> lhs, llvm::ArrayRef<llvm::Value *> rhs);
  /// Applies a region on elements, lane by lane.
  Values applyRegion(mlir::Region &region, llvm::ArrayRef<llvm::Value *> args);
  using Combiner = llvm::function_ref<Values(llvm::ArrayRef<llvm::Value *>, llvm::ArrayRef<llvm::Value *>)>;
  Values reduceRow(tt::ReduceOp op, const Chunk &row, int64_t size);
  Values reduceRow(tt::ReduceOp op, const Chunk &row, int64_t size, llvm::Constant *identity, Combiner combiner);
  /// Combines lanes, by halves, until `lanes` are left.
  Values reduceLanes(Combiner combiner, Values values, unsigned lanes);
  llvm::Constant *identityOf(tt::ReduceOp op);
  /// Runs `body` on `first` at every index of a tile of `shape` outside `axis`, whose vectors are along the axis.
  void nestAroundAxis(Shape shape, int axis, const Chunk &first, llvm::function_ref<void(const Chunk &)> body);
  /// Runs `body` on the chunks of a tile of `shape`, in order along `axis`, of which it visits [begin, end), from the other
  /// end if `reverse`. The vector dimension is another one, or -1.
  void nestAlongAxis(mlir::Operation *root, Shape shape, int vecDim, llvm::ArrayRef<mlir::Value> demands, int axis,
                     int64_t begin, int64_t end, bool reverse, llvm::function_ref<void(const Chunk &)> body);
  void reduceAcross(tt::ReduceOp op, llvm::ArrayRef<Buffer> results, int vecDim);

  //===--- EmitScan ---===//
  void emitScan(tt::ScanOp op);
  void scanRow(tt::ScanOp op, Chunk row, llvm::ArrayRef<Buffer> results);
  void scanAcross(tt::ScanOp op, llvm::ArrayRef<Buffer> results, int vecDim);
  Values scanLanes(tt::ScanOp op, Values values, unsigned lanes);

  //===--- EmitAtomic ---===//
  void emitAtomicRoot(mlir::Operation *op);
  llvm::Value *emitAtomic(mlir::Operation *op, const Chunk &c);
  llvm::Value *addHalfAtomically(llvm::Value *ptr, llvm::Value *value, mlir::Type element,
                                 llvm::AtomicOrdering ordering);

  //===--- EmitMessage ---===//
  void emitPrint(tt::PrintOp op);
  void emitAssert(tt::AssertOp op);
  void emitMap(tt::MapElementwiseOp op);
  llvm::Value *programId(unsigned axis);
  llvm::Value *text(llvm::StringRef text);
  void forEachElement(mlir::Operation *root, Shape shape, llvm::ArrayRef<mlir::Value> demands,
                      llvm::function_ref<void(const Chunk &)> body);
  //===--- EmitMovement ---===//
  llvm::Value *evalGather(tt::GatherOp op, const Chunk &c);
  void emitMovement(mlir::Operation *op);
  /// Evaluates `v` into `target`, like storeTile; what only moves elements is not evaluated, but its operands are, each
  /// into its part of the target.
  void place(mlir::Operation *root, mlir::Value v, Buffer target);
  void placeJoined(mlir::Operation *root, tt::JoinOp op, Buffer target);
  void emitHistogram(tt::HistogramOp op);

  //===--- EmitDot ---===//
  void emitDot(tt::DotOp op);
  struct DotShape;
  void packOperand(tt::DotOp op, mlir::Value operand, const DotShape &s,
                   llvm::function_ref<void(const Chunk &, llvm::Value *)> store);
  void fillAccumulator(tt::DotOp op, Buffer accumulator);
  void multiply(const DotShape &s, llvm::Value *a, llvm::Value *panels, llvm::Value *accumulator);
  void multiplyBlock(const DotShape &s, unsigned rows, llvm::Value *a, llvm::Value *panel, llvm::Value *accumulator);

  tt::FuncOp func;
  const Schedule &schedule;
  const Isa &target;
  llvm::Module &module;
  llvm::LLVMContext &context;
  llvm::IRBuilder<> b;
  llvm::Function *fn = nullptr;
  FloatMath math;
  AffineEmitter affine;
  llvm::SmallPtrSet<mlir::Operation *, 4> rejected; // operations with an error

  llvm::DenseMap<mlir::Value, llvm::Value *> scalars;
  llvm::DenseMap<mlir::Value, Buffer> buffers;
  llvm::DenseMap<mlir::Value, llvm::Value *> destinations; // buffers that consumers have chosen for a value to come
  llvm::DenseMap<mlir::Block *, llvm::BasicBlock *> blocks;
  llvm::Value *scratch = nullptr;
  llvm::Value *dummy = nullptr; // where masked-off scalar accesses go
  uint64_t scratchTop = 0, scratchSize = 0;
  struct Extent {
    uint64_t offset, bytes;
  };
  llvm::DenseMap<llvm::Value *, Extent> extents; // of what allocateBytes gave
  llvm::SmallVector<Extent> freed;               // below scratchTop
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Extent>> freedAfter;

  llvm::DenseMap<mlir::Value, Buffer> byproductTargets; // of the nest being emitted
  struct Prefetch {
    mlir::Value ptrs;
    int64_t distance;
    bool write;
  };
  llvm::SmallVector<Prefetch> prefetches; // of the nest being emitted

  // What has been evaluated so far, by value and chunk; a scope for each loop body or branch, since what is computed
  // inside does not dominate what follows.
  struct Key {
    mlir::Value value;
    std::vector<llvm::Value *> index;
    int vecDim;
    unsigned lanes;
    bool operator<(const Key &o) const {
      auto rank = [](const Key &k) { return std::make_tuple(k.value.getAsOpaquePointer(), k.vecDim, k.lanes); };
      return rank(*this) != rank(o) ? rank(*this) < rank(o) : index < o.index;
    }
  };
  struct Scope {
    std::map<Key, Lane> lanes;
    std::map<Key, llvm::Value *> vectors;
  };
  std::vector<Scope> scopes;
  struct ScopeGuard {
    KernelEmitter &e;
    uint64_t scratchTop;
    llvm::SmallVector<Extent> freed;
    ScopeGuard(KernelEmitter &e) : e(e), scratchTop(e.scratchTop), freed(e.freed) { e.scopes.emplace_back(); }
    ~ScopeGuard() {
      e.scopes.pop_back();
      e.scratchTop = scratchTop;
      e.freed = freed;
    }
  };
  // Masks known to be all true at vector chunks of a row, the unmasked part of it. What is transposed may be evaluated along
  // other rows as well.
  llvm::SmallVector<std::pair<mlir::Value, Chunk>> trueMasks;
  // In the fast version of a nest, remainders that leave an index as it is (see AffineEmitter::unchanged).
  bool assumeUnchanged = false;
  // In the slow version, no chunks of several registers: it runs rarely, and gathers would fill pages of code.
  bool compact = false;
};

} // namespace tilecc::cpu

#endif // TILECC_LOWERING_CPU_EMITTER_H
