//===- AmdTargetInfo.cpp - thread ids, shuffles, memory accesses and waits on AMD GPUs ----------------------------===//
//
// A warp is a wave, and a program is a work-group. Shared memory is LDS, with 32-bit pointers. Predicated stores and
// atomic accesses are branches, which the hardware executes with a lane mask.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/amd/AmdPatterns.h"
#include "lowering/analysis/AccessWidth.h"
#include "lowering/gpu/LLVMAccess.h"
#include "lowering/gpu/PortableTargetInfo.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilecc::amd {

Value callIntrinsic(OpBuilder &builder, Location loc, StringRef name, Type result, ValueRange operands) {
  StringAttr intrinsic = builder.getStringAttr(name);
  if (!result) {
    LLVM::CallIntrinsicOp::create(builder, loc, intrinsic, operands);
    return {};
  }
  return LLVM::CallIntrinsicOp::create(builder, loc, result, intrinsic, operands).getResult(0);
}

namespace {

/// Selects the lane whose register DPP reads as an operand (LLVM's AMDGPU user guide, dpp_ctrl). A row is 16 lanes.
enum Dpp : int32_t {
  quadPerm = 0x000, ///< permutes 4 lanes; two bits per lane
  rowRotate8 = 0x128,
  rowMirror = 0x140,
  rowHalfMirror = 0x141,
  rowXorMask = 0x160, ///< RDNA: XOR of the lane number with up to 15
};

/// Returns the DPP control with which a lane reads the lane whose number is its own XOR `mask`, if there is such a
/// control.
std::optional<int32_t> getDppOfXor(const Facts &facts, unsigned mask) {
  if (mask < 4)
    return quadPerm | (0 ^ mask) | (1 ^ mask) << 2 | (2 ^ mask) << 4 | (3 ^ mask) << 6;
  if (!facts.isCdna() && mask < 16)
    return rowXorMask | mask;
  switch (mask) {
  case 7: return rowHalfMirror;
  case 8: return rowRotate8;
  case 15: return rowMirror;
  default: return std::nullopt;
  }
}

class AmdTargetInfo final : public PortableTargetInfo {
public:
  AmdTargetInfo(const Facts &facts, FloatOptions floats) : PortableTargetInfo(facts), gpu(facts), floats(floats) {}

  void populatePatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                        const LoweringContext &lowering) const override {
    PortableTargetInfo::populatePatterns(patterns, types, lowering);
    populateMatrixDotPatterns(patterns, types, lowering, gpu);
  }

  Value getThreadId(OpBuilder &builder, Location loc) const override {
    return callIntrinsic(builder, loc, "llvm.amdgcn.workitem.id.x", builder.getI32Type());
  }
  Value getProgramId(OpBuilder &builder, Location loc, unsigned axis) const override {
    static constexpr StringLiteral names[] = {"llvm.amdgcn.workgroup.id.x", "llvm.amdgcn.workgroup.id.y",
                                              "llvm.amdgcn.workgroup.id.z"};
    return callIntrinsic(builder, loc, names[axis], builder.getI32Type());
  }
  // These are the first three words of the implicit arguments: hidden_block_count_x, _y and _z.
  Value getNumPrograms(OpBuilder &builder, Location loc, unsigned axis) const override {
    constexpr unsigned constantMemory = 4;
    Type i32 = builder.getI32Type(), ptr = LLVM::LLVMPointerType::get(builder.getContext(), constantMemory);
    Value arguments = callIntrinsic(builder, loc, "llvm.amdgcn.implicitarg.ptr", ptr);
    Value count = LLVM::GEPOp::create(builder, loc, ptr, i32, arguments, ArrayRef<LLVM::GEPArg>{int32_t(axis)});
    return LLVM::LoadOp::create(builder, loc, i32, count, /*alignment=*/4, /*isVolatile=*/false,
                                /*isNonTemporal=*/false, /*isInvariant=*/true);
  }

  void barrier(OpBuilder &builder, Location loc) const override {
    waitFor(builder, loc, "workgroup", "llvm.amdgcn.s.barrier");
  }
  void sharedBarrier(OpBuilder &builder, Location loc) const override {
    waitFor(builder, loc, "workgroup", "llvm.amdgcn.s.barrier", /*ordersGlobal=*/false);
  }
  void warpBarrier(OpBuilder &builder, Location loc) const override {
    waitFor(builder, loc, "wavefront", "llvm.amdgcn.wave.barrier");
  }

  Value shuffleXor(OpBuilder &builder, Location loc, Value value, unsigned mask) const override {
    if (std::optional<int32_t> control = getDppOfXor(gpu, mask))
      return shuffleByDpp(builder, loc, value, *control);
    Type i32 = builder.getI32Type();
    if (mask == 16 && !gpu.isCdna()) {
      // Lane i of a row reads lane i of the other row.
      Value unused = LLVM::PoisonOp::create(builder, loc, i32), no = constantI1(builder, loc, false);
      return callIntrinsic(builder, loc, "llvm.amdgcn.permlanex16", i32,
                           {unused, value, constantI32(builder, loc, 0x76543210),
                            constantI32(builder, loc, int32_t(0xfedcba98)), no, no});
    }
    if (mask < 32) {
      // Within 32 lanes, the control ANDs the lane number with bits 0-4, and XORs the result with bits 10-14.
      constexpr int32_t keepsAll = 0x1f;
      return callIntrinsic(builder, loc, "llvm.amdgcn.ds.swizzle", i32,
                           {value, constantI32(builder, loc, int32_t(mask << 10) | keepsAll)});
    }
    Value lane = getLane(builder, loc);
    return shuffleIndex(builder, loc, value,
                        LLVM::XOrOp::create(builder, loc, lane, constantI32(builder, loc, int32_t(mask))));
  }
  Value shuffleIndex(OpBuilder &builder, Location loc, Value value, Value lane) const override {
    Value address = LLVM::ShlOp::create(builder, loc, lane, constantI32(builder, loc, 2));
    return callIntrinsic(builder, loc, "llvm.amdgcn.ds.bpermute", builder.getI32Type(), {address, value});
  }
  Value reduceWarp(OpBuilder &, Location, Value, WarpReduction) const override { return {}; } // uses shuffles

  void markKernel(LLVM::LLVMFuncOp func, tt::FuncOp, unsigned numThreads) const override {
    func.setCConv(LLVM::CConv::AMDGPU_KERNEL);
    func.setReqdWorkGroupSize(ArrayRef<int32_t>{static_cast<int32_t>(numThreads), 1, 1});
  }

  Value exp2(OpBuilder &builder, Location loc, Value x, bool flushes) const override {
    if ((flushes || floats.fastMath || floats.ftz) && x.getType().isF32())
      return callIntrinsic(builder, loc, "llvm.amdgcn.exp2", x.getType(), x);
    return LLVM::Exp2Op::create(builder, loc, x);
  }
  Value sqrt(OpBuilder &builder, Location loc, Value x) const override {
    auto root = LLVM::SqrtOp::create(builder, loc, x);
    if (!floats.precSqrt)
      root.setFastmathFlags(approximateFlag);
    return root;
  }
  Value approximate(Function function, OpBuilder &builder, Location loc, Value x) const override {
    if (!floats.fastMath || !x.getType().isF32())
      return {};
    auto ofTurns = [&](StringRef name) {
      Value turns = LLVM::FMulOp::create(
          builder, loc, x,
          LLVM::ConstantOp::create(builder, loc, x.getType(), builder.getF32FloatAttr(0.15915494309189535f)));
      Value part = callIntrinsic(builder, loc, "llvm.amdgcn.fract", x.getType(), turns);
      return callIntrinsic(builder, loc, name, x.getType(), part);
    };
    switch (function) {
    case Function::Sin: return ofTurns("llvm.amdgcn.sin");
    case Function::Cos: return ofTurns("llvm.amdgcn.cos");
    case Function::Log2: return callIntrinsic(builder, loc, "llvm.amdgcn.log", x.getType(), x);
    case Function::Tanh: return {};
    }
    return {};
  }
  Value rsqrt(OpBuilder &builder, Location loc, Value x) const override {
    // LLVM combines both into one instruction if the flags allow it.
    auto flags = approximateFlag | LLVM::FastmathFlags::contract;
    auto root = LLVM::SqrtOp::create(builder, loc, x);
    Value one = LLVM::ConstantOp::create(builder, loc, x.getType(), builder.getFloatAttr(x.getType(), 1));
    auto quotient = LLVM::FDivOp::create(builder, loc, one, root);
    root.setFastmathFlags(flags);
    quotient.setFastmathFlags(flags);
    return quotient;
  }
  Value divide(OpBuilder &builder, Location loc, Value x, Value y) const override {
    auto quotient = LLVM::FDivOp::create(builder, loc, x, y);
    if (!floats.precDiv)
      quotient.setFastmathFlags(approximateFlag);
    return quotient;
  }
  Value multiplyHigh(OpBuilder &builder, Location loc, Value x, Value y) const override {
    unsigned bits = x.getType().getIntOrFloatBitWidth();
    Type wide = builder.getIntegerType(2 * bits);
    auto extend = [&](Value value) -> Value { return LLVM::ZExtOp::create(builder, loc, wide, value); };
    Value product = LLVM::MulOp::create(builder, loc, extend(x), extend(y));
    Value shift = LLVM::ConstantOp::create(builder, loc, wide, builder.getIntegerAttr(wide, bits));
    return LLVM::TruncOp::create(builder, loc, x.getType(), LLVM::LShrOp::create(builder, loc, product, shift));
  }

  Value extendFloat8(OpBuilder &builder, Location loc, Type type, Value pair) const override {
    if (gpu.float8 != Float8::Ocp || isa<Float8E5M2Type>(type))
      return PortableTargetInfo::extendFloat8(builder, loc, type, pair);
    Type f32 = builder.getF32Type(), f16 = builder.getF16Type();
    Value word = LLVM::ZExtOp::create(builder, loc, builder.getI32Type(), pair);
    Value numbers = callIntrinsic(builder, loc, "llvm.amdgcn.cvt.pk.f32.fp8", VectorType::get(2, f32),
                                  {word, constantI1(builder, loc, false)});
    // The conversion is exact, so the rounding mode does not matter.
    return callIntrinsic(builder, loc, "llvm.amdgcn.cvt.pkrtz", VectorType::get(2, f16),
                         unpackVector(builder, loc, numbers));
  }
  // If a value is out of range, the result of the instruction depends on the mode of the wave, so values are clamped
  // first. NaNs get the same encoding as on all targets.
  Value truncateToFloat8(OpBuilder &builder, Location loc, Type type, ValueRange source) const override {
    if (gpu.float8 != Float8::Ocp)
      return {};
    Type f32 = builder.getF32Type(), i16 = builder.getI16Type();
    bool isE5M2 = isa<Float8E5M2Type>(type);
    auto constant = [&](double value) -> Value {
      return LLVM::ConstantOp::create(builder, loc, f32, builder.getF32FloatAttr(value));
    };
    double largest = isE5M2 ? 57344 : 448;
    SmallVector<Value> operands;
    Value areNaN[2];
    for (auto [value, isNaN] : llvm::zip_equal(source, areNaN)) {
      Value x = value.getType().isF32() ? value : LLVM::FPExtOp::create(builder, loc, f32, value).getResult();
      operands.push_back(
          callIntrinsic(builder, loc, "llvm.amdgcn.fmed3", f32, {x, constant(-largest), constant(largest)}));
      isNaN = LLVM::FCmpOp::create(builder, loc, LLVM::FCmpPredicate::uno, x, x);
    }
    operands.append({constantI32(builder, loc, 0), constantI1(builder, loc, false)});
    Value pair = callIntrinsic(builder, loc, isE5M2 ? "llvm.amdgcn.cvt.pk.bf8.f32" : "llvm.amdgcn.cvt.pk.fp8.f32",
                               builder.getI32Type(), operands);
    pair = LLVM::TruncOp::create(builder, loc, i16, pair);
    auto constantPair = [&](int64_t value) -> Value {
      return LLVM::ConstantOp::create(builder, loc, i16, builder.getIntegerAttr(i16, value));
    };
    for (auto [i, isNaN] : llvm::enumerate(areNaN)) {
      Value kept = LLVM::AndOp::create(builder, loc, pair, constantPair(i ? 0x00ff : 0xff00));
      Value replaced = LLVM::OrOp::create(builder, loc, kept, constantPair(i ? 0x7f00 : 0x007f));
      pair = LLVM::SelectOp::create(builder, loc, isNaN, replaced, pair);
    }
    return pair;
  }

  Value load(OpBuilder &builder, Location loc, VectorType type, Value ptr, Value predicate, Value other,
             const AccessModifiers &modifiers) const override {
    if (predicate)
      ptr = LLVM::SelectOp::create(builder, loc, predicate, ptr, getZeros(builder, loc));
    Value loaded =
        LLVM::LoadOp::create(builder, loc, type, ptr, getBytes(type), modifiers.isVolatile, isStreamed(modifiers));
    return predicate && other ? LLVM::SelectOp::create(builder, loc, predicate, loaded, other).getResult() : loaded;
  }
  void store(OpBuilder &builder, Location loc, Value value, Value ptr, Value predicate,
             const AccessModifiers &modifiers) const override {
    createIf(builder, loc, predicate, {}, [&]() -> Value {
      LLVM::StoreOp::create(builder, loc, value, ptr, getBytes(cast<VectorType>(value.getType())), modifiers.isVolatile,
                            isStreamed(modifiers));
      return {};
    });
  }

  Value loadBuffer(OpBuilder &builder, Location loc, VectorType type, const BufferAddress &address, Value predicate,
                   Value other, const AccessModifiers &modifiers) const override {
    Value loaded =
        callIntrinsic(builder, loc, "llvm.amdgcn.raw.ptr.buffer.load", getBufferType(type),
                      getBufferOperands(builder, loc, address, predicate, isStreamed(modifiers), /*isStore=*/false));
    loaded = LLVM::BitcastOp::create(builder, loc, type, loaded);
    return predicate && other ? LLVM::SelectOp::create(builder, loc, predicate, loaded, other).getResult() : loaded;
  }
  void storeBuffer(OpBuilder &builder, Location loc, Value value, const BufferAddress &address, Value predicate,
                   const AccessModifiers &modifiers) const override {
    Type type = getBufferType(cast<VectorType>(value.getType()));
    SmallVector<Value> operands = {LLVM::BitcastOp::create(builder, loc, type, value)};
    llvm::append_range(operands, getBufferOperands(builder, loc, address, predicate, isStreamed(modifiers),
                                                   /*isStore=*/true));
    callIntrinsic(builder, loc, "llvm.amdgcn.raw.ptr.buffer.store", {}, operands);
  }

  Value atomicRMW(OpBuilder &builder, Location loc, tt::RMWOp op, Value ptr, Value value, Value predicate,
                  tt::MemSemantic sem, tt::MemSyncScope scope) const override {
    Type type = value.getType();
    return createIf(builder, loc, predicate, getZero(builder, loc, predicate, type), [&]() -> Value {
      bool isSum = op == tt::RMWOp::FADD;
      Value operand = isSum ? value : toBits(builder, loc, value);
      Value before = LLVM::AtomicRMWOp::create(builder, loc, getAtomicOperation(op), ptr, operand, getOrdering(sem),
                                               nameOf(scope), getAtomicBits(type) / 8);
      return isSum ? before : fromBits(builder, loc, before, type);
    });
  }
  Value atomicCAS(OpBuilder &builder, Location loc, Value ptr, Value compare, Value value, Value predicate,
                  tt::MemSemantic sem, tt::MemSyncScope scope) const override {
    Type type = value.getType();
    return createIf(builder, loc, predicate, getZero(builder, loc, predicate, type), [&]() -> Value {
      Value swap = LLVM::AtomicCmpXchgOp::create(builder, loc, ptr, toBits(builder, loc, compare),
                                                 toBits(builder, loc, value), getOrdering(sem), getFailureOrdering(sem),
                                                 nameOf(scope), getAtomicBits(type) / 8);
      return fromBits(builder, loc, LLVM::ExtractValueOp::create(builder, loc, swap, 0), type);
    });
  }

private:
  /// This flag becomes metadata (!fpmath) in CodeObjectWriter.cpp.
  static constexpr LLVM::FastmathFlags approximateFlag = LLVM::FastmathFlags::afn;

  static unsigned getBytes(VectorType type) { return type.getNumElements() * type.getElementTypeBitWidth() / 8; }

  /// Returns true if the data should not stay in the caches.
  static bool isStreamed(const AccessModifiers &modifiers) {
    return modifiers.cacheOperator == "cs" || modifiers.eviction == "evict_first";
  }

  /// Returns the type as which a buffer instruction moves a vector: an integer, or several words.
  static Type getBufferType(VectorType type) {
    unsigned bytes = getBytes(type);
    Type element = IntegerType::get(type.getContext(), std::min(bytes, 4u) * 8);
    return bytes > 4 ? VectorType::get(bytes / 4, element) : element;
  }

  /// Returns the operands of a buffer instruction except for the data. If the predicate is false, the offset is out of
  /// bounds. The constant is added afterwards, so that the accesses of a tile can share this offset.
  SmallVector<Value> getBufferOperands(OpBuilder &builder, Location loc, const BufferAddress &address, Value predicate,
                                       bool isStreamed, bool isStore) const {
    constexpr uint32_t bytes = 1u << 31;
    constexpr unsigned bufferMemory = 8;
    Type i32 = builder.getI32Type(), i16 = builder.getI16Type(), i64 = builder.getI64Type();
    // LLVM does not know that the base is the same in all threads, if it is the result of a reduction, for example.
    Value base = callIntrinsic(builder, loc, "llvm.amdgcn.readfirstlane", address.base.getType(), address.base);
    Value stride = LLVM::ConstantOp::create(builder, loc, i16, builder.getI16IntegerAttr(0));
    Value bound = LLVM::ConstantOp::create(builder, loc, i64, builder.getI64IntegerAttr(bytes));
    Value buffer = callIntrinsic(builder, loc, "llvm.amdgcn.make.buffer.rsrc",
                                 LLVM::LLVMPointerType::get(builder.getContext(), bufferMemory),
                                 {base, stride, bound, constantI32(builder, loc, int32_t(gpu.getBufferFlags()))});
    Value ofThread = address.ofThread, ofProgram = address.ofProgram;
    if (predicate)
      ofThread = LLVM::SelectOp::create(builder, loc, predicate, ofThread, constantI32(builder, loc, int32_t(bytes)));
    uint32_t constant = address.constant & gpu.getMaxBufferConstant(), rest = address.constant - constant;
    if (constant)
      ofThread = LLVM::AddOp::create(builder, loc, ofThread, constantI32(builder, loc, int32_t(constant)));
    Value more = constantI32(builder, loc, int32_t(rest));
    ofProgram = !ofProgram ? more : rest ? LLVM::AddOp::create(builder, loc, ofProgram, more).getResult() : ofProgram;
    uint32_t policy = isStreamed ? gpu.getStreamPolicy(isStore) : 0;
    return {buffer, ofThread, ofProgram, constantI32(builder, loc, int32_t(policy))};
  }

  static StringRef nameOf(tt::MemSyncScope scope) {
    switch (scope) {
    case tt::MemSyncScope::CTA: return "workgroup";
    case tt::MemSyncScope::GPU: return "agent";
    case tt::MemSyncScope::SYSTEM: return ""; // all devices
    }
    llvm_unreachable("all scopes are listed");
  }

  /// Returns the address of zeros in the code object, as many as the widest access needs. Lanes whose predicate is
  /// false load these zeros, so a load needs no branch.
  Value getZeros(OpBuilder &builder, Location loc) const {
    static constexpr StringLiteral symbol = "tilecc_zeros";
    auto module = builder.getBlock()->getParentOp()->getParentOfType<ModuleOp>();
    if (!module.lookupSymbol(symbol)) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(module.getBody());
      auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), widestAccessBits / 8);
      Location nowhere = builder.getUnknownLoc(); // only functions may have the location of a call
      auto zeros = LLVM::GlobalOp::create(builder, nowhere, type, /*isConstant=*/true, LLVM::Linkage::Internal, symbol,
                                          Attribute(), /*alignment=*/widestAccessBits / 8, getGlobalAddressSpace());
      builder.createBlock(&zeros.getInitializerRegion());
      LLVM::ReturnOp::create(builder, nowhere, LLVM::ZeroOp::create(builder, nowhere, type).getResult());
    }
    Type ptr = LLVM::LLVMPointerType::get(builder.getContext(), getGlobalAddressSpace());
    return LLVM::AddressOfOp::create(builder, loc, ptr, symbol);
  }

  static Value getZero(OpBuilder &builder, Location loc, Value predicate, Type type) {
    return predicate ? LLVM::ZeroOp::create(builder, loc, type).getResult() : Value();
  }

  /// Emits a barrier between fences. If a fence only orders accesses to LDS, it does not wait for loads and stores of
  /// global memory.
  static void waitFor(OpBuilder &builder, Location loc, StringRef scope, StringRef barrier, bool ordersGlobal = true) {
    auto fence = [&](LLVM::AtomicOrdering ordering) {
      auto op = LLVM::FenceOp::create(builder, loc, ordering, scope);
      if (!ordersGlobal)
        op->setDiscardableAttr(LLVM::LLVMDialect::getMmraAttrName(),
                               builder.getAttr<LLVM::MMRATagAttr>("amdgpu-synchronize-as", "local"));
    };
    fence(LLVM::AtomicOrdering::release);
    callIntrinsic(builder, loc, barrier, {});
    fence(LLVM::AtomicOrdering::acquire);
  }

  static Value shuffleByDpp(OpBuilder &builder, Location loc, Value value, int32_t control) {
    Value unused = LLVM::PoisonOp::create(builder, loc, value.getType()), all = constantI32(builder, loc, 0xf);
    return callIntrinsic(builder, loc, "llvm.amdgcn.update.dpp", value.getType(),
                         {unused, value, constantI32(builder, loc, control), all, all, constantI1(builder, loc, true)});
  }

  /// Returns the number of this lane in its wave of 64.
  static Value getLane(OpBuilder &builder, Location loc) {
    Type i32 = builder.getI32Type();
    Value all = constantI32(builder, loc, -1);
    Value low = callIntrinsic(builder, loc, "llvm.amdgcn.mbcnt.lo", i32, {all, constantI32(builder, loc, 0)});
    return callIntrinsic(builder, loc, "llvm.amdgcn.mbcnt.hi", i32, {all, low});
  }

  const Facts &gpu;
  FloatOptions floats;
};

} // namespace

std::unique_ptr<TargetInfo> createTargetInfo(const Facts &facts, FloatOptions floats) {
  return std::make_unique<AmdTargetInfo>(facts, floats);
}

} // namespace tilecc::amd
