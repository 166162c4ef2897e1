//===- Partitions.cpp - the worker warps of a kernel --------------------------------------------------------------===//
//
// A kernel with partitions is launched with more warps than its program has. These worker warps branch off at the
// beginning and wait for starts:
//
//     workers of partition p:   (registers down)            the program:   (registers up)
//       prefetch tensor maps
//       loop:                                                 ...
//         barrier of all threads                              start number and arguments to shared memory
//         which start is it? none: return                     barrier of all threads        start_partitions
//         call its function p                                 ...
//         barrier of all threads                              barrier of all threads        join_partitions
//                                                             at the end: number -1, barrier of all threads
//
// The start number, followed by arguments of 8 bytes each, is in a part of shared memory that nothing else uses.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttng/TTNG.h"
#include "targets/nvidia/NamedBarriers.h"
#include "targets/nvidia/NvidiaAccess.h"
#include "targets/nvidia/NvidiaPatterns.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tilecc;

namespace {

constexpr int32_t theEnd = -1;

/// Converts arguments to LLVM types: a tile in shared memory becomes its address and its offset.
struct StartPattern : TilePattern<ttg::StartPartitionsOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttg::StartPartitionsOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> captures;
    for (ValueRange values : adaptor.getCaptures())
      llvm::append_range(captures, values);
    auto start = ttg::StartPartitionsOp::create(rewriter, op.getLoc(), op.getPartitions(), captures);
    start->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.eraseOp(op);
    return success();
  }
};

/// Prefetches the tensor maps that `kernel` takes. Before a copy unit copies through a map, it fetches the map from
/// memory, which takes longer than to compute the coordinates of the copy.
static void prefetchMapsOf(LLVM::LLVMFuncOp kernel, OpBuilder &builder, Location loc) {
  for (auto [i, argument] : llvm::enumerate(kernel.getArguments()))
    if (kernel.getArgAttr(i, LLVM::LLVMDialect::getByValAttrName()))
      assembly(builder, loc, TypeRange(), {argument}, "prefetch.tensormap [$0];", "l,~{memory}");
}

class Workers {
public:
  Workers(LLVM::LLVMFuncOp kernel, ModuleOp module, const TargetInfo &target)
      : kernel(kernel), module(module), target(target), builder(kernel.getContext()), loc(kernel.getLoc()) {
    kernel.walk([&](ttg::StartPartitionsOp op) { starts.push_back(op); });
  }

  void emit() {
    if (starts.empty())
      return;
    findPartitions();
    // The entry block, which contains the branch, precedes the program's own code.
    Block *program = &kernel.getBody().front();
    auto *entry = new Block;
    kernel.getBody().push_front(entry);
    for (BlockArgument argument : program->getArguments())
      argument.replaceAllUsesWith(entry->addArgument(argument.getType(), argument.getLoc()));
    program->eraseArguments(0, program->getNumArguments());
    finishProgram();
    builder.setInsertionPointToStart(program);
    setRegisters(programRegisters, /*more=*/true);
    builder.setInsertionPointToEnd(entry);
    beginClusterBarriers();
    Block *choice = entry;
    auto fromTheLast = llvm::to_vector(llvm::seq<unsigned>(0, partitions.size()));
    llvm::sort(fromTheLast, [&](unsigned a, unsigned b) { return partitions[a].firstWarp > partitions[b].firstWarp; });
    for (unsigned number : fromTheLast) {
      Block *worker = emitWorker(number);
      Block *others = number == fromTheLast.back() ? program : builder.createBlock(program);
      builder.setInsertionPointToEnd(choice);
      Value warp = arith::DivUIOp::create(builder, loc, getThreadInBlock(builder, loc),
                                          constantI32(builder, loc, target.facts.warpSize));
      Value isWorker = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, warp,
                                             constantI32(builder, loc, partitions[number].firstWarp));
      cf::CondBranchOp::create(builder, loc, isWorker, worker, ValueRange(), others, ValueRange());
      choice = others;
    }
    for (ttg::StartPartitionsOp start : starts)
      start->erase();
  }

private:
  struct Partition {
    unsigned firstWarp, warps;
    int64_t registers; ///< 0: the number for which the kernel is compiled
  };

  LLVM::LLVMFuncOp getFunction(ttg::StartPartitionsOp start, unsigned number) {
    auto name = cast<FlatSymbolRefAttr>(start.getPartitions()[number]);
    return module.lookupSymbol<LLVM::LLVMFuncOp>(name.getValue());
  }

  void findPartitions() {
    auto get = [](Operation *op, StringRef name) {
      auto attr = op->getAttrOfType<IntegerAttr>(name);
      return attr ? attr.getInt() : 0;
    };
    int64_t program = ttg::getNumWarps(module) * ttg::getProgramsPerBlock(module);
    int64_t all = ttg::getModuleInteger(module, ttg::totalNumWarpsAttr, program);
    int64_t perThread = target.facts.getThreadRegisters(all * target.facts.warpSize), left = perThread * all;
    bool areShared = true;
    for (unsigned number = 0; number < starts.front().getPartitions().size(); ++number) {
      LLVM::LLVMFuncOp func = getFunction(starts.front(), number);
      partitions.push_back({unsigned(get(func, ttg::firstWarpAttr)), unsigned(get(func, ttg::numWarpsAttr)),
                            get(func, ttg::requestedRegistersAttr)});
      areShared &= partitions.back().registers != 0;
    }
    shareRegistersOfGroups();
    for (const Partition &partition : partitions)
      left -= partition.warps * partition.registers;
    const int64_t unit = target.facts.registerUnit, most = target.facts.maxRaisedRegisters;
    programRegisters = areShared ? std::min(left / program / unit * unit, most) : 0;
    // Registers are reallocated only if the program's own warps get more registers that way.
    if (programRegisters <= perThread) {
      programRegisters = 0;
      for (Partition &partition : partitions)
        partition.registers = 0;
    }
  }

  /// Gives all partitions of a warp group the same number of registers, because the four warps of a group change their
  /// register count together. The number is that of the partition that needs the most.
  void shareRegistersOfGroups() {
    constexpr unsigned groupWarps = 4;
    DenseMap<unsigned, int64_t> most; // of each group
    auto forEachGroup = [&](Partition &partition, auto visit) {
      unsigned lastWarp = partition.firstWarp + partition.warps - 1;
      for (unsigned group = partition.firstWarp / groupWarps; group <= lastWarp / groupWarps; ++group)
        visit(most[group]);
    };
    for (Partition &partition : partitions)
      forEachGroup(partition, [&](int64_t &ofGroup) { ofGroup = std::max(ofGroup, partition.registers); });
    for (Partition &partition : partitions)
      forEachGroup(partition, [&](int64_t ofGroup) { partition.registers = std::max(ofGroup, partition.registers); });
  }

  Value getPlace(unsigned offset) {
    return getShared(starts.front()->getAttrOfType<IntegerAttr>(ttg::allocationOffsetAttr).getInt() + offset);
  }
  Value getShared(int64_t offset) {
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext(), target.getSharedAddressSpace());
    Value base = LLVM::AddressOfOp::create(builder, loc, pointer, sharedMemorySymbol);
    return LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(), base,
                               ArrayRef<LLVM::GEPArg>{int32_t(offset)});
  }

  void beginClusterBarriers() {
    auto offset = module->getAttrOfType<IntegerAttr>(ttng::clusterBarrierAttr);
    if (!offset)
      return;
    Value place = getShared(offset.getInt());
    tilecc::beginClusterBarriers(builder, loc, place, ttg::getModuleInteger(module, ttg::numCTAsAttr, 1),
                                 isFirstInBlock());
  }
  void endClusterBarriers() {
    if (module->hasAttr(ttng::clusterBarrierAttr))
      tilecc::endClusterBarriers(builder, loc);
  }

  /// Sets the number of registers of each thread to `more` than before, or fewer. All threads of four warps execute
  /// this together.
  void setRegisters(int64_t count, bool more) {
    if (!count)
      return;
    auto action = more ? NVVM::SetMaxRegisterAction::increase : NVVM::SetMaxRegisterAction::decrease;
    NVVM::SetMaxRegisterOp::create(builder, loc, count, action);
    // This tells ptxas the number of registers at entry; otherwise it ignores the change (C7508).
    kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(), builder.getI32IntegerAttr(1));
  }

  /// Waits for all threads of the block. Warps may arrive at different instructions. PTX allows this for warps that
  /// execute `bar.sync`, but compute-sanitizer's synccheck allows it only if threads arrive individually.
  void barrierOfAll() {
    int64_t warps = ttg::getModuleInteger(module, ttg::totalNumWarpsAttr, 0);
    LLVM::CallIntrinsicOp::create(builder, loc, builder.getStringAttr("llvm.nvvm.barrier.cta.sync.count"),
                                  ValueRange{constantI32(builder, loc, nvidia::BlockBarrier),
                                             constantI32(builder, loc, warps * target.facts.warpSize)});
  }

  Value isFirstInBlock() {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, getThreadInBlock(builder, loc),
                                 constantI32(builder, loc, 0));
  }

  /// Convert an argument to the 8 bytes in which it is passed, and back.
  Value toWord(Value value) {
    if (isa<LLVM::LLVMPointerType>(value.getType()))
      return LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), value);
    Type bits = builder.getIntegerType(value.getType().getIntOrFloatBitWidth());
    if (value.getType() != bits)
      value = arith::BitcastOp::create(builder, loc, bits, value);
    return bits.isInteger(64) ? value : arith::ExtUIOp::create(builder, loc, builder.getI64Type(), value).getResult();
  }
  Value fromWord(Value word, Type type) {
    if (isa<LLVM::LLVMPointerType>(type))
      return LLVM::IntToPtrOp::create(builder, loc, type, word);
    Type bits = builder.getIntegerType(type.getIntOrFloatBitWidth());
    if (!bits.isInteger(64))
      word = arith::TruncIOp::create(builder, loc, bits, word);
    return type == bits ? word : arith::BitcastOp::create(builder, loc, type, word).getResult();
  }

  /// Writes the start number and the arguments for the workers.
  void announce(int32_t number, ValueRange captures) {
    Value isFirst = isFirstInBlock();
    auto store = [&](Value value, unsigned offset) {
      target.store(builder, loc, packVector(builder, loc, value), getPlace(offset), isFirst);
    };
    for (auto [i, value] : llvm::enumerate(captures))
      store(toWord(value), ttg::handOverArgumentsAt + i * ttg::handOverArgumentBytes);
    store(constantI32(builder, loc, number), 0);
    barrierOfAll();
  }

  void finishProgram() {
    for (auto [number, start] : llvm::enumerate(starts)) {
      builder.setInsertionPoint(start);
      announce(number, start.getCaptures());
    }
    SmallVector<Operation *> ends;
    kernel.walk([&](Operation *op) {
      if (isa<ttg::JoinPartitionsOp, LLVM::ReturnOp>(op))
        ends.push_back(op);
    });
    for (Operation *end : ends) {
      builder.setInsertionPoint(end);
      if (isa<LLVM::ReturnOp>(end)) {
        announce(theEnd, {});
        endClusterBarriers();
        continue;
      }
      barrierOfAll();
      end->erase();
    }
  }

  Block *emitWorker(unsigned number) {
    Region &body = kernel.getBody();
    Block *begin = builder.createBlock(&body, body.end()), *loop = builder.createBlock(&body, body.end());
    Block *leave = builder.createBlock(&body, body.end());
    builder.setInsertionPointToEnd(leave);
    endClusterBarriers();
    LLVM::ReturnOp::create(builder, loc, ValueRange());
    builder.setInsertionPointToEnd(begin);
    setRegisters(partitions[number].registers, /*more=*/false);
    if (number == 0)
      prefetchMapsOf(kernel, builder, loc);
    cf::BranchOp::create(builder, loc, loop);
    SmallVector<Block *> cases;
    SmallVector<int32_t> values;
    for (auto [which, start] : llvm::enumerate(starts)) {
      LLVM::LLVMFuncOp func = getFunction(start, number);
      cases.push_back(builder.createBlock(&body, body.end()));
      values.push_back(which);
      SmallVector<Value> arguments;
      for (auto [i, type] : llvm::enumerate(start.getCaptures().getTypes()))
        arguments.push_back(
            fromWord(LLVM::LoadOp::create(builder, loc, builder.getI64Type(),
                                          getPlace(ttg::handOverArgumentsAt + i * ttg::handOverArgumentBytes)),
                     type));
      LLVM::CallOp::create(builder, loc, func, arguments);
      barrierOfAll();
      cf::BranchOp::create(builder, loc, loop);
    }
    builder.setInsertionPointToEnd(loop);
    barrierOfAll();
    Value state = LLVM::LoadOp::create(builder, loc, builder.getI32Type(), getPlace(0));
    cf::SwitchOp::create(builder, loc, state, leave, ValueRange(), values, cases,
                         SmallVector<ValueRange>(cases.size()));
    return begin;
  }

  LLVM::LLVMFuncOp kernel;
  ModuleOp module;
  const TargetInfo &target;
  OpBuilder builder;
  Location loc;
  SmallVector<ttg::StartPartitionsOp> starts;
  SmallVector<Partition> partitions;
  int64_t programRegisters = 0;
};

} // namespace

void tilecc::populatePartitionPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                       const LoweringContext &lowering) {
  patterns.add<StartPattern>(types, patterns.getContext(), lowering);
}

void tilecc::removeUnusedClusterBarriers(ModuleOp module) {
  WalkResult synchronizesBlocks = module.walk([](Operation *op) {
    auto exchange = dyn_cast<ttng::RedistributeOp>(op);
    bool synchronizes = isa<ttng::ClusterArriveOp>(op) || (exchange && !exchange.isWithinBlock());
    return synchronizes ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!synchronizesBlocks.wasInterrupted())
    module->removeAttr(ttng::clusterBarrierAttr);
}

void tilecc::prefetchTensorMaps(ModuleOp module) {
  for (auto kernel : module.getOps<LLVM::LLVMFuncOp>()) {
    auto starts = kernel.getBody().getOps<ttg::StartPartitionsOp>();
    if (!kernel->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()) || !starts.empty())
      continue; // the first worker prefetches the maps
    // Each warp does this once. A branch to select a warp would be longer.
    Block &entry = kernel.getBody().front();
    auto builder = OpBuilder::atBlockBegin(&entry);
    prefetchMapsOf(kernel, builder, entry.front().getLoc());
  }
}

void tilecc::emitWorkers(ModuleOp module, const TargetInfo &target) {
  SmallVector<LLVM::LLVMFuncOp> kernels(module.getOps<LLVM::LLVMFuncOp>());
  for (LLVM::LLVMFuncOp kernel : kernels)
    if (!kernel.isExternal())
      Workers(kernel, module, target).emit();
}
