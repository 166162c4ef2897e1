//===- EmitMap.cpp - functions of single elements ----------------------------------------------------------------===//
//
// This file emits tt.map_elementwise. Its function may have control flow, and may process several adjacent elements at
// once.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/Roots.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

/// Applies the function to `args` at a chunk, and writes each result to its part of a buffer.
static void emitCall(const RootParts &parts, tt::MapElementwiseOp op, const Chunk &c, const Values &args,
                     ArrayRef<Buffer> results) {
  for (auto [buffer, value] : llvm::zip_equal(results, parts.regions.apply(op.getScalarOp(), args))) {
    if (c.isVector() && !value->getType()->isVectorTy()) // uniform
      value = parts.ctx.splat(value, c.lanes);
    if (buffer.ptr)
      parts.buffers.write(buffer, c, value);
  }
}

/// Emits a function of `pack` adjacent elements in row-major order. Every pack-th element of a buffer is on a line with
/// a stride of `pack`, and a chunk reads several elements of that line. If the tile has fewer than `pack` elements, the
/// function gets the last element repeatedly.
static void emitPacked(const RootParts &parts, tt::MapElementwiseOp op, ArrayRef<Buffer> results, int vecDim) {
  const int64_t pack = op.getPack(), total = results.front().type.getNumElements();
  const int64_t shape[] = {std::max<int64_t>(1, total / pack)};
  auto getLine = [&](const Buffer &buffer, int64_t k) {
    Type element = buffer.type.getElementType();
    return Buffer{parts.b.CreateConstInBoundsGEP1_64(parts.ctx.storageType(element), buffer.ptr, k),
                  RankedTensorType::get(shape, element),
                  {pack}};
  };
  Buffers::Scope scope(parts.buffers);
  SmallVector<Buffer> from, to;
  for (Value source : op.getSrcs()) {
    Buffer buffer = parts.buffers.lookup(source);
    if (!buffer.ptr) {
      buffer = parts.buffers.allocate(tileType(source));
      parts.nests.storeTile(op, source, buffer);
    }
    for (int64_t k = 0; k < pack; ++k)
      from.push_back(getLine(buffer, std::min(k, total - 1)));
  }
  for (const Buffer &buffer : results)
    for (int64_t k = 0; k < pack; ++k)
      to.push_back(k < total ? getLine(buffer, k) : Buffer());
  parts.nests.emit({nullptr, shape, {}, vecDim, [&](const Chunk &c) {
                      Values args;
                      for (const Buffer &line : from)
                        args.push_back(parts.buffers.read(line, c));
                      emitCall(parts, op, c, args, to);
                    }});
}

void cpu::emitMap(const RootParts &parts, tt::MapElementwiseOp op) {
  SmallVector<Value> demands(op.getSrcs());
  SmallVector<Buffer> results;
  for (Value result : op.getResults())
    results.push_back(parts.buffers.destinationOf(result));
  int vecDim = isVectorizable(op.getScalarOp()) ? Nest::choose : -1;
  if (op.getPack() != 1)
    emitPacked(parts, op, results, vecDim);
  else
    parts.nests.emit({op, tileType(op.getSrcs().front()).getShape(), demands, vecDim,
                      [&](const Chunk &c) { emitCall(parts, op, c, parts.vec(op.getSrcs(), c), results); }});
  for (auto [result, buffer] : llvm::zip_equal(op.getResults(), results))
    parts.buffers.set(result, buffer);
}
