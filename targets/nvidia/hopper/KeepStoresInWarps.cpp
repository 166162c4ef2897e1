//===- KeepStoresInWarps.cpp - every warp stores what it has of a product's result ----------------------------------------===//
//
// A product's result goes to memory by way of a layout in which neighbours are one thread's and lanes' beside each other. In a blocked
// layout warps come next, so that each warp stores rows that others hold: all threads wait for all at the conversion, twice a round, and
// warpgroups that had drifted apart are in step again. Here the warps keep the rows that they have, and the other rows of a lane's column
// are its registers: what a warp accesses at once is as wide as before, and the conversion stays within warps (ConversionPlan).
//
// Done for results of warpgroups' products, of which a warp has 16 whole rows, or a good part of each, in loops around those of the products
// (programs that make one tile after the other): attention of 1024 tokens gains 1 to 4 %, products of 4096^3 0 to 1 %. A program of one tile
// is 0 to 2 % slower by it (H200).
//
//===---------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
#include "targets/nvidia/Passes.h"
#include "lowering/passes/Rematerialization.h"
#include "lowering/pipeliner/LoopUtils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUKEEPSTORESINWARPS
#include "targets/nvidia/Passes.h.inc"
} // namespace tilecc

namespace {

/// What a warp stores of a row at once, at the least: the lines of the cache that it touches are whole.
constexpr unsigned leastBytesOfRow = 128;

/// `blocked`, the layout of a store, with the warps where `source` has them; null if that is not as good.
Attribute alignWarps(ttg::BlockedEncodingAttr blocked, RankedTensorType source) {
  LinearLayout from = ttg::toLinearLayout(source), to = blocked.toLinearLayout(source.getShape());
  ArrayRef<uint64_t> warps = from.getColumns(Dim::Warp);
  uint64_t taken = 0;
  for (uint64_t column : warps) {
    if (!llvm::isPowerOf2_64(column))
      return {}; // copies, or rows mixed
    taken |= column;
  }
  // The places of a tile in the order of the store: along its fastest axis first, for so long as lanes share a line, and then along what
  // the product has in registers. Where lanes differ in that, the conversion stores matrices (stmatrix) instead of words of two rows.
  uint64_t inRegisters = 0;
  for (uint64_t column : from.getColumns(Dim::Register))
    inRegisters |= column;
  unsigned bitsOfLine = llvm::Log2_32(8 * leastBytesOfRow / tt::getElementBits(source.getElementType()));
  SmallVector<uint64_t> line, registers, others;
  for (unsigned axis : blocked.getOrder()) {
    unsigned first = 0;
    for (unsigned before = 0; before < axis; ++before)
      first += llvm::Log2_64(source.getDimSize(before));
    for (unsigned bit = 0; bit < llvm::Log2_64(source.getDimSize(axis)); ++bit) {
      uint64_t place = uint64_t(1) << (first + bit);
      if (taken & place)
        continue;
      bool isFastest = axis == blocked.getOrder()[0];
      (isFastest && line.size() < bitsOfLine ? line : !isFastest && (inRegisters & place) ? registers : others).push_back(place);
    }
  }
  unsigned lanes = to.getInBits(Dim::Lane), vector = llvm::Log2_32(blocked.getSizePerThread()[blocked.getOrder()[0]]);
  SmallVector<uint64_t> free = line;
  llvm::append_range(free, registers);
  llvm::append_range(free, others);
  if (llvm::product_of(blocked.getSizePerThread()) != 1u << vector || line.size() < bitsOfLine || vector > bitsOfLine ||
      vector + lanes < bitsOfLine || free.size() < vector + lanes)
    return {};
  SmallVector<uint64_t> columns(ArrayRef(free).take_front(vector));
  llvm::append_range(columns, ArrayRef(free).drop_front(vector + lanes));
  unsigned ofRegisters = columns.size();
  llvm::append_range(columns, ArrayRef(free).slice(vector, lanes));
  llvm::append_range(columns, warps);
  LinearLayout::Extents ins = {{Dim::Register, ofRegisters}, {Dim::Lane, lanes}, {Dim::Warp, unsigned(warps.size())}};
  return ttg::LinearEncodingAttr::get(blocked.getContext(), LinearLayout(ins, LinearLayout::Extents(from.getOuts()), columns));
}

void keepInWarps(tt::StoreOp store) {
  auto convert = store.getValue().getDefiningOp<ttg::ConvertLayoutOp>();
  auto blocked = convert ? dyn_cast<ttg::BlockedEncodingAttr>(convert.getType().getEncoding()) : nullptr;
  RankedTensorType source = convert ? convert.getSrc().getType() : nullptr;
  auto product = source ? dyn_cast<ttg::NvidiaMmaEncodingAttr>(source.getEncoding()) : nullptr;
  if (!blocked || !product || product.getVersionMajor() != 3 || source.getRank() != 2)
    return;
  Attribute aligned = alignWarps(blocked, source);
  if (!aligned)
    return;
  OpBuilder builder(store);
  auto convertTo = [&](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    auto wanted = RankedTensorType::get(type.getShape(), type.getElementType(), aligned);
    return ttg::ConvertLayoutOp::create(builder, store.getLoc(), wanted, value);
  };
  // Addresses and masks are computed so to begin with; where they cannot, all stays as it is.
  SmallVector<std::pair<OpOperand *, Value>> before;
  for (OpOperand &operand : store->getOpOperands()) {
    before.push_back({&operand, operand.get()});
    bool isValue = operand.get() == convert.getResult();
    auto converted = convertTo(isValue ? convert.getSrc() : operand.get());
    operand.set(converted);
    if (isValue || rematerialize(converted))
      continue;
    for (auto [changed, value] : before)
      changed->set(value);
    return;
  }
}

struct KeepStoresInWarps : tilecc::impl::TritonGPUKeepStoresInWarpsBase<KeepStoresInWarps> {
  void runOnOperation() override {
    SmallVector<tt::StoreOp> stores;
    getOperation().walk([&](tt::StoreOp store) {
      auto around = dyn_cast<scf::ForOp>(store->getParentOp());
      if (around && isAroundProducts(around))
        stores.push_back(store);
    });
    llvm::for_each(stores, keepInWarps);
  }
};

} // namespace
