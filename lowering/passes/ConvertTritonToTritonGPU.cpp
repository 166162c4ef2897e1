//===- ConvertTritonToTritonGPU.cpp - gives every tile a layout ---------------------------------------------------===//
//
// The pass changes types in place. At first, all tiles of one shape get the same layout, so operations that pass a
// value on (loops, branches, elementwise operations) stay consistent. Only operations that relate two shapes need a
// conversion.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/passes/Passes.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_CONVERTTRITONTOTRITONGPU
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

class Conversion {
public:
  Conversion(ModuleOp module, unsigned numWarps, unsigned threadsPerWarp)
      : module(module), numWarps(numWarps), threadsPerWarp(threadsPerWarp) {}

  LogicalResult run() {
    SmallVector<Operation *> ties;
    WalkResult result = module.walk([&](Operation *op) -> WalkResult {
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument arg : block.getArguments())
            if (failed(encode(arg, op->getLoc())))
              return WalkResult::interrupt();
      for (Value value : op->getResults())
        if (failed(encode(value, op->getLoc())))
          return WalkResult::interrupt();
      if (auto constant = dyn_cast<arith::ConstantOp>(op); constant && isa<RankedTensorType>(constant.getType())) {
        auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
        if (!elements)
          return constant.emitOpError("is a tile whose elements are not listed"), WalkResult::interrupt();
        constant.setValueAttr(elements.reshape(cast<ShapedType>(constant.getType())));
      }
      if (auto func = dyn_cast<FunctionOpInterface>(op); func && !func.isExternal()) {
        SmallVector<Type> results;
        for (Type type : func.getResultTypes()) {
          auto tile = dyn_cast<RankedTensorType>(type);
          results.push_back(tile && !tile.getEncoding() ? tile.cloneWithEncoding(defaultEncoding(tile.getShape()))
                                                        : type);
        }
        func.setType(func.cloneTypeWith(func.getFunctionBody().getArgumentTypes(), results));
      }
      if (op->getNumOperands() && op->getNumResults() && !isa<ttg::ConvertLayoutOp>(op))
        ties.push_back(op);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
    for (Operation *op : ties)
      tie(op);
    return success();
  }

private:
  /// Returns the default layout: one element per thread, the last axis fastest.
  Attribute defaultEncoding(ArrayRef<int64_t> shape) {
    SmallVector<unsigned> sizePerThread(shape.size(), 1);
    return ttg::BlockedEncodingAttr::get(module.getContext(), shape, sizePerThread, rowMajor(shape.size()), numWarps,
                                         threadsPerWarp);
  }

  static SmallVector<unsigned> rowMajor(unsigned rank) { return SmallVector<unsigned>(llvm::reverse(llvm::seq(rank))); }

  LogicalResult encode(Value value, Location loc) {
    auto tile = dyn_cast<RankedTensorType>(value.getType());
    if (!tile || tile.getEncoding())
      return success();
    if (tile.getRank() == 0)
      return emitError(loc) << "a tile of rank 0 has no layout";
    for (int64_t size : tile.getShape())
      if (size <= 0 || !llvm::isPowerOf2_64(size))
        return emitError(loc) << "a tile's dimensions must be powers of two, and one is " << size;
    value.setType(tile.cloneWithEncoding(defaultEncoding(tile.getShape())));
    return success();
  }

  /// Converts operand `i` of `op` to `encoding`.
  void convertOperand(Operation *op, unsigned i, Attribute encoding) {
    OpBuilder builder(op);
    Value operand = op->getOperand(i);
    auto type = cast<RankedTensorType>(operand.getType());
    op->setOperand(i,
                   builder.createOrFold<ttg::ConvertLayoutOp>(op->getLoc(), type.cloneWithEncoding(encoding), operand));
  }

  /// Gives result `i` of `op` the layout `encoding`. Users get it converted back to its previous layout.
  void convertResult(Operation *op, unsigned i, Attribute encoding) {
    OpResult result = op->getResult(i);
    auto wanted = cast<RankedTensorType>(result.getType());
    if (wanted == wanted.cloneWithEncoding(encoding))
      return;
    result.setType(wanted.cloneWithEncoding(encoding));
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    auto convert = ttg::ConvertLayoutOp::create(builder, op->getLoc(), wanted, result);
    result.replaceAllUsesExcept(convert, convert);
  }

  /// Makes the layouts of the operands and results of `op` consistent. Where the layout of the results can be inferred
  /// from that of the first operand, the results get it. Otherwise the operands are converted to the layouts that the
  /// results require.
  void tie(Operation *op) {
    if (auto dot = dyn_cast<tt::DotOp>(op))
      return tieDot(dot);
    if (auto cat = dyn_cast<tt::CatOp>(op))
      return tieCat(cat);
    if (auto call = dyn_cast<tt::CallThreadsOp>(op))
      return tieCall(call);
    auto operand = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
    auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!operand || !result)
      return;
    if (Attribute inferred = tt::inferResultEncoding(op, operand.getEncoding())) {
      for (unsigned i = 0; i < op->getNumResults(); ++i)
        convertResult(op, i, inferred);
    } else if (Attribute wanted = tt::inferOperandEncoding(op, result.getEncoding())) {
      convertOperand(op, 0, wanted);
    }
  }

  /// Replaces tt.cat, which may reorder elements, by a join of the operands to pairs and a reshape that may reorder
  /// elements, too.
  void tieCat(tt::CatOp cat) {
    OpBuilder builder(cat);
    auto type = cast<RankedTensorType>(cat.getType()), half = cast<RankedTensorType>(cat.getLhs().getType());
    int64_t shape[] = {half.getDimSize(0), 2};
    auto pairs = RankedTensorType::get(shape, type.getElementType(), defaultEncoding(shape));
    Value join = tt::JoinOp::create(builder, cat.getLoc(), pairs, cat.getLhs(), cat.getRhs());
    auto reshape = tt::ReshapeOp::create(builder, cat.getLoc(), type, join, /*allow_reorder=*/true,
                                         /*efficient_layout=*/false);
    cat.replaceAllUsesWith(reshape.getResult());
    cat.erase();
    tie(join.getDefiningOp());
    tie(reshape);
  }

  /// Handles a dot that is computed by multiply-add instructions. Each thread computes a block of the result, which has
  /// 4x4 elements if there are enough for every thread. For each step along the contracted axis, a thread reads a
  /// column of this block's rows in a, and a row of its columns in b.
  void tieDot(tt::DotOp dot) {
    ArrayRef<int64_t> shape = dot.getType().getShape();
    unsigned rank = shape.size();
    int64_t perThread = dot.getType().getNumElements() / (numWarps * threadsPerWarp);
    SmallVector<unsigned> sizePerThread(rank, 1);
    unsigned side = perThread >= 16 ? 4 : perThread >= 4 ? 2 : 1;
    for (unsigned d : {rank - 2, rank - 1})
      sizePerThread[d] = std::min<int64_t>(side, shape[d]);
    auto product = ttg::BlockedEncodingAttr::get(module.getContext(), shape, sizePerThread, rowMajor(rank), numWarps,
                                                 threadsPerWarp);
    for (unsigned i : {0, 1})
      convertOperand(dot, i, ttg::DotOperandEncodingAttr::get(module.getContext(), i, product));
    convertOperand(dot, 2, product);
    convertResult(dot, 0, product);
  }

  /// Handles a call that passes elements of tiles to a device function thread by thread (items). The tiles of such
  /// calls need a layout of their own.
  void tieCall(tt::CallThreadsOp call) {
    if (call.getKind() != tt::ThreadCallKind::ITEMS)
      return;
    for (auto [i, operand] : llvm::enumerate(call.getOperands()))
      if (auto tile = dyn_cast<RankedTensorType>(operand.getType()))
        convertOperand(call, i, ttg::getItemsEncoding(call, tile));
    for (auto [i, type] : llvm::enumerate(SmallVector<Type>(call.getResultTypes())))
      convertResult(call, i, ttg::getItemsEncoding(call, cast<RankedTensorType>(type)));
  }

  ModuleOp module;
  unsigned numWarps, threadsPerWarp;
};

struct ConvertTritonToTritonGPU : tilecc::impl::ConvertTritonToTritonGPUBase<ConvertTritonToTritonGPU> {
  using ConvertTritonToTritonGPUBase::ConvertTritonToTritonGPUBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto isCount = [](int32_t value) { return value > 0 && llvm::isPowerOf2_32(value); };
    if (!isCount(numWarps) || !isCount(threadsPerWarp)) {
      module.emitError() << "the number of warps and of threads per warp must be powers of two, not "
                         << numWarps.getValue() << " and " << threadsPerWarp.getValue();
      return signalPassFailure();
    }
    Builder builder(module.getContext());
    module->setAttr(ttg::numWarpsAttr, builder.getI32IntegerAttr(numWarps));
    module->setAttr(ttg::numCTAsAttr, builder.getI32IntegerAttr(numCTAs));
    module->setAttr(ttg::threadsPerWarpAttr, builder.getI32IntegerAttr(threadsPerWarp));
    module->setAttr(ttg::targetAttr, builder.getStringAttr(target));
    if (failed(checkThreadCalls(module)) || failed(Conversion(module, numWarps, threadsPerWarp).run()))
      signalPassFailure();
  }

private:
  /// Reports calls of device functions that were written for another number of threads.
  LogicalResult checkThreadCalls(ModuleOp module) {
    WalkResult result = module.walk([&](tt::CallThreadsOp call) -> WalkResult {
      int32_t threads = numWarps * threadsPerWarp;
      if (std::optional<uint32_t> wanted = call.getThreads(); wanted && int32_t(*wanted) != threads)
        return emitError(call.getLoc()) << "this call is for " << *wanted << " threads, and the kernel has " << threads
                                        << ": give it [[tt::num_warps(" << *wanted / threadsPerWarp << ")]]";
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }
};

} // namespace
