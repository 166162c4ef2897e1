//===- PointerTypes.cpp - infers the pointee types of opaque pointers ---------------------------------------------===//
//
// A TTIR pointer has an element type, but an LLVM pointer has none. Values that must have the same pointer type (phis,
// selects, pointer arithmetic) form an equivalence class. Each class takes its type from the best source that there is:
// first the parameters of the kernel, then the signatures of builtins, and then the types of accesses. C++ allows
// accesses of other types through casts. In that case, the pointer is cast at the access.
//
// Tile handles are also pointers in LLVM IR, and get their types in the same way.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/KernelRaiser.h"
#include "frontend/raise/TileFunctions.h"

using namespace mlir;

namespace tilecc {

PointerTypes::PointerTypes(llvm::Function &function, ArrayRef<Type> argumentTypes, const TileModule &tiles,
                           MLIRContext *context)
    : context(context) {
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block) {
      if (!instruction.getType()->isPointerTy())
        continue;
      if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
        for (llvm::Value *incoming : phi->incoming_values())
          unite(phi, incoming);
      } else if (auto *select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
        unite(select, select->getTrueValue());
        unite(select, select->getFalseValue());
      } else if (llvm::isa<llvm::GetElementPtrInst, llvm::FreezeInst>(instruction)) {
        unite(&instruction, instruction.getOperand(0));
      }
    }
  for (auto [argument, type] : llvm::zip(function.args(), argumentTypes))
    learn(&argument, type);
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block)
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        learnFromCall(*call, tiles);
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block)
      learnFromAccess(instruction);
}

static bool isVariable(const llvm::Value *value) {
  return value->getType()->isPointerTy() && llvm::isa<llvm::Instruction, llvm::Argument>(value);
}

void PointerTypes::unite(const llvm::Value *a, const llvm::Value *b) {
  if (isVariable(a) && isVariable(b))
    classes.unionSets(a, b);
}

void PointerTypes::learn(const llvm::Value *value, Type type) {
  if (type && isVariable(value))
    typeOfLeader.try_emplace(classes.getOrInsertLeaderValue(value), type);
}

void PointerTypes::learnFromCall(const llvm::CallInst &call, const TileModule &tiles) {
  const llvm::Function *callee = call.getCalledFunction();
  auto function = callee ? tiles.calledFunctions.find(callee->getName()) : tiles.calledFunctions.end();
  if (function != tiles.calledFunctions.end()) {
    for (auto [argument, part] : llvm::zip_equal(call.args(), argumentParts(function->second)))
      learn(argument, convertType(part.type, context));
    std::vector<ValuePart> results = resultParts(function->second);
    if (results.size() == 1)
      learn(&call, convertType(results.front().type, context));
    for (const llvm::User *user : call.users())
      if (auto *extract = llvm::dyn_cast<llvm::ExtractValueInst>(user))
        learn(extract, convertType(results[extract->getIndices().front()].type, context));
    return;
  }
  auto builtin = callee ? tiles.builtins.find(callee->getName()) : tiles.builtins.end();
  if (builtin == tiles.builtins.end())
    return;
  learn(&call, convertType(builtin->second.result, context));
  for (auto [argument, type] : llvm::zip(call.args(), builtin->second.params))
    learn(argument, convertType(type, context));
}

void PointerTypes::learnFromAccess(const llvm::Instruction &instruction) {
  auto pointTo = [&](const llvm::Value *pointer, llvm::Type *type) {
    if (Type element = convertType(type, context); element && element.isIntOrFloat())
      learn(pointer, tt::PointerType::get(element));
  };
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    pointTo(load->getPointerOperand(), load->getType());
  else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    pointTo(store->getPointerOperand(), store->getValueOperand()->getType());
  else if (auto *gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
    pointTo(gep, gep->getSourceElementType());
}

Type PointerTypes::lookup(const llvm::Value *value) const {
  auto leader = classes.findLeader(value);
  Type type = leader == classes.member_end() ? typeOfLeader.lookup(value) : typeOfLeader.lookup(*leader);
  // A pointer of unknown type is never accessed.
  return type ? type : tt::PointerType::get(IntegerType::get(context, 8));
}

} // namespace tilecc
