//===- UseTensorMaps.cpp - loads through pointers become loads by the tensor memory accelerator -----------------------------===//
//
// A tensor map describes a tensor, and a copy names a block of it by coordinates. Pointers are no tensor of known sizes; but an
// address is a coordinate, too: in a map that begins at address 0, with an axis of 2^31 steps of 16 bytes and one of steps of
// 2^35 bytes beside the rows and columns of a tile, every tile of one shape and one distance between its rows is a block. So one
// map does for all tensors of a kernel, whatever their addresses and sizes; what it depends on is the distance of rows alone,
// a constant or an argument of the kernel. A launch makes the maps and passes them behind the kernel's own arguments.
//
// A mask is two more coordinates. The map has as many rows and columns as the tile: a block that begins at its row n lacks the
// last n rows, which are zero; and if its address is n rows lower, what is there are the rows that the mask lets through:
//
//     tt.load p, row < limit            tt.descriptor_load map[bits of (p - n * distance), n, 0],  n = rows - clamp(limit - row)
//
// Where indices are compared without sign, as those of descriptors are, also rows in front may be masked off. If the limit is an
// argument of the kernel, or a constant, it is the size of the map, and the index the coordinate:
//
//     tt.load p, unsigned(row) < limit  tt.descriptor_load map[bits of (p - row * distance - base), row, 0]
//
// Such a block may begin in front of the tensor, and then an H200 looks at what is where the map begins, which must not be address
// 0 (measured: an illegal address). The map of a descriptor begins at the argument that the descriptor is made of; blocks of other
// maps begin outside only if nothing is let through, and are zeros then (ttng.may_begin_outside, lowering/nvidia/TensorCopies.cpp).
//
// cuTensorMapEncodeTiled takes null for the tensor's address, and distances between rows that are shorter or longer than a row;
// H200s copy by such maps (measured: any row distance that is a multiple of 16 bytes, 0 included).
//
// Done for the operands of warpgroups' products in loops, whose pipeline then copies them without a thread's help. Legal where
// the tile is an address and strides (AffineTile.h) and no store of the kernel may write what is loaded: the accelerator does
// not wait for what threads store.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/AccessWidth.h"
#include "lowering/analysis/AffineTile.h"
#include "lowering/analysis/AxisInfo.h"
#include "lowering/analysis/PointerRoot.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
#include "lowering/pipeliner/EarlyLoads.h"
#include "lowering/pipeliner/LoopSlice.h"
#include "lowering/pipeliner/LoopUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

namespace tilecc {
#define GEN_PASS_DEF_TRITONNVIDIAGPUUSETENSORMAPS
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

/// The steps of the two axes that addresses are coordinates of, and how many there are.
static constexpr int64_t unitBits = 4, lowBits = 31, highBits = 13;
static constexpr int64_t maxRows = 256, maxDistance = int64_t(1) << 40;

namespace {

/// What a map is made for: matrices in memory, a row behind the other.
struct Matrix {
  int64_t rows, columns; ///< of a tile
  unsigned axisOfRows;   ///< of the loaded tile
  Stride distance;       ///< from row to row, in elements
  int64_t bytes;         ///< of an element
  ttg::MemDescType tile; ///< in shared memory, rows first
  TileMask mask;
  /// By axis of the loaded tile: the number of its rows or columns that a limit without sign is; zero for none.
  SmallVector<Stride, 2> sizes = SmallVector<Stride, 2>(2);
  Value base = {}; ///< the argument where the map begins; null for address 0

  bool hasSizes() const { return llvm::any_of(sizes, [](const Stride &size) { return !size.isZero(); }); }
};

/// The pointer to a tensor that the pointers of a tile are made of (a descriptor's: the promise of its alignment says so), if
/// that is an argument, or behind one. Returns the argument, or null.
Value getTensorBase(Value pointers) {
  bool isTensor = false;
  while (Operation *op = pointers.getDefiningOp()) {
    if (isa<tt::BitcastOp>(op))
      isTensor |= op->hasAttr(tt::divisibilityAttr);
    else if (auto add = dyn_cast<tt::AddPtrOp>(op); add ? isTensor && !isNonNegative(add.getOffset())
                                                        : !isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, ttg::ConvertLayoutOp>(op))
      return {};
    pointers = op->getOperand(0);
  }
  return isTensor && isa<tt::FuncOp>(cast<BlockArgument>(pointers).getOwner()->getParentOp()) ? pointers : Value();
}

/// The size of the map that the limit of an index without sign is; zero if it is none.
Stride getSize(const Matrix &matrix, const TileMask::Bound &bound, const AxisInfoAnalysis &axisInfo) {
  Stride size = getNumber(bound.limit);
  bool isOnly = llvm::count_if(matrix.mask.bounds, [&](auto &other) { return other.axis == bound.axis; }) == 1;
  bool isKnown = size.value ? size.factor == 1 && isa<tt::FuncOp>(cast<BlockArgument>(size.value).getOwner()->getParentOp())
                            : size.factor > 0;
  // Where rows begin then has to be an address of the map's, too.
  bool isAligned = bound.axis == matrix.axisOfRows ||
                   (cast<RankedTensorType>(bound.index.getType()).getRank() == 1 &&
                    axisInfo.get(bound.index).getDivisibility(0) * matrix.bytes % (1 << unitBits) == 0);
  return bound.isUnsigned && !bound.isInclusive && isOnly && isKnown && isAligned ? size : Stride();
}

bool isZero(Value value) { return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero()); }

/// Nothing where no map can do it, as where no row is 16-byte aligned.
std::optional<Matrix> getMatrix(tt::LoadOp load, ttg::MemDescType tile, const AxisInfoAnalysis &axisInfo) {
  auto encoding = dyn_cast<ttg::NVMMASharedEncodingAttr>(tile.getEncoding());
  if (!encoding || encoding.getRank() != 2 || encoding.getSwizzlingByteWidth() == 0 || load.getIsVolatile() ||
      (load.getOther() && !isZero(load.getOther())))
    return std::nullopt;
  Matrix matrix;
  if (Value mask = load.getMask()) {
    std::optional<TileMask> known = getTileMask(mask);
    if (!known)
      return std::nullopt;
    matrix.mask = *known;
  }
  auto strides = getStrides(load.getPtr());
  unsigned along = encoding.getContiguousAxis();
  if (!strides || !((*strides)[along] == Stride{1, Value()}))
    return std::nullopt;
  matrix.bytes = tile.getElementType().getIntOrFloatBitWidth() / 8;
  matrix.rows = tile.getDimSize(1 - along);
  matrix.columns = tile.getDimSize(along);
  matrix.axisOfRows = 1 - along;
  matrix.base = getTensorBase(load.getPtr());
  for (const TileMask::Bound &bound : matrix.mask.bounds) {
    matrix.sizes[bound.axis] = matrix.base ? getSize(matrix, bound, axisInfo) : Stride();
    if (matrix.sizes[bound.axis].isZero() && bound.isUnsigned && !isNonNegative(bound.index))
      return std::nullopt;
  }
  if (!matrix.hasSizes())
    matrix.base = {};
  int64_t unit = int64_t(1) << unitBits;
  Value maskOfRows = matrix.sizes[along].isZero() ? load.getMask() : Value();
  if (getAccessibleNeighbours(axisInfo, load.getPtr(), maskOfRows) * matrix.bytes < unit)
    return std::nullopt;
  matrix.distance = (*strides)[1 - along];
  int64_t distance = matrix.distance.factor * matrix.bytes, divisibility = 1;
  if (Value value = matrix.distance.value) {
    if (!isa<tt::FuncOp>(cast<BlockArgument>(value).getOwner()->getParentOp()))
      return std::nullopt;
    divisibility = std::max(axisInfo.get(value).getDivisibility(0), matrix.distance.divisibility);
    if (divisibility == 1)
      return std::nullopt; // what is promised to be a multiple of something is promised not to be negative
  }
  if (matrix.rows > maxRows || distance < 0 || distance >= maxDistance || distance * divisibility % unit != 0)
    return std::nullopt;
  Attribute rowMajor = along == 0 ? cast<ttg::SharedEncoding>(tile.getEncoding()).permute({1, 0}) : Attribute(encoding);
  matrix.tile = ttg::MemDescType::get({matrix.rows, matrix.columns}, tile.getElementType(), rowMajor, tile.getMemorySpace(),
                                      /*mutableMemory=*/false);
  return matrix;
}

/// The argument of `func` that is the map of such matrices; a new one if there is none.
Value getTensorMap(tt::FuncOp func, const Matrix &matrix) {
  Builder builder(func.getContext());
  auto encoding = cast<ttg::NVMMASharedEncodingAttr>(matrix.tile.getEncoding());
  Stride distance = matrix.distance;
  auto number = [&](int64_t value) { return builder.getI32IntegerAttr(value); };
  auto numbers = [&](ArrayRef<int64_t> values) { return builder.getDenseI64ArrayAttr(values); };
  const Stride &ofRows = matrix.sizes[matrix.axisOfRows], &ofColumns = matrix.sizes[1 - matrix.axisOfRows];
  auto toArgument = [](const Stride &number) {
    return number.value ? int64_t(cast<BlockArgument>(number.value).getArgNumber()) : -1;
  };
  auto toSize = [](const Stride &known, int64_t size) { return known.value ? 0 : known.isZero() ? size : known.factor; };
  // As cuTensorMapEncodeTiled has it: the axis that varies fastest first.
  auto map = builder.getDictionaryAttr({
      builder.getNamedAttr("base", number(matrix.base ? cast<BlockArgument>(matrix.base).getArgNumber() : -1)),
      builder.getNamedAttr("bytes", number(matrix.bytes)),
      builder.getNamedAttr("swizzle", number(encoding.getSwizzlingByteWidth())),
      builder.getNamedAttr("limits", numbers({toArgument(ofColumns), toArgument(ofRows)})),
      builder.getNamedAttr("sizes", numbers({toSize(ofColumns, matrix.columns), toSize(ofRows, matrix.rows),
                                             int64_t(1) << lowBits, int64_t(1) << highBits})),
      builder.getNamedAttr("box", numbers({encoding.getRowElements(), matrix.rows, 1, 1})),
      builder.getNamedAttr("strides", numbers({distance.factor * matrix.bytes, int64_t(1) << unitBits,
                                               int64_t(1) << (unitBits + lowBits)})),
      builder.getNamedAttr("parameter",
                           number(toArgument(distance))),
  });
  SmallVector<Attribute> maps;
  if (auto known = func->getAttrOfType<ArrayAttr>(ttng::tensorMapsAttr))
    llvm::append_range(maps, known);
  unsigned own = func.getNumArguments() - maps.size();
  for (auto [number, known] : llvm::enumerate(maps))
    if (known == map)
      return func.getArgument(own + number);
  maps.push_back(map);
  func->setAttr(ttng::tensorMapsAttr, builder.getArrayAttr(maps));
  auto ofMap = ttg::NVMMASharedEncodingAttr::get(func.getContext(), encoding.getSwizzlingByteWidth(), false,
                                                 encoding.getElementBitWidth(), /*rank=*/4);
  auto block = RankedTensorType::get({1, 1, matrix.rows, matrix.columns}, matrix.tile.getElementType(), ofMap);
  if (failed(func.insertArgument(func.getNumArguments(), tt::TensorDescType::get(block), {}, func.getLoc())))
    llvm_unreachable("a kernel takes more arguments");
  return func.getArguments().back();
}

//===--- loads ------------------------------------------------------------------------------------------------------===//

/// Whether a store of the kernel may write what `load` reads.
bool mayBeWritten(tt::LoadOp load) {
  Value root = getPointerRoot(load.getPtr());
  return load->getParentOfType<tt::FuncOp>()
      .walk([&](Operation *op) {
        auto access = tt::getGlobalAccess(op);
        bool meets = access ? access->isWrite && (!root || getPointerRoot(access->pointers) == root ||
                                                  !getPointerRoot(access->pointers))
                            : isa<tt::CallOp, tt::DescriptorStoreOp, tt::DescriptorReduceOp, tt::DescriptorScatterOp>(op);
        return meets ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

class LoopRewriter {
public:
  LoopRewriter(scf::ForOp loop, const AxisInfoAnalysis &axisInfo) : loop(loop), slice(loop, /*warps=*/0), builder(loop), loc(loop.getLoc()) {
    for (auto load : loop.getBody()->getOps<tt::LoadOp>())
      if (ttg::MemDescType tile = getAllocatedType(loop, load); tile && mayRunAhead(loop, load) && !mayBeWritten(load))
        if (auto matrix = getMatrix(load, tile, axisInfo); matrix && canCompute(load, *matrix))
          loads.emplace_back(load, *matrix);
  }

  bool hasLoads() const { return !loads.empty(); }

  scf::ForOp rewrite() {
    llvm::SetVector<Value> captures;
    slice.collectCaptures(captures);
    IRMapping mapping;
    for (Value value : captures)
      mapping.map(value, value);
    mapping.map(loop.getInductionVar(), loop.getInductionVar());
    SmallVector<Value> inits = slice.createInits(builder, mapping);
    // What the loop will carry is not there before the loop is another; until then something else has its name.
    SmallVector<Value> names;
    for (Value init : inits)
      names.push_back(UnrealizedConversionCastOp::create(builder, loc, init.getType(), ValueRange()).getResult(0));
    slice.mapCarried(names, mapping);
    for (auto &[load, matrix] : loads)
      rewriteLoad(load, matrix, mapping);
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    SmallVector<Value> yields = slice.createYields(builder, mapping);
    IRRewriter rewriter(loop.getContext());
    loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
        rewriter, inits, /*replaceInitOperandUsesInLoop=*/false,
        [&](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
          for (auto [name, argument] : llvm::zip_equal(names, arguments)) {
            llvm::replace(yields, name, Value(argument));
            name.replaceAllUsesWith(argument);
            name.getDefiningOp()->erase();
          }
          return yields;
        }));
    return loop;
  }

private:
  bool canCompute(tt::LoadOp load, const Matrix &matrix) {
    auto add = [&](Value value) { return slice.add(value); };
    return add(load.getPtr()) && llvm::all_of(matrix.mask.conditions, add) &&
           llvm::all_of(matrix.mask.bounds, [&](const TileMask::Bound &bound) { return add(bound.index) && add(bound.limit); });
  }

  void rewriteLoad(tt::LoadOp load, const Matrix &matrix, IRMapping &mapping) {
    loc = load.getLoc();
    builder.setInsertionPoint(load);
    Value first = slice.create(builder, load.getPtr(), mapping);
    Value address = tt::PtrToIntOp::create(builder, loc, builder.getI64Type(), first);
    Value row = getCoordinate(matrix, matrix.axisOfRows, matrix.rows, mapping);
    Value column = getCoordinate(matrix, 1 - matrix.axisOfRows, matrix.columns, mapping);
    if (row)
      address = arith::SubIOp::create(builder, loc, address, multiply(row, getDistance(matrix)));
    if (column)
      address = arith::SubIOp::create(builder, loc, address, multiply(column, number(matrix.bytes)));
    auto toIndex = [&](Value wide) -> Value {
      return wide ? arith::TruncIOp::create(builder, loc, builder.getI32Type(), wide).getResult()
                  : arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
    };
    auto bits = [&](int64_t begin, int64_t count) {
      Value shifted = arith::ShRUIOp::create(builder, loc, address, number(begin));
      return toIndex(arith::AndIOp::create(builder, loc, shifted, number((int64_t(1) << count) - 1)));
    };
    if (matrix.base) {
      Value base = tt::PtrToIntOp::create(builder, loc, builder.getI64Type(), matrix.base);
      address = arith::SubIOp::create(builder, loc, address, base);
    }
    row = leaveOut(row, matrix, mapping);
    SmallVector<Value> indices = {bits(unitBits + lowBits, highBits), bits(unitBits, lowBits), toIndex(row), toIndex(column)};

    auto type = cast<RankedTensorType>(load.getType());
    // No thread will hold it: any layout will do.
    auto encoding = ttg::BlockedEncodingAttr::get(load.getContext(), matrix.tile.getShape(), {1, 1}, {1, 0},
                                                  ttg::getNumWarps(load), ttg::getThreadsPerWarp(load));
    auto block = RankedTensorType::get({matrix.rows, matrix.columns}, type.getElementType(), encoding);
    Value map = getTensorMap(load->getParentOfType<tt::FuncOp>(), matrix);
    auto tile = tt::DescriptorLoadOp::create(builder, loc, block, map, indices, load.getCache(), load.getEvict());
    if (!matrix.base && (row || column))
      tile->setAttr(ttng::mayBeginOutsideAttr, builder.getUnitAttr());
    for (Operation *user : llvm::make_early_inc_range(load->getUsers())) {
      auto alloc = cast<ttg::LocalAllocOp>(user);
      builder.setInsertionPoint(alloc);
      Value memory = ttg::LocalAllocOp::create(builder, alloc.getLoc(), matrix.tile, tile, IntegerAttr());
      if (matrix.axisOfRows == 1)
        memory = ttg::MemDescTransOp::create(builder, alloc.getLoc(), alloc.getType(), memory, ArrayRef<int32_t>{1, 0});
      alloc.replaceAllUsesWith(memory);
      alloc.erase();
    }
    load.erase();
  }

  Value number(int64_t value) { return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value)); }
  Value multiply(Value x, Value y) { return arith::MulIOp::create(builder, loc, x, y); }
  Value widen(Value value, bool isUnsigned = false) {
    Type i64 = builder.getI64Type();
    if (value.getType() == i64)
      return value;
    return isUnsigned ? arith::ExtUIOp::create(builder, loc, i64, value).getResult()
                      : arith::ExtSIOp::create(builder, loc, i64, value).getResult();
  }
  /// Bytes from row to row.
  Value getDistance(const Matrix &matrix) {
    Value bytes = number(matrix.distance.factor * matrix.bytes);
    return matrix.distance.value ? multiply(widen(matrix.distance.value), bytes) : bytes;
  }

  /// Where the block begins along `axis`, in what the map has of it; null for 0.
  Value getCoordinate(const Matrix &matrix, unsigned axis, int64_t size, IRMapping &mapping) {
    Value left;
    auto limit = [&](Value count) {
      left = left ? arith::MinSIOp::create(builder, loc, left, count).getResult() : count;
    };
    for (const TileMask::Bound &bound : matrix.mask.bounds) {
      if (bound.axis != axis)
        continue;
      if (!matrix.sizes[axis].isZero())
        return widen(slice.create(builder, bound.index, mapping));
      // As many of the last elements as are masked off.
      Value index = widen(slice.create(builder, bound.index, mapping), bound.isUnsigned);
      Value end = widen(slice.create(builder, bound.limit, mapping), bound.isUnsigned);
      if (bound.isInclusive)
        end = arith::AddIOp::create(builder, loc, end, number(1));
      limit(arith::SubIOp::create(builder, loc, end, index));
    }
    if (!left)
      return left;
    Value most = arith::MinSIOp::create(builder, loc, left, number(size));
    return arith::SubIOp::create(builder, loc, number(size), arith::MaxSIOp::create(builder, loc, most, number(0)));
  }

  /// The row, or one outside of all there are where a condition does not hold.
  Value leaveOut(Value row, const Matrix &matrix, IRMapping &mapping) {
    Value outside = number(matrix.base ? -matrix.rows : matrix.rows);
    for (Value condition : matrix.mask.conditions)
      if (!matchPattern(condition, m_One()))
        row = arith::SelectOp::create(builder, loc, slice.create(builder, condition, mapping), row ? row : number(0), outside);
    return row;
  }

  scf::ForOp loop;
  LoopSlice slice; ///< first elements, limits and conditions
  OpBuilder builder;
  Location loc;
  SmallVector<std::pair<tt::LoadOp, Matrix>> loads;
};

//===--- what is carried no more ------------------------------------------------------------------------------------===//

/// Carried values that lead to nothing but their own next values (pointers that are moved on) are left to themselves, so that
/// the loop's canonicalization removes them.
void releaseDeadCarried(scf::ForOp loop) {
  DenseSet<Value> live;
  SmallVector<Value> work;
  auto use = [&](Value value) {
    if (live.insert(value).second)
      work.push_back(value);
  };
  Operation *yield = loop.getBody()->getTerminator();
  for (Operation &op : loop.getBody()->without_terminator())
    if (!isRepeatable(&op))
      forEachInput(&op, use);
  for (unsigned number = 0; number < loop.getNumResults(); ++number)
    if (!loop.getResult(number).use_empty())
      use(yield->getOperand(number));
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() == loop.getBody() && argument != loop.getInductionVar())
        use(loop.getTiedLoopYieldedValue(argument)->get());
    } else if (loop->isAncestor(value.getDefiningOp())) {
      forEachInput(value.getDefiningOp(), use);
    }
  }
  for (BlockArgument argument : loop.getRegionIterArgs())
    if (!live.contains(argument) && loop.getTiedLoopResult(argument).use_empty())
      loop.getTiedLoopYieldedValue(argument)->set(argument);
}

struct UseTensorMaps : tilecc::impl::TritonNvidiaGPUUseTensorMapsBase<UseTensorMaps> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (!loop.getBody()->getOps<ttng::WarpGroupDotOp>().empty() && !loop->getParentOfType<ttg::WarpSpecializeOp>())
        loops.push_back(loop);
    });
    if (loops.empty())
      return;
    AxisInfoAnalysis axisInfo(getOperation());
    SmallVector<Operation *> changed;
    for (scf::ForOp loop : loops)
      if (LoopRewriter rewriter(loop, axisInfo); rewriter.hasLoads()) {
        loop = rewriter.rewrite();
        releaseDeadCarried(loop);
        changed.push_back(loop);
      }
    RewritePatternSet patterns(&getContext());
    scf::ForOp::getCanonicalizationPatterns(patterns, &getContext());
    if (!changed.empty() && failed(applyOpPatternsGreedily(changed, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
