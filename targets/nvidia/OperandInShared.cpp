//===- OperandInShared.cpp - matrix descriptors of operands in shared memory --------------------------------------===//
//
// The patterns of wgmma (hopper/WarpGroupDot.cpp) and tcgen05 (blackwell/TensorCorePatterns.cpp) use this class.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/OperandInShared.h"

using namespace mlir;
using namespace tilecc;

Value tilecc::getDescriptorAddress(OpBuilder &builder, Location loc, Value address) {
  Value mask = constantI32(builder, loc, 0x3ffff), four = constantI32(builder, loc, 4);
  return LLVM::LShrOp::create(builder, loc, LLVM::AndOp::create(builder, loc, address, mask), four);
}

OperandInShared::OperandInShared(OpBuilder &builder, Location loc, ttg::MemDescType type, SharedTile tile,
                                 unsigned alongK, MatrixUnit unit)
    : builder(builder), loc(loc), encoding(cast<ttg::NVMMASharedEncodingAttr>(type.getEncoding())), alongK(alongK),
      unit(unit) {
  ArrayRef<int64_t> shape = type.getShape();
  elementBytes = encoding.getElementBitWidth() / 8;
  rowBytes = encoding.getRowBytes();
  boxBytes = shape[1 - encoding.getContiguousAxis()] * rowBytes;
  Value address = LLVM::PtrToIntOp::create(builder, loc, builder.getI32Type(), tile.base);
  base = LLVM::OrOp::create(builder, loc, getDescriptorAddress(builder, loc, address),
                            constantI32(builder, loc, uint32_t(getShape())));
}

Value OperandInShared::getDescriptor(unsigned k, unsigned line, Value moved) {
  uint64_t units = getOffset(k, line) >> 4;
  Value lower = base;
  if (moved)
    lower = LLVM::AddOp::create(builder, loc, lower, moved);
  if (units)
    lower = LLVM::AddOp::create(builder, loc, lower, constantI32(builder, loc, units));
  Type i64 = builder.getI64Type();
  Value upper = LLVM::ConstantOp::create(builder, loc, i64, builder.getI64IntegerAttr(getShape() >> 32 << 32));
  return LLVM::OrOp::create(builder, loc, LLVM::ZExtOp::create(builder, loc, i64, lower), upper);
}

Value OperandInShared::getDistance(Value group, unsigned lines) const {
  unsigned perRow = encoding.getRowElements();
  auto times = [&](Value value, uint64_t factor) -> Value {
    return arith::MulIOp::create(builder, loc, value, constantI32(builder, loc, factor));
  };
  if (isKMajor() || lines % perRow == 0)
    return times(group, getOffset(0, lines) >> 4);
  Value line = times(group, lines);
  Value row = arith::DivUIOp::create(builder, loc, line, constantI32(builder, loc, perRow));
  Value inRow = arith::RemUIOp::create(builder, loc, line, constantI32(builder, loc, perRow));
  Value bytes = arith::AddIOp::create(builder, loc, times(row, boxBytes), times(inRow, elementBytes));
  return arith::DivUIOp::create(builder, loc, bytes, constantI32(builder, loc, 16));
}

/// Returns the offset in bytes from the beginning of the tile, before the swizzle.
uint64_t OperandInShared::getOffset(unsigned k, unsigned line) const {
  uint64_t along = isKMajor() ? k : line, across = isKMajor() ? line : k, perRow = encoding.getRowElements();
  return along / perRow * boxBytes + across * rowBytes + along % perRow * elementBytes;
}

/// Returns all fields of the descriptor except the address: the stride between boxes, if a box does not contain all
/// lines; the stride between groups of eight rows; and the swizzle, for which tcgen05 has other codes. For tcgen05,
/// there is also a version field.
uint64_t OperandInShared::getShape() const {
  unsigned width = encoding.getSwizzlingByteWidth();
  uint64_t leading = isKMajor() ? 1 : boxBytes >> 4, stride = 8 * rowBytes >> 4;
  uint64_t strides = stride << 32 | leading << 16;
  if (unit == MatrixUnit::Wgmma)
    return uint64_t(width == 128 ? 1 : width == 64 ? 2 : width == 32 ? 3 : 0) << 62 | strides;
  constexpr uint64_t version = uint64_t(1) << 46;
  return uint64_t(width == 128 ? 2 : width == 64 ? 4 : width == 32 ? 6 : 0) << 61 | version | strides;
}
