//===- TensorMemoryPatterns.cpp - lowers tiles in tensor memory to tcgen05.alloc, ld, st ------------------------===//
//
// For a thread, a memdesc in tensor memory is one address (i32), with the row in the upper half and the column in the
// lower half. Each warp can access a quarter of the rows, and adds the first row of its quarter to the address.
//
// The result of a load is available after tcgen05.wait::ld. The registers are operands and results of this wait, so
// that nothing reads them earlier. Fences before and after each access order it with the dots, which one thread starts:
// a barrier between this thread and the others does not order accesses to tensor memory (PTX ISA, tcgen05 memory
// consistency).
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttng/TTNG.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "targets/nvidia/NvidiaAccess.h"
#include "targets/nvidia/NvidiaPatterns.h"

using namespace mlir;
using namespace tilecc;

namespace {

void emit(OpBuilder &builder, Location loc, ValueRange operands, const Twine &text, StringRef constraints) {
  assembly(builder, loc, TypeRange(), operands, text.str(),
           constraints.str() + (operands.empty() ? "~{memory}" : ",~{memory}"));
}

Value add(OpBuilder &builder, Location loc, Value address, int64_t columns) {
  return columns ? arith::AddIOp::create(builder, loc, address, constantI32(builder, loc, columns)).getResult()
                 : address;
}

/// Moves a tile between registers and tensor memory.
class TileMove {
public:
  TileMove(OpBuilder &builder, Location loc, RankedTensorType tile, ttg::MemDescType memory, Value address,
           const TargetInfo &target)
      : builder(builder), loc(loc), access(*ttng::planTensorMemoryAccess(tile, memory)) {
    // Add the first row of the warp. If several warps share rows, also add the first column of the warp.
    constexpr unsigned rowsPerWarpBits = 5, rowShift = 16;
    warp = getThreadPosition(builder, loc, target).warp;
    warp = target.shuffleIndex(builder, loc, warp,
                               constantI32(builder, loc, 0)); // uniform within a warp, and ptxas knows it
    Value quarter = arith::AndIOp::create(builder, loc, warp, constantI32(builder, loc, (1 << quarterBits) - 1));
    Value row = arith::ShLIOp::create(builder, loc, quarter, constantI32(builder, loc, rowsPerWarpBits + rowShift));
    base = arith::AddIOp::create(builder, loc, address, row);
    SmallVector<uint64_t> columns(quarterBits, 0);
    columns.append(access.warpColumns.begin(), access.warpColumns.end());
    if (Value moved = applyColumns(builder, loc, warp, columns))
      base = arith::AddIOp::create(builder, loc, base, moved);
  }

  SmallVector<Value> load(Type element) {
    SmallVector<Value> words;
    for (const TensorMemoryAccess::Instruction &instruction : access.instructions) {
      unsigned count = getNumWords(instruction);
      std::string outs;
      for (unsigned i = 0; i < count; ++i)
        outs += i ? ",=r" : "=r";
      llvm::append_range(words, assemble(count, {add(builder, loc, base, instruction.column)},
                                         ("tcgen05.ld.sync.aligned." + getShape() + ".x" + Twine(count) + ".b32 " +
                                          list(0, count) + ", [$" + Twine(count) + "]" + getHalf() + ";")
                                             .str(),
                                         outs + ",r,~{memory}"));
    }
    words = waitForLoads(words);
    emit(builder, loc, {}, "tcgen05.fence::before_thread_sync;", "");
    unsigned registers = words.size() * access.perWord;
    SmallVector<Value> values(registers);
    auto word = words.begin();
    Type inMemory = getMemoryType(element);
    for (const TensorMemoryAccess::Instruction &instruction : access.instructions)
      for (unsigned first = 0; first < instruction.registers.size(); first += access.perWord, ++word) {
        Value vector = LLVM::BitcastOp::create(builder, loc, VectorType::get(access.perWord, inMemory), *word);
        for (auto [i, value] : llvm::enumerate(unpackVector(builder, loc, vector)))
          values[instruction.registers[first + i]] = fromMemory(builder, loc, value, element);
      }
    return values;
  }

  /// Stores the tile. If several warps hold copies of an element, only one of them stores it.
  void store(ValueRange values) {
    unsigned copies = 0;
    for (auto [bit, moved] : llvm::enumerate(access.warpColumns))
      if (!moved)
        copies |= 1u << (quarterBits + bit);
    if (!copies)
      return storeOfWarp(values);
    Value ofCopy = arith::AndIOp::create(builder, loc, warp, constantI32(builder, loc, copies));
    Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, ofCopy, constantI32(builder, loc, 0));
    auto branch = scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    storeOfWarp(values);
  }

private:
  void storeOfWarp(ValueRange values) {
    for (const TensorMemoryAccess::Instruction &instruction : access.instructions) {
      SmallVector<Value> elements;
      for (unsigned reg : instruction.registers)
        elements.push_back(toMemory(builder, loc, values[reg]));
      SmallVector<Value> operands = {add(builder, loc, base, instruction.column)};
      llvm::append_range(operands, packWords(builder, loc, elements));
      unsigned count = getNumWords(instruction);
      std::string ins = "r";
      for (unsigned i = 0; i < count; ++i)
        ins += ",r";
      emit(builder, loc, operands,
           "tcgen05.st.sync.aligned." + getShape() + ".x" + Twine(count) + ".b32 [$0]" + getHalf() + ", " +
               list(1, count) + ";",
           ins);
    }
    emit(builder, loc, {}, "tcgen05.wait::st.sync.aligned;\n\ttcgen05.fence::before_thread_sync;", "");
  }

  unsigned getNumWords(const TensorMemoryAccess::Instruction &instruction) const {
    return instruction.registers.size() / access.perWord;
  }
  std::string getShape() const { return access.shape == TensorMemoryAccess::Shape::Rows32 ? "32x32b" : "16x32bx2"; }
  std::string getHalf() const {
    return access.shape == TensorMemoryAccess::Shape::Rows32 ? "" : ", " + std::to_string(access.secondHalf);
  }
  static std::string list(unsigned first, unsigned count) {
    std::string text = "{";
    for (unsigned i = 0; i < count; ++i)
      text += (i ? ", $" : "$") + std::to_string(first + i);
    return text + "}";
  }

  /// Emits assembly with `count` words as results.
  SmallVector<Value> assemble(unsigned count, ValueRange operands, StringRef text, StringRef constraints) {
    Type word = builder.getI32Type();
    Type result =
        count == 1 ? word : LLVM::LLVMStructType::getLiteral(builder.getContext(), SmallVector<Type>(count, word));
    Value all = assembly(builder, loc, result, operands, text, constraints).getRes();
    if (count == 1)
      return {all};
    SmallVector<Value> words;
    for (unsigned i = 0; i < count; ++i)
      words.push_back(LLVM::ExtractValueOp::create(builder, loc, all, i));
    return words;
  }

  SmallVector<Value> waitForLoads(ValueRange words) {
    std::string outs, ins;
    for (unsigned i = 0; i < words.size(); ++i) {
      outs += i ? ",=r" : "=r";
      ins += "," + std::to_string(i);
    }
    return assemble(words.size(), words, "tcgen05.wait::ld.sync.aligned;", outs + ins + ",~{memory}");
  }

  static constexpr unsigned quarterBits =
      2; ///< the bits of a warp's number that select the rows of tensor memory that it can access

  OpBuilder &builder;
  Location loc;
  TensorMemoryAccess access;
  Value base, warp;
};

void fenceAfterSync(OpBuilder &builder, Location loc) {
  emit(builder, loc, {}, "tcgen05.fence::after_thread_sync;", "");
}

struct TMEMAllocPattern : TilePattern<ttng::TMEMAllocOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttng::TMEMAllocOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto column = op->getAttrOfType<IntegerAttr>(ttng::columnAttr);
    if (!op.getBase() || !column)
      return op.emitOpError("has no place in tensor memory yet; triton-tensor-memory-allocation finds one");
    Value address = add(rewriter, loc, adaptor.getBase()[0], column.getInt());
    if (op.getSrc()) {
      fenceAfterSync(rewriter, loc);
      TileMove(rewriter, loc, op.getSrc().getType(), op.getType(), address, target).store(adaptor.getSrc());
    }
    rewriter.replaceOpWithMultiple(op, {ValueRange(address)});
    return success();
  }
};

struct TMEMLoadPattern : TilePattern<ttng::TMEMLoadOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttng::TMEMLoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    fenceAfterSync(rewriter, op.getLoc());
    TileMove move(rewriter, op.getLoc(), op.getType(), op.getSrc().getType(), adaptor.getSrc()[0], target);
    rewriter.replaceOpWithMultiple(op, {move.load(types.convertElement(op.getType().getElementType()))});
    return success();
  }
};

struct TMEMStorePattern : TilePattern<ttng::TMEMStoreOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttng::TMEMStoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    TileMove move(rewriter, loc, op.getSrc().getType(), op.getDst().getType(), adaptor.getDst()[0], target);
    auto store = [&] {
      fenceAfterSync(rewriter, loc);
      move.store(adaptor.getSrc());
    };
    if (matchPattern(op.getPred(), m_One())) {
      store();
    } else { // uniform over all threads
      auto branch = scf::IfOp::create(rewriter, loc, adaptor.getPred()[0], /*withElseRegion=*/false);
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(branch.thenBlock());
      store();
    }
    rewriter.eraseOp(op);
    return success();
  }
};

/// Selects one of several tiles, which are adjacent along the columns.
struct IndexPattern : TilePattern<ttg::MemDescIndexOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttg::MemDescIndexOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!ttng::isInTensorMemory(op.getType()))
      return failure();
    Location loc = op.getLoc();
    Value stride = constantI32(rewriter, loc, ttng::getTensorMemoryColumns(op.getType()));
    Value moved = arith::MulIOp::create(rewriter, loc, adaptor.getIndex()[0], stride);
    Value address = arith::AddIOp::create(rewriter, loc, adaptor.getSrc()[0], moved);
    rewriter.replaceOpWithMultiple(op, {ValueRange(address)});
    return success();
  }
};

/// Moves the address to the first column of the part.
struct SubSlicePattern : TilePattern<ttng::TMEMSubSliceOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttng::TMEMSubSliceOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    uint32_t moved = ttng::getTensorMemoryAddress(op.getSrc().getType(), /*row=*/0, op.getN());
    rewriter.replaceOpWithMultiple(op, {ValueRange(add(rewriter, op.getLoc(), adaptor.getSrc()[0], moved))});
    return success();
  }
};

struct ReservePattern : TilePattern<ttng::ReserveTensorMemoryOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttng::ReserveTensorMemoryOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value place = getScratch(rewriter, op, target);
    createForFirstWarp(rewriter, loc, target, [&] {
      // If this is the only allocation of the block, the warp permits other blocks to allocate columns.
      bool isLast = ttg::getProgramsPerBlock(op) == 1;
      emit(rewriter, loc, {place},
           "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$0], " + Twine(op.getColumns()) + ";" +
               (isLast ? "\n\ttcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;" : ""),
           "r");
    });
    target.barrier(rewriter, loc);
    rewriter.replaceOp(op, LLVM::LoadOp::create(rewriter, loc, rewriter.getI32Type(), place));
    return success();
  }
};

struct ReleasePattern : TilePattern<ttng::ReleaseTensorMemoryOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttng::ReleaseTensorMemoryOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    target.barrier(rewriter, loc); // all warps have loaded what they need
    createForFirstWarp(rewriter, loc, target, [&] {
      emit(rewriter, loc, {adaptor.getBase()[0]},
           "tcgen05.dealloc.cta_group::1.sync.aligned.b32 $0, " + Twine(op.getColumns()) + ";", "r");
    });
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void tilecc::populateTensorMemoryPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                          const LoweringContext &lowering) {
  patterns.add<TMEMAllocPattern, TMEMLoadPattern, TMEMStorePattern, IndexPattern, SubSlicePattern, ReservePattern,
               ReleasePattern>(types, patterns.getContext(), lowering);
}
