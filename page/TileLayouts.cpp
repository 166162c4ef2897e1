//===- TileLayouts.cpp - describes the layouts of tiles and the operations that move tiles ------------------------===//
//
// The accesses to shared memory are those that the lowering plans (planLocalAccess), so the page counts the bank
// conflicts of the instructions that the lowering emits. Called for the last TTGIR of a kernel (Collector.cpp).
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "page/TileLayouts.h"
#include "lowering/dialects/ttg/TTG.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/gpu/Lowering.h"

using namespace llvm;

namespace tilecc::page {

static std::vector<TileLayout::Input> describeInputs(const LinearLayout &layout) {
  std::vector<TileLayout::Input> inputs;
  for (const LinearLayout::Extent &in : layout.getIns()) {
    TileLayout::Input &input = inputs.emplace_back();
    input.name = toString(in.dim);
    for (unsigned bit = 0; bit < in.bits; ++bit) {
      std::vector<uint32_t> &basis = input.bases.emplace_back();
      for (const LinearLayout::Extent &out : layout.getOuts())
        basis.push_back(layout.getBasis(in.dim, bit, out.dim));
    }
  }
  return inputs;
}

static std::vector<std::pair<unsigned, unsigned>> describePadding(ttg::MemDescType memory) {
  std::vector<std::pair<unsigned, unsigned>> padding;
  for (auto [run, unused] : cast<ttg::SharedEncoding>(memory.getEncoding()).getPaddedRuns())
    padding.push_back({run, unused});
  return padding;
}

static Movement::Access describeAccess(mlir::RankedTensorType tile, ttg::MemDescType memory, bool isLoad,
                                       const GpuFacts &facts) {
  SharedAccess plan = planLocalAccess(tile, memory, isLoad, facts);
  const bool isVectors = plan.kind == SharedAccess::Kind::Vectors;
  constexpr unsigned rowBytes = 16, rows = 8; // of a matrix that ldmatrix or stmatrix moves
  Movement::Access access;
  access.kind = isVectors ? "vectors" : "matrices";
  access.width = isVectors ? plan.getWidth() : rowBytes / getBytesInMemory(tile.getElementType());
  access.lanes = isVectors ? 1u << plan.addresses.getInBits(Dim::Lane) : rows * plan.getNumMatrices();
  for (ArrayRef<unsigned> bits : {ArrayRef(plan.within), ArrayRef(plan.matrices)})
    for (unsigned bit : bits)
      access.inner |= 1u << bit;
  access.addresses = describeInputs(plan.addresses);
  access.padding = describePadding(memory);
  return access;
}

namespace {
class Finder {
public:
  Finder(mlir::AsmState &state, const mlir::AsmState::LocationMap &lines, const GpuFacts &facts)
      : state(state), lines(lines), facts(facts) {}

  void addTypes(mlir::Operation *op) {
    for (mlir::Type type : op->getResultTypes())
      add(type);
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        for (mlir::Type type : block.getArgumentTypes())
          add(type);
  }

  void addMovements(mlir::Operation *op) {
    if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(op))
      add(op, convert.getSrc().getType(), convert.getType(), std::nullopt);
    else if (auto load = dyn_cast<ttg::LocalLoadOp>(op))
      add(op, load.getSrc().getType(), load.getType(),
          describeAccess(load.getType(), load.getSrc().getType(), /*isLoad=*/true, facts));
    else if (auto store = dyn_cast<ttg::LocalStoreOp>(op))
      add(op, store.getSrc().getType(), store.getDst().getType(),
          describeAccess(store.getSrc().getType(), store.getDst().getType(), /*isLoad=*/false, facts));
    else if (auto alloc = dyn_cast<ttg::LocalAllocOp>(op); alloc && alloc.getSrc())
      add(op, alloc.getSrc().getType(), alloc.getType(),
          describeAccess(alloc.getSrc().getType(), alloc.getType(), /*isLoad=*/false, facts));
    else if (isa<ttng::WarpGroupDotOp, ttng::MMAv5OpInterface>(op))
      for (mlir::Value operand : op->getOperands().take_front(2))
        if (auto memory = dyn_cast<ttg::MemDescType>(operand.getType()); memory && numbers.contains(memory)) {
          Movement::Access access;
          access.kind = "operand";
          access.padding = describePadding(memory);
          add(op, memory, nullptr, access);
        }
  }

  LayoutsAndMovements take() { return std::move(found); }

private:
  void add(mlir::Type type) {
    auto tile = dyn_cast<mlir::RankedTensorType>(type);
    auto memory = dyn_cast<ttg::MemDescType>(type);
    const bool isTile = tile && tile.getEncoding(), isMemory = memory && isa<mlir::ShapedType>(type);
    if ((!isTile && !isMemory) || !numbers.insert({type, unsigned(found.layouts.size())}).second)
      return;
    TileLayout &layout = found.layouts.emplace_back();
    raw_string_ostream stream(layout.type);
    type.print(stream, state);
    auto shaped = cast<mlir::ShapedType>(type);
    layout.shape.assign(shaped.getShape().begin(), shaped.getShape().end());
    mlir::Type element = shaped.getElementType();
    layout.elementBits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64; // a pointer
    layout.isShared = isMemory;
    layout.inputs = describeInputs(isTile ? ttg::toLinearLayout(tile) : ttg::toLinearLayout(memory));
  }

  void add(mlir::Operation *op, mlir::Type from, mlir::Type to, std::optional<Movement::Access> access) {
    auto number = [&](mlir::Type type) { return type ? std::optional(numbers.lookup(type)) : std::nullopt; };
    auto line = lines.find(op);
    if (line == lines.end() || !known.insert({op->getName(), from, to}).second)
      return;
    found.movements.push_back(
        {line->second.first - 1, op->getName().stripDialect().str(), number(from), number(to), std::move(access)});
  }

  mlir::AsmState &state;
  const mlir::AsmState::LocationMap &lines;
  const GpuFacts &facts;
  LayoutsAndMovements found;
  DenseMap<mlir::Type, unsigned> numbers; ///< of layouts
  DenseSet<std::tuple<mlir::OperationName, mlir::Type, mlir::Type>> known;
};
} // namespace

LayoutsAndMovements findLayouts(mlir::ModuleOp module, mlir::AsmState &state,
                                const mlir::AsmState::LocationMap &lines) {
  Finder finder(state, lines, getGpuFacts(module));
  module.walk([&](mlir::Operation *op) { finder.addTypes(op); });
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) { finder.addMovements(op); });
  return finder.take();
}

} // namespace tilecc::page
