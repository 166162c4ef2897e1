//===- WideProducts.cpp - computes both halves of a product with one multiplication -------------------------------===//
//
// ptxas compiles mul.hi.u32 and mul.lo.u32 of the same numbers to two instructions, the first of which is a wide
// multiplication whose lower half is discarded. mul.wide.u32 computes both halves in a pair of registers. Random number
// generators consist mostly of such products.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/ampere/WideProducts.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

/// Returns the instruction in `block` that computes the lower half of the product of `a` and `b`, or null if there is
/// none.
static Instruction *findLowerHalf(Value *a, Value *b, BasicBlock *block) {
  for (User *user : (isa<Constant>(a) ? b : a)->users()) {
    auto *product = dyn_cast<Instruction>(user);
    if (!product || product->getOpcode() != Instruction::Mul || product->getParent() != block)
      continue;
    Value *x = product->getOperand(0), *y = product->getOperand(1);
    if ((x == a && y == b) || (x == b && y == a))
      return product;
  }
  return nullptr;
}

static void formWideProduct(IntrinsicInst *upper) {
  Value *a = upper->getArgOperand(0), *b = upper->getArgOperand(1);
  if (isa<Constant>(a) && isa<Constant>(b))
    return;
  Instruction *lower = findLowerHalf(a, b, upper->getParent());
  if (!lower)
    return;
  IRBuilder<> builder(lower->comesBefore(upper) ? lower : upper);
  Type *wide = builder.getInt64Ty(), *narrow = builder.getInt32Ty();
  Value *product = builder.CreateNUWMul(builder.CreateZExt(a, wide), builder.CreateZExt(b, wide));
  lower->replaceAllUsesWith(builder.CreateTrunc(product, narrow));
  upper->replaceAllUsesWith(builder.CreateTrunc(builder.CreateLShr(product, 32), narrow));
  lower->eraseFromParent();
  upper->eraseFromParent();
}

void tilecc::formWideProducts(Module &module) {
  for (Function &function : module) {
    SmallVector<IntrinsicInst *> uppers;
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
        if (call->getIntrinsicID() == Intrinsic::nvvm_mulhi_ui)
          uppers.push_back(call);
    for (IntrinsicInst *upper : uppers)
      formWideProduct(upper);
  }
}
