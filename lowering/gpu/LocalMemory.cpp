//===- LocalMemory.cpp - tiles in shared memory: allocations, views, loads and stores -----------------------------===//
//
// For a thread, a memdesc is two scalars: the address of the whole tile, and an offset that is XORed with the offset of
// an element. XOR is needed because with a swizzle, the elements of a subview are not shifted by a constant. Only
// subviews have a nonzero offset. It is usually a constant, which costs nothing.
//
// SharedAddresses.cpp computes the addresses of elements.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/DataMovement.h"
#include "lowering/gpu/Lowering.h"

using namespace mlir;
using namespace tilecc;

namespace {

/// Orders the register bits of an operand of a matrix unit such that the bits that select later steps along the
/// contracted axis come last. One instruction then loads elements that are multiplied together.
SmallVector<unsigned> orderOfRegisters(RankedTensorType tile, const LinearLayout &layout) {
  auto operand = dyn_cast<ttg::DotOperandEncodingAttr>(tile.getEncoding());
  if (!operand || !operand.getMatrixUnit())
    return {};
  Dim contracted = axis(operand.getContractedAxis());
  unsigned depth = operand.getMatrixUnit().getOperandDepth(operand.getKWidth());
  SmallVector<unsigned> now, later;
  for (unsigned bit = 0; bit < layout.getInBits(Dim::Register); ++bit)
    (layout.getBasis(Dim::Register, bit, contracted) < depth ? now : later).push_back(bit);
  llvm::append_range(now, later);
  return now;
}

} // namespace

SharedAccess tilecc::planLocalAccess(RankedTensorType tile, ttg::MemDescType memory, bool isLoad,
                                     const GpuFacts &facts) {
  const unsigned bytes = getBytesInMemory(tile.getElementType());
  auto get = [&](bool mayUseMatrices) {
    return SharedAccess(getOffsetsInShared(tile, memory), bytes, getUnpaddedElements(memory), mayUseMatrices,
                        orderOfRegisters(tile, ttg::toLinearLayout(tile)));
  };
  SharedAccess best = get(/*mayUseMatrices=*/true);
  if (best.kind != SharedAccess::Kind::Vectors && !(isLoad ? facts.hasMatrixLoads : facts.hasMatrixStores()))
    best = get(/*mayUseMatrices=*/false);
  if (!isLoad) // for loads, each value would come from one of two loads, and the thread would wait for both
    best.avoidConflicts(bytes);
  return best;
}

namespace {

/// A thread's accesses to a tile in shared memory.
class LocalAccess {
public:
  LocalAccess(OpBuilder &builder, Location loc, RankedTensorType tile, ttg::MemDescType memory, SharedTile place,
              Type element, const TargetInfo &target, bool isLoad)
      : builder(builder), loc(loc), target(target), element(element), inMemory(getMemoryType(element)),
        bytes(getBytesInMemory(tile.getElementType())), access(planLocalAccess(tile, memory, isLoad, target.facts)),
        addresses(builder, loc, access.addresses, memory, place, target) {}

  SmallVector<Value> load() {
    SmallVector<Value> values(1u << access.addresses.getInBits(Dim::Register));
    for (ArrayRef<unsigned> registers : access.getRegisters()) {
      Value address = addresses.get(registers[0]);
      SmallVector<Value> elements;
      unsigned width = access.getWidth();
      if (access.kind == SharedAccess::Kind::Vectors) {
        elements = unpackVector(
            builder, loc, LLVM::LoadOp::create(builder, loc, VectorType::get(width, inMemory), address, width * bytes));
      } else {
        bool transposed = access.kind == SharedAccess::Kind::TransposedMatrices;
        for (Value word : target.loadMatrices(builder, loc, address, access.getNumMatrices(), transposed))
          llvm::append_range(
              elements, unpackVector(builder, loc,
                                     LLVM::BitcastOp::create(builder, loc, VectorType::get(width, inMemory), word)));
      }
      for (auto [reg, value] : llvm::zip_equal(registers, elements))
        values[reg] = fromMemory(builder, loc, value, element);
    }
    return values;
  }

  void store(ValueRange values) {
    SmallVector<SmallVector<unsigned>> accesses = access.getRegisters();
    SmallVector<Value> vectors;
    for (ArrayRef<unsigned> registers : accesses) {
      SmallVector<Value> elements;
      for (unsigned reg : registers)
        elements.push_back(toMemory(builder, loc, values[reg]));
      if (access.kind == SharedAccess::Kind::Vectors) {
        vectors.push_back(packVector(builder, loc, elements));
        continue;
      }
      target.storeMatrices(builder, loc, addresses.get(registers[0]), packWords(builder, loc, elements),
                           access.kind == SharedAccess::Kind::TransposedMatrices);
    }
    exchange(accesses, vectors);
    for (auto [registers, vector] : llvm::zip(accesses, vectors))
      LLVM::StoreOp::create(builder, loc, vector, addresses.get(registers[0]), access.getWidth() * bytes);
  }

private:
  /// Permutes the values of the accesses, because some lanes execute their accesses in another order.
  void exchange(ArrayRef<SmallVector<unsigned>> accesses, MutableArrayRef<Value> vectors) {
    for (SharedAccess::Exchange exchange : access.exchanges) {
      Value lane = getThreadPosition(builder, loc, target).lane;
      Value bit = arith::AndIOp::create(builder, loc, lane, constantI32(builder, loc, 1 << exchange.lane));
      Value other = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, bit, constantI32(builder, loc, 0));
      DenseMap<unsigned, unsigned> numbers;
      for (auto [number, registers] : llvm::enumerate(accesses))
        numbers[registers[0]] = number;
      for (auto [number, registers] : llvm::enumerate(accesses))
        if (!(registers[0] >> exchange.reg & 1)) {
          Value &first = vectors[number], &second = vectors[numbers.lookup(registers[0] | 1u << exchange.reg)];
          std::tie(first, second) = std::pair(select(other, second, first), select(other, first, second));
        }
    }
  }

  /// Selects word by word, because each word is a register.
  Value select(Value condition, Value x, Value y) {
    Type type = x.getType();
    auto words = VectorType::get(access.getWidth() * bytes / 4, builder.getI32Type());
    auto asWords = [&](Value value) {
      return unpackVector(builder, loc,
                          type == words ? value : LLVM::BitcastOp::create(builder, loc, words, value).getResult());
    };
    SmallVector<Value> selected;
    for (auto [ofX, ofY] : llvm::zip_equal(asWords(x), asWords(y)))
      selected.push_back(arith::SelectOp::create(builder, loc, condition, ofX, ofY));
    Value vector = packVector(builder, loc, selected);
    return type == words ? vector : LLVM::BitcastOp::create(builder, loc, type, vector).getResult();
  }

  OpBuilder &builder;
  Location loc;
  const TargetInfo &target;
  Type element, inMemory;
  unsigned bytes;
  SharedAccess access;
  SharedAddresses addresses;
};

struct LocalAllocPattern : TilePattern<ttg::LocalAllocOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttg::LocalAllocOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SharedTile place{getScratch(rewriter, op, target), constantI32(rewriter, op.getLoc(), 0)};
    if (op.getSrc())
      storeTile(rewriter, op.getLoc(), op.getSrc().getType(), op.getType(), place, adaptor.getSrc(), target);
    rewriter.replaceOpWithMultiple(op, {{place.base, place.offset}});
    return success();
  }
};

struct LocalDeallocPattern : TilePattern<ttg::LocalDeallocOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttg::LocalDeallocOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};

struct LocalLoadPattern : TilePattern<ttg::LocalLoadOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttg::LocalLoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type element = types.convertElement(op.getType().getElementType());
    rewriter.replaceOpWithMultiple(op, {loadTile(rewriter, op.getLoc(), op.getType(), op.getSrc().getType(),
                                                 SharedTile(adaptor.getSrc()), element, target)});
    return success();
  }
};

struct LocalStorePattern : TilePattern<ttg::LocalStoreOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttg::LocalStoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    storeTile(rewriter, op.getLoc(), op.getSrc().getType(), op.getDst().getType(), SharedTile(adaptor.getDst()),
              adaptor.getSrc(), target);
    rewriter.eraseOp(op);
    return success();
  }
};

struct MemDescIndexPattern : TilePattern<ttg::MemDescIndexOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttg::MemDescIndexOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    if (!isa<ttg::SharedMemorySpaceAttr>(op.getType().getMemorySpace()))
      return failure(); // the target lowers these
    SharedTile place(adaptor.getSrc());
    Value stride = constantI32(rewriter, loc, ttg::getTileStrideInBytes(op.getType()));
    Value bytes = arith::MulIOp::create(rewriter, loc, adaptor.getIndex()[0], stride);
    Value base = LLVM::GEPOp::create(rewriter, loc, place.base.getType(), rewriter.getI8Type(), place.base,
                                     ArrayRef<LLVM::GEPArg>{bytes});
    rewriter.replaceOpWithMultiple(op, {{base, place.offset}});
    return success();
  }
};

struct MemDescSubslicePattern : TilePattern<ttg::MemDescSubsliceOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttg::MemDescSubsliceOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SharedTile place(adaptor.getSrc());
    LinearLayout::Index first;
    for (auto [d, offset] : llvm::enumerate(op.getOffsets()))
      first.push_back({axis(d), uint32_t(offset)});
    uint32_t offset = ttg::toLinearLayout(op.getType()).invert().apply(first)[0].second;
    Value combined = place.offset;
    if (matchPattern(combined, m_Zero()))
      combined = constantI32(rewriter, op.getLoc(), offset);
    else if (offset)
      combined = arith::XOrIOp::create(rewriter, op.getLoc(), combined, constantI32(rewriter, op.getLoc(), offset));
    rewriter.replaceOpWithMultiple(op, {{place.base, combined}});
    return success();
  }
};

/// Lowers views that leave elements at their offsets, and only rename the axes or reinterpret the memory.
template <typename OpT> struct SameMemoryPattern : TilePattern<OpT> {
  using TilePattern<OpT>::TilePattern;
  LogicalResult matchAndRewrite(OpT op, typename TilePattern<OpT>::OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(op, {adaptor.getSrc()});
    return success();
  }
};

} // namespace

void tilecc::storeTile(OpBuilder &builder, Location loc, RankedTensorType tile, ttg::MemDescType memory,
                       SharedTile place, ValueRange registers, const TargetInfo &target) {
  LocalAccess(builder, loc, tile, memory, place, registers[0].getType(), target, /*isLoad=*/false).store(registers);
}

SmallVector<Value> tilecc::loadTile(OpBuilder &builder, Location loc, RankedTensorType tile, ttg::MemDescType memory,
                                    SharedTile place, Type element, const TargetInfo &target) {
  return LocalAccess(builder, loc, tile, memory, place, element, target, /*isLoad=*/true).load();
}

void tilecc::populateLocalMemoryPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                         const LoweringContext &lowering) {
  patterns.add<LocalAllocPattern, LocalDeallocPattern, LocalLoadPattern, LocalStorePattern, MemDescIndexPattern,
               MemDescSubslicePattern, SameMemoryPattern<ttg::MemDescTransOp>,
               SameMemoryPattern<ttg::MemDescReinterpretOp>, SameMemoryPattern<ttg::MemDescReshapeOp>>(
      types, patterns.getContext(), lowering);
}
