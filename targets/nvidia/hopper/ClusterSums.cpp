//===- ClusterSums.cpp - adds up the accumulators of a program's blocks and clusters ------------------------------===//
//
// The blocks of a program may split the iterations of a loop (SplitIterations.cpp). First, the blocks of each cluster
// add up their accumulators in distributed shared memory. If a program has several clusters, these then add up the
// results in global memory.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttng/TTNG.h"
#include "targets/nvidia/NvidiaAccess.h"
#include "targets/nvidia/NvidiaPatterns.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilecc;

namespace {

/// Stores the registers of each thread to memory as vectors. The vectors with the same number are contiguous for all
/// threads, in the order of the threads.
class RegistersInMemory {
public:
  RegistersInMemory(OpBuilder &builder, Operation *op, const TargetInfo &target, unsigned registers, Type element)
      : builder(builder), loc(op->getLoc()), target(target), element(element),
        threads(ttg::getNumWarps(op) * target.facts.warpSize) {
    constexpr unsigned maxBits = 128;
    Type inMemory = getMemoryType(element);
    vector = VectorType::get(std::min<unsigned>(registers, maxBits / inMemory.getIntOrFloatBitWidth()), inMemory);
    numVectors = registers / vector.getNumElements();
  }

  unsigned getNumVectors() const { return numVectors; }

  /// Loads the elements of this thread's vector `number`.
  SmallVector<Value> load(Value base, Value number) const {
    Value loaded = LLVM::LoadOp::create(builder, loc, vector, getAddress(base, number), getBytesOfVector());
    SmallVector<Value> values;
    for (Value value : unpackVector(builder, loc, loaded))
      values.push_back(fromMemory(builder, loc, value, element));
    return values;
  }

  SmallVector<Value> loadAll(Value base) const {
    SmallVector<Value> values;
    for (unsigned i = 0; i < numVectors; ++i)
      values.append(load(base, constantI32(builder, loc, i)));
    return values;
  }

  /// Stores the elements of vector `from` of `registers` as this thread's vector `number`.
  void store(Value base, Value number, ValueRange registers, unsigned from) const {
    SmallVector<Value> values;
    for (Value value : registers.slice(from * vector.getNumElements(), vector.getNumElements()))
      values.push_back(toMemory(builder, loc, value));
    LLVM::StoreOp::create(builder, loc, packVector(builder, loc, values), getAddress(base, number), getBytesOfVector());
  }

  void storeAll(Value base, ValueRange registers) const {
    for (unsigned i = 0; i < numVectors; ++i)
      store(base, constantI32(builder, loc, i), registers, i);
  }

private:
  unsigned getBytesOfVector() const { return vector.getNumElements() * vector.getElementTypeBitWidth() / 8; }

  Value getAddress(Value base, Value number) const {
    Value place = arith::MulIOp::create(builder, loc, number, constantI32(builder, loc, threads));
    place = arith::AddIOp::create(builder, loc, place, getThreadPosition(builder, loc, target).thread);
    return LLVM::GEPOp::create(builder, loc, base.getType(), vector, base, ArrayRef<LLVM::GEPArg>{place});
  }

  OpBuilder &builder;
  Location loc;
  const TargetInfo &target;
  Type element;
  unsigned threads, numVectors;
  VectorType vector;
};

/// Adds `others` to `sums`, element by element.
void addTo(OpBuilder &builder, Location loc, MutableArrayRef<Value> sums, ValueRange others) {
  for (auto [sum, other] : llvm::zip_equal(sums, others))
    sum = isa<FloatType>(sum.getType()) ? arith::AddFOp::create(builder, loc, other, sum).getResult()
                                        : arith::AddIOp::create(builder, loc, other, sum).getResult();
}

/// Makes all threads exit unless `goesOn`, which is uniform, is true.
void endUnless(OpBuilder &builder, Location loc, Value goesOn) {
  Value isOver = arith::XOrIOp::create(builder, loc, goesOn, constantI1(builder, loc, true));
  auto end = scf::IfOp::create(builder, loc, isOver, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(end.thenBlock());
  NVVM::Exit::create(builder, loc);
}

/// Each block writes its registers to its own scratch space, at the same positions in every block. Then each block adds
/// up a share of the positions over all blocks, in the order of ranks, and writes the results to the scratch space of
/// the first block. The work is divided because otherwise the first block would read the accumulators of all blocks
/// through one port.
class SumOverBlocksPattern : public TilePattern<ttng::SumOverBlocksOp> {
public:
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(ttng::SumOverBlocksOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ValueRange own = adaptor.getSrc();
    Value parts = adaptor.getParts().front(), zero = constantI32(rewriter, loc, 0), one = constantI32(rewriter, loc, 1);
    Value rank = NVVM::ClusterId::create(rewriter, loc, rewriter.getI32Type());
    Value isFirst = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, rank, zero);
    Value areSeveral = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::sgt, parts, one);

    auto exchange = scf::IfOp::create(rewriter, loc, own.getTypes(), areSeveral, /*withElseRegion=*/true);
    rewriter.setInsertionPointToStart(exchange.elseBlock());
    scf::YieldOp::create(rewriter, loc, own);
    rewriter.setInsertionPointToStart(exchange.thenBlock());
    Value isNeeded = adaptor.getRows().empty() ? constantI1(rewriter, loc, true)
                                               : mayHaveRows(rewriter, op, adaptor.getRows().front());
    Value scratch = getScratch(rewriter, op, target);
    RegistersInMemory memory(rewriter, op, target, own.size(), own[0].getType());
    auto write = scf::IfOp::create(rewriter, loc, isNeeded, /*withElseRegion=*/false);
    rewriter.setInsertionPointToStart(write.thenBlock());
    memory.storeAll(scratch, own);
    rewriter.setInsertionPointAfter(write);
    waitForBlocks(rewriter, loc); // until all blocks have written their accumulators

    Value hasPart = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt, rank, parts);
    Value adds = arith::AndIOp::create(rewriter, loc, hasPart, isNeeded);
    auto add = scf::IfOp::create(rewriter, loc, adds, /*withElseRegion=*/false);
    rewriter.setInsertionPointToStart(add.thenBlock());
    addSome(rewriter, op, rank, parts, memory);
    rewriter.setInsertionPointAfter(add);
    waitForBlocks(rewriter, loc); // until the sums have been written to the first block; the other blocks may then exit

    Value reads = arith::AndIOp::create(rewriter, loc, isFirst, isNeeded);
    auto read = scf::IfOp::create(rewriter, loc, own.getTypes(), reads, /*withElseRegion=*/true);
    rewriter.setInsertionPointToStart(read.elseBlock());
    scf::YieldOp::create(rewriter, loc, own);
    rewriter.setInsertionPointToStart(read.thenBlock());
    scf::YieldOp::create(rewriter, loc, memory.loadAll(scratch));
    rewriter.setInsertionPointToEnd(exchange.thenBlock());
    scf::YieldOp::create(rewriter, loc, read.getResults());

    rewriter.setInsertionPoint(op);
    endUnless(rewriter, loc, isFirst);
    rewriter.replaceOpWithMultiple(op, {SmallVector<Value>(exchange.getResults())});
    return success();
  }

private:
  /// Returns an i1 that is true if this warp may have elements in the first `rows` rows.
  Value mayHaveRows(OpBuilder &builder, ttng::SumOverBlocksOp op, Value rows) const {
    Location loc = op.getLoc();
    LinearLayout layout = ttg::toLinearLayout(op.getType());
    Dim warps[] = {Dim::Warp}, firstAxis[] = {tilecc::axis(0)};
    LinearLayout rowsOfWarps = layout.sublayout(warps, firstAxis);
    Value row =
        applyColumns(builder, loc, getThreadPosition(builder, loc, target).warp, rowsOfWarps.getColumns(Dim::Warp));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, row ? row : constantI32(builder, loc, 0),
                                 rows);
  }

  static void waitForBlocks(OpBuilder &builder, Location loc) {
    NVVM::ClusterArriveOp::create(builder, loc, builder.getUnitAttr());
    NVVM::ClusterWaitOp::create(builder, loc, builder.getUnitAttr());
  }

  /// Returns the scratch space of a block.
  Value getScratchOf(OpBuilder &builder, ttng::SumOverBlocksOp op, Value block) const {
    auto remote = LLVM::LLVMPointerType::get(builder.getContext(), clusterSharedSpace);
    return NVVM::MapaOp::create(builder, op.getLoc(), remote, getScratch(builder, op, target), block);
  }

  /// Adds up this block's share of the vectors of `parts` blocks. The loop processes a few adjacent vectors at a time,
  /// so that several loads are in flight.
  void addSome(OpBuilder &builder, ttng::SumOverBlocksOp op, Value rank, Value parts,
               const RegistersInMemory &memory) const {
    constexpr unsigned maxParts = 8, maxAtOnce = 4;
    Location loc = op.getLoc();
    const unsigned numVectors = memory.getNumVectors(), atOnce = std::clamp(numVectors / maxParts, 1u, maxAtOnce);
    Value zero = constantI32(builder, loc, 0), one = constantI32(builder, loc, 1);
    Value size = constantI32(builder, loc, atOnce);
    Value begin = arith::MulIOp::create(builder, loc, rank, size),
          step = arith::MulIOp::create(builder, loc, parts, size);
    auto share = scf::ForOp::create(builder, loc, begin, constantI32(builder, loc, numVectors), step);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(share.getBody());
    auto getNumber = [&](unsigned i) -> Value {
      return arith::AddIOp::create(builder, loc, share.getInductionVar(), constantI32(builder, loc, i));
    };
    auto loadFrom = [&](Value block) {
      Value base = getScratchOf(builder, op, block);
      SmallVector<Value> values;
      for (unsigned i = 0; i < atOnce; ++i)
        values.append(memory.load(base, getNumber(i)));
      return values;
    };
    auto others = scf::ForOp::create(builder, loc, one, parts, one, loadFrom(zero));
    builder.setInsertionPointToStart(others.getBody());
    SmallVector<Value> sums = loadFrom(others.getInductionVar());
    addTo(builder, loc, sums, others.getRegionIterArgs());
    scf::YieldOp::create(builder, loc, sums);
    builder.setInsertionPointAfter(others);
    Value first = getScratchOf(builder, op, zero);
    for (unsigned i = 0; i < atOnce; ++i)
      memory.store(first, getNumber(i), others.getResults(), i);
  }
};

/// The first block of each cluster writes its registers to global memory, and then increments the counter of the
/// program. The block that increments the counter last loads and adds up the registers of all clusters, in the order of
/// the clusters' numbers, so that the result is the same in each launch.
struct SumOverClustersPattern : TilePattern<ttng::SumOverClustersOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(ttng::SumOverClustersOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ValueRange own = adaptor.getSrc();
    Value program = adaptor.getProgram().front(), number = adaptor.getNumber().front(),
          used = adaptor.getUsed().front(), clusters = adaptor.getClusters().front(),
          memory = adaptor.getMemory().front();
    Value zero = constantI32(rewriter, loc, 0), one = constantI32(rewriter, loc, 1);
    auto compare = [&](arith::CmpIPredicate predicate, Value a, Value b) -> Value {
      return arith::CmpIOp::create(rewriter, loc, predicate, a, b);
    };
    endUnless(rewriter, loc, compare(arith::CmpIPredicate::slt, number, used));
    auto exchange = scf::IfOp::create(rewriter, loc, own.getTypes(), compare(arith::CmpIPredicate::sgt, used, one),
                                      /*withElseRegion=*/true);
    rewriter.setInsertionPointToStart(exchange.elseBlock());
    target.barrier(rewriter,
                   loc); // Membar assumes that an operation with scratch space contains a barrier on every path
    scf::YieldOp::create(rewriter, loc, own);
    rewriter.setInsertionPointToStart(exchange.thenBlock());
    RegistersInMemory registers(rewriter, op, target, own.size(), own[0].getType());
    Value first = arith::MulIOp::create(rewriter, loc, program, clusters);
    auto partOf = [&](Value cluster) {
      Value place = arith::AddIOp::create(rewriter, loc, first, cluster);
      return move(rewriter, loc, memory, place, op.getBytesOfCluster());
    };
    registers.storeAll(partOf(number), own);
    target.barrier(rewriter, loc); // lets one thread release the writes of all threads
    Value scratch = getScratch(rewriter, op, target);
    Value counter =
        move(rewriter, loc, memory, arith::XOrIOp::create(rewriter, loc, program, constantI32(rewriter, loc, -1)),
             sizeof(int32_t));
    Type i32 = rewriter.getI32Type();
    createForOneThread(rewriter, loc, target, /*predicate=*/Value(), [&] {
      Value before =
          assembly(rewriter, loc, i32, {counter}, "atom.acq_rel.gpu.global.add.u32 $0, [$1], 1;", "=r,l,~{memory}")
              .getResult(0);
      LLVM::StoreOp::create(rewriter, loc, before, scratch, sizeof(int32_t));
    });
    target.barrier(rewriter, loc); // lets all threads read the data that this thread has acquired
    Value counted = LLVM::LoadOp::create(rewriter, loc, i32, scratch, sizeof(int32_t));
    Value last = arith::SubIOp::create(rewriter, loc, used, one);
    endUnless(rewriter, loc, compare(arith::CmpIPredicate::eq, counted, last));
    createForOneThread(rewriter, loc, target, /*predicate=*/Value(),
                       [&] { LLVM::StoreOp::create(rewriter, loc, zero, counter, sizeof(int32_t)); });
    auto others = scf::ForOp::create(rewriter, loc, one, used, one, registers.loadAll(partOf(zero)));
    rewriter.setInsertionPointToStart(others.getBody());
    SmallVector<Value> sums = registers.loadAll(partOf(others.getInductionVar()));
    addTo(rewriter, loc, sums, others.getRegionIterArgs());
    scf::YieldOp::create(rewriter, loc, sums);
    rewriter.setInsertionPointToEnd(exchange.thenBlock());
    scf::YieldOp::create(rewriter, loc, others.getResults());
    rewriter.setInsertionPoint(op);
    rewriter.replaceOpWithMultiple(op, {SmallVector<Value>(exchange.getResults())});
    return success();
  }

private:
  /// Returns the address that is `count * bytes` bytes after `base`.
  static Value move(OpBuilder &builder, Location loc, Value base, Value count, int64_t bytes) {
    Type i64 = builder.getI64Type();
    Value offset = arith::MulIOp::create(builder, loc, arith::ExtSIOp::create(builder, loc, i64, count),
                                         LLVM::ConstantOp::create(builder, loc, i64, bytes));
    return LLVM::GEPOp::create(builder, loc, base.getType(), builder.getI8Type(), base, ArrayRef<LLVM::GEPArg>{offset});
  }
};

} // namespace

void tilecc::populateClusterSumPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                        const LoweringContext &lowering) {
  patterns.add<SumOverBlocksPattern, SumOverClustersPattern>(types, patterns.getContext(), lowering);
}
