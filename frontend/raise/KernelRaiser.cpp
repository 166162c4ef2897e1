//===- KernelRaiser.cpp - raises blocks, values and types ---------------------------------------------------------===//
//
// This is the framework of the raise: it visits blocks in order, raises values on demand, and converts types and
// locations. Raise.cpp calls it for each kernel. Instructions.cpp and Builtins.cpp raise the instructions.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/KernelRaiser.h"
#include "frontend/raise/Supported.h"
#include "frontend/raise/TileFunctions.h"
#include "compile/TileUnit.h"
#include "compile/Variants.h"
#include "lowering/dialects/tt/KernelAttributes.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;

namespace tilecc {

//===--- types ----------------------------------------------------------------------------------------------------===//

static Type convertElement(const ElementType &element, MLIRContext *context) {
  switch (element.kind) {
  case ElementType::Bool:
  case ElementType::Signed:
  case ElementType::Unsigned: return IntegerType::get(context, element.bits);
  case ElementType::BFloat: return BFloat16Type::get(context);
  case ElementType::Float:
    return element.bits == 16   ? Type(Float16Type::get(context))
           : element.bits == 32 ? Type(Float32Type::get(context))
                                : Type(Float64Type::get(context));
  case ElementType::Float8E4M3FN: return Float8E4M3FNType::get(context);
  case ElementType::Float8E5M2: return Float8E5M2Type::get(context);
  case ElementType::None: return {};
  }
  return {};
}

Type convertType(const ValueType &type, MLIRContext *context) {
  Type element = convertElement(type.element, context);
  if (type.isPointer)
    element = tt::PointerType::get(!element || element.isInteger(1) ? IntegerType::get(context, 8) : element);
  if (type.isTile && element)
    return RankedTensorType::get(type.shape, element);
  if (type.isDescriptor && element)
    return tt::TensorDescType::get(RankedTensorType::get(type.shape, element));
  return element;
}

Type convertType(llvm::Type *type, MLIRContext *context) {
  if (type->isIntegerTy())
    return IntegerType::get(context, type->getIntegerBitWidth());
  if (type->isHalfTy())
    return Float16Type::get(context);
  if (type->isBFloatTy())
    return BFloat16Type::get(context);
  if (type->isFloatTy())
    return Float32Type::get(context);
  if (type->isDoubleTy())
    return Float64Type::get(context);
  auto member = [&](llvm::Type *t) -> Type {
    return t->isPointerTy() ? Type(IntegerType::get(context, 64)) : convertType(t, context);
  };
  if (auto *structType = llvm::dyn_cast<llvm::StructType>(type)) {
    SmallVector<Type> members;
    for (llvm::Type *t : structType->elements())
      if (!members.emplace_back(member(t)))
        return {};
    return LLVM::LLVMStructType::getLiteral(context, members, structType->isPacked());
  }
  if (auto *arrayType = llvm::dyn_cast<llvm::ArrayType>(type))
    if (Type element = member(arrayType->getElementType()))
      return LLVM::LLVMArrayType::get(element, arrayType->getNumElements());
  return {};
}

void reportBug(Location loc, const Twine &what) {
  std::string text = what.str();
  llvm::raw_string_ostream(text) << " (at " << loc << ")";
  llvm::report_fatal_error(llvm::StringRef(text), /*gen_crash_diag=*/false);
}

//===--- locations ------------------------------------------------------------------------------------------------===//

Location KernelRaiser::locate(const llvm::DILocation *loc) {
  if (!loc)
    return builder.getUnknownLoc();
  Location here = FileLineColLoc::get(builder.getContext(), tiles.fileNames.toOutput(loc->getFilename()),
                                      loc->getLine(), loc->getColumn());
  if (const llvm::DILocation *inlinedAt = loc->getInlinedAt())
    return CallSiteLoc::get(here, locate(inlinedAt));
  return here;
}

Location KernelRaiser::locate(const llvm::Instruction &instruction) {
  const llvm::DILocation *loc = instruction.getDebugLoc().get();
  if (!elementOp)
    return locate(loc);
  // A combine function in our headers has no lines of the user.
  return loc ? Location(CallSiteLoc::get(locate(loc), elementOp->getLoc())) : elementOp->getLoc();
}

//===--- values ---------------------------------------------------------------------------------------------------===//

Type KernelRaiser::typeOf(const llvm::Value *value) {
  return value->getType()->isPointerTy() ? pointers->lookup(value)
                                         : convertType(value->getType(), builder.getContext());
}

Value KernelRaiser::valueOf(llvm::Value *value, Type expected, Location loc) {
  if (Value known = values.lookup(value))
    return known;
  // Constants have no location, because equal constants are merged.
  Location nowhere = builder.getUnknownLoc();
  Type type = value->getType()->isPointerTy() ? expected : convertType(value->getType(), builder.getContext());
  if (auto *integer = llvm::dyn_cast<llvm::ConstantInt>(value))
    return arith::ConstantOp::create(builder, nowhere, builder.getIntegerAttr(type, integer->getValue()));
  if (auto *number = llvm::dyn_cast<llvm::ConstantFP>(value))
    return arith::ConstantOp::create(builder, nowhere, builder.getFloatAttr(type, number->getValueAPF()));
  if (type && llvm::isa<llvm::UndefValue>(value)) // includes poison
    return ub::PoisonOp::create(builder, nowhere, type, ub::PoisonAttr::get(builder.getContext()));
  if (type && llvm::isa<llvm::ConstantPointerNull>(value)) {
    Type element = getElementTypeOrSelf(type);
    bool isPointer = isa<tt::PointerType>(element);
    Type zeroType = isPointer ? tt::withElementType(type, builder.getI64Type()) : type;
    Value zero = arith::ConstantOp::create(builder, nowhere, builder.getZeroAttr(zeroType));
    return isPointer ? tt::IntToPtrOp::create(builder, nowhere, type, zero) : zero;
  }
  emitError(loc, "this value is not available in a tile kernel");
  return {};
}

Value KernelRaiser::operand(llvm::Instruction &instruction, unsigned i, Type expected) {
  return valueOf(instruction.getOperand(i), expected, locate(instruction));
}

Value KernelRaiser::asPointerTo(Type pointee, Value pointer, Location loc) {
  auto type = dyn_cast_or_null<tt::PointerType>(pointer ? pointer.getType() : Type());
  if (!type) {
    if (pointer)
      emitError(loc, "a tile cannot be read or written as an object in memory");
    return {};
  }
  if (type.getPointeeType() == pointee)
    return pointer;
  return tt::BitcastOp::create(builder, loc, tt::PointerType::get(pointee), pointer);
}

Value KernelRaiser::pointerTo(Type pointee, llvm::Value *pointer, Location loc) {
  return asPointerTo(pointee, valueOf(pointer, tt::PointerType::get(pointee), loc), loc);
}

LogicalResult KernelRaiser::edgeArguments(llvm::BasicBlock *from, llvm::BasicBlock *to, SmallVectorImpl<Value> &args) {
  for (llvm::PHINode &phi : to->phis()) {
    Value value = valueOf(phi.getIncomingValueForBlock(from), typeOf(&phi), locate(*from->getTerminator()));
    if (!value)
      return failure();
    args.push_back(value);
  }
  return success();
}

//===--- functions ------------------------------------------------------------------------------------------------===//

LogicalResult KernelRaiser::raiseBlock(llvm::BasicBlock &block) {
  builder.setInsertionPointToEnd(blocks[&block]);
  for (llvm::Instruction &instruction : block) {
    if (llvm::isa<llvm::PHINode>(instruction))
      continue;
    if (instruction.isTerminator())
      return raiseTerminator(instruction);
    FailureOr<Value> result = raiseInstruction(instruction);
    if (failed(result))
      return failure();
    if (*result)
      values[&instruction] = *result;
  }
  reportBug(locate(block.front()), "a block has no terminator");
}

LogicalResult KernelRaiser::raiseBody(llvm::Function &function, Region &region, ArrayRef<Type> arguments,
                                      ArrayRef<Location> argumentLocs) {
  pointers = std::make_unique<PointerTypes>(function, arguments, tiles, builder.getContext());
  if (!checkSupported(function, tiles, builder.getContext(), [&](const llvm::Instruction &i) { return locate(i); }))
    return failure();
  // Visit dominators first, so that operands exist before their users. The entry block comes first.
  llvm::ReversePostOrderTraversal<llvm::Function *> order(&function);
  for (llvm::BasicBlock *block : order) {
    Block *raised = blocks[block] = builder.createBlock(&region, region.end());
    for (llvm::PHINode &phi : block->phis()) {
      Type type = typeOf(&phi);
      if (!type)
        return emitError(locate(phi), "a variable of this type is not available in a tile kernel");
      values[&phi] = raised->addArgument(type, locate(phi));
    }
  }
  for (auto [argument, type, loc] : llvm::zip(function.args(), arguments, argumentLocs))
    values[&argument] = region.front().addArgument(type, loc);
  for (llvm::BasicBlock *block : order)
    if (failed(raiseBlock(*block)))
      return failure();
  nameVariables(function);
  return success();
}

/// Adds the name of the source variable to a value's location, as in Triton's TTIR.
void KernelRaiser::nameVariables(llvm::Function &function) {
  auto named = [&](StringRef name, Location loc) {
    return isa<NameLoc>(loc) ? loc : Location(NameLoc::get(builder.getStringAttr(name), loc));
  };
  for (llvm::Instruction &instruction : llvm::instructions(function))
    for (llvm::DbgVariableRecord &record : llvm::filterDbgVars(instruction.getDbgRecordRange())) {
      bool isWhole = record.getExpression()->getNumElements() == 0 && record.getNumVariableLocationOps() == 1;
      Value value = isWhole ? values.lookup(record.getValue()) : Value();
      if (auto argument = dyn_cast_or_null<BlockArgument>(value))
        argument.setLoc(named(record.getVariable()->getName(), argument.getLoc()));
      else if (Operation *op = value ? value.getDefiningOp() : nullptr; op && op->getNumResults() == 1)
        op->setLoc(named(record.getVariable()->getName(), op->getLoc()));
    }
}

/// Returns the type of each argument of the tt.func. If a type is not supported, reports an error and returns an empty
/// list.
static SmallVector<Type> convertArguments(const KernelSignature &kernel, llvm::Function &function, Location loc,
                                          MLIRContext *context) {
  SmallVector<Type> types;
  for (auto [param, argument] : llvm::zip(kernel.params, function.args())) {
    bool isByte = param.type.element.isFloat8() && !param.type.isPointer; // a class that is passed as its byte
    Type type = isByte ? Type() : convertType(param.type, context);
    if (!type && !argument.getType()->isPointerTy())
      type = convertType(argument.getType(), context);
    if (!type && !argument.getType()->isPointerTy()) {
      emitError(loc) << "the type of parameter '" << param.name << "' is not available in a tile kernel";
      return {};
    }
    types.push_back(type); // null: a class around one pointer
  }
  return types;
}

/// Returns the parameter or result types of functions of other sources. In these, bools and 8-bit floats are bytes, as
/// in C++.
static SmallVector<Type> convertParts(ArrayRef<ValuePart> parts, MLIRContext *context) {
  SmallVector<Type> types;
  for (const ValuePart &part : parts) {
    const ValueType &type = part.type;
    bool isByte = !type.isPointer && !type.isTile && !type.isDescriptor &&
                  (type.element.kind == ElementType::Bool || type.element.isFloat8());
    types.push_back(isByte ? IntegerType::get(context, 8) : convertType(type, context));
  }
  return types;
}

static tt::FuncOp createFunction(OpBuilder &builder, Location loc, const TileFunctionSignature &signature) {
  auto type = builder.getFunctionType(convertParts(argumentParts(signature), builder.getContext()),
                                      convertParts(resultParts(signature), builder.getContext()));
  auto func = tt::FuncOp::create(builder, loc, signature.symbol, type);
  func.setSymVisibility("private");
  func->setAttr(functionNameAttr, builder.getStringAttr(signature.name));
  return func;
}

Location KernelRaiser::locate(const Place &place) {
  return FileLineColLoc::get(builder.getContext(), tiles.fileNames.toOutput(place.file), place.line, place.column);
}

FailureOr<Value> KernelRaiser::raiseTileCall(llvm::CallInst &call, const TileFunctionSignature &callee) {
  Location loc = locate(call);
  auto module = builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto func = module.lookupSymbol<tt::FuncOp>(callee.symbol);
  if (!func) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(module.getBody());
    func = createFunction(builder, locate(callee.place), callee);
  }
  SmallVector<Value> arguments;
  for (auto [argument, type] : llvm::zip_equal(call.args(), func.getArgumentTypes())) {
    Value value = valueOf(argument, type, loc);
    if (value && value.getType() != type && isa<tt::PointerType>(type))
      value = asPointerTo(cast<tt::PointerType>(type).getPointeeType(), value, loc);
    if (!value)
      return failure();
    arguments.push_back(value);
  }
  auto op = tt::CallOp::create(builder, loc, func.getResultTypes(), callee.symbol, arguments, ArrayAttr(), ArrayAttr());
  if (op.getNumResults() == 1)
    return op.getResult(0);
  groups[&call] = op;
  return Value();
}

OwningOpRef<ModuleOp> KernelRaiser::raiseFunction(const TileFunctionSignature &signature) {
  Location loc = locate(signature.place);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  tt::FuncOp func = createFunction(builder, loc, signature);
  resultTypes.assign(func.getResultTypes().begin(), func.getResultTypes().end());
  SmallVector<Location> argumentLocs;
  for (const TileFunctionSignature::Param &param : signature.params)
    argumentLocs.append(param.parts.size(), NameLoc::get(builder.getStringAttr(param.name), loc));
  if (failed(raiseBody(*tiles.module->getFunction(signature.symbol), func.getBody(), func.getArgumentTypes(),
                       argumentLocs)))
    return {};
  return module;
}

OwningOpRef<ModuleOp> KernelRaiser::raiseKernel(const KernelSignature &kernel) {
  llvm::Function *function = tiles.module->getFunction(kernel.symbol);
  Location loc = locate(kernel.place);
  if (!function || function->isDeclaration() || function->arg_size() != kernel.params.size())
    reportBug(loc, "no code was generated for kernel " + kernel.symbol);
  SmallVector<Type> types = convertArguments(kernel, *function, loc, builder.getContext());
  if (types.size() != kernel.params.size())
    return {};
  PointerTypes inferred(*function, types, tiles, builder.getContext());
  for (auto [argument, type] : llvm::zip(function->args(), types))
    if (!type)
      type = inferred.lookup(&argument);

  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  auto func = tt::FuncOp::create(builder, loc, kernel.symbol, builder.getFunctionType(types, {}));
  func.setSymVisibility("public");
  func->setAttr("noinline", builder.getBoolAttr(false));
  SmallVector<Location> argumentLocs;
  for (const KernelSignature::Param &param : kernel.params)
    argumentLocs.push_back(NameLoc::get(builder.getStringAttr(param.name), loc));
  if (failed(raiseBody(*function, func.getBody(), types, argumentLocs)))
    return {};
  for (auto [i, param] : llvm::enumerate(kernel.params)) {
    if (param.divisible)
      func.setArgAttr(i, tt::divisibilityAttr, builder.getI32IntegerAttr(param.divisible));
    if (param.isRestrict)
      func.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
    if (param.noSpecialize)
      func.setArgAttr(i, noSpecializeAttr, builder.getUnitAttr());
    if (param.isTemporary)
      func.setArgAttr(i, tt::temporaryAttr, builder.getUnitAttr());
  }
  return module;
}

} // namespace tilecc
