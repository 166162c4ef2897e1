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
    auto [word, count] = words(type);
    std::string text, constraints, registers;
    for (unsigned i = 0; i < count; ++i) {
      text += "mov.b" + std::to_string(bits(word)) + " $" + std::to_string(i) + ", 0x0;\n\t";
      constraints += std::string("=") + constraintOf(word) + ",";
      registers += (i ? ", $" : "$") + std::to_string(i);
    }
    text += "@$" + std::to_string(count + 1) + " ld" + accessSuffix(modifier, word, count) + " {" + registers + "}, [$" +
            std::to_string(count) + "];";
    constraints += "l,b";
    SmallVector<Type> parts(count, word);
    Type resultType = count == 1 ? word : LLVM::LLVMStructType::getLiteral(builder.getContext(), parts);
    Value result = assembly(builder, loc, resultType, {ptr, predicate}, text, constraints);
    if (!isa<VectorType>(type))
      return result;
    Value vector = LLVM::PoisonOp::create(builder, loc, type);
    for (unsigned i = 0; i < count; ++i) {
      Value part = count == 1 ? result : LLVM::ExtractValueOp::create(builder, loc, result, i);
      vector = LLVM::InsertElementOp::create(builder, loc, vector, part, constant(builder, loc, i));
    }
    return vector;
  }

  void storeWith(OpBuilder &builder, Location loc, Value value, Value ptr, Value predicate,
                 StringRef modifier) const override {
    auto [word, count] = words(value.getType());
    std::string registers, constraints = "l,b";
    SmallVector<Value> operands = {ptr, predicate};
    for (unsigned i = 0; i < count; ++i) {
      registers += (i ? ", $" : "$") + std::to_string(i + 2);
      constraints += std::string(",") + constraintOf(word);
      operands.push_back(isa<VectorType>(value.getType())
                             ? LLVM::ExtractElementOp::create(builder, loc, value, constant(builder, loc, i))
                             : value);
    }
    std::string text = "@$1 st" + accessSuffix(modifier, word, count) + " [$0], {" + registers + "};";
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

  static std::pair<Type, unsigned> words(Type type) {
    if (auto vector = dyn_cast<VectorType>(type))
      return {vector.getElementType(), vector.getNumElements()};
    return {type, 1};
  }
  static unsigned bits(Type word) { return word.getIntOrFloatBitWidth(); }
  static char constraintOf(Type word) { return bits(word) == 64 ? 'l' : bits(word) == 32 ? 'r' : 'h'; }
  static std::string accessSuffix(StringRef modifier, Type word, unsigned count) {
    std::string vector = count > 1 ? ".v" + std::to_string(count) : "";
    // .volatile comes before the state space, cache operators behind it.
    bool before = modifier == ".volatile";
    return (before ? modifier.str() : "") + ".global" + (before ? "" : modifier.str()) + vector + ".b" +
           std::to_string(bits(word));
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
