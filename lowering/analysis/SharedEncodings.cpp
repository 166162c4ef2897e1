//===- SharedEncodings.cpp - chooses the swizzle of tiles in shared memory ----------------------------------------===//
//
// There are few possible swizzles, and the cost of each can be computed: the number of instructions that a warp needs,
// times the number of 128-byte wavefronts of each instruction. The search first tries the swizzle that is usually the
// best: chunks of 16 bytes, permuted so that the eight rows of a matrix instruction cover all banks. If its cost is not
// the minimum, the search tries all other swizzles.
//
// Without matrix loads, the axis that is contiguous in shared memory determines the width of accesses. Loads are wide
// along the contracted axis, because a lane holds adjacent elements along it. Stores are wide along an axis along which
// the storing threads hold adjacent elements. All axes are tried, and the one with the least total cost of stores and
// loads is chosen.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/SharedEncodings.h"
#include "lowering/analysis/DataMovement.h"
#include "lowering/layouts/SharedAccess.h"
#include "targets/GpuFacts.h"
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

/// XORs the number of each unit of `vec` elements in a row with the row's phase, row / perPhase % maxPhase. If the
/// swizzle rotates, the phase is also XORed with the following bits of the row's number. Then rows whose distance is a
/// multiple of perPhase * maxPhase also have different phases, which helps threads that hold blocks of rows and write
/// such rows together.
struct Swizzling {
  unsigned vec, perPhase, maxPhase;
  bool rotates = false;
};

Attribute getEncoding(RankedTensorType tile, Swizzling swizzling, ArrayRef<unsigned> order) {
  auto [vec, perPhase, maxPhase, rotates] = swizzling;
  auto plain = ttg::SwizzledSharedEncodingAttr::get(tile.getContext(), vec, perPhase, maxPhase, order);
  if (!rotates)
    return plain;
  LinearLayout layout = plain.toLinearLayout(tile.getShape());
  // Give the later bits of the row's number the same columns as the bits of the first phases.
  SmallVector<uint64_t> columns(layout.getColumns(Dim::Offset));
  unsigned rowBits = llvm::Log2_32(tile.getDimSize(order[1])), first = llvm::Log2_32(tile.getDimSize(order[0])),
           skipped = llvm::Log2_32(perPhase), phaseBits = llvm::Log2_32(maxPhase), shift = 0;
  for (LinearLayout::Extent out : layout.getOuts()) {
    if (out.dim == axis(order[0]))
      break;
    shift += out.bits;
  }
  for (unsigned bit = skipped + phaseBits; phaseBits && bit < rowBits; ++bit)
    columns[first + bit] |= uint64_t(vec) << ((bit - skipped) % phaseBits) << shift;
  layout = LinearLayout(LinearLayout::Extents(layout.getIns()), LinearLayout::Extents(layout.getOuts()), columns);
  return ttg::SharedLinearEncodingAttr::get(tile.getContext(), layout, /*layoutAlignment=*/16);
}

/// Counts the wavefronts that a warp needs to access all its registers of a tile.
class WarpAccess {
public:
  WarpAccess(RankedTensorType tile, bool mayUseMatrices)
      : tile(tile), layout(ttg::toLinearLayout(tile)), bytes(getBytesInMemory(tile.getElementType())),
        mayUseMatrices(mayUseMatrices) {}

  /// Returns the number of wavefronts and the number of instructions.
  std::pair<unsigned, unsigned> count(Attribute encoding) const {
    LinearLayout inMemory = cast<ttg::SharedEncoding>(encoding).toLinearLayout(tile.getShape());
    SharedAccess access(layout.compose(inMemory.invert()), bytes, 1u << inMemory.getTotalInBits(), mayUseMatrices);
    unsigned instructions = access.getRegisters().size();
    return {instructions, instructions * access.countWavefronts(bytes)};
  }
  unsigned countWavefronts(Attribute encoding) const { return count(encoding).second; }

  /// Returns the number of wavefronts that are needed if all accesses are wide and have no bank conflicts.
  unsigned getFewestWavefronts() const {
    unsigned lanes = layout.getInBits(Dim::Lane) - llvm::popcount(layout.getFreeBits(Dim::Lane));
    return std::max(1u, (bytes << (layout.getInBits(Dim::Register) + lanes)) / 128);
  }

private:
  RankedTensorType tile;
  LinearLayout layout;
  unsigned bytes;
  bool mayUseMatrices;
};

struct Choice {
  Attribute encoding;
  unsigned wavefronts;
};

/// The swizzles of a search.
struct Family {
  unsigned leastBytes; ///< elements along `order[0]` that stay together take at least this many bytes
  unsigned maxPhases;
  bool rotates; ///< includes rotating swizzles
};

/// Returns the cheapest swizzle of a family. The swizzle that is usually the best is tried first.
Choice findSwizzle(RankedTensorType tile, ArrayRef<unsigned> order, Family family, unsigned fewest,
                   llvm::function_ref<unsigned(Attribute)> countWavefronts) {
  unsigned bytes = getBytesInMemory(tile.getElementType()), row = tile.getDimSize(order[0]);
  unsigned rows = order.size() > 1 ? tile.getDimSize(order[1]) : 1;
  unsigned vec = std::clamp(16 / bytes, 1u, row), perPhase = std::max(1u, 128 / (row * bytes));
  unsigned least = std::clamp(family.leastBytes / bytes, 1u, row);
  auto limited = [&](unsigned vec, unsigned perPhase, unsigned maxPhase, bool rotates = false) {
    return Swizzling{vec, perPhase, std::clamp(maxPhase, 1u, std::min(row / vec, std::max(1u, rows / perPhase))),
                     rotates};
  };
  Choice best;
  auto attempt = [&](Swizzling swizzling) {
    Attribute encoding = getEncoding(tile, swizzling, order);
    unsigned wavefronts = countWavefronts(encoding);
    if (!best.encoding || wavefronts < best.wavefronts)
      best = {encoding, wavefronts};
  };
  attempt(limited(vec, perPhase, std::max(1u, 8 / perPhase)));
  for (unsigned unit = least; best.wavefronts > fewest && unit <= std::min(4 * vec, row); unit *= 2)
    for (unsigned phases = 1; phases <= family.maxPhases; phases *= 2)
      for (unsigned rowsOfPhase = 1; rowsOfPhase <= 8; rowsOfPhase *= 2)
        for (bool rotates : {false, true})
          if (!rotates || (family.rotates && order.size() > 1))
            attempt(limited(unit, rowsOfPhase, phases, rotates));
  return best;
}

} // namespace

Attribute tilecc::chooseSharedEncoding(RankedTensorType tile, ArrayRef<unsigned> order) {
  WarpAccess load(tile, /*mayUseMatrices=*/true);
  // Asynchronous copies write 16 bytes at once.
  return findSwizzle(tile, order, {.leastBytes = 16, .maxPhases = 8, .rotates = false}, load.getFewestWavefronts(),
                     [&](Attribute encoding) { return load.countWavefronts(encoding); })
      .encoding;
}

Attribute tilecc::chooseSharedEncoding(RankedTensorType from, RankedTensorType to, const GpuFacts &facts) {
  if (facts.hasMatrixLoads) // the bank conflicts of stores are too few to justify a search
    return chooseSharedEncoding(to, getStoreOrder(from));
  WarpAccess store(from, /*mayUseMatrices=*/false), load(to, /*mayUseMatrices=*/false);
  auto countInstructions = [&](Attribute encoding) { return store.count(encoding).first + load.count(encoding).first; };
  auto countWavefronts = [&](Attribute encoding) {
    return store.countWavefronts(encoding) + load.countWavefronts(encoding);
  };
  // The order that allows the widest accesses comes first.
  SmallVector<unsigned> order = getMemoryOrder(from);
  SmallVector<std::pair<unsigned, SmallVector<unsigned>>> orders;
  for (unsigned i = 0; i < order.size(); ++i) {
    SmallVector<unsigned> first(order);
    std::rotate(first.begin(), first.begin() + i, first.begin() + i + 1);
    orders.push_back({countInstructions(getEncoding(to, {1, 1, 1}, first)), first});
  }
  llvm::sort(orders);
  const unsigned fewest = store.getFewestWavefronts() + load.getFewestWavefronts();
  Attribute best;
  unsigned least = std::numeric_limits<unsigned>::max();
  for (auto &[instructions, candidate] : orders) {
    if (instructions + fewest >= least)
      break;
    Choice choice =
        findSwizzle(to, candidate, {.leastBytes = 8, .maxPhases = 16, .rotates = true}, fewest, countWavefronts);
    if (unsigned cost = choice.wavefronts + countInstructions(choice.encoding); cost < least) {
      best = choice.encoding;
      least = cost;
    }
  }
  return best;
}
