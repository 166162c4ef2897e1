//===- Shapes.cpp - operations of CUDA Tile IR that move elements -------------------------------------------------===//

#include "frontend/tileir/Translator.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tilecc::tileir {

/// Reshapes a scalar or a tile in row-major order. An empty shape stands for a scalar.
Value Translator::reshape(Value value, ArrayRef<int64_t> shape) {
  ArrayRef<int64_t> old = shapeOf(value.getType());
  mlir::Type element = getElementTypeOrSelf(value);
  if (old == shape)
    return value;
  if (old.empty())
    return splat(value, shape);
  if (shape.empty())
    return create<tt::UnsplatOp>(reshape(value, {1}));
  return create<tt::ReshapeOp>(RankedTensorType::get(shape, element), value, /*allow_reorder=*/false,
                               /*efficient_layout=*/false);
}

Value Translator::transpose(Value value, ArrayRef<int32_t> order) {
  if (llvm::is_sorted(order))
    return value;
  SmallVector<int64_t> shape;
  for (int32_t d : order)
    shape.push_back(shapeOf(value.getType())[d]);
  return create<tt::TransOp>(RankedTensorType::get(shape, getElementTypeOrSelf(value)), value,
                             builder.getDenseI32ArrayAttr(order));
}

Value Translator::rangeAlong(unsigned axis, ArrayRef<int64_t> shape, Value base) {
  auto line = RankedTensorType::get(shape[axis], builder.getI32Type());
  Value range = create<tt::MakeRangeOp>(line, 0, int32_t(shape[axis]));
  if (base)
    range = create<arith::AddIOp>(range, splat(base, line.getShape()));
  return tt::createSpread(builder, loc, range, axis, shape);
}

/// Creates a one-dimensional tile of constants by joining its even and odd elements, recursively, down to tiles with a
/// single constant.
Value Translator::join(ArrayRef<mlir::Attribute> elements, mlir::Type element) {
  auto type = RankedTensorType::get(int64_t(elements.size()), element);
  if (llvm::all_equal(elements))
    return create<arith::ConstantOp>(cast<TypedAttr>(DenseElementsAttr::get(type, elements.front())));
  SmallVector<mlir::Attribute> even, odd;
  for (size_t i = 0; i < elements.size(); i += 2) {
    even.push_back(elements[i]);
    odd.push_back(elements[i + 1]);
  }
  Value left = join(even, element), right = join(odd, element);
  return reshape(create<tt::JoinOp>(left, right), type.getShape());
}

LogicalResult Translator::iota(const Operation &op) {
  auto type = dyn_cast<RankedTensorType>(convert(typeOf(op.results[0])));
  if (!type || type.getRank() != 1 || !isa<IntegerType>(type.getElementType()) || type.getElementType().isInteger(1) ||
      findNarrow(op))
    return error(op) << "it does not give " << typeOf(op.results[0]).print();
  Value range = rangeAlong(0, type.getShape());
  unsigned bits = type.getElementTypeBitWidth();
  if (bits > 32)
    range = create<arith::ExtSIOp>(type, range);
  else if (bits < 32)
    range = create<arith::TruncIOp>(type, range);
  return setResult(op, range);
}

static int64_t countOf(ArrayRef<int64_t> shape) { return ShapedType::getNumElements(shape); }

LogicalResult Translator::reshapeTile(const Operation &op) {
  Value value = get(op.operand("a"));
  mlir::Type type = convert(typeOf(op.results[0]));
  if (countOf(shapeOf(type)) != countOf(shapeOf(value.getType())))
    return error(op) << "operand and result have different numbers of elements";
  return setResult(op, reshape(value, shapeOf(type)));
}

LogicalResult Translator::broadcastTile(const Operation &op) {
  Value value = get(op.operand("a"));
  ArrayRef<int64_t> from = shapeOf(value.getType());
  mlir::Type type = convert(typeOf(op.results[0]));
  ArrayRef<int64_t> to = shapeOf(type);
  bool fits = from.size() == to.size() && llvm::all_of(llvm::zip(from, to), [](auto sizes) {
                return std::get<0>(sizes) == 1 || std::get<0>(sizes) == std::get<1>(sizes);
              });
  if (!fits)
    return error(op) << typeOf(op.operand("a")).print() << " cannot become " << typeOf(op.results[0]).print();
  if (from == to)
    return setResult(op, value);
  if (auto scalar = value.getDefiningOp<tt::SplatOp>())
    return setResult(op, splat(scalar.getSrc(), to));
  return setResult(op, create<tt::BroadcastOp>(withShape(getElementTypeOrSelf(value), to), value));
}

LogicalResult Translator::permuteTile(const Operation &op) {
  Value value = get(op.operand("a"));
  ArrayRef<int64_t> permutation = op.attribute("permutation").integers;
  auto all = llvm::seq<int64_t>(shapeOf(value.getType()).size());
  if (!std::is_permutation(permutation.begin(), permutation.end(), all.begin(), all.end()))
    return error(op) << "it is not a permutation of the operand's dimensions";
  return setResult(op, transpose(value, SmallVector<int32_t>(permutation)));
}

/// Concatenates two tiles. tt.cat guarantees no order of elements, so the parts are joined in a new dimension, which is
/// then moved before the concatenated dimension.
LogicalResult Translator::concatenate(const Operation &op) {
  Value a = get(op.operand("a")), b = get(op.operand("b"));
  ArrayRef<int64_t> shape = shapeOf(a.getType());
  uint64_t axis = op.number("dim");
  if (axis >= shape.size() || getElementTypeOrSelf(a) != getElementTypeOrSelf(b))
    return error(op) << "it takes two tiles, and one of their dimensions";
  if (a.getType() != b.getType()) // sizes are powers of two, and so is their sum
    return error(op) << "it takes two tiles of one shape, not " << typeOf(op.operand("a")).print() << " and "
                     << typeOf(op.operand("b")).print();
  SmallVector<int32_t> order;
  for (int32_t d = 0; d < int32_t(shape.size()); ++d) {
    if (uint64_t(d) == axis)
      order.push_back(shape.size());
    order.push_back(d);
  }
  SmallVector<int64_t> whole(shape);
  whole[axis] *= 2;
  return setResult(op, reshape(transpose(create<tt::JoinOp>(a, b), order), whole));
}

/// Returns true if `part` divides `whole` evenly in every dimension.
static bool tiles(ArrayRef<int64_t> part, ArrayRef<int64_t> whole) {
  return part.size() == whole.size() &&
         llvm::all_of(llvm::zip(part, whole), [](auto sizes) { return std::get<1>(sizes) % std::get<0>(sizes) == 0; });
}
static bool areIntegers(ArrayRef<Value> values) {
  return llvm::all_of(values, [](Value value) { return isa<IntegerType>(value.getType()); });
}

LogicalResult Translator::extract(const Operation &op) {
  Values operands;
  for (ValueId id : op.all())
    operands.push_back(get(id));
  if (operands.empty() || op.results.size() != 1)
    return error(op) << "it takes a tile and gives one";
  Value value = operands[0];
  ArrayRef<Value> indices = ArrayRef(operands).drop_front();
  ArrayRef<int64_t> part = shapeOf(convert(typeOf(op.results[0])));
  if (!tiles(part, shapeOf(value.getType())) || indices.size() != part.size() || !areIntegers(indices))
    return error(op) << "it takes a tile, and an index for each of its dimensions";
  SmallVector<int64_t> shape(shapeOf(value.getType()));
  for (auto [axis, size] : llvm::enumerate(part)) {
    if (shape[axis] == size)
      continue;
    shape[axis] = size;
    Value index = extentAs({0, indices[axis]}, builder.getI32Type());
    Value base = create<arith::MulIOp>(index, constantOf(index.getType(), size));
    value = create<tt::GatherOp>(value, rangeAlong(axis, shape, base), int(axis));
  }
  return setResult(op, value);
}

/// Inserts a part into a tile. Each element of the result is an element of the part if the part covers its position,
/// and otherwise an element of the destination.
LogicalResult Translator::insert(const Operation &op) {
  Values operands;
  for (ValueId id : op.all())
    operands.push_back(get(id));
  if (operands.size() < 2 || op.results.size() != 1)
    return error(op) << "it takes two tiles and gives one";
  Value part = operands[0], whole = operands[1];
  ArrayRef<Value> indices = ArrayRef(operands).drop_front(2);
  SmallVector<int64_t> sizes(shapeOf(part.getType())), shape(shapeOf(whole.getType()));
  if (!tiles(sizes, shape) || indices.size() != shape.size() || !areIntegers(indices) ||
      getElementTypeOrSelf(part) != getElementTypeOrSelf(whole))
    return error(op) << "it takes a part, the whole, and an index for each dimension";
  Value isPart, spread = part;
  SmallVector<int64_t> current(sizes);
  for (auto [axis, size] : llvm::enumerate(sizes)) {
    if (size == shape[axis])
      continue;
    current[axis] = shape[axis];
    // The index within a part is the remainder of the index divided by the size of the part.
    Value within = create<arith::AndIOp>(rangeAlong(axis, current),
                                         constantOf(RankedTensorType::get(current, builder.getI32Type()), size - 1));
    spread = create<tt::GatherOp>(spread, within, int(axis));
    Value index = extentAs({0, indices[axis]}, builder.getI32Type());
    auto line = RankedTensorType::get(shape[axis], builder.getI32Type());
    Value number =
        create<arith::DivUIOp>(create<tt::MakeRangeOp>(line, 0, int32_t(shape[axis])), constantOf(line, size));
    Value here = create<arith::CmpIOp>(arith::CmpIPredicate::eq, number, splat(index, line.getShape()));
    here = tt::createSpread(builder, loc, here, axis, shape);
    isPart = isPart ? create<arith::AndIOp>(isPart, here) : here;
  }
  return setResult(op, isPart ? create<arith::SelectOp>(isPart, spread, whole) : spread);
}

/// Converts a one-dimensional tile to its bytes, little-endian, or back.
LogicalResult Translator::packBytes(const Operation &op) {
  Value value = get(op.operand("a"));
  auto from = dyn_cast<RankedTensorType>(value.getType()),
       to = dyn_cast<RankedTensorType>(convert(typeOf(op.results[0])));
  bool packs = op.op() == Op::Pack;
  auto bitsOf = [](RankedTensorType type, const Type &tile) {
    return type && type.getRank() == 1 && type.getElementType().isIntOrFloat() ? tile.element->bits() : 0;
  };
  unsigned before = bitsOf(from, typeOf(op.operand("a"))), after = bitsOf(to, typeOf(op.results[0]));
  unsigned bits = packs ? before : after;
  if (bits < 4 || (packs ? after : before) != 8 || from.getNumElements() * before != to.getNumElements() * after)
    return error(op) << "it does not make " << typeOf(op.results[0]).print() << " of "
                     << typeOf(op.operand("a")).print();
  auto asIntegers = [&](Value tile, unsigned width) {
    mlir::Type type = tt::withElementType(tile.getType(), builder.getIntegerType(width));
    return tile.getType() == type ? tile : create<tt::BitcastOp>(type, tile);
  };
  // Elements of 4 bits are kept in bytes; the first of two is in the low half of a byte.
  if (bits == 4) {
    mlir::Type half = builder.getI8Type();
    if (packs) {
      auto pair = tt::SplitOp::create(builder, loc, reshape(value, {to.getNumElements(), 2}));
      mlir::Type type = withShape(half, {to.getNumElements()});
      Value high = create<arith::ShLIOp>(pair.getOutRHS(), constantOf(type, int64_t(4)));
      return setResult(op, create<arith::OrIOp>(high, pair.getOutLHS()));
    }
    value = asIntegers(value, 8);
    Value low = create<arith::AndIOp>(value, constantOf(value.getType(), int64_t(15)));
    Value high = create<arith::ShRUIOp>(value, constantOf(value.getType(), int64_t(4)));
    return setResult(op, reshape(create<tt::JoinOp>(low, high), to.getShape()));
  }
  // Splits elements into halves until they are bytes, or joins halves into elements.
  if (packs) {
    value = asIntegers(value, bits);
    for (unsigned width = bits; width > 8; width /= 2) {
      mlir::Type half = tt::withElementType(value.getType(), builder.getIntegerType(width / 2));
      Value low = create<arith::TruncIOp>(half, value);
      Value high =
          create<arith::TruncIOp>(half, create<arith::ShRUIOp>(value, constantOf(value.getType(), int64_t(width / 2))));
      value = reshape(create<tt::JoinOp>(low, high), {countOf(shapeOf(value.getType())) * 2});
    }
  } else {
    value = asIntegers(value, 8);
    for (unsigned width = 8; width < bits; width *= 2) {
      auto halves = tt::SplitOp::create(builder, loc, reshape(value, {countOf(shapeOf(value.getType())) / 2, 2}));
      mlir::Type whole = tt::withElementType(halves.getOutLHS().getType(), builder.getIntegerType(width * 2));
      Value high =
          create<arith::ShLIOp>(create<arith::ExtUIOp>(whole, halves.getOutRHS()), constantOf(whole, int64_t(width)));
      value = create<arith::OrIOp>(high, create<arith::ExtUIOp>(whole, halves.getOutLHS()));
    }
  }
  return setResult(op, value.getType() == to ? value : create<tt::BitcastOp>(to, value));
}

} // namespace tilecc::tileir
