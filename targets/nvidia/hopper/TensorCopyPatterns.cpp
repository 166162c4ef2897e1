//===- TensorCopyPatterns.cpp - lowers copies by the tensor memory accelerator ------------------------------------===//
//
// One thread starts a copy, and a barrier in memory counts the bytes that the copy has written (PTX ISA,
// cp.async.bulk.tensor). In shared memory, a block consists of consecutive boxes, whose rows are as long as the
// swizzle. One instruction copies a box. A box has at most 256 rows, which is the maximum along an axis of a tensor
// map. Triton's launchers create the same boxes.
//
// The part of a box outside the tensor reads as zero. But if a box does not begin inside the tensor, an H200 accesses
// the address at which the tensor begins. This address is invalid for a map that begins at address 0. So such a copy is
// replaced by a copy of zeros.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/TileCopy.h"
#include "lowering/dialects/tt/ImageBlocks.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "targets/nvidia/NvidiaAccess.h"
#include "targets/nvidia/NvidiaPatterns.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilecc;

namespace {

/// The maximum size of a box along an axis.
constexpr int64_t maxAlongAxis = 256;

/// The number of bytes of zeros in global memory: the size of the largest box.
constexpr int64_t maxZeros = 256 * 128;

Value constantTrue(OpBuilder &builder, Location loc) {
  return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
}

/// Returns an i1 that is true if the box at `at` begins inside the tensor along the first two axes. The coordinates are
/// never negative.
Value beginsInside(OpBuilder &builder, Location loc, ArrayRef<Value> at, ArrayRef<int64_t> shape) {
  Value inside = constantTrue(builder, loc);
  for (unsigned axis : {0, 1}) {
    Value size = constantI32(builder, loc, shape[shape.size() - 1 - axis]);
    Value below = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, at[axis], size);
    inside = arith::AndIOp::create(builder, loc, inside, below);
  }
  return inside;
}

/// The boxes of a block in shared memory, which one thread copies.
class Boxes {
public:
  Boxes(OpBuilder &builder, Location loc, ttg::MemDescType memory, Value tile, ArrayRef<ValueRange> coordinates,
        RankedTensorType block)
      : builder(builder), loc(loc), tile(tile), shape(block.getShape()) {
    // If the tile has fewer axes than the block, only the encoding of the block specifies the row length of boxes.
    auto encoding = dyn_cast_or_null<ttg::NVMMASharedEncodingAttr>(block.getEncoding());
    if (!encoding)
      encoding = cast<ttg::NVMMASharedEncodingAttr>(memory.getEncoding());
    // Boxes are parts along the columns and along the first axis that has more than one element, because only these are
    // contiguous.
    unsigned rank = memory.getRank(), outermost = 0;
    while (outermost + 1 < rank && memory.getDimSize(outermost) == 1)
      ++outermost;
    axisOfRows = rank - 1 - outermost;
    columns = memory.getShape().back(), rows = axisOfRows ? memory.getDimSize(outermost) : 1;
    boxColumns = encoding.getRank() > 1 ? encoding.getRowElements() : std::min(columns, maxAlongAxis);
    boxRows = std::min(rows, maxAlongAxis);
    boxBytes = memory.getNumElements() / columns / (rows / boxRows) * boxColumns * encoding.getElementBitWidth() / 8;
    // The instruction expects the axis that varies fastest first.
    for (ValueRange coordinate : llvm::reverse(coordinates))
      first.push_back(coordinate[0]);
  }

  int64_t getBytes() const { return boxBytes; }
  void forEach(function_ref<void(Value memory, ArrayRef<Value> at)> visit) {
    for (int64_t column = 0, box = 0; column < columns; column += boxColumns)
      for (int64_t row = 0; row < rows; row += boxRows, ++box) {
        Value memory = LLVM::GEPOp::create(builder, loc, tile.getType(), builder.getI8Type(), tile,
                                           ArrayRef<LLVM::GEPArg>{int32_t(box * boxBytes)});
        SmallVector<Value> at(first);
        for (auto [axis, distance] : {std::pair(0u, column), std::pair(axisOfRows, row)})
          if (distance)
            at[axis] = arith::AddIOp::create(builder, loc, at[axis], constantI32(builder, loc, distance));
        visit(memory, at);
      }
  }

  Value beginsInside(ArrayRef<Value> at) { return ::beginsInside(builder, loc, at, shape); }

private:
  OpBuilder &builder;
  Location loc;
  Value tile;
  ArrayRef<int64_t> shape;
  SmallVector<Value> first;
  unsigned axisOfRows; ///< an index into `first`
  int64_t columns, rows, boxColumns, boxRows, boxBytes;
};

/// Adds the coordinates to the operands of an instruction, and returns their operand names.
std::string addCoordinates(ArrayRef<Value> at, SmallVectorImpl<Value> &operands, std::string &constraints,
                           StringRef constraint = "r") {
  std::string names;
  for (auto [axis, coordinate] : llvm::enumerate(at)) {
    names += (axis ? ", $" : "$") + std::to_string(operands.size());
    constraints += ("," + constraint).str();
    operands.push_back(coordinate);
  }
  return "{" + names + "}";
}

struct LoadBlockPattern : TilePattern<ttng::AsyncTMACopyGlobalToLocalOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttng::AsyncTMACopyGlobalToLocalOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value barrier = SharedTile(adaptor.getBarrier()).base;
    size_t numOffsets = tt::countOffsets(op.getDesc().getType(), op.getCoord().size());
    ArrayRef<ValueRange> coordinates = adaptor.getCoord();
    Boxes boxes(rewriter, loc, op.getResult().getType(), SharedTile(adaptor.getResult()).base,
                coordinates.drop_back(numOffsets), op.getDesc().getType().getBlockType());
    auto load = [&](Value to, ArrayRef<Value> at) {
      SmallVector<Value> operands = {to, adaptor.getDesc()[0], barrier};
      std::string constraints = "r,l,r", place = addCoordinates(at, operands, constraints), predicate, offsets;
      if (numOffsets) {
        SmallVector<Value> moved;
        for (ValueRange offset : llvm::reverse(coordinates.take_back(numOffsets)))
          moved.push_back(arith::TruncIOp::create(rewriter, loc, rewriter.getI16Type(), offset[0]));
        offsets = ", " + addCoordinates(moved, operands, constraints, "h");
      }
      const std::string toPair = op.getMulticast() ? ".multicast::cluster" : "";
      auto addMask = [&](SmallVectorImpl<Value> &operands, std::string &constraints) -> std::string {
        if (!op.getMulticast())
          return "";
        operands.push_back(arith::ConstantOp::create(rewriter, loc, rewriter.getI16IntegerAttr(0b11)));
        constraints += ",h";
        return ", $" + std::to_string(operands.size() - 1);
      };
      if (op->hasAttr(ttng::mayBeginOutsideAttr)) {
        Value begins = boxes.beginsInside(at);
        SmallVector<Value> ofZeros = {to, getZeros(rewriter, op), barrier, begins};
        std::string ofZerosConstraints = "r,l,r,b", mask = addMask(ofZeros, ofZerosConstraints);
        predicate = "@$" + std::to_string(operands.size()) + " ";
        constraints += ",b";
        operands.push_back(begins);
        assembly(rewriter, loc, TypeRange(), ofZeros,
                 "@!$3 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes" + toPair + " [$0], [$1], " +
                     std::to_string(boxes.getBytes()) + ", [$2]" + mask + ";",
                 ofZerosConstraints + ",~{memory}");
      }
      std::string mask = addMask(operands, constraints);
      assembly(rewriter, loc, TypeRange(), operands,
               predicate + "cp.async.bulk.tensor." + std::to_string(at.size()) + "d.shared::cluster.global." +
                   (numOffsets ? "im2col" : "tile") + ".mbarrier::complete_tx::bytes" + toPair + " [$0], [$1, " +
                   place + "], [$2]" + offsets + mask + ";",
               constraints + ",~{memory}");
    };
    createForOneThread(rewriter, loc, target, adaptor.getPred()[0], [&] { boxes.forEach(load); });
    rewriter.eraseOp(op);
    return success();
  }

  /// Returns the address of zeros in global memory, at least as many as a box has bytes.
  Value getZeros(OpBuilder &builder, Operation *op) const {
    auto module = op->getParentOfType<ModuleOp>();
    constexpr StringLiteral symbol = "tilecc.zeros";
    unsigned space = target.getGlobalAddressSpace();
    if (!module.lookupSymbol(symbol)) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(module.getBody());
      auto bytes = LLVM::LLVMArrayType::get(builder.getI8Type(), maxZeros);
      auto global =
          LLVM::GlobalOp::create(builder, module.getLoc(), bytes, /*isConstant=*/true, LLVM::Linkage::Internal, symbol,
                                 LLVM::ZeroAttr::get(module.getContext()), /*alignment=*/16, space);
      global.setUnnamedAddr(LLVM::UnnamedAddr::Global); // allows merging the zeros of several kernels
    }
    return LLVM::AddressOfOp::create(builder, op->getLoc(), LLVM::LLVMPointerType::get(op->getContext(), space),
                                     symbol);
  }
};

struct LoadLinePattern : TilePattern<ttng::AsyncBulkCopyGlobalToLocalOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttng::AsyncBulkCopyGlobalToLocalOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value barrier = SharedTile(adaptor.getBarrier()).base, to = SharedTile(adaptor.getResult()).base;
    createForOneThread(rewriter, loc, target, adaptor.getPred()[0], [&] {
      assembly(rewriter, loc, TypeRange(), {to, adaptor.getSrc()[0], barrier},
               "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], " +
                   std::to_string(ttg::getTileStrideInBytes(op.getResult().getType())) + ", [$2];",
               "r,l,r,~{memory}");
    });
    rewriter.eraseOp(op);
    return success();
  }
};

std::string getInstruction(ttng::AsyncTMACopyLocalToGlobalOp, const std::string &dims) {
  return "cp.async.bulk.tensor." + dims + "d.global.shared::cta.tile.bulk_group";
}
std::string getInstruction(ttng::AsyncTMAReduceOp op, const std::string &dims) {
  return "cp.reduce.async.bulk.tensor." + dims + "d.global.shared::cta." +
         tt::stringifyDescriptorReduceKind(op.getKind()).str() + ".tile.bulk_group";
}

std::string getInstruction(ttng::AsyncTMAStoreTileOp, const std::string &dims) {
  return getInstruction(ttng::AsyncTMACopyLocalToGlobalOp(), dims);
}

/// Starts the operation `op` from the box at `from` in shared memory to the box at coordinates `at` of the tensor that
/// `map` describes.
template <class Op> void startStore(OpBuilder &builder, Op op, Value map, Value from, ArrayRef<Value> at) {
  SmallVector<Value> operands = {from, map};
  std::string constraints = "r,l", coordinates = addCoordinates(at, operands, constraints), predicate;
  if (op->hasAttr(ttng::mayBeginOutsideAttr)) {
    predicate = "@$" + std::to_string(operands.size()) + " ";
    constraints += ",b";
    operands.push_back(beginsInside(builder, op.getLoc(), at, op.getDesc().getType().getBlockType().getShape()));
  }
  assembly(builder, op.getLoc(), TypeRange(), operands,
           predicate + getInstruction(op, std::to_string(at.size())) + " [$1, " + coordinates + "], [$0];",
           constraints + ",~{memory}");
}

/// Stores a tile in shared memory to a tensor, or combines it with the tensor.
template <class Op> struct StoreBlockPattern : TilePattern<Op> {
  using TilePattern<Op>::TilePattern;
  using TilePattern<Op>::target;
  LogicalResult matchAndRewrite(Op op, typename TilePattern<Op>::OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Boxes boxes(rewriter, loc, op.getSrc().getType(), SharedTile(adaptor.getSrc()).base, adaptor.getCoord(),
                op.getDesc().getType().getBlockType());
    auto store = [&](Value from, ArrayRef<Value> at) { startStore(rewriter, op, adaptor.getDesc()[0], from, at); };
    createForOneThread(rewriter, loc, target, /*predicate=*/Value(), [&] {
      boxes.forEach(store);
      assembly(rewriter, loc, TypeRange(), {}, "cp.async.bulk.commit_group;", "~{memory}");
    });
    rewriter.eraseOp(op);
    return success();
  }
};

/// Stores a tile in registers to shared memory in parts, and copies the parts from there to the tensor. One of the
/// threads that fill a slot waits until the slot has been read; the others wait for that thread.
class TileStore {
public:
  TileStore(ttng::AsyncTMAStoreTileOp op, ttng::AsyncTMAStoreTileOp::GenericAdaptor<ArrayRef<ValueRange>> adaptor,
            OpBuilder &builder, const TargetInfo &target)
      : op(op), adaptor(adaptor), builder(builder), target(target), loc(op.getLoc()),
        plan(*TileCopyPlan::get(op.getSrc().getType())) {}

  void run() {
    int64_t count = op.getSlots().getType().getNumTiles();
    ttg::MemDescType slot = plan.getSlots(1);
    slot = ttg::MemDescType::get(slot.getShape().drop_front(), slot.getElementType(), slot.getEncoding(),
                                 slot.getMemorySpace(),
                                 /*mutableMemory=*/true);
    Value base = SharedTile(adaptor.getSlots()).base;
    for (auto [number, registers] : llvm::enumerate(plan.registers)) {
      Value memory = getAddress(base, int64_t(number) % count * ttg::getTileStrideInBytes(slot));
      if (number == 0 || int64_t(number) >= count) {
        // The first part must wait for all copies that were started before. Later parts only wait for their slot.
        std::string what = number == 0 ? " 0;" : ".read " + std::to_string(count - 1) + ";";
        byOneThread([&] { assembly(builder, loc, TypeRange(), {}, "cp.async.bulk.wait_group" + what, "~{memory}"); });
        wait();
      }
      SmallVector<Value> values;
      for (unsigned reg : registers)
        values.push_back(adaptor.getSrc()[reg]);
      storeTile(builder, loc, plan.part, slot, {memory, constantI32(builder, loc, 0)}, values, target);
      assembly(builder, loc, TypeRange(), {}, "fence.proxy.async.shared::cta;", "~{memory}");
      wait();
      byOneThread([&] {
        startCopies(memory, plan.begins[number]);
        assembly(builder, loc, TypeRange(), {}, "cp.async.bulk.commit_group;", "~{memory}");
      });
    }
  }

private:
  void wait() { plan.isOfWarps ? target.warpBarrier(builder, loc) : target.barrier(builder, loc); }

  void byOneThread(function_ref<void()> create) {
    if (!plan.isOfWarps)
      return createForOneThread(builder, loc, target, /*predicate=*/Value(), create);
    auto branch = scf::IfOp::create(
        builder, loc, NVVM::ElectSyncOp::create(builder, loc, builder.getI1Type(), /*membermask=*/Value()),
        /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    create();
  }

  Value getAddress(Value base, int64_t bytes) {
    return bytes ? LLVM::GEPOp::create(builder, loc, base.getType(), builder.getI8Type(), base,
                                       ArrayRef<LLVM::GEPArg>{int32_t(bytes)})
                 : base;
  }

  void startCopies(Value memory, ArrayRef<int64_t> begin) {
    auto encoding = cast<ttg::NVMMASharedEncodingAttr>(op.getSlots().getType().getEncoding());
    Value row;
    if (plan.isOfWarps)
      row = applyColumns(builder, loc, getThreadPosition(builder, loc, target).warp, plan.getRowsOfWarps());
    if (row)
      memory = LLVM::GEPOp::create(
          builder, loc, memory.getType(), builder.getI8Type(), memory,
          ArrayRef<LLVM::GEPArg>{
              arith::MulIOp::create(builder, loc, row, constantI32(builder, loc, encoding.getRowBytes())).getResult()});
    int64_t columns = encoding.getRowElements(), boxBytes = plan.part.getDimSize(0) * encoding.getRowBytes();
    for (int64_t box : plan.isOfWarps ? plan.getBoxesOfWarp() : SmallVector<int64_t>{0})
      for (int64_t column = 0; column < plan.part.getDimSize(1); column += columns)
        startCopy(getAddress(memory, box * encoding.getRowBytes() + column / columns * boxBytes), row, begin[0] + box,
                  begin[1] + column);
  }

  void startCopy(Value memory, Value rowOfWarp, int64_t row, int64_t column) {
    SmallVector<Value> at; // the axis that varies fastest first
    for (ValueRange coordinate : llvm::reverse(adaptor.getCoord()))
      at.push_back(coordinate[0]);
    auto add = [&](Value &coordinate, Value more) {
      coordinate = arith::AddIOp::create(builder, loc, coordinate, more);
    };
    if (column)
      add(at[0], constantI32(builder, loc, column));
    if (rowOfWarp)
      add(at[1], rowOfWarp);
    if (row)
      add(at[1], constantI32(builder, loc, row));
    startStore(builder, op, adaptor.getDesc()[0], memory, at);
  }

  ttng::AsyncTMAStoreTileOp op;
  ttng::AsyncTMAStoreTileOp::GenericAdaptor<ArrayRef<ValueRange>> adaptor;
  OpBuilder &builder;
  const TargetInfo &target;
  Location loc;
  TileCopyPlan plan;
};

struct StoreTilePattern : TilePattern<ttng::AsyncTMAStoreTileOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttng::AsyncTMAStoreTileOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!TileCopyPlan::get(op.getSrc().getType()))
      return op.emitOpError("has a tile of which no thread has parts: ") << op.getSrc().getType();
    TileStore(op, adaptor, rewriter, target).run();
    rewriter.eraseOp(op);
    return success();
  }
};

struct StoreWaitPattern : TilePattern<ttng::TMAStoreWaitOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttng::TMAStoreWaitOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    assembly(rewriter, op.getLoc(), TypeRange(), {},
             std::string("cp.async.bulk.wait_group") + (op.getWritten() ? " " : ".read ") +
                 std::to_string(op.getPendings()) + ";",
             "~{memory}");
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void tilecc::populateTensorCopyPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                        const LoweringContext &lowering) {
  patterns.add<LoadBlockPattern, LoadLinePattern, StoreBlockPattern<ttng::AsyncTMACopyLocalToGlobalOp>,
               StoreBlockPattern<ttng::AsyncTMAReduceOp>, StoreTilePattern, StoreWaitPattern>(
      types, patterns.getContext(), lowering);
}
