#include "lowering/gpu/Lowering.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilecc;

unsigned MatrixInstruction::getFactorBits() const {
  switch (a) {
  case Factor::F16: case Factor::BF16:
    return 16;
  case Factor::TF32:
    return 32;
  case Factor::F64:
    return 64;
  default:
    return 8;
  }
}

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

  std::optional<MatrixInstruction> getMatrixInstruction(Type a, Type b, Type sum) const override {
    using Factor = MatrixInstruction::Factor;
    std::optional<Factor> factors[2];
    for (auto [type, factor] : llvm::zip_equal(std::initializer_list<Type>{a, b}, factors))
      factor = llvm::TypeSwitch<Type, std::optional<Factor>>(type)
                   .Case<Float16Type>([](auto) { return Factor::F16; })
                   .Case<BFloat16Type>([](auto) { return Factor::BF16; })
                   .Case<Float32Type>([](auto) { return Factor::TF32; })
                   .Case<Float64Type>([](auto) { return Factor::F64; })
                   .Case<Float8E4M3FNType>([](auto) { return Factor::E4M3; })
                   .Case<Float8E5M2Type>([](auto) { return Factor::E5M2; })
                   .Case<IntegerType>([](IntegerType type) {
                     return type.getWidth() == 8 ? std::optional(Factor::S8) : std::nullopt;
                   })
                   .Default([](Type) { return std::nullopt; });
    if (!factors[0] || !factors[1])
      return std::nullopt;
    Factor factor = *factors[0];
    bool is8BitFloat = factor == Factor::E4M3 || factor == Factor::E5M2;
    if (a != b && !(is8BitFloat && (factors[1] == Factor::E4M3 || factors[1] == Factor::E5M2)))
      return std::nullopt;
    if (is8BitFloat && sm < 89)
      return std::nullopt;
    bool fits = factor == Factor::S8    ? sum.isInteger(32)
                : factor == Factor::F64 ? sum.isF64()
                                        : sum.isF32() || (factor == Factor::F16 && sum.isF16());
    unsigned bits = a.getIntOrFloatBitWidth();
    return fits ? std::optional(MatrixInstruction{factor, *factors[1], sum, bits == 64 ? 8 : 256 / bits}) : std::nullopt;
  }

  SmallVector<Value> multiplyMatrices(OpBuilder &builder, Location loc, const MatrixInstruction &instruction,
                                      ValueRange a, ValueRange b, ValueRange c) const override {
    using Factor = MatrixInstruction::Factor;
    std::string depth = std::to_string(instruction.depth);
    auto multiply = [&](StringRef shape, StringRef types, ValueRange operands, Type part, unsigned parts) {
      Type result = LLVM::LLVMStructType::getLiteral(builder.getContext(), SmallVector<Type>(parts, part));
      std::string name = ("llvm.nvvm.mma." + shape + ".row.col." + types).str();
      Value all = LLVM::CallIntrinsicOp::create(builder, loc, result, builder.getStringAttr(name), operands).getResult(0);
      SmallVector<Value> sums;
      for (unsigned i = 0; i < parts; ++i)
        sums.push_back(LLVM::ExtractValueOp::create(builder, loc, all, i));
      return sums;
    };
    if (instruction.a == Factor::F64 && sm < 90) {
      // Only 8x8x4: the two halves of the rows, each in two steps of the depth.
      SmallVector<Value> sums(c);
      for (unsigned half : {0, 1})
        for (unsigned step : {0, 1}) {
          SmallVector<Value> part = multiply("m8n8k4", "f64", {a[half + 2 * step], b[step], sums[2 * half], sums[2 * half + 1]},
                                             builder.getF64Type(), 2);
          std::copy(part.begin(), part.end(), sums.begin() + 2 * half);
        }
      return sums;
    }
    auto nameOf = [](Factor factor) {
      switch (factor) {
      case Factor::F16: return "f16";
      case Factor::BF16: return "bf16";
      case Factor::TF32: return "tf32";
      case Factor::F64: return "f64";
      case Factor::S8: return "s8";
      case Factor::U8: return "u8";
      case Factor::E4M3: return "e4m3";
      case Factor::E5M2: return "e5m2";
      }
      llvm_unreachable("all factors are listed");
    };
    SmallVector<Value> operands(a);
    llvm::append_range(operands, b);
    std::string shape = "m16n8k" + depth, types = nameOf(instruction.a);
    if (instruction.a == Factor::F16) {
      // Half precision comes in pairs, the sums too.
      Type pair = VectorType::get(2, builder.getF16Type());
      for (Value &word : operands)
        word = LLVM::BitcastOp::create(builder, loc, pair, word);
      if (instruction.sum.isF32()) {
        llvm::append_range(operands, c);
        return multiply(shape, "f32.f32", operands, instruction.sum, 4);
      }
      for (unsigned i : {0, 2})
        operands.push_back(packVector(builder, loc, {c[i], c[i + 1]}));
      SmallVector<Value> sums;
      for (Value part : multiply(shape, "f16.f16", operands, pair, 2))
        llvm::append_range(sums, unpackVector(builder, loc, part));
      return sums;
    }
    if (instruction.a == Factor::E4M3 || instruction.a == Factor::E5M2)
      types = "f32." + types + "." + nameOf(instruction.b) + ".f32";
    else if (instruction.a != instruction.b)
      types += std::string(".") + nameOf(instruction.b);
    llvm::append_range(operands, c);
    return multiply(shape, types, operands, instruction.sum, 4);
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
