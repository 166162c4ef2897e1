//===- TTDescriptorOps.cpp - accesses by tensor descriptors -------------------------------------------------------===//
//
// Verifiers and memory effects of operations on tensor descriptors.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/tt/ImageBlocks.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::tt;

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static void addEffect(Effects &effects, MemoryEffects::Effect *effect, OpOperand &descriptor) {
  effects.emplace_back(effect, &descriptor, SideEffects::DefaultResource::get());
}

// <tensor<64x64xf16, #shared>>, or <64x64xf16, #shared>
Type TensorDescType::parse(AsmParser &parser) {
  SMLoc start = parser.getCurrentLocation();
  Type block;
  if (parser.parseLess())
    return {};
  if (OptionalParseResult tensor = parser.parseOptionalType(block); tensor.has_value()) {
    if (failed(*tensor))
      return {};
  } else {
    SmallVector<int64_t> shape;
    Type element;
    Attribute encoding;
    if (parser.parseDimensionList(shape, /*allowDynamic=*/false) || parser.parseType(element) ||
        (succeeded(parser.parseOptionalComma()) && parser.parseAttribute(encoding)))
      return {};
    block = parser.getChecked<RankedTensorType>(start, shape, element, encoding);
    if (!block)
      return {};
  }
  auto tensor = dyn_cast<RankedTensorType>(block);
  if (!tensor) {
    parser.emitError(start) << "a descriptor is one of blocks, as in <64x64xf16>, not of " << block;
    return {};
  }
  return parser.parseGreater() ? Type() : get(tensor);
}

void TensorDescType::print(AsmPrinter &printer) const { printer << "<" << getBlockType() << ">"; }

RankedTensorType TensorDescType::getSignlessBlockType() const {
  RankedTensorType block = getBlockType();
  auto integer = dyn_cast<IntegerType>(block.getElementType());
  return integer ? block.clone(IntegerType::get(getContext(), integer.getWidth())) : block;
}

LogicalResult MakeTensorDescOp::verify() {
  RankedTensorType block = getType().getSignlessBlockType();
  if (int64_t(getShape().size()) != block.getRank())
    return emitOpError("has ") << getShape().size() << " sizes and strides for blocks of rank " << block.getRank();
  if (getBase().getType().getPointeeType() != block.getElementType())
    return emitOpError("describes elements of type ")
           << block.getElementType() << " at a pointer to " << getBase().getType().getPointeeType();
  if (getPadding() == PaddingOption::PAD_NAN && !isa<FloatType>(block.getElementType()))
    return emitOpError("pads with NaNs, which ") << block.getElementType() << " has none of";
  return success();
}

/// Verifies that a tile that is read or written matches the block, except for its encoding and leading axes of size
/// one.
static LogicalResult verifyBlock(Operation *op, TensorDescType desc, Type tile, size_t numIndices) {
  RankedTensorType block = desc.getSignlessBlockType(), type = cast<RankedTensorType>(tile);
  if (int64_t(numIndices) != block.getRank())
    return op->emitOpError("has ") << numIndices << " indices of blocks of rank " << block.getRank();
  ArrayRef<int64_t> shape = block.getShape();
  bool isBlock = shape.size() >= type.getShape().size() && shape.take_back(type.getRank()) == type.getShape() &&
                 llvm::all_of(shape.drop_back(type.getRank()), [](int64_t size) { return size == 1; });
  if (!isBlock || type.getElementType() != block.getElementType())
    return op->emitOpError("has the tile ") << type << " for a block " << block;
  return success();
}

LogicalResult DescriptorLoadOp::verify() {
  size_t numIndices = getIndices().size();
  return verifyBlock(*this, getDesc().getType(), getType(), numIndices - countOffsets(getDesc().getType(), numIndices));
}
LogicalResult DescriptorStoreOp::verify() {
  return verifyBlock(*this, getDesc().getType(), getSrc().getType(), getIndices().size());
}
LogicalResult DescriptorReduceOp::verify() {
  Type element = getDesc().getType().getBlockType().getElementType();
  bool isAdded = getKind() == DescriptorReduceKind::ADD;
  bool isCompared = getKind() == DescriptorReduceKind::MIN || getKind() == DescriptorReduceKind::MAX;
  if (isa<FloatType>(element) && !isAdded && !(isCompared && !element.isF32()))
    return emitOpError("cannot combine elements of type ") << element << " by '" << stringifyEnum(getKind()) << "'";
  return verifyBlock(*this, getDesc().getType(), getSrc().getType(), getIndices().size());
}

static LogicalResult verifyRows(Operation *op, TensorDescType desc, Value offsets, Type tile) {
  RankedTensorType block = desc.getSignlessBlockType(), type = cast<RankedTensorType>(tile);
  auto rows = cast<RankedTensorType>(offsets.getType());
  if (block.getRank() != 2 || block.getDimSize(0) != 1)
    return op->emitOpError("needs a descriptor of single rows, not of ") << block;
  if (rows.getRank() != 1 || type.getRank() != 2 || type.getDimSize(0) != rows.getDimSize(0) ||
      type.getDimSize(1) != block.getDimSize(1) || type.getElementType() != block.getElementType())
    return op->emitOpError("has the tile ") << type << " for rows " << block << " named by " << rows;
  return success();
}

LogicalResult DescriptorGatherOp::verify() { return verifyRows(*this, getDesc().getType(), getXOffsets(), getType()); }
LogicalResult DescriptorScatterOp::verify() {
  return verifyRows(*this, getDesc().getType(), getXOffsets(), getSrc().getType());
}

void DescriptorLoadOp::getEffects(Effects &effects) {
  addEffect(effects, MemoryEffects::Read::get(), getDescMutable());
}
void DescriptorGatherOp::getEffects(Effects &effects) {
  addEffect(effects, MemoryEffects::Read::get(), getDescMutable());
}
void DescriptorStoreOp::getEffects(Effects &effects) {
  addEffect(effects, MemoryEffects::Write::get(), getDescMutable());
}
void DescriptorScatterOp::getEffects(Effects &effects) {
  addEffect(effects, MemoryEffects::Write::get(), getDescMutable());
}
void DescriptorReduceOp::getEffects(Effects &effects) {
  addEffect(effects, MemoryEffects::Read::get(), getDescMutable());
  addEffect(effects, MemoryEffects::Write::get(), getDescMutable());
}
