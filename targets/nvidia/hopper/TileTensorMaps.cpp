//===- TileTensorMaps.cpp - expresses tiles of pointers as blocks of tensor maps ----------------------------------===//
//
// A tensor map describes a tensor, and a copy specifies a block of the tensor by coordinates. A tile of pointers does
// not reveal the size of the tensor. But an address can be expressed by coordinates, too. Take a map that begins at
// address 0 and has, besides the rows and columns of a tile, an axis of 2^31 steps of 16 bytes and an axis of steps of
// 2^35 bytes. Every tile with the same shape and row distance is a block of this map. So one map suffices for all
// tensors of a kernel, whatever their addresses and sizes. The map depends only on the row distance, which is a
// constant or an argument of the kernel. The launch creates the maps and passes them after the kernel's own arguments.
//
// A mask is expressed by two more coordinates. The map has as many rows and columns as the tile. In a block that begins
// at row n of the map, the last n rows are outside the map and read as zero. If the address of the block is also n rows
// lower, the other rows are those that the mask allows:
//
//     tt.load p, row < limit            tt.descriptor_load map[bits of (p - n * distance), n, 0],
//                                       where n = rows - clamp(limit - row)
//
// If indices are compared as unsigned numbers, as for descriptors, the mask may also exclude rows before the tensor. If
// the limit is an argument of the kernel or a constant, the limit becomes the size of the map, and the index becomes
// the coordinate:
//
//     tt.load p, unsigned(row) < limit  tt.descriptor_load map[bits of (p - row * distance - base), row, 0]
//
// If the pointers are computed from the coordinates of a descriptor, nothing remains of the address. The map then
// describes a matrix, and has only two axes.
//
// A block as in the second rewrite may begin before the tensor. Then an H200 accesses the address at which the map
// begins, so that address must not be 0 (measured: an illegal address). The map of a descriptor begins at the argument
// from which the descriptor was created. Blocks of other maps begin outside only if the mask is all false. These blocks
// are replaced by zeros (ttng.may_begin_outside, targets/nvidia/hopper/TensorCopyPatterns.cpp).
//
// cuTensorMapEncodeTiled accepts null as the tensor's address, and row distances that are shorter or longer than a row.
// H200s copy through such maps (measured: any row distance that is a multiple of 16 bytes, including 0).
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/hopper/TileTensorMaps.h"
#include "lowering/analysis/AccessWidth.h"
#include "mlir/IR/Matchers.h"
#include <map>

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

/// The steps and sizes of the two axes whose coordinates form an address.
static constexpr int64_t unitBits = 4, lowBits = 31, highBits = 13;
static constexpr int64_t maxRows = 256, maxDistance = int64_t(1) << 40;

namespace {

/// If the pointers of a tile point into a tensor, returns the argument from which they are computed, possibly with an
/// offset. (The pointers of a descriptor have a hint on their alignment, by which they are recognized.) Returns null
/// otherwise.
Value getTensorBase(Value pointers) {
  bool isTensor = false;
  while (Operation *op = pointers.getDefiningOp()) {
    if (isa<tt::BitcastOp>(op))
      isTensor |= op->hasAttr(tt::divisibilityAttr);
    else if (auto add = dyn_cast<tt::AddPtrOp>(op);
             add ? isTensor && !isNonNegative(add.getOffset())
                 : !isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, ttg::ConvertLayoutOp>(op))
      return {};
    pointers = op->getOperand(0);
  }
  return isTensor && isa<tt::FuncOp>(cast<BlockArgument>(pointers).getOwner()->getParentOp()) ? pointers : Value();
}

/// Returns true if an argument is known not to be negative: it is declared to be a multiple of some number, or assumed
/// to be.
bool isNonNegativeArgument(BlockArgument argument) {
  auto func = cast<tt::FuncOp>(argument.getOwner()->getParentOp());
  auto isAssumed = [&](Operation *user) {
    auto compare = dyn_cast<arith::CmpIOp>(user);
    return compare && compare.getPredicate() == arith::CmpIPredicate::sge && compare.getLhs() == argument &&
           matchPattern(compare.getRhs(), m_Zero()) &&
           llvm::any_of(compare->getUsers(), [](Operation *assume) { return isa<LLVM::AssumeOp>(assume); });
  };
  return func.getArgAttr(argument.getArgNumber(), tt::divisibilityAttr) || llvm::any_of(argument.getUsers(), isAssumed);
}

/// Returns the argument from which `pointers` are computed by adding non-negative offsets, if maps can begin at that
/// argument; null otherwise.
Value getAlignedArgument(Value pointers) {
  while (Operation *op = pointers.getDefiningOp()) {
    auto add = dyn_cast<tt::AddPtrOp>(op);
    if (add ? !isNonNegative(add.getOffset(), isNonNegativeArgument)
            : !isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, ttg::ConvertLayoutOp>(op))
      return {};
    pointers = op->getOperand(0);
  }
  auto argument = cast<BlockArgument>(pointers);
  auto func = dyn_cast<tt::FuncOp>(argument.getOwner()->getParentOp());
  auto divisor =
      func ? func.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), tt::divisibilityAttr) : IntegerAttr();
  return divisor && divisor.getInt() % (1 << unitBits) == 0 ? argument : Value();
}

/// Returns the size of the map to which the limit of an unsigned index is converted, or zero if it cannot be converted.
Stride getSize(const Matrix &matrix, const TileMask::Bound &bound, const AxisInfoAnalysis &axisInfo) {
  Stride size = getNumber(bound.limit);
  bool isOnly = llvm::count_if(matrix.mask.bounds, [&](auto &other) { return other.axis == bound.axis; }) == 1;
  bool isKnown = size.value
                     ? size.factor == 1 && isa<tt::FuncOp>(cast<BlockArgument>(size.value).getOwner()->getParentOp())
                     : size.factor > 0;
  // If the limit applies to columns, the coordinate moves the address along a row, and the resulting address must be
  // aligned.
  bool isAligned = bound.axis == matrix.axisOfRows ||
                   (cast<RankedTensorType>(bound.index.getType()).getRank() == 1 &&
                    axisInfo.get(bound.index).getDivisibility(0) * matrix.bytes % (1 << unitBits) == 0);
  return bound.isUnsigned && !bound.isInclusive && isOnly && isKnown && isAligned ? size : Stride();
}

} // namespace

/// Recognizes a matrix whose map begins at the argument `base`. Limits in the mask become sizes of the map if `base` is
/// not null.
static std::optional<Matrix> getMatrix(Value pointers, Value mask, ttg::MemDescType tile, Value base,
                                       const AxisInfoAnalysis &axisInfo) {
  auto encoding = dyn_cast<ttg::NVMMASharedEncodingAttr>(tile.getEncoding());
  if (!encoding || encoding.getRank() != 2 || encoding.getSwizzlingByteWidth() == 0)
    return std::nullopt;
  Matrix matrix;
  if (mask) {
    std::optional<TileMask> known = getTileMask(mask);
    if (!known)
      return std::nullopt;
    matrix.mask = *known;
  }
  auto strides = getStrides(pointers);
  unsigned along = encoding.getContiguousAxis();
  if (!strides || !((*strides)[along] == Stride{1, Value()}))
    return std::nullopt;
  matrix.bytes = tile.getElementType().getIntOrFloatBitWidth() / 8;
  matrix.rows = matrix.boxRows = tile.getDimSize(1 - along);
  matrix.columns = tile.getDimSize(along);
  matrix.axisOfRows = 1 - along;
  matrix.base = base;
  for (const TileMask::Bound &bound : matrix.mask.bounds) {
    matrix.sizes[bound.axis] = matrix.base ? getSize(matrix, bound, axisInfo) : Stride();
    if (matrix.sizes[bound.axis].isZero() && bound.isUnsigned && !isNonNegative(bound.index))
      return std::nullopt;
  }
  if (!matrix.hasSizes())
    matrix.base = {};
  int64_t unit = int64_t(1) << unitBits;
  Value maskOfRows = matrix.sizes[along].isZero() ? mask : Value();
  if (getAccessibleNeighbours(axisInfo, pointers, maskOfRows) * matrix.bytes < unit)
    return std::nullopt;
  matrix.distance = (*strides)[1 - along];
  int64_t distance = matrix.distance.factor * matrix.bytes, divisibility = 1;
  if (Value value = matrix.distance.value) {
    if (!isa<tt::FuncOp>(cast<BlockArgument>(value).getOwner()->getParentOp()))
      return std::nullopt;
    divisibility = std::max<int64_t>(axisInfo.get(value).getDivisibility(0), matrix.distance.divisibility);
    if (divisibility == 1)
      return std::nullopt; // a value that is declared to be a multiple is also declared to be non-negative
  }
  if (matrix.rows > maxRows || distance < 0 || distance >= maxDistance || distance * divisibility % unit != 0)
    return std::nullopt;
  Attribute rowMajor = along == 0 ? cast<ttg::SharedEncoding>(tile.getEncoding()).permute({1, 0}) : Attribute(encoding);
  matrix.tile =
      ttg::MemDescType::get({matrix.rows, matrix.columns}, tile.getElementType(), rowMajor, tile.getMemorySpace(),
                            /*mutableMemory=*/false);
  return matrix;
}

std::optional<Matrix> pipeline::getMatrix(Value pointers, Value mask, ttg::MemDescType tile,
                                          const AxisInfoAnalysis &axisInfo) {
  if (!pointers.getParentRegion()->getParentOfType<tt::FuncOp>()->hasAttr(makesMapsAttr))
    return ::getMatrix(pointers, mask, tile, getTensorBase(pointers), axisInfo);
  // Prefer maps that depend only on row distances. Such a map serves all tensors, so a kernel creates it once.
  std::optional<Matrix> matrix = ::getMatrix(pointers, mask, tile, /*base=*/{}, axisInfo);
  return matrix ? matrix : ::getMatrix(pointers, mask, tile, getAlignedArgument(pointers), axisInfo);
}

Value pipeline::getMapArgument(tt::FuncOp func, DictionaryAttr map, RankedTensorType block) {
  SmallVector<Attribute> maps;
  if (auto known = func->getAttrOfType<ArrayAttr>(ttng::tensorMapsAttr))
    llvm::append_range(maps, known);
  // The maps follow the kernel's own arguments, and precede the numbers of programs.
  unsigned end = func.getNumArguments() - ttng::countProgramNumbers(func), own = end - maps.size();
  for (auto [number, known] : llvm::enumerate(maps))
    if (known == map)
      return func.getArgument(own + number);
  maps.push_back(map);
  func->setAttr(ttng::tensorMapsAttr, ArrayAttr::get(func.getContext(), maps));
  if (failed(func.insertArgument(end, tt::TensorDescType::get(block), {}, func.getLoc())))
    llvm_unreachable("a kernel takes more arguments");
  return func.getArgument(end);
}

/// Returns the argument of `func` that is the map of such matrices, and creates it if there is none. If `isMatrix` is
/// true, the coordinates are only rows and columns.
static Value getTensorMap(tt::FuncOp func, const Matrix &matrix, bool isMatrix) {
  Builder builder(func.getContext());
  auto encoding = cast<ttg::NVMMASharedEncodingAttr>(matrix.tile.getEncoding());
  Stride distance = matrix.distance;
  auto number = [&](int64_t value) { return builder.getI32IntegerAttr(value); };
  auto numbers = [&](ArrayRef<int64_t> values) { return builder.getDenseI64ArrayAttr(values); };
  const Stride &ofRows = matrix.sizes[matrix.axisOfRows], &ofColumns = matrix.sizes[1 - matrix.axisOfRows];
  auto toArgument = [](const Stride &number) {
    return number.value ? int64_t(cast<BlockArgument>(number.value).getArgNumber()) : -1;
  };
  auto toSize = [](const Stride &known, int64_t size) {
    return known.value ? 0 : known.isZero() ? size : known.factor;
  };
  // cuTensorMapEncodeTiled expects the axis that varies fastest first.
  size_t axes = isMatrix ? 2 : 4;
  int64_t sizes[] = {toSize(ofColumns, matrix.columns), toSize(ofRows, matrix.rows), int64_t(1) << lowBits,
                     int64_t(1) << highBits};
  int64_t box[] = {encoding.getRowElements(), matrix.boxRows, 1, 1};
  int64_t strides[] = {distance.factor * matrix.bytes, int64_t(1) << unitBits, int64_t(1) << (unitBits + lowBits)};
  auto map = builder.getDictionaryAttr({
      builder.getNamedAttr("base", number(matrix.base ? cast<BlockArgument>(matrix.base).getArgNumber() : -1)),
      builder.getNamedAttr("bytes", number(matrix.bytes)),
      builder.getNamedAttr("swizzle", number(encoding.getSwizzlingByteWidth())),
      builder.getNamedAttr("limits", numbers({toArgument(ofColumns), toArgument(ofRows)})),
      builder.getNamedAttr("sizes", numbers(ArrayRef(sizes, axes))),
      builder.getNamedAttr("box", numbers(ArrayRef(box, axes))),
      builder.getNamedAttr("strides", numbers(ArrayRef(strides, axes - 1))),
      builder.getNamedAttr("parameter", number(toArgument(distance))),
  });
  auto ofMap = ttg::NVMMASharedEncodingAttr::get(func.getContext(), encoding.getSwizzlingByteWidth(), false,
                                                 encoding.getElementBitWidth(), /*rank=*/axes);
  int64_t shape[] = {1, 1, matrix.rows, matrix.columns};
  auto block = RankedTensorType::get(ArrayRef(shape).take_back(axes), matrix.tile.getElementType(), ofMap);
  return getMapArgument(func, map, block);
}

namespace {

/// A sum of products of values. It is multiplied out, so that terms that are added and subtracted again cancel.
class Polynomial {
public:
  Polynomial(Value value) { add(value, {}, 1); }
  void subtract(Value value) { add(value, {}, ~uint64_t(0)); }
  bool isZero() const {
    return llvm::all_of(terms, [](auto &term) { return term.second == 0; });
  }

private:
  using Product = SmallVector<const void *, 4>; ///< of opaque values, in a canonical order

  /// Looks through extensions and additions of zero, because each use of a value may have its own such operations.
  static Value strip(Value value) {
    while (Operation *op = value.getDefiningOp()) {
      bool isSame = isa<arith::ExtSIOp>(op) || (isa<arith::AddIOp>(op) && matchPattern(op->getOperand(1), m_Zero()));
      if (!isSame)
        break;
      value = op->getOperand(0);
    }
    return value;
  }

  /// Adds `value` times `factors` times `count`.
  void add(Value value, ArrayRef<Value> factors, uint64_t count) {
    APInt constant;
    value = strip(value);
    Operation *op = value.getDefiningOp();
    if (matchPattern(value, m_ConstantInt(&constant)))
      return addProduct(factors, count * constant.getSExtValue());
    if (isa_and_present<tt::BitcastOp, tt::PtrToIntOp>(op))
      return add(op->getOperand(0), factors, count);
    if (isa_and_present<arith::AddIOp, arith::SubIOp>(op) && value.getType().isInteger(64)) {
      add(op->getOperand(0), factors, count);
      return add(op->getOperand(1), factors, isa<arith::AddIOp>(op) ? count : -count);
    }
    if (auto move = dyn_cast_or_null<tt::AddPtrOp>(op)) {
      add(move.getPtr(), factors, count);
      int64_t bytes = tt::getElementBits(cast<tt::PointerType>(move.getType()).getPointeeType()) / 8;
      return add(move.getOffset(), factors, count * bytes);
    }
    SmallVector<Value> more(factors);
    if (isa_and_present<arith::MulIOp>(op) && value.getType().isInteger(64)) {
      bool isFirst = matchPattern(op->getOperand(0), m_Constant());
      more.push_back(op->getOperand(isFirst));
      return add(op->getOperand(!isFirst), more, count);
    }
    more.push_back(value);
    addProduct(more, count);
  }

  void addProduct(ArrayRef<Value> factors, uint64_t count) {
    // Also multiply out factors that are sums, or that are replaced by another value.
    for (auto [i, factor] : llvm::enumerate(factors)) {
      Operation *op = factor.getDefiningOp();
      bool isWide = factor.getType().isInteger(64),
           isKnown = isa_and_present<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op);
      if (strip(factor) == factor && !isa_and_present<arith::ConstantOp, tt::BitcastOp>(op) && !(isWide && isKnown))
        continue;
      SmallVector<Value> others(factors);
      others.erase(others.begin() + i);
      return add(factor, others, count);
    }
    Product product;
    for (Value factor : factors)
      product.push_back(factor.getAsOpaquePointer());
    llvm::sort(product);
    terms[product] += count;
  }

  std::map<Product, uint64_t> terms;
};

/// Computes the coordinates of a block.
class Coordinates {
public:
  Coordinates(OpBuilder &builder, Location loc, const Matrix &matrix, function_ref<Value(Value)> getFirst)
      : builder(builder), loc(loc), matrix(matrix), getFirst(getFirst) {}

  SmallVector<Value> get(Value pointers) {
    Value address = tt::PtrToIntOp::create(builder, loc, builder.getI64Type(), getFirst(pointers));
    Value row = getCoordinate(matrix.axisOfRows, matrix.rows),
          column = getCoordinate(1 - matrix.axisOfRows, matrix.columns);
    Polynomial known(address);
    auto subtract = [&](Value value) {
      address = arith::SubIOp::create(builder, loc, address, value);
      known.subtract(value);
    };
    if (row)
      subtract(multiply(row, getDistance()));
    if (column)
      subtract(multiply(column, number(matrix.bytes)));
    if (matrix.base)
      subtract(tt::PtrToIntOp::create(builder, loc, builder.getI64Type(), matrix.base));
    isMatrix = known.isZero();
    row = leaveOut(row);
    mayBeginOutside = !matrix.base && (row || column);
    if (isMatrix)
      return {toIndex(row), toIndex(column)};
    return {getBits(address, unitBits + lowBits, highBits), getBits(address, unitBits, lowBits), toIndex(row),
            toIndex(column)};
  }

  bool mayBeginOutside = false;
  bool isMatrix = false; ///< the coordinates determine the position completely, as with descriptors

private:
  Value number(int64_t value) { return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value)); }
  Value multiply(Value x, Value y) { return arith::MulIOp::create(builder, loc, x, y); }
  Value widen(Value value, bool isUnsigned = false) {
    Type i64 = builder.getI64Type();
    if (value.getType() == i64)
      return value;
    return isUnsigned ? arith::ExtUIOp::create(builder, loc, i64, value).getResult()
                      : arith::ExtSIOp::create(builder, loc, i64, value).getResult();
  }
  Value toIndex(Value wide) {
    return wide ? arith::TruncIOp::create(builder, loc, builder.getI32Type(), wide).getResult()
                : arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
  }
  Value getBits(Value address, int64_t begin, int64_t count) {
    Value shifted = arith::ShRUIOp::create(builder, loc, address, number(begin));
    return toIndex(arith::AndIOp::create(builder, loc, shifted, number((int64_t(1) << count) - 1)));
  }
  /// Returns the distance between rows in bytes.
  Value getDistance() {
    Value bytes = number(matrix.distance.factor * matrix.bytes);
    return matrix.distance.value ? multiply(widen(matrix.distance.value), bytes) : bytes;
  }

  /// Returns the coordinate along `axis`, in rows or columns of the map, at which the block begins; null for 0.
  Value getCoordinate(unsigned axis, int64_t size) {
    Value left;
    auto limit = [&](Value count) {
      left = left ? arith::MinSIOp::create(builder, loc, left, count).getResult() : count;
    };
    for (const TileMask::Bound &bound : matrix.mask.bounds) {
      if (bound.axis != axis)
        continue;
      if (!matrix.sizes[axis].isZero())
        return widen(getFirst(bound.index));
      // Skip as many elements as the mask excludes at the end.
      Value index = widen(getFirst(bound.index), bound.isUnsigned);
      Value end = widen(getFirst(bound.limit), bound.isUnsigned);
      if (bound.isInclusive)
        end = arith::AddIOp::create(builder, loc, end, number(1));
      limit(arith::SubIOp::create(builder, loc, end, index));
    }
    if (!left)
      return left;
    Value most = arith::MinSIOp::create(builder, loc, left, number(size));
    return arith::SubIOp::create(builder, loc, number(size), arith::MaxSIOp::create(builder, loc, most, number(0)));
  }

  /// Returns `row`, or a row outside the map if one of the mask's conditions does not hold.
  Value leaveOut(Value row) {
    Value outside = number(matrix.base ? -matrix.rows : matrix.rows);
    for (Value condition : matrix.mask.conditions)
      if (!matchPattern(condition, m_One()))
        row = arith::SelectOp::create(builder, loc, getFirst(condition), row ? row : number(0), outside);
    return row;
  }

  OpBuilder &builder;
  Location loc;
  const Matrix &matrix;
  function_ref<Value(Value)> getFirst;
};

} // namespace

TensorBlock pipeline::createTensorBlock(OpBuilder &builder, Location loc, Value pointers, const Matrix &matrix,
                                        function_ref<Value(Value)> getFirst) {
  Coordinates coordinates(builder, loc, matrix, getFirst);
  SmallVector<Value> indices = coordinates.get(pointers);
  auto func = builder.getBlock()->getParentOp()->getParentOfType<tt::FuncOp>();
  return {getTensorMap(func, matrix, coordinates.isMatrix), indices, coordinates.mayBeginOutside};
}
