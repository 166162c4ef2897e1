//===- TensorCorePatterns.cpp - lowers dots that accumulate in tensor memory to tcgen05.mma ---------------------===//
//
// One thread starts a dot of up to 128 rows by 256 columns with one instruction, which reads the right operand from
// shared memory, and the left one from shared or tensor memory. It makes all dots that it has started arrive on a
// barrier in memory when they are complete (tcgen05.commit).
//
// All of this is volatile assembly. LLVM 22's intrinsics claim that a dot writes its accumulator and does not access
// shared memory, so stores to operands, and dots that add to the same accumulator, would be removed.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttng/TTNG.h"
#include "targets/nvidia/NvidiaAccess.h"
#include "targets/nvidia/NvidiaPatterns.h"
#include "targets/nvidia/OperandInShared.h"

using namespace mlir;
using namespace tilecc;

namespace {

/// The codes of operand types in instruction descriptors, and the instruction's kind.
struct OperandType {
  StringRef kind;
  unsigned number;
};
std::optional<OperandType> getOperandType(Type element) {
  if (element.isF16())
    return OperandType{"f16", 0};
  if (element.isBF16())
    return OperandType{"f16", 1};
  if (element.isF32())
    return OperandType{"tf32", 2};
  if (isa<Float8E4M3FNType>(element))
    return OperandType{"f8f6f4", 0};
  if (isa<Float8E5M2Type>(element))
    return OperandType{"f8f6f4", 1};
  if (element.isInteger(8))
    return OperandType{"i8", 1};
  return std::nullopt;
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

class Product {
public:
  Product(ttng::TCGen5MMAOp op, ttng::TCGen5MMAOp::GenericAdaptor<ArrayRef<ValueRange>> adaptor, OpBuilder &builder)
      : op(op), adaptor(adaptor), builder(builder), loc(op.getLoc()) {}

  /// Emits the code of the single thread.
  void start() {
    ttg::MemDescType aType = op.getA().getType(), bType = op.getB().getType(), dType = op.getD().getType();
    auto encoding = cast<ttng::TensorMemoryEncodingAttr>(dType.getEncoding());
    ArrayRef<int64_t> shape = dType.getShape();
    unsigned rows = encoding.getBlockM(), columns = std::min<int64_t>({encoding.getBlockN(), shape[1], 256});
    unsigned depth = 256 / aType.getElementTypeBitWidth();
    LinearLayout places = encoding.toLinearLayout(shape).pseudoInvert();
    OperandInShared b(builder, loc, bType, SharedTile(adaptor.getB()), /*alongK=*/0, MatrixUnit::Tcgen05);
    std::optional<OperandInShared> a;
    if (!ttng::isInTensorMemory(aType))
      a.emplace(builder, loc, aType, SharedTile(adaptor.getA()), /*alongK=*/1, MatrixUnit::Tcgen05);
    // Orders the dots after accesses of other threads to tensor memory, which a barrier has ordered before this thread.
    assembly(builder, loc, TypeRange(), ValueRange(), "tcgen05.fence::after_thread_sync;", "~{memory}");
    Value descriptor =
        constantI32(builder, loc, getInstructionDescriptor(rows, columns, a && !a->isKMajor(), !b.isKMajor()));
    Value useD = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), adaptor.getUseD()[0]);
    for (unsigned row = 0; row < shape[0]; row += rows)
      for (unsigned column = 0; column < shape[1]; column += columns) {
        Value sum = getAddress(adaptor.getD()[0], places, row, column, /*bits=*/32);
        for (unsigned k = 0; k < aType.getShape()[1]; k += depth) {
          Value left = a ? a->getDescriptor(k, row) : getLeftAddress(aType, row, k);
          multiply(sum, left, /*isAddress=*/!a, b.getDescriptor(k, column), descriptor,
                   k ? constantI32(builder, loc, 1) : useD);
        }
      }
  }

private:
  Value getAddress(Value base, const LinearLayout &places, unsigned row, unsigned column, unsigned bits) {
    LinearLayout::Index at = places.apply({{axis(0), row}, {axis(1), column}});
    uint32_t address = 0;
    for (auto [dim, index] : at)
      address |= dim == Dim::Row ? index << 16 : index * bits / 32;
    return address ? arith::AddIOp::create(builder, loc, base, constantI32(builder, loc, address)).getResult() : base;
  }
  Value getLeftAddress(ttg::MemDescType type, unsigned row, unsigned k) {
    LinearLayout places =
        cast<ttng::TensorMemoryEncodingAttr>(type.getEncoding()).toLinearLayout(type.getShape()).pseudoInvert();
    return getAddress(adaptor.getA()[0], places, row, k, type.getElementTypeBitWidth());
  }

  /// See PTX ISA, tcgen05 instruction descriptor.
  uint32_t getInstructionDescriptor(unsigned rows, unsigned columns, bool transposesA, bool transposesB) {
    Type sum = op.getD().getType().getElementType();
    uint32_t ofSum = sum.isF16() ? 0 : sum.isF32() ? 1 : 2;
    uint32_t ofA = getOperandType(op.getA().getType().getElementType())->number,
             ofB = getOperandType(op.getB().getType().getElementType())->number;
    return ofSum << 4 | ofA << 7 | ofB << 10 | uint32_t(transposesA) << 15 | uint32_t(transposesB) << 16 |
           columns / 8 << 17 | rows / 16 << 24;
  }

  void multiply(Value sum, Value left, bool isAddress, Value right, Value descriptor, Value adds) {
    std::string kind = getOperandType(op.getA().getType().getElementType())->kind.str();
    assembly(builder, loc, TypeRange(), {sum, left, right, descriptor, adds},
             "{\n\t.reg .pred p;\n\tsetp.ne.b32 p, $4, 0;\n\ttcgen05.mma.cta_group::1.kind::" + kind +
                 (isAddress ? " [$0], [$1], $2, $3, p;\n\t}" : " [$0], $1, $2, $3, p;\n\t}"),
             isAddress ? "r,r,l,r,r,~{memory}" : "r,l,l,r,r,~{memory}");
  }

  ttng::TCGen5MMAOp op;
  ttng::TCGen5MMAOp::GenericAdaptor<ArrayRef<ValueRange>> adaptor;
  OpBuilder &builder;
  Location loc;
};

struct ProductPattern : TilePattern<ttng::TCGen5MMAOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttng::TCGen5MMAOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getTwoCtas())
      return op.emitOpError("of two thread blocks as a pair is not supported");
    if (!op.getIsAsync())
      return op.emitOpError("waits for its product; triton-nvidia-mma-lowering makes an asynchronous one of it");
    std::optional<OperandType> a = getOperandType(op.getA().getType().getElementType()),
                               b = getOperandType(op.getB().getType().getElementType());
    if (!a || !b || a->kind != b->kind)
      return op.emitOpError() << "cannot multiply " << op.getA().getType() << " by " << op.getB().getType();
    createForOneThread(rewriter, op.getLoc(), target, adaptor.getPred()[0], [&] {
      Product(op, adaptor, rewriter).start();
      for (auto [barrier, predicate] : llvm::zip_equal(adaptor.getBarriers(), adaptor.getBarrierPreds()))
        commit(rewriter, op.getLoc(), SharedTile(barrier).base, predicate[0]);
    });
    rewriter.eraseOp(op);
    return success();
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

} // namespace

void tilecc::populateTensorCorePatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                        const LoweringContext &lowering) {
  patterns.add<ProductPattern, CommitPattern>(types, patterns.getContext(), lowering);
}
