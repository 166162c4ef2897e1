//===- ShareBlocks.cpp - lets programs that load the same data share a block --------------------------------------===//
//
// If adjacent programs along an axis of the grid load the same data in a loop of dots (the programs of attention, each
// with a block of queries, load the same keys and values), a block runs several of these programs side by side, and
// loads the data once:
//
//     warps 0 to 3: program 3 b          warps 8 to 11: program 3 b + 2
//     warps 4 to 7: program 3 b + 1      warps 12 to 15: load for all of them (SpecializeLoops.cpp)
//
// All computing warps run the code of the kernel. The lowering gives each program its own thread numbers, barriers and
// shared memory. This pass gives each program its grid index, and SpecializeLoops creates the loops that load for all
// programs of the block. The launch starts one block for several programs, so the number of programs is passed as an
// argument after all others. If there are too few programs to fill the last block, that block executes the last program
// several times, and only one of these copies stores.
//
// This is legal if the only operations that affect other programs are stores, and operations whose results are unused.
// The additional copies of the last program skip these operations. The pass applies to kernels that request it, and to
// variants of attention (compile/Variants.h). Three warp groups in one block are faster than two blocks with one warp
// group each if a warp group computes for as long as its dots take (heads of 64), and slower if the copies of each
// block are small.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "targets/GpuFacts.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
#include "targets/nvidia/Passes.h"
#include "targets/nvidia/hopper/BlockSharing.h"
#include "lowering/pipeliner/EarlyLoads.h"
#include "lowering/pipeliner/LoopUtils.h"
#include "targets/nvidia/hopper/SpecializedLoop.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUSHAREBLOCKS
#include "targets/nvidia/Passes.h.inc"
} // namespace tilecc

namespace {

class Sharing {
public:
  Sharing(tt::FuncOp func, int programs, bool isChosen)
      : func(func), programs(programs), isChosen(isChosen), loc(func.getLoc()) {}

  /// Returns true if programs can share blocks, and finds the axis and the operations that affect other programs.
  /// Otherwise reports the reason, if the source requests sharing.
  bool analyze() {
    if (func->hasAttr(ttng::persistentAttr))
      return fail(func, "blocks of a persistent kernel run one program after the other");
    if (ttg::getNumWarps(func) * programs + SpecializedLoop::loadingWarps > getGpuFacts(func).maxWarps)
      return fail(func, "they have too many warps");
    // A program allocates a power of two of columns.
    unsigned columns = programs * llvm::PowerOf2Ceil(ttng::countTensorMemoryColumns(func.getBody()));
    if (columns && isChosen)
      return fail(func, "it was not measured with tensor memory");
    if (columns > TensorMemoryAccess::numColumns)
      return fail(func, "they need " + Twine(columns) + " columns of tensor memory, and a multiprocessor has " +
                            Twine(TensorMemoryAccess::numColumns));
    for (auto each : {tt::ProgramIDDim::X, tt::ProgramIDDim::Y, tt::ProgramIDDim::Z})
      if (!axis && asksForProgram(func, each) &&
          llvm::any_of(func.getOps<scf::ForOp>(), [&](scf::ForOp loop) { return loadsSame(loop, each); }))
        axis = each;
    if (!axis)
      return fail(func, "none of its loops has dots whose operands are copied by tensor maps from where neighbours "
                        "in the grid load, "
                        "too");
    return !func.walk([&](Operation *op) {
                  return op != func && op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() &&
                                 !mayShare(op)
                             ? WalkResult::interrupt()
                             : WalkResult::advance();
                })
                .wasInterrupted();
  }

  void rewrite() {
    auto builder = OpBuilder::atBlockBegin(&func.getBody().front());
    Type i32 = builder.getI32Type();
    if (failed(func.insertArgument(func.getNumArguments(), i32, {}, loc)))
      llvm_unreachable("a kernel takes more arguments");
    Value all = func.getArguments().back();
    auto module = func->getParentOfType<ModuleOp>();
    module->setAttr(ttg::programsAttr, builder.getI32IntegerAttr(programs));
    module->setAttr(ttg::programsAxisAttr, builder.getI32IntegerAttr(static_cast<int32_t>(*axis)));
    auto constant = [&](int32_t value) {
      return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value)).getResult();
    };
    auto block = tt::GetProgramIdOp::create(builder, loc, *axis);
    Value first = arith::MulIOp::create(builder, loc, block, constant(programs));
    Value index = arith::AddIOp::create(builder, loc, first, ttng::ProgramInBlockOp::create(builder, loc, i32));
    Value isThere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, index, all);
    Value program = arith::MinSIOp::create(builder, loc, index, arith::SubIOp::create(builder, loc, all, constant(1)));
    func.walk([&](Operation *op) {
      auto replaceBy = [&](tt::ProgramIDDim which, Value value) {
        if (which != *axis || op == block)
          return;
        op->getResult(0).replaceAllUsesWith(value);
        op->erase();
      };
      if (auto id = dyn_cast<tt::GetProgramIdOp>(op))
        replaceBy(id.getAxis(), program);
      else if (auto number = dyn_cast<tt::GetNumProgramsOp>(op))
        replaceBy(number.getAxis(), all);
    });
    for (Operation *op : acting) {
      builder.setInsertionPoint(op);
      auto branch = scf::IfOp::create(builder, op->getLoc(), isThere, /*withElseRegion=*/false);
      op->moveBefore(branch.thenBlock()->getTerminator());
    }
  }

private:
  bool fail(Operation *op, const Twine &why) {
    if (isChosen)
      return false;
    InFlightDiagnostic warning = func.emitWarning() << "its programs have a block each: " << why;
    if (op != func)
      warning.attachNote(op->getLoc()) << "here";
    return false;
  }

  /// Returns true if programs that share a block may execute `op`. Collects the operations that affect other programs.
  bool mayShare(Operation *op) {
    if (isa<ttg::GlobalScratchAllocOp, tt::CallOp>(op))
      return fail(op, "it has memory, or functions, of its own");
    if (isa<tt::DescriptorReduceOp, tt::DescriptorStoreOp>(op))
      return fail(op, "tensor copies of its own write to memory");
    auto load = dyn_cast<tt::LoadOp>(op);
    if (touchesSharedMemoryAlone(op) || isa<tt::DescriptorLoadOp>(op) || (load && !load.getIsVolatile()))
      return true;
    if (!op->use_empty())
      return fail(op, "it asks for the result of what acts on others");
    acting.push_back(op);
    return true;
  }

  tt::FuncOp func;
  int programs;
  bool isChosen;
  Location loc;
  std::optional<tt::ProgramIDDim> axis;
  SmallVector<Operation *> acting;
};

struct ShareBlocks : tilecc::impl::TritonGPUShareBlocksBase<ShareBlocks> {
  using TritonGPUShareBlocksBase::TritonGPUShareBlocksBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (numPrograms < 2 || ttg::getModuleInteger(module, ttg::numCTAsAttr, 1) > 1)
      return;
    for (auto func : module.getOps<tt::FuncOp>())
      // Only tcc's launches pass the additional argument that this rewrite needs.
      if (func->hasAttr(ttng::tensorMapsAttr) && func.getBody().hasOneBlock())
        if (Sharing sharing(func, numPrograms, chosen); sharing.analyze())
          sharing.rewrite();
  }
};

} // namespace
