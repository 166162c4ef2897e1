//===- TileFunctions.cpp - functions called in one source and defined in another ---------------------------------===//
//
// Objects with relocatable device code call each other's tile functions. Such a call is a TTIR function call with
// values as parameters and results, which the device link inlines. But Clang's functions take structs and references as
// addresses. So while local variables are still in memory, each function gets a wrapper, which is inlined in its place:
//   a function of another source    a body that loads the parts of arguments in memory, calls the function on
//                                   values, and stores its results: members of the result and of referenced objects
//   a function for other sources    an entry with its name that takes values, stores those that belong in memory,
//                                   calls the function, and returns the results through `tilecc.return`
//
// As a consequence, arguments that are passed by reference are copied in and out.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/TileFunctions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace tilecc {

static constexpr StringLiteral tileReturn = "tilecc.return";

bool isTileReturn(const Function &callee) { return callee.getName().starts_with(tileReturn); }

std::vector<ValuePart> argumentParts(const TileFunctionSignature &signature) {
  std::vector<ValuePart> parts;
  for (const TileFunctionSignature::Param &param : signature.params)
    append_range(parts, param.parts);
  return parts;
}

std::vector<ValuePart> resultParts(const TileFunctionSignature &signature) {
  std::vector<ValuePart> parts = signature.results;
  for (const TileFunctionSignature::Param &param : signature.params)
    if (param.isReference && !param.isConst)
      append_range(parts, param.parts);
  return parts;
}

/// Returns the type of a part in memory.
static Type *memoryType(const ValuePart &part, LLVMContext &context) {
  const ElementType &element = part.type.element;
  if (part.type.isPointer || part.type.isTile || part.type.isDescriptor)
    return PointerType::getUnqual(context);
  if (element.kind == ElementType::BFloat)
    return Type::getBFloatTy(context);
  if (element.kind == ElementType::Float)
    return element.bits == 16   ? Type::getHalfTy(context)
           : element.bits == 32 ? Type::getFloatTy(context)
                                : Type::getDoubleTy(context);
  return Type::getIntNTy(context, std::max(element.bits, 8u)); // a bool is a byte
}

static SmallVector<Type *> memoryTypes(ArrayRef<ValuePart> parts, LLVMContext &context) {
  return SmallVector<Type *>(map_range(parts, [&](const ValuePart &part) { return memoryType(part, context); }));
}

namespace {
/// Describes how the parameters of a function that Clang has generated are passed.
class Passing {
public:
  Passing(Function &function, const TileFunctionSignature &signature)
      : function(function), signature(signature), context(function.getContext()) {
    auto argument = function.arg_begin();
    if (argument != function.arg_end() && argument->hasStructRetAttr())
      result = &*argument++;
    for (const TileFunctionSignature::Param &param : signature.params) {
      bool arrives = param.isReference || !param.parts.empty(); // an empty class is not passed
      arguments.push_back(arrives ? &*argument++ : nullptr);
    }
  }

  void makeBody(Function &onValues);
  void makeEntry(Function &entry);

private:
  static bool isInMemory(const TileFunctionSignature::Param &param, const Argument *argument) {
    return argument && (param.isReference || argument->hasByValAttr());
  }
  static bool comesBack(const TileFunctionSignature::Param &param) { return param.isReference && !param.isConst; }

  /// These functions convert a bool to the byte as which it is passed, and back.
  static Value *toPart(IRBuilder<> &builder, Value *value) {
    return value->getType()->isIntegerTy(1) ? builder.CreateZExt(value, builder.getInt8Ty()) : value;
  }
  static Value *fromPart(IRBuilder<> &builder, Value *part, Type *type) {
    return type->isIntegerTy(1) ? builder.CreateTrunc(part, type) : part;
  }
  static Value *addressOf(IRBuilder<> &builder, Value *base, const ValuePart &part) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, part.offset);
  }
  void load(IRBuilder<> &builder, Value *base, ArrayRef<ValuePart> parts, SmallVectorImpl<Value *> &values) {
    for (const ValuePart &part : parts)
      values.push_back(builder.CreateLoad(memoryType(part, context), addressOf(builder, base, part)));
  }
  template <typename Next> void store(IRBuilder<> &builder, Value *base, ArrayRef<ValuePart> parts, Next next) {
    for (const ValuePart &part : parts)
      builder.CreateStore(next(), addressOf(builder, base, part));
  }
  /// Allocates memory for an argument that is passed in memory.
  Value *makeLocal(IRBuilder<> &builder, ArrayRef<ValuePart> parts) {
    uint64_t size = 1;
    for (const ValuePart &part : parts)
      size = std::max(size, part.offset + 8);
    AllocaInst *local = builder.CreateAlloca(ArrayType::get(builder.getInt8Ty(), size));
    local->setAlignment(Align(16));
    return local;
  }

  Function &function;
  const TileFunctionSignature &signature;
  LLVMContext &context;
  Argument *result = nullptr; ///< the address of a result in memory
  SmallVector<Argument *> arguments; ///< one for each parameter
};
} // namespace

/// Creates the body of Clang's function. It calls the function that takes values.
void Passing::makeBody(Function &onValues) {
  IRBuilder<> builder(BasicBlock::Create(context, "entry", &function));
  SmallVector<Value *> values;
  for (auto [param, argument] : zip_equal(signature.params, arguments))
    if (isInMemory(param, argument))
      load(builder, argument, param.parts, values);
    else if (argument)
      values.push_back(toPart(builder, argument));
  CallInst *call = builder.CreateCall(&onValues, values);
  unsigned count = 0;
  bool isOne = !isa<StructType>(call->getType());
  auto next = [&]() -> Value * { return isOne ? call : builder.CreateExtractValue(call, count++); };
  Type *direct = function.getReturnType();
  Value *returned = direct->isVoidTy() ? nullptr : fromPart(builder, next(), direct);
  if (result)
    store(builder, result, signature.results, next);
  for (auto [param, argument] : zip_equal(signature.params, arguments))
    if (comesBack(param))
      store(builder, argument, param.parts, next);
  returned ? builder.CreateRet(returned) : builder.CreateRetVoid();
}

/// Creates the body of the entry that takes values. It calls Clang's function.
void Passing::makeEntry(Function &entry) {
  IRBuilder<> builder(BasicBlock::Create(context, "entry", &entry));
  auto value = entry.arg_begin();
  auto next = [&]() -> Value * { return &*value++; };
  SmallVector<Value *> passed, returned;
  Value *resultLocal = result ? makeLocal(builder, signature.results) : nullptr;
  if (result)
    passed.push_back(resultLocal);
  SmallVector<Value *> locals;
  for (auto [param, argument] : zip_equal(signature.params, arguments)) {
    Value *&local = locals.emplace_back();
    if (isInMemory(param, argument)) {
      passed.push_back(local = makeLocal(builder, param.parts));
      store(builder, local, param.parts, next);
    } else if (argument) {
      passed.push_back(fromPart(builder, next(), argument->getType()));
    }
  }
  CallInst *call = builder.CreateCall(&function, passed);
  if (result)
    load(builder, resultLocal, signature.results, returned);
  else if (!call->getType()->isVoidTy())
    returned.push_back(toPart(builder, call));
  for (auto [param, local] : zip_equal(signature.params, locals))
    if (comesBack(param))
      load(builder, local, param.parts, returned);
  auto *type = FunctionType::get(builder.getVoidTy(), memoryTypes(resultParts(signature), context), /*isVarArg=*/false);
  auto *handOver = Function::Create(type, GlobalValue::ExternalLinkage, tileReturn, entry.getParent());
  builder.CreateCall(handOver, returned);
  builder.CreateRetVoid();
}

void passPartsByValue(TileModule &tiles) {
  Module &module = *tiles.module;
  LLVMContext &context = module.getContext();
  auto declare = [&](const TileFunctionSignature &signature, Type *result) -> Function & {
    auto *type = FunctionType::get(result, memoryTypes(argumentParts(signature), context), /*isVarArg=*/false);
    return *Function::Create(type, GlobalValue::ExternalLinkage, signature.symbol, module);
  };
  for (auto &[symbol, signature] : tiles.calledFunctions) {
    Function *function = module.getFunction(symbol);
    if (!tiles.isRelocatable || !signature.whyNot.empty() || !function)
      continue; // reported at its call
    SmallVector<Type *> results = memoryTypes(resultParts(signature), context);
    Type *result = results.empty()       ? Type::getVoidTy(context)
                   : results.size() == 1 ? results.front()
                                         : StructType::get(context, results);
    function->setName(symbol + ".values");
    Passing(*function, signature).makeBody(declare(signature, result));
  }
  for (const TileFunctionSignature &signature : tiles.functions) {
    Function *function = module.getFunction(signature.symbol);
    function->setName(signature.symbol + ".body");
    tiles.declarations[function->getName()] = signature.name;
    Passing(*function, signature).makeEntry(declare(signature, Type::getVoidTy(context)));
  }
}

} // namespace tilecc
