//===- SpirvTargetInfo.cpp - implements TargetInfo for OpenCL devices ---------------------------------------------===//
//
// A warp is a sub-group, and a program is a work-group. Shared memory is the local memory of the work-group, and
// pointers to it have 64 bits. Features that only some devices have (a matrix unit) are used if the target includes
// them.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/spirv/SpirvPatterns.h"
#include "lowering/gpu/PortableTargetInfo.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilecc::spirv {

namespace {

/// The scopes and memory semantics of SPIR-V's barriers: acquire and release, for local and global memory.
constexpr int32_t workgroupScope = 2, subgroupScope = 3, allMemory = 0x8 | 0x100 | 0x200;

/// The words in which an access moves a vector: 1, 2 or 4 words of 32 bits, 1 or 2 words of 64 bits, or a single
/// narrower word. OpenCL has no vectors of one element.
struct Words {
  explicit Words(VectorType vector) {
    unsigned element = vector.getElementTypeBitWidth(), total = element * vector.getNumElements();
    unsigned bits = element == 64 ? 64 : std::min(32u, total);
    bytes = total / 8;
    Type word = IntegerType::get(vector.getContext(), bits);
    type = total == bits ? word : VectorType::get(total / bits, word);
  }
  unsigned bytes;
  Type type;
};

class SpirvTargetInfo final : public PortableTargetInfo {
public:
  SpirvTargetInfo(const Facts &facts, FloatOptions floats)
      : PortableTargetInfo(facts), hasMatrixUnit(facts.hasMatrixUnit), floats(floats) {}

  void populatePatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                        const LoweringContext &lowering) const override {
    PortableTargetInfo::populatePatterns(patterns, types, lowering);
    if (hasMatrixUnit)
      populateMatrixDotPatterns(patterns, types, lowering);
  }

  // Sub-group and lane are queried, because OpenCL does not specify how local work-item ids map to them.
  Value getThreadId(OpBuilder &builder, Location loc) const override {
    Type i32 = builder.getI32Type();
    Value warp = callBuiltin(builder, loc, "_Z16get_sub_group_idv", i32, {});
    Value lane = callBuiltin(builder, loc, "_Z22get_sub_group_local_idv", i32, {});
    Value bits = createConstant(builder, loc, i32, llvm::Log2_32(facts.warpSize));
    return LLVM::OrOp::create(builder, loc, LLVM::ShlOp::create(builder, loc, warp, bits), lane);
  }
  Value getProgramId(OpBuilder &builder, Location loc, unsigned axis) const override {
    return askGrid(builder, loc, "_Z12get_group_idj", axis);
  }
  Value getNumPrograms(OpBuilder &builder, Location loc, unsigned axis) const override {
    return askGrid(builder, loc, "_Z14get_num_groupsj", axis);
  }

  void barrier(OpBuilder &builder, Location loc) const override { waitFor(builder, loc, workgroupScope); }
  void warpBarrier(OpBuilder &builder, Location loc) const override { waitFor(builder, loc, subgroupScope); }

  Value shuffleXor(OpBuilder &builder, Location loc, Value value, unsigned mask) const override {
    Type i32 = builder.getI32Type();
    return callBuiltin(builder, loc, "_Z21sub_group_shuffle_xorjj", i32,
                       {value, createConstant(builder, loc, i32, mask)}, /*isConvergent=*/true);
  }
  Value shuffleIndex(OpBuilder &builder, Location loc, Value value, Value lane) const override {
    return callBuiltin(builder, loc, "_Z17sub_group_shufflejj", builder.getI32Type(), {value, lane},
                       /*isConvergent=*/true);
  }
  Value reduceWarp(OpBuilder &builder, Location loc, Value value, WarpReduction kind) const override {
    const char *name = nullptr;
    switch (kind) {
    case WarpReduction::Add: name = "_Z20sub_group_reduce_addj"; break;
    case WarpReduction::MaxS: name = "_Z20sub_group_reduce_maxi"; break;
    case WarpReduction::MinS: name = "_Z20sub_group_reduce_mini"; break;
    case WarpReduction::MaxU: name = "_Z20sub_group_reduce_maxj"; break;
    case WarpReduction::MinU: name = "_Z20sub_group_reduce_minj"; break;
    case WarpReduction::And:
    case WarpReduction::Or:
    case WarpReduction::Xor: return {}; // requires an extension, cl_khr_subgroup_non_uniform_arithmetic
    }
    return callBuiltin(builder, loc, name, value.getType(), value, /*isConvergent=*/true);
  }

  void markKernel(LLVM::LLVMFuncOp func, tt::FuncOp, unsigned numThreads) const override {
    func.setCConv(LLVM::CConv::SPIR_KERNEL);
    func.setReqdWorkGroupSize(ArrayRef<int32_t>{static_cast<int32_t>(numThreads), 1, 1});
    func.setIntelReqdSubGroupSize(facts.warpSize);
  }

  Value exp2(OpBuilder &builder, Location loc, Value x, bool) const override {
    if (floats.fastMath && x.getType().isF32())
      return callBuiltin(builder, loc, "_Z11native_exp2f", x.getType(), x);
    return LLVM::Exp2Op::create(builder, loc, x);
  }
  Value sqrt(OpBuilder &builder, Location loc, Value x) const override { return LLVM::SqrtOp::create(builder, loc, x); }
  Value approximate(Function function, OpBuilder &builder, Location loc, Value x) const override {
    if (!floats.fastMath || !x.getType().isF32())
      return {};
    switch (function) {
    case Function::Sin: return callBuiltin(builder, loc, "_Z10native_sinf", x.getType(), x);
    case Function::Cos: return callBuiltin(builder, loc, "_Z10native_cosf", x.getType(), x);
    case Function::Log2: return callBuiltin(builder, loc, "_Z11native_log2f", x.getType(), x);
    case Function::Tanh: return {};
    }
    return {};
  }
  Value rsqrt(OpBuilder &builder, Location loc, Value x) const override {
    return callBuiltin(builder, loc, x.getType().isF32() ? "_Z5rsqrtf" : "_Z5rsqrtd", x.getType(), x);
  }
  Value divide(OpBuilder &builder, Location loc, Value x, Value y) const override {
    return LLVM::FDivOp::create(builder, loc, x, y);
  }
  Value multiplyHigh(OpBuilder &builder, Location loc, Value x, Value y) const override {
    return callBuiltin(builder, loc, x.getType().isInteger(64) ? "_Z6mul_himm" : "_Z6mul_hijj", x.getType(), {x, y});
  }

  Value load(OpBuilder &builder, Location loc, VectorType type, Value ptr, Value predicate, Value other,
             const AccessModifiers &modifiers) const override {
    Words words(type);
    Value otherwise;
    if (predicate)
      otherwise = other ? LLVM::BitcastOp::create(builder, loc, words.type, other).getResult()
                        : LLVM::ZeroOp::create(builder, loc, words.type).getResult();
    Value loaded = createIf(builder, loc, predicate, otherwise, [&] {
      return LLVM::LoadOp::create(builder, loc, words.type, ptr, words.bytes, modifiers.isVolatile);
    });
    return LLVM::BitcastOp::create(builder, loc, type, loaded);
  }
  void store(OpBuilder &builder, Location loc, Value value, Value ptr, Value predicate,
             const AccessModifiers &modifiers) const override {
    Words words(cast<VectorType>(value.getType()));
    Value bits = LLVM::BitcastOp::create(builder, loc, words.type, value);
    createIf(builder, loc, predicate, {}, [&]() -> Value {
      LLVM::StoreOp::create(builder, loc, bits, ptr, words.bytes, modifiers.isVolatile);
      return {};
    });
  }

  Value atomicRMW(OpBuilder &builder, Location loc, tt::RMWOp op, Value ptr, Value value, Value predicate,
                  tt::MemSemantic sem, tt::MemSyncScope scope) const override {
    return spirv::atomicRMW(builder, loc, op, ptr, value, predicate, sem, scope);
  }
  Value atomicCAS(OpBuilder &builder, Location loc, Value ptr, Value compare, Value value, Value predicate,
                  tt::MemSemantic sem, tt::MemSyncScope scope) const override {
    return spirv::atomicCAS(builder, loc, ptr, compare, value, predicate, sem, scope);
  }

private:
  static Value askGrid(OpBuilder &builder, Location loc, StringRef name, unsigned axis) {
    Value wide =
        callBuiltin(builder, loc, name, builder.getI64Type(), createConstant(builder, loc, builder.getI32Type(), axis));
    return LLVM::TruncOp::create(builder, loc, builder.getI32Type(), wide);
  }

  static void waitFor(OpBuilder &builder, Location loc, int32_t scope) {
    Type i32 = builder.getI32Type();
    Value of = createConstant(builder, loc, i32, scope);
    callBuiltin(builder, loc, "_Z22__spirv_ControlBarrieriii", {},
                {of, of, createConstant(builder, loc, i32, allMemory)},
                /*isConvergent=*/true);
  }

  bool hasMatrixUnit;
  FloatOptions floats;
};

} // namespace

std::unique_ptr<TargetInfo> createTargetInfo(const Facts &facts, FloatOptions floats) {
  return std::make_unique<SpirvTargetInfo>(facts, floats);
}

} // namespace tilecc::spirv
