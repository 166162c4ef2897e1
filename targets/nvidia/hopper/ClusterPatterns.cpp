//===- ClusterPatterns.cpp - synchronization and exchange within a cluster ----------------------------------------===//
//
// A program that runs on several thread blocks is a cluster. Its blocks synchronize with each other, and read each
// other's shared memory. Without partitions, all threads of all blocks use the hardware's cluster barrier. That is not
// possible with partitions, because their threads do not synchronize with other blocks. Instead, the threads of the
// program first synchronize within each block. Then one of them arrives on an mbarrier of each block, waits on the
// mbarrier of its own block, and releases the other threads. Each block has two such mbarriers, which are used
// alternately: with one, a block could arrive for the second time while another block's first arrival has not yet been
// performed. The mbarriers are followed by a counter, which only that one thread uses.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/clusters/Distribution.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "targets/nvidia/NvidiaAccess.h"
#include "targets/nvidia/NvidiaPatterns.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilecc;

namespace {

LogicalResult lowerRank(ttng::BlockRankOp op, PatternRewriter &rewriter) {
  rewriter.replaceOpWithNewOp<NVVM::ClusterId>(op, rewriter.getI32Type());
  return success();
}

LogicalResult lowerCount(ttng::BlockCountOp op, PatternRewriter &rewriter) {
  rewriter.replaceOpWithNewOp<NVVM::ClusterDimBlocksXOp>(op, rewriter.getI32Type());
  return success();
}

struct ProgramInBlockPattern : TilePattern<ttng::ProgramInBlockOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttng::ProgramInBlockOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    // Broadcast from the first lane, so that LLVM and ptxas know that branches on it are uniform within a warp.
    Location loc = op.getLoc();
    rewriter.replaceOp(
        op, target.shuffleIndex(rewriter, loc, target.getProgramInBlock(rewriter, loc), constantI32(rewriter, loc, 0)));
    return success();
  }
};

/// Synchronizes the threads of a program in one block with its threads in the other blocks.
class ClusterBarrier {
public:
  ClusterBarrier(OpBuilder &builder, Operation *op, const TargetInfo &target)
      : builder(builder), loc(op->getLoc()), target(target), blocks(ttg::getModuleInteger(op, ttg::numCTAsAttr, 1)) {
    if (auto offset = op->getParentOfType<ModuleOp>()->getAttrOfType<IntegerAttr>(ttng::clusterBarrierAttr)) {
      Type pointer = LLVM::LLVMPointerType::get(builder.getContext(), target.getSharedAddressSpace());
      Value base = LLVM::AddressOfOp::create(builder, loc, pointer, sharedMemorySymbol);
      place = LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(), base,
                                  ArrayRef<LLVM::GEPArg>{int32_t(offset.getInt())});
    }
  }

  void arrive(bool relaxed) {
    if (!place) {
      relaxed ? void(NVVM::ClusterArriveRelaxedOp::create(builder, loc, builder.getUnitAttr()))
              : void(NVVM::ClusterArriveOp::create(builder, loc, builder.getUnitAttr()));
      return;
    }
    target.barrier(builder, loc);
    // A single fence precedes all arrivals, so the arrivals themselves are relaxed.
    std::string text = std::string("{\n\t.reg .b32 count, at, to;\n\t@!$1 bra done;\n\t") + findBarrier +
                       (relaxed ? "" : "fence.acq_rel.cluster;\n\t");
    for (int64_t block = 0; block < blocks; ++block)
      text += "mapa.shared::cluster.u32 to, at, " + std::to_string(block) +
              ";\n\tmbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [to];\n\t";
    assembly(builder, loc, TypeRange(), {place, isFirstThread(builder, loc, target)}, text + "done:\n\t}",
             "r,b,~{memory}");
  }

  void wait() {
    if (!place) {
      NVVM::ClusterWaitOp::create(builder, loc, builder.getUnitAttr());
      return;
    }
    // The mbarriers alternate, so the phase of each mbarrier advances at every second cluster barrier.
    assembly(
        builder, loc, TypeRange(), {place, isFirstThread(builder, loc, target)},
        std::string("{\n\t.reg .pred p;\n\t.reg .b32 count, at, phase;\n\t@!$1 bra done;\n\t") + findBarrier +
            "bfe.u32 phase, count, 1, 1;\n\t"
            "wait:\n\tmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [at], phase;\n\t@!p bra wait;\n\t"
            "add.u32 count, count, 1;\n\tst.shared.b32 [$0+16], count;\n\tdone:\n\t}",
        "r,b,~{memory}");
    target.barrier(builder, loc);
  }

private:
  /// Code that sets `at` to the address of the mbarrier that this cluster barrier uses.
  static constexpr const char *findBarrier = "ld.shared.b32 count, [$0+16];\n\tand.b32 at, count, 1;\n\t"
                                             "mad.lo.u32 at, at, 8, $0;\n\t";
  OpBuilder &builder;
  Location loc;
  const TargetInfo &target;
  int64_t blocks;
  Value place; ///< null: all threads use the cluster barrier
};

struct ArrivePattern : TilePattern<ttng::ClusterArriveOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttng::ClusterArriveOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    ClusterBarrier(rewriter, op, target).arrive(op.getRelaxed());
    rewriter.eraseOp(op);
    return success();
  }
};

struct WaitPattern : TilePattern<ttng::ClusterWaitOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttng::ClusterWaitOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    ClusterBarrier(rewriter, op, target).wait();
    rewriter.eraseOp(op);
    return success();
  }
};

/// Describes how a block's part of a tile is laid out in memory. The part is row-major, except that the axis along
/// which a thread holds adjacent elements comes last. So a thread can store as many elements at once as possible.
class PartInMemory {
public:
  explicit PartInMemory(RankedTensorType part) : type(part) {
    LinearLayout layout = ttg::toLinearLayout(part);
    int32_t rank = part.getRank(), fastest = rank - 1;
    for (int32_t axis = 0; axis < rank && layout.getInBits(Dim::Register); ++axis)
      if (layout.getBasis(Dim::Register, 0, tilecc::axis(axis)))
        fastest = axis;
    firstBit.resize(rank);
    add(fastest);
    for (int32_t axis = rank; axis-- > 0;)
      if (axis != fastest)
        add(axis);
  }

  unsigned getBits() const { return bits; }
  /// Returns the bit of the element's offset that corresponds to bit `bit` of its position along `axis`. Returns 0 if
  /// that bit selects the part of another block.
  uint64_t getOffset(int32_t axis, unsigned bit) const {
    return bit < llvm::Log2_64(type.getDimSize(axis)) ? uint64_t(1) << (firstBit[axis] + bit) : 0;
  }

private:
  void add(int32_t axis) {
    firstBit[axis] = bits;
    bits += llvm::Log2_64(type.getDimSize(axis));
  }
  RankedTensorType type;
  SmallVector<unsigned> firstBit;
  unsigned bits = 0;
};

struct RedistributePattern : TilePattern<ttng::RedistributeOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(ttng::RedistributeOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto source = cast<RankedTensorType>(op.getSrc().getType()), result = cast<RankedTensorType>(op.getType());
    PartInMemory memory(source);
    Value scratch = getScratch(rewriter, op, target);
    store(rewriter, loc, getStored(source, memory), scratch, adaptor.getSrc());
    if (op.isWithinBlock())
      target.barrier(rewriter, loc);
    else
      waitForCluster(rewriter, op);
    SmallVector<Value> registers = load(rewriter, loc, getLoaded(op, memory), memory.getBits(), scratch,
                                        result.getElementType(), op.isWithinBlock());
    if (!op.getLasting() && !op.isWithinBlock())
      waitForCluster(rewriter, op); // no block may write here again, or exit, before all blocks have read
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }

private:
  void waitForCluster(OpBuilder &builder, Operation *op) const {
    ClusterBarrier barrier(builder, op, target);
    barrier.arrive(/*relaxed=*/false);
    barrier.wait();
  }

  /// Returns a column for each input bit of `layout`: the XOR of `find` for all bits of the position that the input
  /// selects.
  static SmallVector<uint64_t> mapLocations(const LinearLayout &layout,
                                            function_ref<uint64_t(int32_t axis, unsigned bit)> find) {
    SmallVector<uint64_t> columns;
    for (LinearLayout::Extent in : layout.getIns())
      for (unsigned bit = 0; bit < in.bits; ++bit) {
        uint64_t &column = columns.emplace_back(0);
        for (int32_t axis = 0; axis < int32_t(layout.getOuts().size()); ++axis)
          for (uint32_t position = layout.getBasis(in.dim, bit, tilecc::axis(axis)); position; position &= position - 1)
            column ^= find(axis, llvm::countr_zero(position));
      }
    return columns;
  }

  /// Maps each location (register, lane, warp) to the offset of its element in memory.
  static LinearLayout getStored(RankedTensorType source, const PartInMemory &memory) {
    LinearLayout layout = ttg::toLinearLayout(source);
    SmallVector<uint64_t> columns =
        mapLocations(layout, [&](int32_t axis, unsigned bit) { return memory.getOffset(axis, bit); });
    return LinearLayout({layout.getIns().begin(), layout.getIns().end()}, {{Dim::Offset, memory.getBits()}}, columns);
  }

  /// Maps each location of each block to the offset and the block of its element.
  static LinearLayout getLoaded(ttng::RedistributeOp op, const PartInMemory &memory) {
    auto source = cast<RankedTensorType>(op.getSrc().getType()), result = cast<RankedTensorType>(op.getType());
    Distribution from(op.getFrom()), to(op.getTo());
    // Maps bit `bit` of the position along `axis` of the whole tile to a bit of the offset or of the block's rank.
    auto find = [&](int32_t axis, unsigned bit) {
      if (uint64_t offset = memory.getOffset(axis, bit))
        return offset;
      uint32_t ranks = from.getBits(axis);
      for (unsigned part = llvm::Log2_64(source.getDimSize(axis)); part < bit; ++part)
        ranks &= ranks - 1;
      return uint64_t(ranks & -ranks) << memory.getBits();
    };
    LinearLayout layout = ttg::toLinearLayout(result);
    SmallVector<uint64_t> columns = mapLocations(layout, find);
    for (auto [bit, axis] : llvm::enumerate(to.getAxes())) {
      uint64_t column = 0;
      if (axis >= 0) {
        unsigned part = llvm::popcount(to.getBits(axis) & ((1u << bit) - 1));
        column = find(axis, llvm::Log2_64(result.getDimSize(axis)) + part);
      }
      if (from.getAxes()[bit] == Distribution::Copies) // each block reads its own copy
        column ^= uint64_t(1) << (memory.getBits() + bit);
      columns.push_back(column);
    }
    LinearLayout::Extents ins(layout.getIns().begin(), layout.getIns().end());
    unsigned blockBits = to.getAxes().size();
    ins.push_back({Dim::Block, blockBits});
    return LinearLayout(ins, {{Dim::Offset, memory.getBits()}, {Dim::Block, blockBits}}, columns);
  }

  /// Returns the number of registers that one access covers.
  static unsigned getVectorSize(const LinearLayout &layout, Type inMemory) {
    constexpr unsigned maxBytes = 16;
    return std::min(layout.getNumConsecutive(), maxBytes * 8 / inMemory.getIntOrFloatBitWidth());
  }

  void store(OpBuilder &builder, Location loc, const LinearLayout &layout, Value scratch, ValueRange registers) const {
    Type inMemory = getMemoryType(registers[0].getType());
    unsigned size = getVectorSize(layout, inMemory);
    Value base = applyLayout(builder, loc, layout, getThreadPosition(builder, loc, target));
    for (unsigned reg = 0; reg < registers.size();
         reg += size) { // elements with copies are written more than once, with the same value
      SmallVector<Value> values;
      for (unsigned i = 0; i < size; ++i)
        values.push_back(toMemory(builder, loc, registers[reg + i]));
      LLVM::StoreOp::create(builder, loc, packVector(builder, loc, values),
                            getAddress(builder, loc, scratch, inMemory, addRegister(builder, loc, layout, base, reg)),
                            size * inMemory.getIntOrFloatBitWidth() / 8);
    }
  }

  SmallVector<Value> load(OpBuilder &builder, Location loc, const LinearLayout &layout, unsigned offsetBits,
                          Value scratch, Type elementType, bool isOwn) const {
    Type element = types.convertElement(elementType), inMemory = getMemoryType(element);
    Dim threads[] = {Dim::Register, Dim::Lane, Dim::Warp};
    LinearLayout inBlock = layout.sublayout(threads, {Dim::Offset, Dim::Block});
    unsigned size = getVectorSize(inBlock, inMemory);
    Value base = applyLayout(builder, loc, inBlock, getThreadPosition(builder, loc, target));
    Value rank = NVVM::ClusterId::create(builder, loc, builder.getI32Type());
    if (Value ofBlock = applyColumns(builder, loc, rank, layout.getColumns(Dim::Block)))
      base = arith::XOrIOp::create(builder, loc, base, ofBlock);
    auto remote = LLVM::LLVMPointerType::get(builder.getContext(), clusterSharedSpace);
    auto vector = VectorType::get(size, inMemory);
    SmallVector<Value> registers;
    for (unsigned reg = 0; reg < 1u << layout.getInBits(Dim::Register); reg += size) {
      Value place = addRegister(builder, loc, inBlock, base, reg);
      Value offset = arith::AndIOp::create(builder, loc, place, constantI32(builder, loc, (1u << offsetBits) - 1));
      Value address = getAddress(builder, loc, scratch, inMemory, offset);
      if (!isOwn) {
        Value block = arith::ShRUIOp::create(builder, loc, place, constantI32(builder, loc, offsetBits));
        address = NVVM::MapaOp::create(builder, loc, remote, address, block);
      }
      Value loaded = LLVM::LoadOp::create(builder, loc, vector, address, size * inMemory.getIntOrFloatBitWidth() / 8);
      for (Value value : unpackVector(builder, loc, loaded))
        registers.push_back(fromMemory(builder, loc, value, element));
    }
    return registers;
  }

  static Value getAddress(OpBuilder &builder, Location loc, Value scratch, Type inMemory, Value number) {
    return LLVM::GEPOp::create(builder, loc, scratch.getType(), inMemory, scratch, ArrayRef<LLVM::GEPArg>{number});
  }
};

} // namespace

void tilecc::populateClusterPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                     const LoweringContext &lowering) {
  patterns.add(lowerRank);
  patterns.add(lowerCount);
  patterns.add<ProgramInBlockPattern, ArrivePattern, WaitPattern, RedistributePattern>(types, patterns.getContext(),
                                                                                       lowering);
}

void tilecc::beginClusterBarriers(OpBuilder &builder, Location loc, Value place, int64_t blocks, Value isFirstThread) {
  std::string count = std::to_string(blocks);
  assembly(builder, loc, TypeRange(), {place, isFirstThread},
           "@$1 mbarrier.init.shared::cta.b64 [$0], " + count + ";\n\t@$1 mbarrier.init.shared::cta.b64 [$0+8], " +
               count + ";\n\t@$1 st.shared.b32 [$0+16], 0;\n\t@$1 fence.mbarrier_init.release.cluster;",
           "r,b,~{memory}");
  NVVM::ClusterArriveOp::create(builder, loc, builder.getUnitAttr());
  NVVM::ClusterWaitOp::create(builder, loc, builder.getUnitAttr());
}

void tilecc::endClusterBarriers(OpBuilder &builder, Location loc) {
  // The barrier is relaxed, because it orders reads only and need not make writes visible.
  NVVM::ClusterArriveRelaxedOp::create(builder, loc, builder.getUnitAttr());
  NVVM::ClusterWaitOp::create(builder, loc, builder.getUnitAttr());
}
