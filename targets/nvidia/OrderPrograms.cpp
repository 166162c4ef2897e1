//===- OrderPrograms.cpp - starts the longest programs of a grid first -------------------------------------------===//
//
// In causal attention with a program for each block of queries along x and each head along y, the number of iterations
// grows along x. A GPU starts blocks with x as the fastest index, so the longest programs of the last head run at the
// end, on a few multiprocessors. This pass assigns another program to each block, so that the longest programs of
// several heads come first. It changes only kernels whose programs are independent of each other, because a program may
// otherwise wait for a program that would now start later. Persistent kernels have their own order
// (PersistentPrograms.cpp), and programs that share a block must remain adjacent.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttng/TTNG.h"
#include "targets/nvidia/Passes.h"
#include "targets/nvidia/ProgramOrder.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUORDERPROGRAMS
#include "targets/nvidia/Passes.h.inc"
} // namespace tilecc

namespace {

/// The number of programs in a group, which is about as many as run at the same time. The programs of larger groups
/// would access more data at the same time, such as keys and values of heads, than fits in the L2 cache
/// (bench/gpu/NOTES.md).
constexpr int32_t programsOfGroup = 256;

void reorder(tt::FuncOp func, const ProgramWork &work) {
  Location loc = func.getLoc();
  auto builder = OpBuilder::atBlockBegin(&func.getBody().front());
  const unsigned axes = countAskedAxes(func);
  constexpr tt::ProgramIDDim dims[] = {tt::ProgramIDDim::X, tt::ProgramIDDim::Y, tt::ProgramIDDim::Z};
  SmallVector<Value> indices, extents;
  for (tt::ProgramIDDim axis : ArrayRef(dims).take_front(axes)) {
    indices.push_back(tt::GetProgramIdOp::create(builder, loc, axis));
    extents.push_back(tt::GetNumProgramsOp::create(builder, loc, axis));
  }
  auto body = std::next(extents.back().getDefiningOp()->getIterator());
  // Compute the position of this block in the order in which the GPU starts blocks.
  Value position = indices.back(), total = extents.back();
  for (unsigned axis = axes - 1; axis-- > 0;) {
    position = arith::AddIOp::create(builder, loc, arith::MulIOp::create(builder, loc, position, extents[axis]),
                                     indices[axis]);
    total = axis + 2 == axes ? arith::ExtUIOp::create(builder, loc, builder.getI64Type(), total).getResult() : total;
    Value extent = arith::ExtUIOp::create(builder, loc, builder.getI64Type(), extents[axis]);
    total = arith::MulIOp::create(builder, loc, total, extent);
  }
  // In grids with positions of more than 32 bits, the order does not change.
  Value most = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(INT32_MAX));
  Value fits = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule, total, most);
  SmallVector<Value> ordered = orderPrograms(builder, loc, position, extents, work, programsOfGroup);
  for (auto [index, own] : llvm::zip_equal(ordered, indices))
    index = arith::SelectOp::create(builder, loc, fits, index, own);
  Block &block = func.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(llvm::make_range(body, block.end())))
    replaceGridQueries(&op, ordered, extents);
}

struct OrderPrograms : tilecc::impl::TritonGPUOrderProgramsBase<OrderPrograms> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<tt::FuncOp>()) {
      if (!func.isKernel() || !func.getBody().hasOneBlock() || func->hasAttr(ttng::persistentAttr) ||
          countAskedAxes(func) == 1)
        continue;
      ProgramWork work = findProgramWork(func);
      if ((work.growsAlongX || work.shrinksAlongX) && hasIndependentPrograms(func))
        reorder(func, work);
    }
  }
};

} // namespace
