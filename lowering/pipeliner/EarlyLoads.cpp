//===- EarlyLoads.cpp - chooses where the results of early loads are kept -----------------------------------------===//
//
// The result of an early load is kept in shared memory or in registers until its use. Operands of matrix units are kept
// in shared memory, in the layout that the units read. In loops with dots, so are tiles from which operands are
// computed, and tiles of rank 1 of which each thread holds many elements. All other results are kept in registers. On
// targets without asynchronous copies, all results are first kept in registers, and only operands of matrix units are
// stored to shared memory, one iteration before their use.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/pipeliner/EarlyLoads.h"
#include "lowering/analysis/AccessWidth.h"
#include "lowering/analysis/BufferSlots.h"
#include "lowering/analysis/PointerRoot.h"
#include "lowering/analysis/SharedEncodings.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "targets/GpuFacts.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

namespace {

/// Returns true if a tile of `type` is an operand of a dot that threads compute by multiply-add instructions.
bool isMultipliedByThreads(RankedTensorType type) {
  auto operand = dyn_cast<ttg::DotOperandEncodingAttr>(type.getEncoding());
  return operand && !operand.getMatrixUnit();
}

/// Returns true if the operand is used only by multiply-add dots that are short enough to be unrolled. These dots read
/// the operand from shared memory, a few elements at a time. Longer dots become loops that copy their operands to
/// scratch space step by step (StagingPlan).
bool isOfShortDot(ttg::ConvertLayoutOp operand) {
  constexpr int64_t maxOperations = 1024;
  return llvm::all_of(operand->getUsers(), [](Operation *user) {
    auto dot = dyn_cast<tt::DotOp>(user);
    auto a = dot ? cast<RankedTensorType>(dot.getA().getType()) : nullptr;
    return a && ttg::getElementsPerThread(cast<RankedTensorType>(dot.getType())) * a.getShape().back() <= maxOperations;
  });
}

/// How a loaded tile is used in the iteration for which it is loaded.
struct Uses {
  ttg::MemDescType allocated; ///< the allocation type for warp-group dots; null if there are none, or if they disagree
  RankedTensorType operand; ///< the type to which the tile is converted for other dots; null if there are none
  bool hasOthers = false;
};

Uses getUses(scf::ForOp loop, Operation *load) {
  Uses uses;
  SmallVector<ttg::LocalAllocOp> allocs;
  for (Operation *user : load->getUsers()) {
    if (auto alloc = dyn_cast<ttg::LocalAllocOp>(user);
        alloc && alloc->getParentOp() == loop && !alloc.getType().getMutableMemory()) {
      allocs.push_back(alloc);
      continue;
    }
    auto convert = dyn_cast<ttg::ConvertLayoutOp>(user);
    bool isOperand =
        convert && convert->getParentOp() == loop &&
        (makesMatrixOperand(convert) || (isMultipliedByThreads(convert.getType()) && isOfShortDot(convert)));
    if (isOperand)
      uses.operand = convert.getType();
    uses.hasOthers |= !isOperand;
  }
  if (!allocs.empty() &&
      llvm::all_of(allocs, [&](ttg::LocalAllocOp alloc) { return alloc.getType() == allocs[0].getType(); }))
    uses.allocated = allocs[0].getType();
  else
    uses.hasOthers |= !allocs.empty();
  // Operands of multiply-add dots are stored in shared memory like any other tile.
  if (uses.operand && uses.hasOthers && isMultipliedByThreads(uses.operand))
    uses.operand = nullptr;
  return uses;
}

bool hasDot(scf::ForOp loop) {
  return llvm::any_of(*loop.getBody(), [](Operation &op) { return isa<tt::DotOp, ttng::WarpGroupDotOp>(op); });
}

/// Returns true if a tile of rank 1 should be kept in shared memory instead of registers until its use. There are two
/// reasons. In the layout of a dot's result, a thread may hold a quarter of such a tile, which takes many registers.
/// And if threads write operands of warp-group dots, the fence after these writes (FenceInsertion.cpp) also waits for
/// their pending loads. Returns false if tensor copies or a producer partition load the other tiles. The tile would
/// then be the only tile that threads copy, and the barrier for this copy would keep all threads in lockstep. (The
/// backward pass of attention becomes up to 7 % slower.)
bool leavesRegisters(scf::ForOp loop, RankedTensorType line) {
  constexpr unsigned fewElements = 4;
  if (llvm::any_of(*loop.getBody(), [](Operation &op) { return isa<tt::DescriptorLoadOp, ttng::WaitBarrierOp>(op); }))
    return false;
  return ttg::getElementsPerThread(line) > fewElements ||
         llvm::any_of(loop.getBody()->getOps<ttng::WarpGroupDotOp>(), [&](ttng::WarpGroupDotOp dot) {
           return llvm::any_of(dot->getOperands().take_front(2), [&](Value operand) {
             auto alloc = getViewedTile(operand).memory.getDefiningOp<ttg::LocalAllocOp>();
             Operation *source = alloc && alloc.getSrc() ? alloc.getSrc().getDefiningOp() : nullptr;
             return source && alloc->getParentOp() == loop && !isLoad(source);
           });
         });
}

} // namespace

ttg::MemDescType pipeline::getAllocatedType(scf::ForOp loop, Operation *load) {
  ttg::MemDescType type;
  for (Operation *user : load->getUsers()) {
    auto alloc = dyn_cast<ttg::LocalAllocOp>(user);
    if (!alloc || alloc->getParentOp() != loop || alloc.getType().getMutableMemory() ||
        (type && type != alloc.getType()))
      return {};
    type = alloc.getType();
  }
  return type;
}

bool pipeline::mayBeWritten(tt::LoadOp load) {
  Value root = getPointerRoot(load.getPtr());
  return load->getParentOfType<tt::FuncOp>()
      .walk([&](Operation *op) {
        auto access = tt::getGlobalAccess(op);
        std::optional<Value> changed = getChangedRoot(op);
        if (!changed && access && access->isWrite)
          changed = getPointerRoot(access->pointers);
        bool meets = changed ? !root || !*changed || root == *changed : isa<tt::CallOp, tt::DescriptorScatterOp>(op);
        return meets ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

Copier pipeline::getCopier(Operation *load) {
  if (isa<tt::DescriptorLoadOp>(load))
    return Copier::TensorUnit;
  return getGpuFacts(load).hasAsyncCopies ? Copier::Threads : Copier::Registers;
}

bool pipeline::isWide(Operation *op, const AxisInfoAnalysis &axisInfo) {
  auto load = dyn_cast<tt::LoadOp>(op);
  if (!load || getCopier(op) == Copier::Registers)
    return true;
  auto type = dyn_cast<RankedTensorType>(load.getPtr().getType());
  if (!type || type.getRank() < 2)
    return true;
  int64_t width = getAccessWidth(axisInfo, load.getPtr(), load.getMask());
  return width * std::max(8u, tt::getElementBits(cast<RankedTensorType>(load.getType()).getElementType())) >= 32;
}

bool pipeline::touchesSharedMemoryAlone(Operation *op) {
  if (isMemoryEffectFree(op))
    return true;
  auto effects = getEffectsRecursively(op);
  return effects && llvm::all_of(*effects, [](const MemoryEffects::EffectInstance &effect) {
           return isa<ttg::SharedMemory>(effect.getResource());
         });
}

bool pipeline::onlyReadsGlobalMemory(Operation *op) {
  auto load = dyn_cast<tt::LoadOp>(op);
  return op->getNumRegions() || op->hasTrait<OpTrait::IsTerminator>() || isa<tt::DescriptorLoadOp>(op) ||
         (load && !load.getIsVolatile()) || touchesSharedMemoryAlone(op);
}

std::optional<Value> pipeline::getChangedRoot(Operation *op) {
  if (isa<tt::DescriptorReduceOp, tt::DescriptorStoreOp>(op)) {
    auto number = op->getAttrOfType<IntegerAttr>(ttng::rootAttr);
    return number ? Value(op->getParentOfType<tt::FuncOp>().getArgument(number.getInt())) : Value();
  }
  auto atomic = dyn_cast<tt::AtomicRMWOp>(op);
  if (isa<tt::StoreOp>(op) || (atomic && atomic.getSem() == tt::MemSemantic::RELAXED))
    return getPointerRoot(tt::getGlobalAccess(op)->pointers);
  return std::nullopt;
}

bool pipeline::orders(Operation *op, Operation *ordered) {
  auto load = dyn_cast<tt::LoadOp>(ordered);
  Value root = load ? getPointerRoot(load.getPtr()) : Value();
  WalkResult result = op->walk([&](Operation *inside) {
    if (std::optional<Value> changed = getChangedRoot(inside)) {
      if (!load)
        return WalkResult::advance();
      return !root || !*changed || root == *changed ? WalkResult::interrupt() : WalkResult::advance();
    }
    bool isOrdering = inside->getNumRegions() == 0 && !touchesSharedMemoryAlone(inside) && !isLoad(inside);
    return isOrdering ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

bool pipeline::mayRunAhead(scf::ForOp loop, Operation *op) {
  auto load = dyn_cast<tt::LoadOp>(op);
  return !(load && load.getIsVolatile()) && !orders(loop, op);
}

void pipeline::chooseMemory(scf::ForOp loop, EarlyLoad &early, const AxisInfoAnalysis &axisInfo) {
  auto type = dyn_cast<RankedTensorType>(early.getResult().getType());
  if (!type)
    return;
  if (auto load = dyn_cast<tt::LoadOp>(early.load))
    early.contiguity = getAccessibleNeighbours(axisInfo, load.getPtr(), load.getMask());
  if (type.getRank() < 2 &&
      (early.passesRegisters() || early.contiguity * tt::getElementBits(type.getElementType()) < 32 ||
       !leavesRegisters(loop, type)))
    return;
  auto asItIs = ttg::SwizzledSharedEncodingAttr::get(loop.getContext(), /*vec=*/1, /*perPhase=*/1, /*maxPhase=*/1,
                                                     getMemoryOrder(type));
  Attribute encoding;
  // Warp-group dots require the encoding of their allocation. All other users can read any encoding.
  Uses uses = getUses(loop, early.load);
  if (uses.allocated)
    encoding = uses.allocated.getEncoding();
  else if (uses.operand)
    encoding = isMultipliedByThreads(uses.operand) ? asItIs
               : early.passesRegisters()           ? chooseSharedEncoding(type, uses.operand, getGpuFacts(loop))
                                                   : chooseSharedEncoding(uses.operand, getMemoryOrder(type));
  early.isOperand = encoding != nullptr;
  early.isReadBack = encoding && uses.hasOthers;
  if (!encoding && hasDot(loop) && !early.passesRegisters()) {
    encoding = asItIs;
    early.isReadBack = true;
  }
  if (encoding)
    early.tile = ttg::MemDescType::get(type.getShape(), type.getElementType(), encoding,
                                       ttg::SharedMemorySpaceAttr::get(loop.getContext()), /*mutableMemory=*/true);
}
