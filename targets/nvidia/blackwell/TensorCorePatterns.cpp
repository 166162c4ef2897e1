//===- TensorCorePatterns.cpp - lowers dots that accumulate in tensor memory to tcgen05.mma ---------------------===//
//
// One thread starts a dot of up to 128 rows by 256 columns with one instruction. The instruction reads the right
// operand from shared memory, the left operand from shared or tensor memory, and scales from tensor memory. With
// tcgen05.commit, the thread makes all dots that it has started arrive on a barrier in memory when they are complete.
//
// All of this is volatile assembly. LLVM 22's intrinsics claim that a dot only writes its accumulator and does not
// access shared memory. So LLVM would remove stores to operands, and dots whose accumulator another dot extends.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttng/TTNG.h"
#include "targets/nvidia/NvidiaAccess.h"
#include "targets/nvidia/NvidiaPatterns.h"
#include "targets/nvidia/OperandInShared.h"

using namespace mlir;
using namespace tilecc;

namespace {

/// The kind of an instruction, and the format codes of its operands in the instruction descriptor.
struct MmaKind {
  StringRef name;
  unsigned a = 0, b = 0;
  unsigned scalesPerInstruction = 0; ///< for each row; 0 if the operands have no scales
};

/// A 32-bit column of tensor memory holds these scales of one row.
constexpr unsigned scalesPerWord = 4;

std::optional<std::pair<StringRef, unsigned>> getOperandFormat(Type element) {
  using Format = std::pair<StringRef, unsigned>;
  if (element.isF16())
    return Format{"f16", 0};
  if (element.isBF16())
    return Format{"f16", 1};
  if (element.isF32())
    return Format{"tf32", 2};
  if (isa<Float8E4M3FNType>(element))
    return Format{"f8f6f4", 0};
  if (isa<Float8E5M2Type>(element))
    return Format{"f8f6f4", 1};
  if (element.isInteger(8))
    return Format{"i8", 1};
  return std::nullopt;
}

std::optional<MmaKind> getKind(ttng::TCGen5MMAOp op) {
  auto a = getOperandFormat(op.getA().getType().getElementType()),
       b = getOperandFormat(op.getB().getType().getElementType());
  if (!a || !b || a->first != b->first)
    return std::nullopt;
  return MmaKind{a->first, a->second, b->second};
}

std::optional<MmaKind> getKind(ttng::TCGen5MMAScaledOp op) {
  using enum tt::ScaleDotElemType;
  auto isPacked = [](tt::ScaleDotElemType type) { return type == E2M1; };
  bool hasSmallBlocks = !op.getAScale().getType().getElementType().isInteger(8);
  if (isPacked(op.getAType()) && isPacked(op.getBType()))
    return hasSmallBlocks ? MmaKind{"mxf4nvf4.block_scale.block16", 1, 1, 4}
                          : MmaKind{"mxf4.block_scale.block32", 1, 1, 2};
  // If the other operand has 8 bits, each pair of 4-bit numbers would have to occupy two bytes. So this function
  // returns no code for 4-bit numbers.
  auto getCode = [](tt::ScaleDotElemType type) { return type == E4M3 ? 0 : type == E5M2 ? 1 : -1; };
  int a = getCode(op.getAType()), b = getCode(op.getBType());
  if (hasSmallBlocks || a < 0 || b < 0)
    return std::nullopt;
  return MmaKind{"mxf8f6f4.block_scale.block32", unsigned(a), unsigned(b), 1};
}

/// Returns the address of an element of a tile in tensor memory. The first element of the tile is at address `base`.
Value getAddress(OpBuilder &builder, Location loc, Value base, ttg::MemDescType type, unsigned row, unsigned column) {
  uint32_t address = ttng::getTensorMemoryAddress(type, row, column);
  return address ? arith::AddIOp::create(builder, loc, base, constantI32(builder, loc, address)).getResult() : base;
}

/// Orders accesses of the tensor core after accesses of other threads to tensor memory. A barrier has ordered the
/// latter before this thread.
void fenceAfterSync(OpBuilder &builder, Location loc) {
  assembly(builder, loc, TypeRange(), ValueRange(), "tcgen05.fence::after_thread_sync;", "~{memory}");
}

/// Makes the dots that the thread has started arrive on `barrier` when they are complete.
void commit(OpBuilder &builder, Location loc, Value barrier, Value predicate) {
  SmallVector<Value> operands = {barrier};
  if (predicate)
    operands.push_back(predicate);
  assembly(builder, loc, TypeRange(), operands,
           (predicate ? "@$1 " : "") +
               std::string("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$0];"),
           predicate ? "r,b,~{memory}" : "r,~{memory}");
}

/// The operands of a dot, for the thread that starts it.
struct MmaOperands {
  ValueRange a, b;
  Value d, useD;
  /// Addresses of the scales, if there are any.
  Value aScale, bScale;
};

class MmaEmitter {
public:
  MmaEmitter(ttng::MMAv5OpInterface op, MmaKind kind, const MmaOperands &operands, OpBuilder &builder)
      : op(op), kind(kind), operands(operands), builder(builder), loc(op.getLoc()),
        scaled(dyn_cast<ttng::TCGen5MMAScaledOp>(op.getOperation())) {}

  /// Emits the code of the single thread that starts the dot.
  void start() {
    ttg::MemDescType aType = op.getA().getType(), bType = op.getB().getType(), dType = op.getD().getType();
    auto encoding = cast<ttng::TensorMemoryEncodingAttr>(dType.getEncoding());
    ArrayRef<int64_t> shape = dType.getShape();
    unsigned rows = encoding.getBlockM(), columns = std::min<int64_t>({encoding.getBlockN(), shape[1], 256});
    unsigned depth = 256 / aType.getElementTypeBitWidth();
    OperandInShared b(builder, loc, bType, SharedTile(operands.b), /*alongK=*/0, MatrixUnit::Tcgen05);
    std::optional<OperandInShared> a;
    if (!ttng::isInTensorMemory(aType))
      a.emplace(builder, loc, aType, SharedTile(operands.a), /*alongK=*/1, MatrixUnit::Tcgen05);
    fenceAfterSync(builder, loc);
    uint32_t descriptor = getInstructionDescriptor(rows, columns, a && !a->isKMajor(), !b.isKMajor());
    Value useD = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), operands.useD);
    for (unsigned row = 0; row < shape[0]; row += rows)
      for (unsigned column = 0; column < shape[1]; column += columns) {
        Value sum = getAddress(builder, loc, operands.d, dType, row, column);
        for (unsigned k = 0; k < aType.getShape()[1]; k += depth) {
          Value left = a ? a->getDescriptor(k, row) : getAddress(builder, loc, operands.a[0], aType, row, k);
          multiply(sum, left, /*isAddress=*/!a, b.getDescriptor(k, column), descriptor,
                   k ? constantI32(builder, loc, 1) : useD, getScales(row, column, k / depth));
        }
      }
  }

private:
  /// The scales of an instruction: their addresses, and the position of the first scale in its word.
  struct Scales {
    Value a, b;
    unsigned number = 0;
  };
  Scales getScales(unsigned row, unsigned column, unsigned step) {
    if (!scaled)
      return {};
    unsigned first = step * kind.scalesPerInstruction, word = first / scalesPerWord * scalesPerWord;
    return {getAddress(builder, loc, operands.aScale, scaled.getAScale().getType(), row, word),
            getAddress(builder, loc, operands.bScale, scaled.getBScale().getType(), column, word),
            first % scalesPerWord};
  }

  /// Returns the instruction descriptor (PTX ISA, tcgen05 instruction descriptor).
  uint32_t getInstructionDescriptor(unsigned rows, unsigned columns, bool transposesA, bool transposesB) {
    uint32_t shared = kind.a << 7 | kind.b << 10 | uint32_t(transposesA) << 15 | uint32_t(transposesB) << 16 |
                      columns / 8 << 17 | rows / 16 << 24;
    if (scaled) {
      bool arePowersOfTwo = scaled.getAScale().getType().getElementType().isInteger(8);
      return shared | uint32_t(arePowersOfTwo) << 23;
    }
    Type sum = op.getD().getType().getElementType();
    uint32_t ofSum = sum.isF16() ? 0 : sum.isF32() ? 1 : 2;
    return shared | ofSum << 4;
  }

  void multiply(Value sum, Value left, bool isAddress, Value right, uint32_t descriptor, Value adds, Scales scales) {
    descriptor |= scales.number << 4 | scales.number << 29;
    SmallVector<Value> values = {sum, left, right, constantI32(builder, loc, descriptor), adds};
    std::string constraints = isAddress ? "r,r,l,r,r" : "r,l,l,r,r";
    if (scaled) {
      values.append({scales.a, scales.b});
      constraints += ",r,r";
    }
    assembly(builder, loc, TypeRange(), values,
             ("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, $4, 0;\n\ttcgen05.mma.cta_group::1.kind::" + kind.name + " [$0], " +
              (isAddress ? "[$1]" : "$1") + ", $2, $3, " + (scaled ? "[$5], [$6], " : "") + "p;\n\t}")
                 .str(),
             constraints + ",~{memory}");
  }

  ttng::MMAv5OpInterface op;
  MmaKind kind;
  const MmaOperands &operands;
  OpBuilder &builder;
  Location loc;
  ttng::TCGen5MMAScaledOp scaled; ///< null if the operands have no scales
};

template <typename Op> struct MmaPattern : TilePattern<Op> {
  using TilePattern<Op>::TilePattern;
  using Adaptor = typename TilePattern<Op>::OneToNOpAdaptor;
  LogicalResult matchAndRewrite(Op op, Adaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    if (op.getTwoCtas())
      return op.emitOpError("of two thread blocks as a pair is not supported");
    if (!op.getIsAsync())
      return op.emitOpError("is synchronous; triton-nvidia-mma-lowering makes it asynchronous");
    std::optional<MmaKind> kind = getKind(op);
    if (!kind)
      return op.emitOpError() << "cannot multiply " << op.getA().getType() << " by " << op.getB().getType()
                              << describeFormats(op);
    MmaOperands operands{adaptor.getA(), adaptor.getB(), adaptor.getD()[0], adaptor.getUseD()[0], {}, {}};
    if constexpr (std::is_same_v<Op, ttng::TCGen5MMAScaledOp>) {
      operands.aScale = adaptor.getAScale()[0];
      operands.bScale = adaptor.getBScale()[0];
      constexpr int64_t fewestRows = 32;
      for (Value scale : {op.getAScale(), op.getBScale()})
        if (auto type = cast<ttg::MemDescType>(scale.getType());
            type.getDimSize(0) < fewestRows || type.getDimSize(1) < scalesPerWord)
          return op.emitOpError() << "needs at least " << scalesPerWord << " scales of " << fewestRows << " rows, not "
                                  << type;
    }
    createForOneThread(rewriter, op.getLoc(), this->target, adaptor.getPred()[0], [&] {
      MmaEmitter(op, *kind, operands, rewriter).start();
      for (auto [barrier, predicate] : llvm::zip_equal(adaptor.getBarriers(), adaptor.getBarrierPreds()))
        commit(rewriter, op.getLoc(), SharedTile(barrier).base, predicate[0]);
    });
    rewriter.eraseOp(op);
    return success();
  }

private:
  static std::string describeFormats(Op op) {
    if constexpr (std::is_same_v<Op, ttng::TCGen5MMAScaledOp>)
      return (" as numbers of type " + tt::stringifyEnum(op.getAType()) + " and " + tt::stringifyEnum(op.getBType()))
          .str();
    return {};
  }
};

struct CommitPattern : TilePattern<ttng::TCGen5CommitOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttng::TCGen5CommitOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    createForOneThread(rewriter, op.getLoc(), target, op.getPred() ? adaptor.getPred()[0] : Value(), [&] {
      commit(rewriter, op.getLoc(), SharedTile(adaptor.getBarrier()).base, /*predicate=*/Value());
    });
    rewriter.eraseOp(op);
    return success();
  }
};

/// Copies scales to tensor memory. One instruction copies 128 rows of four scales each, one word per row, and writes
/// each word to all quarters of the rows of tensor memory. In shared memory, each 16 bytes contain the words of four
/// rows that are 32 rows apart.
struct CopyPattern : TilePattern<ttng::TMEMCopyOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttng::TMEMCopyOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    constexpr unsigned rowsPerCopy = 128;
    ttg::MemDescType from = op.getSrc().getType(), to = op.getDst().getType();
    ArrayRef<int64_t> shape = from.getShape();
    LinearLayout elements = cast<ttg::SharedEncoding>(from.getEncoding()).toLinearLayout(shape);
    if (shape[0] % rowsPerCopy != 0 || shape[1] % scalesPerWord != 0 || !isInBlocks(elements))
      return op.emitOpError()
             << "copies scales in blocks of 128 rows of four, in which each 16 bytes are the scales of "
                "four rows that are 32 rows apart, and not "
             << from;
    LinearLayout offsets = elements.pseudoInvert();
    Location loc = op.getLoc();
    SharedTile tile(adaptor.getSrc());
    createForOneThread(rewriter, loc, target, /*predicate=*/Value(), [&] {
      fenceAfterSync(rewriter, loc);
      Value address = LLVM::PtrToIntOp::create(rewriter, loc, rewriter.getI32Type(), tile.base);
      address = arith::AddIOp::create(rewriter, loc, address, tile.offset);
      for (unsigned row = 0; row < shape[0]; row += rowsPerCopy)
        for (unsigned scale = 0; scale < shape[1]; scale += scalesPerWord) {
          uint32_t offset = offsets.apply({{axis(0), row}, {axis(1), scale}})[0].second;
          copy(rewriter, loc, getAddress(rewriter, loc, adaptor.getDst()[0], to, row, scale),
               arith::AddIOp::create(rewriter, loc, address, constantI32(rewriter, loc, offset)));
        }
      if (op.getBarrier())
        commit(rewriter, loc, SharedTile(adaptor.getBarrier()).base, /*predicate=*/Value());
    });
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Returns true if the bytes within each 512 bytes are in the order that the instruction expects.
  static bool isInBlocks(const LinearLayout &elements) {
    constexpr std::pair<unsigned, uint32_t> wanted[] = {{1, 1}, {1, 2}, {0, 32}, {0, 64}, {0, 1},
                                                        {0, 2}, {0, 4}, {0, 8},  {0, 16}};
    if (elements.getInBits(Dim::Offset) < std::size(wanted))
      return false;
    for (auto [bit, place] : llvm::enumerate(wanted))
      for (unsigned i : {0, 1})
        if (elements.getBasis(Dim::Offset, bit, axis(i)) != (place.first == i ? place.second : 0))
          return false;
    return true;
  }

  /// Copies 512 bytes from `address` in shared memory.
  static void copy(OpBuilder &builder, Location loc, Value to, Value address) {
    // The source is a matrix of rows of 16 bytes without a swizzle, so eight rows are 128 bytes.
    constexpr uint64_t version = uint64_t(1) << 46, stride = uint64_t(128 >> 4) << 32, leading = uint64_t(1) << 16;
    Value units = getDescriptorAddress(builder, loc, address);
    Type i64 = builder.getI64Type();
    Value shape = LLVM::ConstantOp::create(builder, loc, i64, builder.getI64IntegerAttr(version | stride | leading));
    Value descriptor = LLVM::OrOp::create(builder, loc, LLVM::ZExtOp::create(builder, loc, i64, units), shape);
    assembly(builder, loc, TypeRange(), {to, descriptor}, "tcgen05.cp.cta_group::1.32x128b.warpx4 [$0], $1;",
             "r,l,~{memory}");
  }
};

} // namespace

void tilecc::populateTensorCorePatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                        const LoweringContext &lowering) {
  patterns.add<MmaPattern<ttng::TCGen5MMAOp>, MmaPattern<ttng::TCGen5MMAScaledOp>, CommitPattern, CopyPattern>(
      types, patterns.getContext(), lowering);
}
