//===- AllocateTensorMemory.cpp - columns of tensor memory -----------------------------------------------------------===//
//
// See the pass's description. A place lives from its allocation to the last use of anything that refers to it, and to the
// end of the kernel where products are under way behind their operation, or partitions use it: who waits for these, the
// IR does not say. Places that never live at the same time may have the same columns.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/Allocation.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "targets/nvidia/Architectures.h"
#include "targets/nvidia/Passes.h"
#include "mlir/Analysis/Liveness.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONTENSORMEMORYALLOCATION
#include "targets/nvidia/Passes.h.inc"
} // namespace tilecc

namespace {

struct Place {
  ttng::TMEMAllocOp alloc;
  unsigned columns;
  int64_t begin, end; ///< lives in [begin, end), in numbers of operations
  unsigned column = 0;
};

class Places {
public:
  explicit Places(tt::FuncOp func) {
    DenseMap<Operation *, int64_t> number;
    func->walk<WalkOrder::PreOrder>([&](Operation *op) { number[op] = number.size(); });
    const int64_t theEnd = number.size();
    DenseMap<Operation *, unsigned> placeOf;
    func.walk([&](ttng::TMEMAllocOp alloc) {
      placeOf[alloc] = places.size();
      unsigned columns = alloc.getType().getNumTiles() * ttng::getTensorMemoryColumns(alloc.getType());
      places.push_back({alloc, columns, number[alloc], number[alloc] + 1});
    });
    if (places.empty())
      return;
    auto lastsToTheEnd = [&](Value memory) {
      for (Operation *owner : getAllocations(memory))
        if (auto it = placeOf.find(owner); owner && it != placeOf.end())
          places[it->second].end = theEnd;
    };
    auto isTensorMemory = [](Value value) {
      auto type = dyn_cast<ttg::MemDescType>(value.getType());
      return type && ttng::isInTensorMemory(type);
    };
    Liveness liveness(func);
    auto extend = [&](Value memory) {
      if (!isTensorMemory(memory))
        return;
      SmallVector<Operation *> owners = getAllocations(memory);
      for (Operation *live : liveness.resolveLiveness(memory))
        for (Operation *owner : owners)
          if (auto it = placeOf.find(owner); owner && it != placeOf.end()) {
            Place &place = places[it->second];
            place.begin = std::min(place.begin, number[live]);
            place.end = std::max(place.end, number[live] + 1);
          }
    };
    func.walk([&](Operation *op) {
      for (Value result : op->getResults())
        extend(result);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (Value argument : block.getArguments())
            extend(argument);
      auto product = dyn_cast<ttng::TCGen5MMAOp>(op);
      if ((product && product.getIsAsync()) || isa<ttg::StartPartitionsOp>(op))
        for (Value operand : op->getOperands())
          if (isTensorMemory(operand))
            lastsToTheEnd(operand);
    });
  }

  /// Finds columns for all of them, first fit; returns how many they take.
  unsigned place() {
    constexpr unsigned mostAlignment = 32;
    unsigned top = 0;
    for (auto [i, place] : llvm::enumerate(places)) {
      unsigned alignment = std::min(mostAlignment, unsigned(llvm::PowerOf2Ceil(place.columns)));
      SmallVector<std::pair<unsigned, unsigned>> taken;
      for (const Place &known : ArrayRef(places).take_front(i))
        if (known.begin < place.end && place.begin < known.end)
          taken.push_back({known.column, known.column + known.columns});
      llvm::sort(taken);
      for (auto [begin, end] : taken)
        if (place.column + place.columns > begin)
          place.column = std::max<unsigned>(place.column, llvm::alignTo(end, alignment));
      top = std::max(top, place.column + place.columns);
    }
    return top;
  }

  ArrayRef<Place> get() const { return places; }

private:
  SmallVector<Place> places;
};

struct AllocateTensorMemory : tilecc::impl::TritonTensorMemoryAllocationBase<AllocateTensorMemory> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<tt::FuncOp>())
      if (!func.isExternal() && failed(allocate(func)))
        return signalPassFailure();
  }

  LogicalResult allocate(tt::FuncOp func) {
    Places places(func);
    if (places.get().empty())
      return success();
    ModuleOp module = getOperation();
    ttng::TMEMAllocOp first = places.get().front().alloc;
    if (!nvidia::hasFeature(func, nvidia::Feature::TensorMemory))
      return first.emitOpError() << "needs tensor memory, which " << module->getAttr(ttg::targetAttr)
                                 << " does not have; sm_100a, sm_100f, and their like of 103 and 110 do";
    if (func->hasAttr(ttg::partitionAttr))
      return first.emitOpError("allocates tensor memory in a partition; only the program can, and hand it to partitions");
    unsigned needed = places.place();
    if (needed > TensorMemoryAccess::numColumns) {
      auto byColumns = [](const Place &a, const Place &b) { return a.columns < b.columns; };
      const Place &largest = *llvm::max_element(places.get(), byColumns);
      InFlightDiagnostic error = largest.alloc->emitError();
      error << "the kernel needs " << needed << " columns of tensor memory, and a multiprocessor has "
            << TensorMemoryAccess::numColumns << "; use smaller tiles";
      for (const Place &place : places.get())
        if (place.alloc != largest.alloc)
          error.attachNote(place.alloc->getLoc()) << place.columns << " columns are used here";
      return error;
    }
    constexpr unsigned fewest = 32;
    unsigned columns = std::max<unsigned>(fewest, llvm::PowerOf2Ceil(needed));
    auto builder = OpBuilder::atBlockBegin(&func.getBody().front());
    Value base = ttng::ReserveTensorMemoryOp::create(builder, func.getLoc(), builder.getI32Type(), columns);
    for (const Place &place : places.get()) {
      ttng::TMEMAllocOp alloc = place.alloc;
      alloc.getBaseMutable().assign(base);
      alloc->setAttr(ttng::columnAttr, builder.getI32IntegerAttr(place.column));
    }
    module->setAttr(ttng::numColumnsAttr, builder.getI32IntegerAttr(columns));
    func.walk([&](tt::ReturnOp end) {
      builder.setInsertionPoint(end);
      ttng::ReleaseTensorMemoryOp::create(builder, end.getLoc(), base, columns);
    });
    return success();
  }
};

} // namespace
