//===- NvidiaAccess.cpp - loads and stores as PTX -----------------------------------------------------------------===//
//
// Plain accesses are LLVM instructions. A predicated access is inline assembly with a predicate, not one of LLVM's
// masked intrinsics. These would become branches, into which the backend would sink address computations. Accesses
// could then neither share nor overlap these computations, and ptxas would decide whether to keep the branches. The
// result registers of a load are tied to operands with the values that they should have if the load is not executed, so
// that no select follows. Cache operators, eviction priorities and policies are only available in assembly.
//
// All of this assembly is volatile, so LLVM preserves the order of accesses. ptxas sees them as loads and stores, and
// may reorder them.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/NvidiaAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tilecc;

char tilecc::constraintOf(Type word) {
  unsigned bits = word.getIntOrFloatBitWidth();
  return bits == 64 ? 'l' : bits == 32 ? 'r' : 'h';
}

LLVM::InlineAsmOp tilecc::assembly(OpBuilder &builder, Location loc, TypeRange results, ValueRange operands,
                                   StringRef text, StringRef constraints, bool isVolatile) {
  return LLVM::InlineAsmOp::create(builder, loc, results, operands, text, constraints, isVolatile,
                                   /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
                                   LLVM::AsmDialectAttr(), ArrayAttr());
}

namespace {

Value constant(OpBuilder &builder, Location loc, int32_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), value);
}

/// The words in which an access moves a vector. They have 32 bits, or 64 bits for 64-bit elements; a shorter vector is
/// one word.
struct Words {
  explicit Words(VectorType vector) {
    unsigned element = vector.getElementTypeBitWidth(), total = element * vector.getNumElements();
    bits = element == 64 ? 64 : std::min(32u, total);
    count = total / bits;
    MLIRContext *context = vector.getContext();
    word = IntegerType::get(context, bits);
    reg = bits == 8 ? IntegerType::get(context, 16) : word; // PTX has no 8-bit registers
    type = VectorType::get(count, word);
  }

  SmallVector<Value> split(OpBuilder &builder, Location loc, Value vector) const {
    Value words = LLVM::BitcastOp::create(builder, loc, type, vector);
    SmallVector<Value> parts;
    for (unsigned i = 0; i < count; ++i) {
      Value part = LLVM::ExtractElementOp::create(builder, loc, words, constant(builder, loc, i));
      parts.push_back(reg == word ? part : LLVM::ZExtOp::create(builder, loc, reg, part).getResult());
    }
    return parts;
  }

  Value join(OpBuilder &builder, Location loc, ValueRange parts, VectorType vector) const {
    Value words = LLVM::PoisonOp::create(builder, loc, type);
    for (auto [i, part] : llvm::enumerate(parts)) {
      Value narrow = reg == word ? part : LLVM::TruncOp::create(builder, loc, word, part).getResult();
      words = LLVM::InsertElementOp::create(builder, loc, words, narrow, constant(builder, loc, i));
    }
    return LLVM::BitcastOp::create(builder, loc, vector, words);
  }

  /// Returns "{$2, $3}", or "$2" for a single word.
  std::string registers(unsigned first) const {
    std::string list;
    for (unsigned i = 0; i < count; ++i)
      list += (i ? ", $" : "$") + std::to_string(first + i);
    return count > 1 ? "{" + list + "}" : list;
  }

  unsigned bits, count;
  Type word, reg;
  VectorType type;
};

/// Returns an opcode with all modifiers, such as "ld.global.L1::evict_last.v4.b32".
std::string instruction(StringRef name, StringRef space, const Words &words, const AccessModifiers &modifiers) {
  std::string text = name.str() + (modifiers.isVolatile ? ".volatile" : "") + space.str();
  if (!modifiers.cacheOperator.empty())
    text += "." + modifiers.cacheOperator.str();
  if (!modifiers.eviction.empty())
    text += ".L1::" + modifiers.eviction.str();
  if (modifiers.policy)
    text += ".L2::cache_hint";
  if (words.count > 1)
    text += ".v" + std::to_string(words.count);
  return text + ".b" + std::to_string(words.bits);
}

/// Collects the operands of an instruction; add() returns the operand's name in the text.
struct Operands {
  std::string add(Value value, const std::string &constraint) {
    values.push_back(value);
    constraints += (constraints.empty() ? "" : ",") + constraint;
    return "$" + std::to_string(results + values.size() - 1);
  }
  unsigned results = 0;
  SmallVector<Value> values;
  std::string constraints;
};

/// Returns "@$5 ", and adds the operand to which it refers. Returns an empty string if there is no predicate.
std::string guard(Operands &operands, Value predicate) {
  return predicate ? "@" + operands.add(predicate, "b") + " " : "";
}

} // namespace

Value tilecc::loadPTX(OpBuilder &builder, Location loc, VectorType type, Value ptr, Value predicate, Value other,
                      const AccessModifiers &modifiers) {
  if (!predicate && modifiers.isPlain()) {
    unsigned bytes = type.getElementTypeBitWidth() * type.getNumElements() / 8;
    return LLVM::LoadOp::create(builder, loc, type, ptr, bytes);
  }
  Words words(type);
  Operands operands;
  operands.results = words.count;
  for (unsigned i = 0; i < words.count; ++i)
    operands.constraints += std::string(i ? ",=" : "=") + constraintOf(words.reg);
  std::string address = operands.add(ptr, "l"), prefix = guard(operands, predicate);
  std::string policy = modifiers.policy ? ", " + operands.add(modifiers.policy, "l") : "";
  if (predicate) {
    // Masked elements are unspecified, but must have the same value at each use. Without `other`, they are zero.
    if (!other)
      other = LLVM::ZeroOp::create(builder, loc, type);
    for (auto [i, part] : llvm::enumerate(words.split(builder, loc, other)))
      operands.add(part, std::to_string(i));
  }
  std::string text = prefix + instruction("ld", ".global", words, modifiers) + " " + words.registers(0) + ", [" +
                     address + "]" + policy + ";";
  Type result = words.count == 1
                    ? words.reg
                    : LLVM::LLVMStructType::getLiteral(builder.getContext(), SmallVector<Type>(words.count, words.reg));
  Value loaded = assembly(builder, loc, result, operands.values, text, operands.constraints).getRes();
  SmallVector<Value> parts;
  for (unsigned i = 0; i < words.count; ++i)
    parts.push_back(words.count == 1 ? loaded : LLVM::ExtractValueOp::create(builder, loc, loaded, i).getResult());
  return words.join(builder, loc, parts, type);
}

void tilecc::storePTX(OpBuilder &builder, Location loc, Value value, Value ptr, Value predicate,
                      const AccessModifiers &modifiers) {
  auto type = cast<VectorType>(value.getType());
  if (!predicate && modifiers.isPlain()) {
    LLVM::StoreOp::create(builder, loc, value, ptr, type.getElementTypeBitWidth() * type.getNumElements() / 8);
    return;
  }
  Words words(type);
  Operands operands;
  bool shared = cast<LLVM::LLVMPointerType>(ptr.getType()).getAddressSpace() == 3;
  std::string address = operands.add(ptr, shared ? "r" : "l"), registers = words.registers(1);
  for (Value part : words.split(builder, loc, value))
    operands.add(part, std::string(1, constraintOf(words.reg)));
  std::string prefix = guard(operands, predicate);
  std::string policy = modifiers.policy ? ", " + operands.add(modifiers.policy, "l") : "";
  std::string text = prefix + instruction("st", shared ? ".shared" : ".global", words, modifiers) + " [" + address +
                     "], " + registers + policy + ";";
  assembly(builder, loc, TypeRange(), operands.values, text, operands.constraints);
}

Value tilecc::createPolicyPTX(OpBuilder &builder, Location loc, StringRef eviction) {
  return assembly(builder, loc, builder.getI64Type(), ValueRange(),
                  ("createpolicy.fractional.L2::" + eviction + ".b64 $0;").str(), "=l", /*isVolatile=*/false)
      .getRes();
}
