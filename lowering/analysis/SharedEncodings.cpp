//===- SharedEncodings.cpp - chooses how a tile is swizzled in shared memory --------------------------------------===//
//
// Swizzles are a small family, and their cost can be counted: the number of instructions that a warp needs, times the
// 128-byte wavefronts of each. The usual best is tried first: chunks of 16 bytes, permuted so that the eight rows of a
// matrix instruction cover all banks. If that does not reach the minimum, the whole family is searched.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/SharedEncodings.h"
#include "lowering/analysis/DataMovement.h"
#include "lowering/layouts/SharedAccess.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;

SmallVector<unsigned> tilecc::getMemoryOrder(RankedTensorType tile) {
  LinearLayout layout = ttg::toLinearLayout(tile);
  llvm::SmallSetVector<unsigned, 4> order;
  for (Dim dim : {Dim::Register, Dim::Lane})
    for (unsigned bit = 0; bit < layout.getInBits(dim); ++bit)
      for (unsigned d = 0; d < tile.getRank(); ++d)
        if (layout.getBasis(dim, bit, axis(d)))
          order.insert(d);
  for (unsigned d = tile.getRank(); d-- > 0;)
    order.insert(d);
  return order.takeVector();
}

SmallVector<unsigned> tilecc::getStoreOrder(RankedTensorType tile) {
  SmallVector<unsigned> order = getMemoryOrder(tile);
  if (tt::getElementBits(tile.getElementType()) != 16)
    return order;
  LinearLayout layout = ttg::toLinearLayout(tile);
  auto countNeighbours = [&](unsigned d) {
    uint32_t count = 1;
    for (unsigned bit = 0; bit < layout.getInBits(Dim::Register); ++bit)
      count <<= layout.getBasis(Dim::Register, bit, axis(d)) == count;
    return count;
  };
  unsigned *most =
      llvm::max_element(order, [&](unsigned a, unsigned b) { return countNeighbours(a) < countNeighbours(b); });
  std::rotate(order.begin(), most, most + 1);
  return order;
}

bool tilecc::makesMatrixOperand(ttg::ConvertLayoutOp convert) {
  auto isOperand = [](Type type) {
    auto encoding = dyn_cast<ttg::DotOperandEncodingAttr>(cast<RankedTensorType>(type).getEncoding());
    return encoding && encoding.getMatrixUnit();
  };
  if (isOperand(convert.getType()))
    return true;
  return !convert->use_empty() && llvm::all_of(convert->getUsers(), [&](Operation *user) {
    auto trans = dyn_cast<tt::TransOp>(user);
    return trans && isOperand(trans.getType()) && planMovement(trans).kind == ConversionPlan::Kind::Registers;
  });
}

namespace {
struct Swizzling {
  unsigned vec, perPhase, maxPhase;
};
} // namespace

/// Returns the wavefronts for a warp to load all its registers of `tile`.
static unsigned countWavefronts(RankedTensorType tile, const LinearLayout &layout, Swizzling swizzling,
                                ArrayRef<unsigned> order, unsigned elementBytes) {
  auto encoding = ttg::SwizzledSharedEncodingAttr::get(tile.getContext(), swizzling.vec, swizzling.perPhase,
                                                       swizzling.maxPhase, order);
  LinearLayout inMemory = encoding.toLinearLayout(tile.getShape());
  SharedAccess access(layout.compose(inMemory.invert()), elementBytes, 1u << inMemory.getTotalInBits(),
                      /*mayUseMatrices=*/true);
  return access.getRegisters().size() * access.countWavefronts(elementBytes);
}

ttg::SwizzledSharedEncodingAttr tilecc::chooseSharedEncoding(RankedTensorType tile, ArrayRef<unsigned> order) {
  LinearLayout layout = ttg::toLinearLayout(tile);
  unsigned bytes = getBytesInMemory(tile.getElementType()), row = tile.getDimSize(order[0]);
  unsigned rows = order.size() > 1 ? tile.getDimSize(order[1]) : 1;
  // The loads of different lanes exceed one wavefront by this factor.
  unsigned lanes = layout.getInBits(Dim::Lane) - llvm::popcount(layout.getFreeBits(Dim::Lane));
  unsigned ideal = std::max(1u, (bytes << (layout.getInBits(Dim::Register) + lanes)) / 128);

  unsigned vec = std::clamp(16 / bytes, 1u, row), perPhase = std::max(1u, 128 / (row * bytes));
  auto limited = [&](unsigned vec, unsigned perPhase, unsigned maxPhase) {
    return Swizzling{vec, perPhase, std::clamp(maxPhase, 1u, std::min(row / vec, std::max(1u, rows / perPhase)))};
  };
  Swizzling best = limited(vec, perPhase, std::max(1u, 8 / perPhase));
  unsigned least = countWavefronts(tile, layout, best, order, bytes);
  for (unsigned wider = vec; least > ideal && wider <= std::min(4 * vec, row); wider *= 2)
    for (unsigned phases = 1; phases <= 8; phases *= 2)
      for (unsigned rowsOfPhase = 1; rowsOfPhase <= 8; rowsOfPhase *= 2) {
        Swizzling candidate = limited(wider, rowsOfPhase, phases);
        unsigned cost = countWavefronts(tile, layout, candidate, order, bytes);
        if (cost < least) {
          least = cost;
          best = candidate;
        }
      }
  return ttg::SwizzledSharedEncodingAttr::get(tile.getContext(), best.vec, best.perPhase, best.maxPhase, order);
}
