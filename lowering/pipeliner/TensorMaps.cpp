//===- TensorMaps.cpp - copies by the tensor memory accelerator from pointers ---------------------------------------------===//
//
// See the header. cuTensorMapEncodeTiled takes null for the tensor's address, and distances between rows that are shorter or
// longer than a row; H200s copy by such maps (measured: any row distance that is a multiple of 16 bytes, 0 included).
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/pipeliner/TensorMaps.h"
#include "lowering/analysis/AccessWidth.h"
#include "lowering/dialects/ttng/TTNG.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

/// The steps of the two axes that addresses are coordinates of, and how many there are.
static constexpr int64_t unitBits = 4, lowBits = 31, highBits = 13;
static constexpr int64_t maxRows = 256, maxDistance = int64_t(1) << 40;

static int64_t getBytes(Type element) { return element.getIntOrFloatBitWidth() / 8; }

std::optional<TensorMapShape> pipeline::getTensorMapShape(tt::LoadOp load, ttg::MemDescType tile,
                                                          const AxisInfoAnalysis &axisInfo) {
  auto encoding = dyn_cast<ttg::NVMMASharedEncodingAttr>(tile.getEncoding());
  if (!encoding || encoding.getRank() != 2 || encoding.getSwizzlingByteWidth() == 0 || load.getMask() ||
      load.getIsVolatile())
    return std::nullopt;
  auto strides = getStrides(load.getPtr());
  int64_t bytes = getBytes(tile.getElementType()), unit = int64_t(1) << unitBits;
  unsigned along = encoding.getContiguousAxis();
  if (!strides || !((*strides)[along] == Stride{1, Value()}) ||
      getAccessibleNeighbours(axisInfo, load.getPtr()) * bytes < unit)
    return std::nullopt;
  TensorMapShape shape{tile.getDimSize(1 - along), tile.getDimSize(along), (*strides)[1 - along], {}};
  int64_t distance = shape.distance.factor * bytes, divisibility = 1;
  if (shape.distance.value) {
    if (!isa<tt::FuncOp>(cast<BlockArgument>(shape.distance.value).getOwner()->getParentOp()))
      return std::nullopt;
    divisibility = axisInfo.get(shape.distance.value).getDivisibility(0);
  }
  if (shape.rows > maxRows || distance < 0 || distance >= maxDistance || distance * divisibility % unit != 0)
    return std::nullopt;
  Attribute rowMajor = along == 0 ? cast<ttg::SharedEncoding>(tile.getEncoding()).permute({1, 0}) : Attribute(encoding);
  shape.rowMajor = ttg::MemDescType::get({shape.rows, shape.columns}, tile.getElementType(), rowMajor,
                                         tile.getMemorySpace(), /*mutableMemory=*/true);
  return shape;
}

Value pipeline::getTensorMap(tt::FuncOp func, const TensorMapShape &shape) {
  Builder builder(func.getContext());
  auto encoding = cast<ttg::NVMMASharedEncodingAttr>(shape.rowMajor.getEncoding());
  Type element = shape.rowMajor.getElementType();
  int64_t bytes = getBytes(element);
  Stride distance = shape.distance;
  auto number = [&](int64_t value) { return builder.getI32IntegerAttr(value); };
  auto numbers = [&](ArrayRef<int64_t> values) { return builder.getDenseI64ArrayAttr(values); };
  // As cuTensorMapEncodeTiled has it: the axis that varies fastest first.
  auto map = builder.getDictionaryAttr({
      builder.getNamedAttr("bytes", number(bytes)),
      builder.getNamedAttr("swizzle", number(encoding.getSwizzlingByteWidth())),
      builder.getNamedAttr("sizes", numbers({shape.columns, shape.rows, int64_t(1) << lowBits, int64_t(1) << highBits})),
      builder.getNamedAttr("box", numbers({encoding.getRowElements(), shape.rows, 1, 1})),
      builder.getNamedAttr("strides", numbers({distance.factor * bytes, int64_t(1) << unitBits,
                                               int64_t(1) << (unitBits + lowBits)})),
      builder.getNamedAttr("parameter",
                           number(distance.value ? cast<BlockArgument>(distance.value).getArgNumber() : -1)),
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
  auto block = RankedTensorType::get({1, 1, shape.rows, shape.columns}, element, ofMap);
  if (failed(func.insertArgument(func.getNumArguments(), tt::TensorDescType::get(block), {}, func.getLoc())))
    llvm_unreachable("a kernel takes more arguments");
  return func.getArguments().back();
}

void pipeline::createTensorMapCopy(OpBuilder &builder, tt::LoadOp load, const TensorMapShape &shape, Value map, Value first,
                                   Value tile, Value barrier) {
  Location loc = load.getLoc();
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  auto constant = [&](Type type, int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
  };
  Value address = tt::PtrToIntOp::create(builder, loc, i64, first);
  auto bits = [&](int64_t begin, int64_t count) -> Value {
    Value shifted = arith::ShRUIOp::create(builder, loc, address, constant(i64, begin));
    Value masked = arith::AndIOp::create(builder, loc, shifted, constant(i64, (int64_t(1) << count) - 1));
    return arith::TruncIOp::create(builder, loc, i32, masked);
  };
  Value zero = constant(i32, 0);
  SmallVector<Value> coordinates = {bits(unitBits + lowBits, highBits), bits(unitBits, lowBits), zero, zero};
  if (shape.rowMajor != tile.getType())
    tile = ttg::MemDescTransOp::create(builder, loc, shape.rowMajor, tile, ArrayRef<int32_t>{1, 0});
  ttng::AsyncTMACopyGlobalToLocalOp::create(builder, loc, map, coordinates, barrier, tile,
                                            arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true)),
                                            load.getCache(), load.getEvict(), /*isVolatile=*/false);
}
