//===- ThreadCalls.cpp - calls of code that is compiled for threads -----------------------------------------------===//
//
// A call has a barrier before it and a barrier after it. The first barrier makes the stores of the program's threads,
// to global memory and to tiles that are passed in shared memory, visible to all threads of the callee. The second
// barrier does the same for the stores of the callee. If one thread has acquired data for all threads, as in a wait for
// a signal, the second barrier also makes this data visible to them. Membar relies on both barriers.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/gpu/Lowering.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilecc;

namespace {

struct CallThreadsPattern : TilePattern<tt::CallThreadsOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(tt::CallThreadsOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (target.getSharedAddressSpace() == 0 || failed(checkItems(op)))
      return failure();
    Location loc = op.getLoc();
    std::optional<SharedArguments> shared = planSharedArguments(op);
    SmallVector<Value> args, tiles; // of the function; the addresses of tiles among them
    for (auto [value, registers] : llvm::zip_equal(op.getArgs(), adaptor.getArgs())) {
      auto tile = dyn_cast<RankedTensorType>(value.getType());
      Value arg = tile ? (shared ? passInShared(op, *shared, tiles.size(), tile, registers, rewriter)
                                 : passItems(op, registers, rewriter))
                       : registers[0];
      if (tile)
        tiles.push_back(arg);
      args.push_back(toGeneric(rewriter, loc, arg));
    }
    Type result = op.getNumResults() && tiles.empty() ? types.convertElement(op.getResultTypes().front()) : Type();
    LLVM::LLVMFuncOp callee = declare(op, result, args, rewriter);

    target.barrier(rewriter, loc);
    Value returned = op.getKind() == tt::ThreadCallKind::ONCE ? callByOne(op, callee, args, result, rewriter)
                                                              : call(callee, args, result, loc, rewriter);
    if (op.getKind() != tt::ThreadCallKind::ONCE || !result) // distributing the result also needs a barrier
      target.barrier(rewriter, loc);

    SmallVector<SmallVector<Value>> results;
    if (returned)
      results.push_back({returned});
    for (auto [i, memory] : llvm::enumerate(tiles)) {
      auto tile = cast<RankedTensorType>(op.getResultTypes()[i]);
      Type element = types.convertElement(tile.getElementType());
      results.push_back(shared ? loadTile(rewriter, loc, tile, shared->memories[i],
                                          SharedTile(memory, constantI32(rewriter, loc, 0)), element, target)
                               : takeItems(loc, memory, element, ttg::getElementsPerThread(tile), rewriter));
    }
    rewriter.replaceOpWithMultiple(op, results);
    return success();
  }

private:
  /// Reports an error for tiles whose threads do not hold adjacent elements. Only IR that a user writes can contain
  /// such calls.
  LogicalResult checkItems(tt::CallThreadsOp op) const {
    if (op.getKind() != tt::ThreadCallKind::ITEMS)
      return success();
    SmallVector<Type> tileTypes(op.getResultTypes());
    for (Type type : op.getArgs().getTypes())
      if (isa<RankedTensorType>(type))
        tileTypes.push_back(type);
    for (Type type : tileTypes)
      if (auto tile = cast<RankedTensorType>(type);
          ttg::toLinearLayout(tile) != ttg::toLinearLayout(tile.cloneWithEncoding(ttg::getItemsEncoding(op, tile))))
        return op.emitOpError("takes the items of a thread, which must be neighbours, from ") << tile;
    return success();
  }

  /// Returns memory of a thread for its elements of a tile.
  Value passItems(tt::CallThreadsOp op, ValueRange registers, OpBuilder &builder) const {
    Location loc = op.getLoc();
    auto array = LLVM::LLVMArrayType::get(registers[0].getType(), registers.size());
    Value memory;
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&op->getParentOfType<FunctionOpInterface>().getFunctionBody().front());
      memory = LLVM::AllocaOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), array,
                                      constantI32(builder, loc, 1), /*alignment=*/16);
    }
    for (auto [i, value] : llvm::enumerate(registers))
      LLVM::StoreOp::create(builder, loc, value, itemAddress(loc, memory, value.getType(), i, builder));
    return memory;
  }
  static SmallVector<Value> takeItems(Location loc, Value memory, Type element, unsigned count, OpBuilder &builder) {
    SmallVector<Value> values;
    for (unsigned i = 0; i < count; ++i)
      values.push_back(LLVM::LoadOp::create(builder, loc, element, itemAddress(loc, memory, element, i, builder)));
    return values;
  }
  static Value itemAddress(Location loc, Value memory, Type element, int32_t i, OpBuilder &builder) {
    return LLVM::GEPOp::create(builder, loc, memory.getType(), element, memory, ArrayRef<LLVM::GEPArg>{i});
  }

  /// Stores tile number `i` to its part of the scratch space.
  Value passInShared(tt::CallThreadsOp op, const SharedArguments &plan, unsigned i, RankedTensorType tile,
                     ValueRange registers, OpBuilder &builder) const {
    Value memory = getScratch(builder, op, target, plan.offsets[i]);
    storeTile(builder, op.getLoc(), tile, plan.memories[i], SharedTile(memory, constantI32(builder, op.getLoc(), 0)),
              registers, target);
    return memory;
  }

  /// Converts a pointer to a generic one, which device functions take.
  static Value toGeneric(OpBuilder &builder, Location loc, Value value) {
    auto pointer = dyn_cast<LLVM::LLVMPointerType>(value.getType());
    if (!pointer || pointer.getAddressSpace() == 0)
      return value;
    return LLVM::AddrSpaceCastOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), value);
  }

  LLVM::LLVMFuncOp declare(tt::CallThreadsOp op, Type result, ValueRange args, OpBuilder &builder) const {
    auto module = op->getParentOfType<ModuleOp>();
    if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(op.getCallee()))
      return known;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    Type returned = !result                              ? LLVM::LLVMVoidType::get(builder.getContext())
                    : isa<LLVM::LLVMPointerType>(result) ? LLVM::LLVMPointerType::get(builder.getContext())
                                                         : result;
    auto func = LLVM::LLVMFuncOp::create(builder, builder.getUnknownLoc(), op.getCallee(),
                                         LLVM::LLVMFunctionType::get(returned, SmallVector<Type>(args.getTypes())));
    func.setConvergent(true);
    return func;
  }

  static Value call(LLVM::LLVMFuncOp callee, ValueRange args, Type result, Location loc, OpBuilder &builder) {
    auto call = LLVM::CallOp::create(builder, loc, callee, args);
    if (!result)
      return {};
    Value value = call.getResult();
    return value.getType() == result ? value : LLVM::AddrSpaceCastOp::create(builder, loc, result, value).getResult();
  }

  /// Calls the function in one thread, and distributes its result to all threads.
  Value callByOne(tt::CallThreadsOp op, LLVM::LLVMFuncOp callee, ValueRange args, Type result,
                  OpBuilder &builder) const {
    Location loc = op.getLoc();
    Value scratch = result ? getScratch(builder, op, target) : Value();
    auto branch = scf::IfOp::create(builder, loc, isFirstThread(builder, loc, target), /*withElseRegion=*/false);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(branch.thenBlock());
      Value value = call(callee, args, result, loc, builder);
      if (result)
        LLVM::StoreOp::create(builder, loc, toMemory(builder, loc, value), scratch);
    }
    if (!result)
      return {};
    target.barrier(builder, loc);
    return fromMemory(builder, loc, LLVM::LoadOp::create(builder, loc, getMemoryType(result), scratch), result);
  }
};

} // namespace

void tilecc::populateThreadCallPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                        const LoweringContext &lowering) {
  patterns.add<CallThreadsPattern>(types, patterns.getContext(), lowering);
}
