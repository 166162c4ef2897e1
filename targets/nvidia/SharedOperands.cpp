//===- SharedOperands.cpp - operands that a matrix unit reads from shared memory ----------------------------------===//

#include "targets/nvidia/SharedOperands.h"
#include "lowering/analysis/SharedEncodings.h"
#include "targets/nvidia/Architectures.h"

using namespace mlir;
using namespace tilecc;

Value SharedOperands::getSource(Value operand) {
  while (auto convert = operand.getDefiningOp<ttg::ConvertLayoutOp>())
    operand = convert.getSrc();
  return operand;
}

/// Returns true if the unit can contract such elements along an axis other than that of the rows.
static bool contractsAcrossRows(Operation *dot, Type element) {
  unsigned bits = tt::getElementBits(element);
  return bits == 16 || (bits == 8 && isa<FloatType>(element) && nvidia::hasFeature(dot, nvidia::Feature::TensorMemory));
}

/// Returns the axis along which adjacent registers hold adjacent elements of `tile`. For a block of a tensor, this is
/// the axis along which elements are adjacent in the memory to which the block is copied.
static unsigned getFastestAxis(Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  return tile.getDefiningOp<tt::DescriptorLoadOp>() ? type.getRank() - 1 : getStoreOrder(type)[0];
}

/// Returns the encoding of an operand of `dot`, where elements of the operand that are adjacent along `fastest` are
/// adjacent in memory. Returns null if the unit cannot read such an operand.
static ttg::NVMMASharedEncodingAttr getEncoding(Operation *dot, RankedTensorType type, unsigned fastest,
                                                unsigned contracted) {
  unsigned bits = tt::getElementBits(type.getElementType());
  if (fastest != contracted && !contractsAcrossRows(dot, type.getElementType()))
    return {};
  auto encoding =
      ttg::NVMMASharedEncodingAttr::getWidest(type.getContext(), type.getShape(), /*transposed=*/fastest == 0, bits);
  // Descriptors of rows of 16 bytes, which have no swizzle, have other strides, which are not supported.
  return encoding && encoding.getSwizzlingByteWidth() ? encoding : ttg::NVMMASharedEncodingAttr();
}

SharedOperands::Source SharedOperands::find(Value operand, unsigned contracted, bool inOrder) const {
  Value tile = getSource(operand);
  if (auto trans = tile.getDefiningOp<tt::TransOp>()) {
    tile = getSource(trans.getSrc());
    contracted = 1 - contracted;
  }
  auto type = cast<RankedTensorType>(tile.getType());
  return {tile, getEncoding(dot, type, inOrder ? getFastestAxis(tile) : contracted, contracted)};
}

Value SharedOperands::store(Value operand, Source source) {
  auto type = cast<RankedTensorType>(source.tile.getType());
  auto space = ttg::SharedMemorySpaceAttr::get(dot->getContext());
  auto memory = ttg::MemDescType::get(type.getShape(), type.getElementType(), source.encoding, space);
  // A tile from outside the loop is stored once, before the loop.
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(dot);
  if (source.tile.getParentBlock() != dot->getBlock())
    builder.setInsertionPointAfterValue(source.tile);
  Value stored = ttg::LocalAllocOp::create(builder, dot->getLoc(), memory, source.tile, IntegerAttr());
  if (!getSource(operand).getDefiningOp<tt::TransOp>())
    return stored;
  builder.setInsertionPoint(dot);
  auto transposed = ttg::MemDescType::get({type.getDimSize(1), type.getDimSize(0)}, type.getElementType(),
                                          source.encoding.permute({1, 0}), space);
  return ttg::MemDescTransOp::create(builder, dot->getLoc(), transposed, stored, builder.getDenseI32ArrayAttr({1, 0}));
}
