//===- NvidiaTargetInfo.cpp - implements TargetInfo for NVIDIA GPUs -----------------------------------------------===//
//
// This class creates the code that identifies threads, exchanges values and waits, for the vendor-neutral patterns of
// lowering/gpu.
//
//===----------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/tt/KernelAttributes.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "targets/nvidia/NamedBarriers.h"
#include "targets/nvidia/Multimem.h"
#include "targets/nvidia/NvidiaAccess.h"
#include "targets/nvidia/NvidiaPatterns.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tilecc;

namespace {

class NvidiaTargetInfo final : public TargetInfo {
public:
  NvidiaTargetInfo(const nvidia::Facts &facts, FloatOptions floats) : TargetInfo(facts), facts(facts), floats(floats) {}

  void populatePatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                        const LoweringContext &lowering) const override {
    populateMatrixDotPatterns(patterns, types, lowering, facts);
    populateAsyncCopyPatterns(patterns, types, lowering);
    populateWarpGroupPatterns(patterns, types, lowering);
    populateTensorMemoryPatterns(patterns, types, lowering);
    populateTensorCorePatterns(patterns, types, lowering);
    populateMemoryBarrierPatterns(patterns, types, lowering);
    populateTensorCopyPatterns(patterns, types, lowering);
    populateTensorMapPatterns(patterns, types, lowering);
    populateClusterPatterns(patterns, types, lowering);
    populateClusterSumPatterns(patterns, types, lowering);
    populateGridDependencyPatterns(patterns, types, lowering, facts);
    populatePartitionPatterns(patterns, types, lowering);
    populateReplicaPatterns(patterns, types, lowering);
    populateMultimemPatterns(patterns, types, lowering, facts);
  }
  void prepareModule(ModuleOp module) const override { removeUnusedClusterBarriers(module); }
  void finishModule(ModuleOp module) const override {
    finishOneThreadCode(module);
    prefetchTensorMaps(module);
    emitWorkers(module, *this);
  }

  unsigned getGlobalAddressSpace() const override { return 1; }
  unsigned getSharedAddressSpace() const override { return 3; }

  Value getThreadId(OpBuilder &builder, Location loc) const override {
    Value thread = getThreadInBlock(builder, loc);
    Operation *func = getFunction(builder);
    if (func->hasAttr(ttg::partitionAttr))
      return arith::SubIOp::create(builder, loc, thread,
                                   constant(builder, loc, getInteger(func, ttg::firstWarpAttr) * facts.warpSize));
    if (ttg::getProgramsPerBlock(func) == 1)
      return thread;
    return arith::AndIOp::create(builder, loc, thread,
                                 constant(builder, loc, ttg::getNumWarps(func) * facts.warpSize - 1));
  }
  Value getProgramInBlock(OpBuilder &builder, Location loc) const override {
    unsigned bits = llvm::Log2_32(ttg::getNumWarps(getFunction(builder)) * facts.warpSize);
    return arith::ShRUIOp::create(builder, loc, getThreadInBlock(builder, loc), constant(builder, loc, bits));
  }

  Value getProgramId(OpBuilder &builder, Location loc, unsigned axis) const override {
    Type i32 = builder.getI32Type();
    if (axis == 0 && isCluster(builder)) // a program is a cluster of blocks that are adjacent along x
      return NVVM::ClusterIdXOp::create(builder, loc, i32);
    if (axis == 0)
      return NVVM::BlockIdXOp::create(builder, loc, i32);
    if (axis == 1)
      return NVVM::BlockIdYOp::create(builder, loc, i32);
    return NVVM::BlockIdZOp::create(builder, loc, i32);
  }

  Value getNumPrograms(OpBuilder &builder, Location loc, unsigned axis) const override {
    Type i32 = builder.getI32Type();
    if (axis == 0 && isCluster(builder))
      return NVVM::ClusterDimXOp::create(builder, loc, i32);
    if (axis == 0)
      return NVVM::GridDimXOp::create(builder, loc, i32);
    if (axis == 1)
      return NVVM::GridDimYOp::create(builder, loc, i32);
    return NVVM::GridDimZOp::create(builder, loc, i32);
  }

  void barrier(OpBuilder &builder, Location loc) const override {
    Operation *func = getFunction(builder);
    bool isPartition = func->hasAttr(ttg::partitionAttr);
    unsigned partition = isPartition ? getInteger(func, ttg::partitionAttr) : 0;
    assert(partition < facts.maxPartitions && "tritongpu-outline-partitions reports more");
    Value number = constant(builder, loc, isPartition ? nvidia::PartitionBarrier + partition : nvidia::ProgramBarrier);
    if (!isPartition && ttg::getProgramsPerBlock(func) > 1)
      number = arith::AddIOp::create(builder, loc, getProgramInBlock(builder, loc),
                                     constant(builder, loc, nvidia::SharingBarrier));
    countedBarrier(builder, loc, number, ttg::getNumWarps(func));
  }
  void warpBarrier(OpBuilder &builder, Location loc) const override {
    NVVM::SyncWarpOp::create(builder, loc, constant(builder, loc, -1));
  }

  Value shuffleXor(OpBuilder &builder, Location loc, Value value, unsigned mask) const override {
    return shuffle(builder, loc, value, constant(builder, loc, mask), NVVM::ShflKind::bfly);
  }
  Value shuffleIndex(OpBuilder &builder, Location loc, Value value, Value lane) const override {
    return shuffle(builder, loc, value, lane, NVVM::ShflKind::idx);
  }

  Value reduceWarp(OpBuilder &builder, Location loc, Value value, WarpReduction kind) const override {
    auto redux = [&](NVVM::ReduxKind kind) -> Value {
      return NVVM::ReduxOp::create(builder, loc, value.getType(), value, kind, constant(builder, loc, -1));
    };
    switch (kind) {
    case WarpReduction::Add: return redux(NVVM::ReduxKind::ADD);
    case WarpReduction::And: return redux(NVVM::ReduxKind::AND);
    case WarpReduction::Or: return redux(NVVM::ReduxKind::OR);
    case WarpReduction::Xor: return redux(NVVM::ReduxKind::XOR);
    case WarpReduction::MaxS: return redux(NVVM::ReduxKind::MAX);
    case WarpReduction::MinS: return redux(NVVM::ReduxKind::MIN);
    case WarpReduction::MaxU: return redux(NVVM::ReduxKind::UMAX);
    case WarpReduction::MinU: return redux(NVVM::ReduxKind::UMIN);
    }
    llvm_unreachable("all reductions are listed");
  }

  SmallVector<Value> loadMatrices(OpBuilder &builder, Location loc, Value address, unsigned count,
                                  bool transposed) const override {
    Type i32 = builder.getI32Type();
    Type result =
        count == 1 ? i32 : LLVM::LLVMStructType::getLiteral(builder.getContext(), SmallVector<Type>(count, i32));
    std::string name =
        "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x" + std::to_string(count) + (transposed ? ".trans" : "") + ".b16.p3";
    Value words =
        LLVM::CallIntrinsicOp::create(builder, loc, result, builder.getStringAttr(name), address).getResult(0);
    if (count == 1)
      return {words};
    SmallVector<Value> parts;
    for (unsigned i = 0; i < count; ++i)
      parts.push_back(LLVM::ExtractValueOp::create(builder, loc, words, i));
    return parts;
  }

  void storeMatrices(OpBuilder &builder, Location loc, Value address, ValueRange words,
                     bool transposed) const override {
    std::string name = "llvm.nvvm.stmatrix.sync.aligned.m8n8.x" + std::to_string(words.size()) +
                       (transposed ? ".trans" : "") + ".b16.p3";
    SmallVector<Value> operands = {address};
    llvm::append_range(operands, words);
    LLVM::CallIntrinsicOp::create(builder, loc, builder.getStringAttr(name), operands);
  }

  void markKernel(LLVM::LLVMFuncOp func, tt::FuncOp source, unsigned numThreads) const override {
    MLIRContext *context = func.getContext();
    func->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), UnitAttr::get(context));
    func->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                  DenseI32ArrayAttr::get(context, {static_cast<int32_t>(numThreads)}));
    // With this attribute, launchers other than tcc's runtime need not know that programs are clusters.
    if (auto blocks = static_cast<int32_t>(ttg::getModuleInteger(func, ttg::numCTAsAttr, 1)); blocks > 1)
      func->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(), DenseI32ArrayAttr::get(context, {blocks, 1, 1}));
    if (floats.ftz)
      func.setDenormalFpMathF32("preserve-sign,preserve-sign");
    for (StringRef name : {ttng::tensorMapsAttr, ttng::persistentAttr, ttng::blockPairsAttr, ttng::numberedAttr,
                           ttng::clusterBytesAttr, tt::waitsAttr, tt::leastIterationsAttr})
      if (Attribute attr = source->getAttr(name))
        func->setAttr(name, attr);
    for (auto [number, type] : llvm::enumerate(source.getArgumentTypes()))
      if (isa<tt::TensorDescType>(type))
        markTensorMap(func, number);
  }

  // As in Triton, f32 uses the fast hardware instructions (2 ulp or less), and f64 the correctly rounded instructions.
  // Without .ftz, operand and result are scaled, which takes four instructions instead of one.
  Value exp2(OpBuilder &builder, Location loc, Value x, bool flushes) const override {
    return intrinsic(builder, loc, floats.ftz || flushes ? "llvm.nvvm.ex2.approx.ftz" : "llvm.nvvm.ex2.approx", x);
  }
  Value sqrt(OpBuilder &builder, Location loc, Value x) const override {
    if (!x.getType().isF32() || floats.precSqrt)
      return LLVM::SqrtOp::create(builder, loc, x);
    return intrinsic(builder, loc, floats.ftz ? "llvm.nvvm.sqrt.approx.ftz.f" : "llvm.nvvm.sqrt.approx.f", x);
  }
  Value approximate(Function function, OpBuilder &builder, Location loc, Value x) const override {
    if (!floats.fastMath || !x.getType().isF32())
      return {};
    switch (function) {
    case Function::Sin: return intrinsic(builder, loc, "llvm.nvvm.sin.approx.ftz.f", x);
    case Function::Cos: return intrinsic(builder, loc, "llvm.nvvm.cos.approx.ftz.f", x);
    case Function::Log2: return intrinsic(builder, loc, "llvm.nvvm.lg2.approx.ftz.f", x);
    case Function::Tanh: {
      auto op =
          LLVM::InlineAsmOp::create(builder, loc, TypeRange(x.getType()), ValueRange(x), "tanh.approx.f32 $0, $1;",
                                    "=f,f", /*has_side_effects=*/false, /*is_align_stack=*/false,
                                    LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
      return op.getRes();
    }
    }
    return {};
  }
  Value rsqrt(OpBuilder &builder, Location loc, Value x) const override {
    if (x.getType().isF32())
      return intrinsic(builder, loc, floats.ftz ? "llvm.nvvm.rsqrt.approx.ftz.f" : "llvm.nvvm.rsqrt.approx.f", x);
    Value one = LLVM::ConstantOp::create(builder, loc, x.getType(), builder.getFloatAttr(x.getType(), 1));
    return LLVM::FDivOp::create(builder, loc, one, sqrt(builder, loc, x)); // rsqrt.approx.f64 has only 20 bits
  }
  Value extendFloat8(OpBuilder &builder, Location loc, Type type, Value pair) const override {
    Type halves = VectorType::get(2, builder.getF16Type()), i32 = builder.getI32Type();
    if (facts.has(nvidia::Feature::Float8))
      return intrinsic(builder, loc, "llvm.nvvm." + nameOfFloat8(type) + "x2.to.f16x2.rn", {pair}, halves);
    if (!isa<Float8E5M2Type>(type))
      return {};
    // Each byte is the upper byte of an f16; bytes 4 and above are zero.
    Value word = LLVM::ZExtOp::create(builder, loc, i32, pair);
    Value placed = intrinsic(builder, loc, "llvm.nvvm.prmt",
                             {word, constant(builder, loc, 0), constant(builder, loc, 0x1404)}, i32);
    return LLVM::BitcastOp::create(builder, loc, halves, placed);
  }
  Value truncateToFloat8(OpBuilder &builder, Location loc, Type type, ValueRange source) const override {
    if (!facts.has(nvidia::Feature::Float8))
      return {};
    Type i16 = builder.getI16Type();
    if (source[0].getType().isF16())
      return intrinsic(builder, loc, "llvm.nvvm.f16x2.to." + nameOfFloat8(type) + "x2.rn",
                       {packVector(builder, loc, source)}, i16);
    return intrinsic(builder, loc, "llvm.nvvm.ff.to." + nameOfFloat8(type) + "x2.rn", {source[1], source[0]}, i16);
  }
  Value multiplyHigh(OpBuilder &builder, Location loc, Value x, Value y) const override {
    bool wide = x.getType().isInteger(64);
    return intrinsic(builder, loc, wide ? "llvm.nvvm.mulhi.ull" : "llvm.nvvm.mulhi.ui", {x, y});
  }
  Value divide(OpBuilder &builder, Location loc, Value x, Value y) const override {
    if (x.getType().isF32() && !floats.precDiv)
      return intrinsic(builder, loc,
                       floats.fastMath ? "llvm.nvvm.div.approx.ftz.f"
                       : floats.ftz    ? "llvm.nvvm.div.full.ftz"
                                       : "llvm.nvvm.div.full",
                       {x, y});
    return LLVM::FDivOp::create(builder, loc, x, y);
  }

  Value load(OpBuilder &builder, Location loc, VectorType type, Value ptr, Value predicate, Value other,
             const AccessModifiers &modifiers) const override {
    return loadPTX(builder, loc, type, ptr, predicate, other, modifiers);
  }
  void store(OpBuilder &builder, Location loc, Value value, Value ptr, Value predicate,
             const AccessModifiers &modifiers) const override {
    storePTX(builder, loc, value, ptr, predicate, modifiers);
  }
  Value createCachePolicy(OpBuilder &builder, Location loc, StringRef eviction) const override {
    return createPolicyPTX(builder, loc, eviction);
  }

  Value atomicRMW(OpBuilder &builder, Location loc, tt::RMWOp op, Value ptr, Value value, Value predicate,
                  tt::MemSemantic sem, tt::MemSyncScope scope) const override {
    Type element = value.getType();
    unsigned bits = element.getIntOrFloatBitWidth();
    std::string width = std::to_string(bits), order = "." + tt::stringifyMemSemantic(sem).str() + scopeSuffix(scope);
    if (op == tt::RMWOp::FADD && element.isBF16() && !facts.has(nvidia::Feature::AtomicAddBFloat16))
      return addBFloat(builder, loc, ptr, value, predicate, order);
    std::string what;
    switch (op) {
    case tt::RMWOp::AND: what = "and.b" + width; break;
    case tt::RMWOp::OR: what = "or.b" + width; break;
    case tt::RMWOp::XOR: what = "xor.b" + width; break;
    case tt::RMWOp::ADD: what = "add.u" + width; break;
    case tt::RMWOp::FADD:
      what = bits > 16 ? "add.f" + width : element.isBF16() ? "add.noftz.bf16" : "add.noftz.f16";
      break;
    case tt::RMWOp::MAX: what = "max.s" + width; break;
    case tt::RMWOp::MIN: what = "min.s" + width; break;
    case tt::RMWOp::UMAX: what = "max.u" + width; break;
    case tt::RMWOp::UMIN: what = "min.u" + width; break;
    case tt::RMWOp::XCHG: what = "exch.b" + width; break;
    }
    return atomic(builder, loc, "atom" + order + ".global." + what + " $0, [$1], $2;", ptr, {value}, predicate);
  }

  void addVector(OpBuilder &builder, Location loc, Value ptr, ValueRange values, Value predicate, tt::MemSemantic sem,
                 tt::MemSyncScope scope) const override {
    // The old value is not used, so the access need not acquire anything.
    bool releases = sem == tt::MemSemantic::RELEASE || sem == tt::MemSemantic::ACQUIRE_RELEASE;
    Type element = values[0].getType();
    bool isHalf = !element.isF32();
    SmallVector<Value> words = packWords(builder, loc, values), operands = {ptr};
    std::string names, constraints = "l";
    for (Value word : words) {
      names += (operands.size() > 1 ? ", $" : "$") + std::to_string(operands.size());
      constraints += ",r";
      operands.push_back(word);
    }
    std::string guard;
    if (predicate) {
      guard = "@$" + std::to_string(operands.size()) + " ";
      constraints += ",b";
      operands.push_back(predicate);
    }
    std::string type = !isHalf ? "f32" : element.isBF16() ? "bf16x2" : "f16x2";
    std::string vector = words.size() > 1 ? ".v" + std::to_string(words.size()) : "";
    assembly(builder, loc, TypeRange(), operands,
             guard + (releases ? "red.release" : "red.relaxed") + scopeSuffix(scope) + ".global.add" +
                 (isHalf ? ".noftz" : "") + vector + "." + type + " [$0], " +
                 (words.size() > 1 ? "{" + names + "}" : names) + ";",
             constraints + ",~{memory}");
  }

  Value atomicCAS(OpBuilder &builder, Location loc, Value ptr, Value compare, Value value, Value predicate,
                  tt::MemSemantic sem, tt::MemSyncScope scope) const override {
    unsigned bits = isa<LLVM::LLVMPointerType>(value.getType()) ? 64 : value.getType().getIntOrFloatBitWidth();
    std::string text = "atom." + tt::stringifyMemSemantic(sem).str() + scopeSuffix(scope) + ".global.cas.b" +
                       std::to_string(bits) + " $0, [$1], $2, $3;";
    return atomic(builder, loc, text, ptr, {compare, value}, predicate);
  }

  /// A comment tells the emulator what the loop waits for (emulator/checks/Signals.h). It must follow the load.
  Value loadSignal(OpBuilder &builder, Location loc, Value ptr, Value wanted) const override {
    std::string text =
        "ld.acquire.sys.global.u32 $0, [$1];\n\t" + emulatorMark.str() + " awaits.global.ge.u32 [$1], $0, $2;";
    return assembly(builder, loc, builder.getI32Type(), {ptr, wanted}, text, "=&r,l,r,~{memory}").getRes();
  }

private:
  /// Marks argument `number` of a kernel as a tensor map, passed by value.
  static void markTensorMap(LLVM::LLVMFuncOp func, unsigned number) {
    constexpr int64_t bytes = 128, alignment = 64;
    Builder builder(func.getContext());
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes);
    func.setArgAttr(number, LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(type));
    func.setArgAttr(number, LLVM::LLVMDialect::getAlignAttrName(), builder.getI64IntegerAttr(alignment));
    func.setArgAttr(number, NVVM::NVVMDialect::getGridConstantAttrName(), builder.getUnitAttr());
  }

  static std::string scopeSuffix(tt::MemSyncScope scope) { return "." + tt::stringifyMemSyncScope(scope).str(); }

  /// Emits an atomic access. `text` writes $0, and reads the pointer ($1) and `values` ($2 and following). The values
  /// are numbers of 16 to 64 bits, passed as bits.
  static Value atomic(OpBuilder &builder, Location loc, std::string text, Value ptr, ArrayRef<Value> values,
                      Value predicate) {
    Type type = values[0].getType();
    unsigned width = type.getIntOrFloatBitWidth();
    Type bits = builder.getIntegerType(width);
    SmallVector<Value> operands = {ptr};
    std::string constraints = std::string(predicate ? "=&" : "=") + constraintOf(bits) + ",l";
    for (Value value : values) {
      operands.push_back(type == bits ? value : LLVM::BitcastOp::create(builder, loc, bits, value).getResult());
      constraints += std::string(",") + constraintOf(bits);
    }
    if (predicate) {
      operands.push_back(predicate);
      constraints += ",b";
      std::string guard = "@$" + std::to_string(operands.size()) + " ";
      text = "mov.b" + std::to_string(width) + " $0, 0;\n\t" + guard + text;
    }
    Value result = assembly(builder, loc, bits, operands, text, constraints).getRes();
    return type == bits ? result : LLVM::BitcastOp::create(builder, loc, type, result).getResult();
  }

  /// Before sm_90, adds to a bfloat16 in memory by compare and swap.
  static Value addBFloat(OpBuilder &builder, Location loc, Value ptr, Value value, Value predicate, std::string order) {
    std::string skip = predicate ? "@!$3 bra done_${:uid};\n\t" : "";
    std::string text = "{\n\t.reg .pred %again;\n\t.reg .b16 %old, %new;\n\t.reg .b32 %w;\n\t.reg .f32 %x, %y;\n\t"
                       "mov.b16 $0, 0;\n\t" +
                       skip +
                       "cvt.u32.u16 %w, $2;\n\tshl.b32 %w, %w, 16;\n\tmov.b32 %y, %w;\n\t"
                       "ld.relaxed.gpu.global.b16 $0, [$1];\n\t"
                       "again_${:uid}:\n\t"
                       "mov.b16 %old, $0;\n\tcvt.u32.u16 %w, %old;\n\tshl.b32 %w, %w, 16;\n\tmov.b32 %x, %w;\n\t"
                       "add.rn.f32 %x, %x, %y;\n\tcvt.rn.bf16.f32 %new, %x;\n\t"
                       "atom" +
                       order +
                       ".global.cas.b16 $0, [$1], %old, %new;\n\t"
                       "setp.ne.b16 %again, $0, %old;\n\t@%again bra again_${:uid};\n\t"
                       "done_${:uid}:\n\t}";
    // PTX register names begin with %, which is not special to LLVM.
    SmallVector<Value> operands = {ptr, LLVM::BitcastOp::create(builder, loc, builder.getI16Type(), value)};
    if (predicate)
      operands.push_back(predicate);
    Value result =
        assembly(builder, loc, builder.getI16Type(), operands, text, predicate ? "=&h,l,h,b" : "=&h,l,h").getRes();
    return LLVM::BitcastOp::create(builder, loc, value.getType(), result);
  }

  /// Returns the function that contains the code: the kernel, or one of its partitions.
  static Operation *getFunction(OpBuilder &builder) {
    Operation *op = builder.getInsertionBlock()->getParentOp();
    while (!isa<FunctionOpInterface>(op))
      op = op->getParentOp();
    return op;
  }
  /// If the kernel has partitions, emits a barrier of some of its warps.
  void countedBarrier(OpBuilder &builder, Location loc, Value number, int64_t warps) const {
    if (!ttg::getModuleInteger(getFunction(builder), ttg::totalNumWarpsAttr, 0)) {
      NVVM::Barrier0Op::create(builder, loc);
      return;
    }
    NVVM::BarrierOp::create(builder, loc, TypeRange(), number, constant(builder, loc, warps * facts.warpSize),
                            NVVM::BarrierReductionAttr(), Value());
  }
  /// Returns true if several thread blocks run a program.
  static bool isCluster(OpBuilder &builder) {
    Operation *func = getFunction(builder);
    return ttg::getModuleInteger(func, ttg::numCTAsAttr, 1) > 1 ||
           ttg::getModuleInteger(func, ttng::maxBlocksAttr, 1) > 1;
  }

  static int64_t getInteger(Operation *op, StringRef name) {
    auto attr = op->getAttrOfType<IntegerAttr>(name);
    return attr ? attr.getInt() : 0;
  }

  static Value constant(OpBuilder &builder, Location loc, int32_t value) {
    return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), value);
  }

  static Value shuffle(OpBuilder &builder, Location loc, Value value, Value operand, NVVM::ShflKind kind) {
    return NVVM::ShflOp::create(builder, loc, value.getType(), constant(builder, loc, -1), value, operand,
                                constant(builder, loc, 31), kind, UnitAttr());
  }

  /// Calls an intrinsic. The result has the operands' type, unless another one is given.
  static Value intrinsic(OpBuilder &builder, Location loc, const Twine &name, ValueRange operands, Type result = {}) {
    return LLVM::CallIntrinsicOp::create(builder, loc, result ? result : operands[0].getType(),
                                         builder.getStringAttr(name), operands)
        .getResult(0);
  }
  static std::string nameOfFloat8(Type type) { return isa<Float8E4M3FNType>(type) ? "e4m3" : "e5m2"; }

  const nvidia::Facts &facts;
  FloatOptions floats;
};

} // namespace

Value tilecc::getThreadInBlock(OpBuilder &builder, Location loc) {
  return NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type());
}

std::unique_ptr<TargetInfo> tilecc::createNvidiaTargetInfo(const nvidia::Facts &facts, FloatOptions floats) {
  return std::make_unique<NvidiaTargetInfo>(facts, floats);
}
