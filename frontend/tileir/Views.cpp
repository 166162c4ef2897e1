//===- Views.cpp - translates views of CUDA Tile IR ---------------------------------------------------------------===//
//
// An access through a view becomes an access through a tile of pointers with a mask, as for the cuda::tiles views of
// C++ sources (tilecc/tiles/views.h). Every target supports such accesses, and passes convert them to tensor maps where
// these are faster. The start of a tile is computed in 64 bits. Indices within the tile are computed in 32 bits, unless
// the tensor has a 64-bit size. Bounds checks are unsigned comparisons.
//
// Views of batches have axes of size 1, which the tile of pointers omits: (1, 1, 64, 64) is accessed as a matrix,
// because other passes handle matrices better.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/tileir/Translator.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tilecc::tileir {

/// Converts a size or an index to an integer of `type`.
Value Translator::extentAs(const Extent &extent, mlir::Type type) {
  if (!extent.value)
    return constantOf(type, extent.constant);
  unsigned have = extent.value.getType().getIntOrFloatBitWidth(), want = type.getIntOrFloatBitWidth();
  if (have == want)
    return extent.value;
  return have < want ? create<arith::ExtSIOp>(type, extent.value) : create<arith::TruncIOp>(type, extent.value);
}

LogicalResult Translator::makeView(const Operation &op) {
  if (op.results.size() != 1 || !typeOf(op.results[0]).isView())
    return error(op) << "the result is not a view";
  const Type &type = typeOf(op.results[0]);
  bool isTensor = op.op() == Op::MakeTensorView;
  if (isTensor != (type.kind == Type::TensorView))
    return error(op) << "the result has the type " << type.print();
  View view;
  if (isTensor) {
    view.base = get(op.operand("base"));
    if (type.element->bits() == 4)
      return unsupported(op, "a view of elements of 4 bits");
    mlir::Type element = convertElement(*type.element);
    if (!element)
      return failure();
    if (view.base.getType() != tt::PointerType::get(element))
      return error(op) << "the base is not a pointer to elements of " << type.print();
    for (auto [sizes, name, extents] :
         {std::tuple(&type.shape, "shape", &view.shape), {&type.strides, "strides", &view.strides}}) {
      ArrayRef<ValueId> given = op.all(name);
      for (int64_t size : *sizes) {
        if (size != dynamic) {
          extents->push_back({size, {}});
          continue;
        }
        if (given.empty() || !isa<IntegerType>(get(given.front()).getType()))
          return error(op) << "an integer is missing for a size or stride that the type does not specify";
        extents->push_back({0, get(given.front())});
        given = given.drop_front();
      }
      if (!given.empty())
        return error(op) << "there are more sizes or strides than the type leaves open";
    }
  } else {
    view = views.lookup(op.operand("view"));
    if (type.element != view.type)
      return error(op) << "it is made of a " << view.type->print() << ", and of another by its type";
  }
  view.type = &type;
  views[op.results[0]] = view;
  return success();
}

LogicalResult Translator::askView(const Operation &op) {
  View view = views.lookup(op.operand("view"));
  bool isTensor = view.type->kind == Type::TensorView;
  if (isTensor != (op.op() == Op::GetTensorShape) || op.results.size() != view.type->shape.size())
    return error(op) << "it cannot be applied to a " << view.type->print();
  if (view.type->kind == Type::GatherScatterView)
    return unsupported(op, "a gather_scatter_view");
  for (auto [i, id] : llvm::enumerate(op.results)) {
    mlir::Type type = convert(typeOf(id));
    if (!isa<IntegerType>(type))
      return error(op) << "the results are not integers";
    Value size = extentAs(view.shape[isTensor ? i : view.type->dimMap[i]], type);
    if (!isTensor) { // counts the tiles that start inside the tensor
      int64_t step = view.type->kind == Type::StridedView ? view.type->strides[i] : view.type->shape[i];
      size = create<arith::AddIOp>(size, constantOf(type, step - 1));
      size = create<arith::DivSIOp>(size, constantOf(type, step));
    }
    set(id, size);
  }
  return success();
}

/// Returns the sizes that are larger than 1.
static SmallVector<int64_t> squeeze(ArrayRef<int64_t> shape) {
  return llvm::to_vector(llvm::make_filter_range(shape, [](int64_t size) { return size > 1; }));
}

/// Returns the pointers to the elements of a tile of a view, in the squeezed shape, and the mask of the bounds check,
/// which may be null.
FailureOr<std::pair<Value, Value>> Translator::address(const Operation &op, const View &view) {
  ArrayRef<ValueId> index = op.all("index");
  ArrayRef<int64_t> shape = view.type->shape, inbounds = op.attribute("inbounds").integers;
  bool isSparse = view.type->kind == Type::GatherScatterView;
  if (index.size() != shape.size() || shape.empty() || (!inbounds.empty() && inbounds.size() != shape.size())) {
    error(op) << "a tile of " << view.type->print() << " is picked by " << index.size() << " indices";
    return failure();
  }
  for (auto [axis, id] : llvm::enumerate(index)) {
    bool isLine = isSparse && axis == view.type->sparseDim;
    mlir::Type type = get(id).getType();
    if (!isa<IntegerType>(getElementTypeOrSelf(type)) ||
        (isLine ? shapeOf(type) != shape.slice(axis, 1) : isa<RankedTensorType>(type))) {
      error(op) << "index " << axis << " has the type " << typeOf(id).print();
      return failure();
    }
  }

  mlir::Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  Value base = view.base, scalarMask, mask;
  SmallVector<Value> offsets; // of elements, one per axis
  const SmallVector<int64_t> squeezed = squeeze(shape);
  unsigned nextAxis = 0; // of the squeezed shape
  for (auto [axis, id] : llvm::enumerate(index)) {
    int64_t size = shape[axis], dim = isSparse ? int64_t(axis) : view.type->dimMap[axis];
    const Extent &extent = view.shape[dim], &stride = view.strides[dim];
    bool isWide = extent.value ? extent.value.getType().isInteger(64) : extent.constant > INT32_MAX;
    mlir::Type within = isWide ? i64 : i32;
    const unsigned squeezedAxis = size > 1 ? nextAxis++ : nextAxis;
    auto along = [&](Value line) { return tt::createSpread(builder, loc, line, squeezedAxis, squeezed); };
    auto lineOf = [&](mlir::Type element) { return RankedTensorType::get(size, element); };
    auto addMask = [&](Value line) {
      Value inside = create<arith::CmpIOp>(arith::CmpIPredicate::ult, line, splat(extentAs(extent, within), {size}));
      inside = along(inside);
      mask = mask ? create<arith::AndIOp>(mask, inside) : inside;
    };
    bool isSafe = !inbounds.empty() && inbounds[axis];
    auto widen = [&](Value value, mlir::Type type) {
      unsigned have = getElementTypeOrSelf(value).getIntOrFloatBitWidth(),
               want = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
      return have == want  ? value
             : have > want ? create<arith::TruncIOp>(type, value)
             : isWide      ? create<arith::ExtUIOp>(type, value) // indices are unsigned
                           : create<arith::ExtSIOp>(type, value); // both extensions exceed every 32-bit size
    };

    const bool isLine = isSparse && axis == view.type->sparseDim;
    if (isLine && size > 1) {
      Value rows = widen(get(id), lineOf(i64));
      offsets.push_back(along(create<arith::MulIOp>(rows, splat(extentAs(stride, i64), {size}))));
      if (!isSafe)
        addMask(widen(get(id), lineOf(within)));
      continue;
    }
    int64_t step = isSparse ? 1 : view.type->kind == Type::StridedView ? view.type->strides[axis] : size;
    Value picked = isLine ? reshape(get(id), {}) : get(id);
    Value start = widen(picked, i64);
    if (step != 1)
      start = create<arith::MulIOp>(start, constantOf(i64, step));
    bool isUnit = !stride.value && stride.constant == 1;
    base = create<tt::AddPtrOp>(base.getType(), base,
                                isUnit ? start : create<arith::MulIOp>(start, extentAs(stride, i64)));
    Value range;
    if (size > 1) {
      range = create<tt::MakeRangeOp>(lineOf(i32), 0, int32_t(size));
      Value places = isWide ? create<arith::ExtSIOp>(lineOf(i64), range) : range;
      range = places;
      if (!isUnit)
        places = create<arith::MulIOp>(places, splat(extentAs(stride, within), {size}));
      offsets.push_back(along(places));
    }
    if (isSafe)
      continue;
    // If tiles start at multiples of their size, and that size divides the size of the tensor, one check covers the
    // whole tile. Otherwise, each index is checked.
    Value narrowStart = start;
    if (!isWide) {
      narrowStart = widen(picked, i32);
      if (step != 1)
        narrowStart = create<arith::MulIOp>(narrowStart, constantOf(i32, step));
    }
    bool isWhole = size == 1 || (step == size && !extent.value && extent.constant % size == 0);
    if (isWhole) {
      Value inside = create<arith::CmpIOp>(arith::CmpIPredicate::ult, narrowStart, extentAs(extent, within));
      scalarMask = scalarMask ? create<arith::AndIOp>(scalarMask, inside) : inside;
    } else {
      addMask(create<arith::AddIOp>(range, splat(narrowStart, {size})));
    }
  }
  if (scalarMask) {
    Value whole = splat(scalarMask, squeezed);
    mask = mask ? create<arith::AndIOp>(mask, whole) : whole;
  }
  Value pointers = splat(base, squeezed);
  for (Value offset : offsets)
    pointers = create<tt::AddPtrOp>(pointers.getType(), pointers, offset);
  return std::pair(pointers, mask);
}

/// Returns the value of elements outside the tensor; null if the view does not specify a value.
FailureOr<Value> Translator::paddingOf(const Operation &op, const View &view, mlir::Type tile) {
  if (!view.type->padding)
    return Value();
  auto padding = *view.type->padding;
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(tile));
  if (!element) {
    bool isNarrow = view.type->element->element->isNarrow();
    if (isNarrow && padding == Type::NaN)
      return splat(constantOf(getElementTypeOrSelf(tile), int64_t(-1)), shapeOf(tile));
    if (padding != Type::Zero)
      return unsupported(op, "this padding of integers");
    return create<arith::ConstantOp>(builder.getZeroAttr(tile));
  }
  const llvm::fltSemantics &semantics = element.getFloatSemantics();
  bool isInfinite = padding == Type::PositiveInfinity || padding == Type::NegativeInfinity;
  if (isInfinite && !APFloat::semanticsHasInf(semantics))
    return unsupported(op, "an infinite padding of " + view.type->print());
  APFloat value = isInfinite             ? APFloat::getInf(semantics, padding == Type::NegativeInfinity)
                  : padding == Type::NaN ? APFloat::getNaN(semantics)
                                         : APFloat::getZero(semantics, padding == Type::NegativeZero);
  Value number = create<arith::ConstantOp>(builder.getFloatAttr(element, value));
  return splat(number, shapeOf(tile));
}

LogicalResult Translator::accessView(const Operation &op) {
  addHints(op.attribute("hints"));
  View view = views.lookup(op.operand("view"));
  if (view.type->kind == Type::TensorView)
    return error(op) << "a tile cannot be picked from a " << view.type->print();
  auto place = address(op, view);
  if (failed(place))
    return failure();
  auto [pointers, mask] = *place;
  if (op.op() != Op::LoadViewTko) {
    Value value = get(op.operand("value"));
    if (shapeOf(value.getType()) != ArrayRef(view.type->shape))
      return error(op) << "it takes a tile of the shape of " << view.type->print();
    value = reshape(value, squeeze(view.type->shape));
    return op.op() == Op::StoreViewTko ? store(op, pointers, value, mask)
                                       : LogicalResult(rmw(op, pointers, value, mask));
  }
  auto padding = paddingOf(op, view, tt::getPointeeType(pointers.getType()));
  if (failed(padding) || op.results.empty())
    return failure();
  auto loaded = load(op, pointers, mask, mask ? *padding : Value());
  return succeeded(loaded) ? setResult(op, reshape(*loaded, view.type->shape)) : failure();
}

} // namespace tilecc::tileir
