//===- LocalMemory.cpp - tiles in shared memory: allocations, views, loads and stores -------------------------------===//
//
// A memdesc is two scalars for a thread: the address of the whole tile, and an offset that is combined with that of an
// element by XOR, since under a swizzle the elements of a part are not the whole's moved by a constant. Only parts have an
// offset other than 0, and it is known then, so it costs nothing.
//
// Which offset an element has is linear in its place (register, lane, warp), so an address is a lane's and warp's part,
// computed once, and a register's, a constant. Where the two share bits, as they do in swizzled rows, they are combined
// by XOR, once for each value of the shared bits; the rest of a register's part is a displacement in the instruction.
//
//===---------------------------------------------------------------------------------------------------------------===//

#include "lowering/gpu/Lowering.h"
#include "lowering/layouts/SharedAccess.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;

namespace {

unsigned bytesOf(Type element) { return std::max(8u, tt::getElementBits(element)) / 8; }

/// `layout` with the axes of `outs`, which are at least as long.
LinearLayout withOuts(const LinearLayout &layout, ArrayRef<LinearLayout::Extent> outs) {
  SmallVector<uint64_t> columns;
  for (LinearLayout::Extent in : layout.getIns())
    for (unsigned bit = 0; bit < in.bits; ++bit) {
      uint64_t column = 0;
      unsigned shift = 0;
      for (LinearLayout::Extent out : outs) {
        column |= uint64_t(layout.getBasis(in.dim, bit, out.dim)) << shift;
        shift += out.bits;
      }
      columns.push_back(column);
    }
  return LinearLayout(LinearLayout::Extents(layout.getIns()), LinearLayout::Extents(outs), columns);
}

/// Register bits of an operand of a matrix unit with those that only later steps along the contracted axis need last, so
/// that one instruction loads what is multiplied at once.
SmallVector<unsigned> orderOfRegisters(RankedTensorType tile, const LinearLayout &layout) {
  auto operand = dyn_cast<ttg::DotOperandEncodingAttr>(tile.getEncoding());
  if (!operand || !isa<ttg::NvidiaMmaEncodingAttr>(operand.getParent()))
    return {};
  Dim contracted = axis(operand.getOpIdx() == 0 ? tile.getRank() - 1 : tile.getRank() - 2);
  SmallVector<unsigned> now, later;
  for (unsigned bit = 0; bit < layout.getInBits(Dim::Register); ++bit)
    (layout.getBasis(Dim::Register, bit, contracted) < 8 * operand.getKWidth() ? now : later).push_back(bit);
  llvm::append_range(now, later);
  return now;
}

/// A thread's accesses to a tile in shared memory.
class LocalAccess {
public:
  LocalAccess(OpBuilder &builder, Location loc, RankedTensorType tile, ttg::MemDescType memory, SharedTile place,
              Type element, const TargetInfo &target, bool isLoad)
      : builder(builder), loc(loc), target(target), element(element), inMemory(getMemoryType(element)),
        bytes(bytesOf(tile.getElementType())), place(place), access(plan(tile, memory, isLoad)) {
    for (auto [run, padding] : cast<ttg::SharedEncoding>(memory.getEncoding()).getPaddedRuns())
      paddedRuns.push_back({run * bytes, padding * bytes});
    SmallVector<uint64_t> columns;
    for (LinearLayout::Extent in : access.addresses.getIns())
      for (uint64_t column : access.addresses.getColumns(in.dim))
        columns.push_back(column * bytes);
    layout = LinearLayout(LinearLayout::Extents(access.addresses.getIns()),
                          {{Dim::Offset, access.addresses.getTotalOutBits() + llvm::Log2_32(bytes)}}, columns);
    thread = applyLayout(builder, loc, layout, getPlace(builder, loc, target));
    if (matchPattern(place.offset, m_Zero())) {
      for (Dim dim : {Dim::Lane, Dim::Warp})
        for (uint64_t column : layout.getColumns(dim))
          threadBits |= column;
    } else {
      Value scaled = arith::MulIOp::create(builder, loc, place.offset, constantI32(builder, loc, bytes));
      thread = arith::XOrIOp::create(builder, loc, thread, scaled);
      threadBits = ~uint64_t(0);
    }
  }

  SmallVector<Value> load() {
    SmallVector<Value> values(1u << layout.getInBits(Dim::Register));
    for (ArrayRef<unsigned> registers : access.getRegisters()) {
      Value address = getAddress(registers[0]);
      SmallVector<Value> elements;
      unsigned width = access.getWidth();
      if (access.kind == SharedAccess::Kind::Vectors) {
        elements = unpackVector(builder, loc,
                                LLVM::LoadOp::create(builder, loc, VectorType::get(width, inMemory), address,
                                                     width * bytes));
      } else {
        bool transposed = access.kind == SharedAccess::Kind::TransposedMatrices;
        for (Value word : target.loadMatrices(builder, loc, address, access.getNumMatrices(), transposed))
          llvm::append_range(elements, unpackVector(builder, loc,
                                                    LLVM::BitcastOp::create(builder, loc,
                                                                            VectorType::get(width, inMemory), word)));
      }
      for (auto [reg, value] : llvm::zip_equal(registers, elements))
        values[reg] = fromMemory(builder, loc, value, element);
    }
    return values;
  }

  void store(ValueRange values) {
    for (ArrayRef<unsigned> registers : access.getRegisters()) {
      SmallVector<Value> elements;
      for (unsigned reg : registers)
        elements.push_back(toMemory(builder, loc, values[reg]));
      LLVM::StoreOp::create(builder, loc, packVector(builder, loc, elements), getAddress(registers[0]),
                            access.getWidth() * bytes);
    }
  }

private:
  SharedAccess plan(RankedTensorType tile, ttg::MemDescType memory, bool isLoad) {
    LinearLayout inMemory = ttg::toLinearLayout(memory), inRegisters = ttg::toLinearLayout(tile);
    unsigned contiguous = 1u << inMemory.getTotalInBits();
    for (auto [run, padding] : cast<ttg::SharedEncoding>(memory.getEncoding()).getPaddedRuns())
      contiguous = std::min({contiguous, run, padding}); // all powers of two
    LinearLayout places = withOuts(inRegisters, inMemory.getOuts()).compose(inMemory.invert());
    return SharedAccess(places, bytes, contiguous, isLoad && target.hasMatrixLoads(),
                        orderOfRegisters(tile, inRegisters));
  }

  Value getAddress(unsigned reg) {
    uint64_t part = layout.apply(uint64_t(reg));
    Value &base = bases[part & threadBits];
    if (!base) {
      Value offset = thread;
      if (uint64_t shared = part & threadBits)
        offset = arith::XOrIOp::create(builder, loc, offset, constantI32(builder, loc, shared));
      Value padded = offset;
      for (auto [run, padding] : paddedRuns) {
        Value runs = arith::ShRUIOp::create(builder, loc, offset, constantI32(builder, loc, llvm::Log2_32(run)));
        Value skipped = arith::MulIOp::create(builder, loc, runs, constantI32(builder, loc, padding));
        padded = arith::AddIOp::create(builder, loc, padded, skipped);
      }
      base = LLVM::GEPOp::create(builder, loc, place.base.getType(), builder.getI8Type(), place.base,
                                 ArrayRef<LLVM::GEPArg>{padded});
    }
    // The rest shares no bits with any thread's part, so padding adds up, too.
    uint64_t rest = part & ~threadBits, displacement = rest;
    for (auto [run, padding] : paddedRuns)
      displacement += rest / run * padding;
    if (!displacement)
      return base;
    return LLVM::GEPOp::create(builder, loc, base.getType(), builder.getI8Type(), base,
                               ArrayRef<LLVM::GEPArg>{int32_t(displacement)});
  }

  OpBuilder &builder;
  Location loc;
  const TargetInfo &target;
  Type element, inMemory;
  unsigned bytes;
  SharedTile place;
  SharedAccess access;
  /// access.addresses in bytes.
  LinearLayout layout;
  SmallVector<std::pair<unsigned, unsigned>> paddedRuns; // in bytes
  Value thread;
  uint64_t threadBits = 0;
  DenseMap<uint64_t, Value> bases;
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
    rewriter.replaceOpWithMultiple(op, {LocalAccess(rewriter, op.getLoc(), op.getType(), op.getSrc().getType(),
                                                    SharedTile(adaptor.getSrc()), element, target, /*isLoad=*/true)
                                            .load()});
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

/// The elements stay where they are; only the axes have other names.
struct MemDescTransPattern : TilePattern<ttg::MemDescTransOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttg::MemDescTransOp op, OneToNOpAdaptor adaptor,
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

void tilecc::populateLocalMemoryPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                         const LoweringContext &lowering) {
  patterns.add<LocalAllocPattern, LocalDeallocPattern, LocalLoadPattern, LocalStorePattern, MemDescIndexPattern,
               MemDescSubslicePattern, MemDescTransPattern>(types, patterns.getContext(), lowering);
}
