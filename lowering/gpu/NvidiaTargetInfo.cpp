#include "lowering/gpu/TargetInfo.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace tilecc;

namespace {

class NvidiaTargetInfo final : public TargetInfo {
public:
  explicit NvidiaTargetInfo(unsigned sm) : sm(sm) {}

  unsigned getWarpSize() const override { return 32; }

  unsigned getMaxSharedBytes() const override {
    switch (sm) {
    case 80: case 87:
      return 163 * 1024;
    case 86: case 89: case 120: case 121:
      return 99 * 1024;
    default:
      return 227 * 1024;
    }
  }

  unsigned getGlobalAddressSpace() const override { return 1; }
  unsigned getSharedAddressSpace() const override { return 3; }

  Value getThreadId(OpBuilder &builder, Location loc) const override {
    return NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type());
  }

  Value getProgramId(OpBuilder &builder, Location loc, unsigned axis) const override {
    Type i32 = builder.getI32Type();
    if (axis == 0)
      return NVVM::BlockIdXOp::create(builder, loc, i32);
    if (axis == 1)
      return NVVM::BlockIdYOp::create(builder, loc, i32);
    return NVVM::BlockIdZOp::create(builder, loc, i32);
  }

  Value getNumPrograms(OpBuilder &builder, Location loc, unsigned axis) const override {
    Type i32 = builder.getI32Type();
    if (axis == 0)
      return NVVM::GridDimXOp::create(builder, loc, i32);
    if (axis == 1)
      return NVVM::GridDimYOp::create(builder, loc, i32);
    return NVVM::GridDimZOp::create(builder, loc, i32);
  }

  void barrier(OpBuilder &builder, Location loc) const override { NVVM::Barrier0Op::create(builder, loc); }

  Value shuffleXor(OpBuilder &builder, Location loc, Value value, unsigned mask) const override {
    return shuffle(builder, loc, value, constant(builder, loc, mask), NVVM::ShflKind::bfly);
  }
  Value shuffleIndex(OpBuilder &builder, Location loc, Value value, Value lane) const override {
    return shuffle(builder, loc, value, lane, NVVM::ShflKind::idx);
  }

  void markKernel(LLVM::LLVMFuncOp func, unsigned numThreads) const override {
    MLIRContext *context = func.getContext();
    func->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), UnitAttr::get(context));
    func->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                  DenseI32ArrayAttr::get(context, {static_cast<int32_t>(numThreads)}));
  }

  // As Triton: f32 takes the fast hardware forms (2 ulp and less), f64 the exactly rounded ones.
  Value exp2(OpBuilder &builder, Location loc, Value x) const override {
    return intrinsic(builder, loc, "llvm.nvvm.ex2.approx", x);
  }
  Value sqrt(OpBuilder &builder, Location loc, Value x) const override {
    return x.getType().isF32() ? intrinsic(builder, loc, "llvm.nvvm.sqrt.approx.f", x)
                               : intrinsic(builder, loc, "llvm.nvvm.sqrt.rn.d", x);
  }
  Value divide(OpBuilder &builder, Location loc, Value x, Value y) const override {
    if (x.getType().isF32())
      return intrinsic(builder, loc, "llvm.nvvm.div.full", {x, y});
    return LLVM::FDivOp::create(builder, loc, x, y);
  }

  Value loadWith(OpBuilder &builder, Location loc, Type type, Value ptr, Value predicate,
                 StringRef modifier) const override {
    auto vector = dyn_cast<VectorType>(type);
    Type word = vector ? vector.getElementType() : type;
    unsigned count = vector ? vector.getNumElements() : 1, bits = word.getIntOrFloatBitWidth();
    Type reg = bits == 8 ? builder.getI16Type() : word; // PTX has no registers of 8 bits
    std::string text, constraints, registers;
    for (unsigned i = 0; i < count; ++i) {
      text += "mov.b" + std::to_string(std::max(16u, bits)) + " $" + std::to_string(i) + ", 0x0;\n\t";
      constraints += std::string("=&") + constraintOf(reg) + ",";
      registers += (i ? ", $" : "$") + std::to_string(i);
    }
    text += "@$" + std::to_string(count + 1) + " ld" + accessSuffix(".global", modifier, bits, count) + " " +
            (count > 1 ? "{" + registers + "}" : registers) + ", [$" + std::to_string(count) + "];";
    constraints += "l,b";
    Type resultType = count == 1 ? reg
                                 : LLVM::LLVMStructType::getLiteral(builder.getContext(), SmallVector<Type>(count, reg));
    Value result = assembly(builder, loc, resultType, {ptr, predicate}, text, constraints);
    auto narrow = [&](Value value) {
      return reg == word ? value : LLVM::TruncOp::create(builder, loc, word, value).getResult();
    };
    if (!vector)
      return narrow(result);
    Value packed = LLVM::PoisonOp::create(builder, loc, type);
    for (unsigned i = 0; i < count; ++i) {
      Value part = count == 1 ? result : LLVM::ExtractValueOp::create(builder, loc, result, i).getResult();
      packed = LLVM::InsertElementOp::create(builder, loc, packed, narrow(part), constant(builder, loc, i));
    }
    return packed;
  }

  // A predicated store is assembly, not LLVM's masked store: that becomes a branch, and the backend sinks the
  // computation of what is stored into it, where it neither shares nor overlaps with that of other stores.
  void store(OpBuilder &builder, Location loc, Value value, Value ptr, Value predicate,
             StringRef modifier) const override {
    auto vector = cast<VectorType>(value.getType());
    unsigned elementBits = vector.getElementTypeBitWidth(), totalBits = elementBits * vector.getNumElements();
    if (!predicate && modifier.empty()) {
      LLVM::StoreOp::create(builder, loc, value, ptr, totalBits / 8);
      return;
    }
    unsigned wordBits = elementBits == 64 ? 64 : std::min(32u, totalBits), count = totalBits / wordBits;
    Type word = builder.getIntegerType(wordBits);
    Value words = LLVM::BitcastOp::create(builder, loc, VectorType::get(count, word), value);
    bool shared = cast<LLVM::LLVMPointerType>(ptr.getType()).getAddressSpace() == getSharedAddressSpace();
    std::string registers, constraints = shared ? "r" : "l";
    SmallVector<Value> operands = {ptr};
    for (unsigned i = 0; i < count; ++i) {
      // PTX has no registers of 8 bits: a byte is stored from a wider one.
      Value part = LLVM::ExtractElementOp::create(builder, loc, words, constant(builder, loc, i));
      if (wordBits == 8)
        part = LLVM::ZExtOp::create(builder, loc, builder.getI16Type(), part);
      operands.push_back(part);
      registers += (i ? ", $" : "$") + std::to_string(i + 1);
      constraints += std::string(",") + constraintOf(part.getType());
    }
    std::string text = "st" + accessSuffix(shared ? ".shared" : ".global", modifier, wordBits, count) + " [$0], " +
                       (count > 1 ? "{" + registers + "}" : registers) + ";";
    if (predicate) {
      operands.push_back(predicate);
      text = "@$" + std::to_string(count + 1) + " " + text;
      constraints += ",b";
    }
    assembly(builder, loc, Type(), operands, text, constraints);
  }

private:
  static Value constant(OpBuilder &builder, Location loc, int32_t value) {
    return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), value);
  }

  static Value shuffle(OpBuilder &builder, Location loc, Value value, Value operand, NVVM::ShflKind kind) {
    return NVVM::ShflOp::create(builder, loc, value.getType(), constant(builder, loc, -1), value, operand,
                                constant(builder, loc, 31), kind, UnitAttr());
  }

  static Value intrinsic(OpBuilder &builder, Location loc, StringRef name, ValueRange operands) {
    return LLVM::CallIntrinsicOp::create(builder, loc, operands[0].getType(), builder.getStringAttr(name), operands)
        .getResult(0);
  }

  static char constraintOf(Type word) {
    unsigned bits = word.getIntOrFloatBitWidth();
    return bits == 64 ? 'l' : bits == 32 ? 'r' : 'h';
  }
  static std::string accessSuffix(StringRef space, StringRef modifier, unsigned bits, unsigned count) {
    std::string vector = count > 1 ? ".v" + std::to_string(count) : "";
    // .volatile comes before the state space, cache operators behind it.
    std::string where = modifier == ".volatile" ? (modifier + space).str() : (space + modifier).str();
    return where + vector + ".b" + std::to_string(bits);
  }
  static Value assembly(OpBuilder &builder, Location loc, Type result, ValueRange operands, StringRef text,
                        StringRef constraints) {
    auto op = LLVM::InlineAsmOp::create(builder, loc, result ? TypeRange(result) : TypeRange(), operands, text,
                                        constraints, /*has_side_effects=*/true, /*is_align_stack=*/false,
                                        LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
    return result ? op.getRes() : Value();
  }

  unsigned sm;
};

} // namespace

std::unique_ptr<TargetInfo> tilecc::createNvidiaTargetInfo(unsigned sm) {
  return std::make_unique<NvidiaTargetInfo>(sm);
}

std::unique_ptr<TargetInfo> tilecc::createTargetInfo(StringRef target, std::string &error) {
  auto [vendor, arch] = target.split(':');
  unsigned sm;
  if (vendor == "cuda" && !arch.getAsInteger(10, sm)) {
    if (sm >= 80)
      return createNvidiaTargetInfo(sm);
    error = "sm_" + arch.str() + " is not supported: sm_80 is the oldest";
    return nullptr;
  }
  error = "there is no GPU target '" + target.str() + "'";
  return nullptr;
}
