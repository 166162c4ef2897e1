//===- AllocateSharedMemory.cpp - assigns addresses in shared memory ----------------------------------------------===//
//
// Writes the addresses that analysis/Allocation has chosen into the IR as attributes, which barrier insertion and the
// lowering read. Verifies first that the layouts of operands and results are consistent.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/Allocation.h"
#include "lowering/analysis/DataMovement.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_ALLOCATESHAREDMEMORY
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// A kernel with at most this many bytes per thread is not limited by shared memory: even the smallest multiprocessors
/// (100 KB, 1536 threads) run out of threads first.
constexpr int64_t enoughPerThread = 64;

/// If the whole kernel then needs less shared memory, halves the scratch space of conversions outside loops. Each such
/// conversion then runs in two rounds and needs two more barriers. Still more rounds would not raise occupancy, because
/// every program holds the converted tile in registers anyway.
void shortenRounds(tt::FuncOp func) {
  int64_t enough = ttg::getNumWarps(func) * ttg::getThreadsPerWarp(func) * enoughPerThread;
  int64_t before = Allocation(func).getBytes();
  if (before <= enough)
    return;
  DominanceInfo dominance(func);
  std::optional<CFGLoopInfo> loops;
  if (!func.getBody().hasOneBlock())
    loops.emplace(dominance.getDomTree(&func.getBody()));
  SmallVector<ttg::ConvertLayoutOp> shortened;
  func.walk([&](ttg::ConvertLayoutOp convert) {
    ConversionPlan plan = planConversion(convert);
    if (plan.getScratchBytes() <= enough || plan.scratch->getNumRounds() > 1 ||
        (loops && loops->getLoopFor(convert->getBlock())))
      return;
    convert->setAttr(bytesOfRoundAttr, Builder(convert).getI32IntegerAttr(plan.getScratchBytes() / 2));
    shortened.push_back(convert);
  });
  if (shortened.empty() || Allocation(func).getBytes() < before)
    return;
  for (ttg::ConvertLayoutOp convert : shortened)
    convert->removeAttr(bytesOfRoundAttr);
}

/// Reserves the scratch space of small exchanges between thread blocks until the kernel ends, if the exchanges are
/// outside loops. No other operation then reuses this memory, so one barrier of the cluster before the kernel exits
/// replaces a barrier after each exchange.
void letExchangesLast(tt::FuncOp func) {
  constexpr unsigned maxBytes = 1024;
  SmallVector<ttng::RedistributeOp> exchanges;
  func.walk([&](ttng::RedistributeOp op) { exchanges.push_back(op); });
  if (exchanges.empty())
    return;
  DominanceInfo dominance(func);
  std::optional<CFGLoopInfo> loops;
  if (!func.getBody().hasOneBlock())
    loops.emplace(dominance.getDomTree(&func.getBody()));
  llvm::erase_if(exchanges, [&](ttng::RedistributeOp op) {
    return op.isWithinBlock() || op->getParentOp() != func || getScratchBytes(op) > maxBytes ||
           (loops && loops->getLoopFor(op->getBlock()));
  });
  for (ttng::RedistributeOp op : exchanges)
    op.setLasting(true);
  // If there are partitions, all threads synchronize at the end of the kernel (hopper/Partitions.cpp of the back end).
  if (exchanges.empty() || func->getParentOfType<ModuleOp>()->hasAttr(ttg::totalNumWarpsAttr))
    return;
  func.walk([](tt::ReturnOp end) {
    OpBuilder builder(end);
    // The barrier is relaxed, because it orders reads only and need not make writes visible.
    ttng::createClusterBarrier(builder, end.getLoc(), /*relaxed=*/true);
  });
}

struct AllocateSharedMemory : tilecc::impl::AllocateSharedMemoryBase<AllocateSharedMemory> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(ttg::verifyLayouts(module)))
      return signalPassFailure();
    Builder builder(module.getContext());
    auto allocate = [&](tt::FuncOp func, int64_t begin) {
      shortenRounds(func);
      letExchangesLast(func);
      Allocation allocation(func);
      for (const Allocation::Buffer &buffer : allocation.getBuffers())
        begin = llvm::alignTo(begin, buffer.alignment);
      for (const Allocation::Buffer &buffer : allocation.getBuffers()) {
        buffer.owner->setAttr(ttg::allocationOffsetAttr, builder.getI32IntegerAttr(begin + buffer.offset));
        if (!buffer.isOfBlock)
          buffer.owner->setAttr(ttg::ofProgramAttr, builder.getUnitAttr());
      }
      if (int64_t bytes = allocation.getProgramBytes())
        module->setAttr(ttg::programBytesAttr, builder.getI32IntegerAttr(bytes));
      func.walk([&](ttg::StartPartitionsOp start) {
        start->setAttr(ttg::allocationOffsetAttr, builder.getI32IntegerAttr(begin + allocation.getHandOver()));
      });
      return begin + allocation.getBytes();
    };
    // Partitions run at the same time as the kernel's default region, so their buffers follow the kernel's in memory.
    int64_t most = 0, end = 0;
    for (auto func : module.getOps<tt::FuncOp>())
      if (!func.isExternal() && !func->hasAttr(ttg::partitionAttr))
        most = end = std::max(most, allocate(func, 0));
    for (auto func : module.getOps<tt::FuncOp>())
      if (func->hasAttr(ttg::partitionAttr))
        end = allocate(func, end);
    if (ttg::getModuleInteger(module, ttg::numCTAsAttr, 1) > 1 && module->hasAttr(ttg::totalNumWarpsAttr)) {
      end = llvm::alignTo(end, 8);
      module->setAttr(ttng::clusterBarrierAttr, builder.getI32IntegerAttr(end));
      end += ttng::clusterBarrierBytes;
    }
    module->setAttr(ttg::sharedAttr, builder.getI32IntegerAttr(end));
    module.walk([&](ttg::StartPartitionsOp start) { shareBuffers(start, module); });
  }

  /// Removes captured buffers from the arguments of partitions. The addresses of buffers are constants now, so each
  /// partition gets its own copy of the allocation operation.
  static void shareBuffers(ttg::StartPartitionsOp start, ModuleOp module) {
    llvm::BitVector known(start.getCaptures().size());
    for (auto [number, capture] : llvm::enumerate(start.getCaptures()))
      known[number] = capture.getDefiningOp<ttg::LocalAllocOp>() != nullptr;
    for (auto name : start.getPartitions().getAsRange<FlatSymbolRefAttr>()) {
      auto func = module.lookupSymbol<tt::FuncOp>(name);
      auto builder = OpBuilder::atBlockBegin(&func.getBody().front());
      for (unsigned number : known.set_bits())
        func.getArgument(number).replaceAllUsesWith(
            builder.clone(*start.getCaptures()[number].getDefiningOp())->getResult(0));
      if (failed(func.eraseArguments(known)))
        llvm_unreachable("a partition is a function without results");
    }
    start->eraseOperands(known);
  }
};

} // namespace
