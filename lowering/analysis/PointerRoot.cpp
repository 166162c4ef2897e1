//===- PointerRoot.cpp - finds the kernel argument of a pointer ---------------------------------------------------===//
//
// Accesses through different arguments need not be ordered. So barrier insertion compares the arguments of accesses,
// and so do the passes that decide which loads may be issued before stores. The functions work on structured control
// flow and on branches.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/PointerRoot.h"
#include "lowering/analysis/CarriedValues.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tilecc;

static bool isPointer(Value value) { return isa<tt::PointerType>(getElementTypeOrSelf(value)); }

bool tilecc::isOtherMemory(Value a, Value b) {
  auto isRestrict = [](Value root) {
    auto argument = cast<BlockArgument>(root);
    auto func = cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    return func.getArgAttr(argument.getArgNumber(), LLVM::LLVMDialect::getNoAliasAttrName()) != nullptr;
  };
  return a && b && a != b && (isRestrict(a) || isRestrict(b));
}

Value tilecc::getPointerRoot(Value pointer) {
  llvm::SetVector<Value> reached;
  reached.insert(pointer);
  Value root;
  for (unsigned i = 0; i < reached.size(); ++i) { // `reached` grows
    Value value = reached[i];
    SmallVector<Value> incoming = getIncoming(value);
    if (Operation *op = value.getDefiningOp(); op && incoming.empty()) {
      // An operation without effects derives pointers only from its pointer operands. Inline assembly can compute them
      // from anything.
      if (!isMemoryEffectFree(op) || op->getNumRegions() || isa<tt::ElementwiseInlineAsmOp>(op))
        return {};
      llvm::append_range(incoming, llvm::make_filter_range(op->getOperands(), isPointer));
      if (incoming.empty())
        return {};
    }
    if (llvm::is_contained(incoming, Value()))
      return {};
    if (!incoming.empty()) {
      reached.insert(incoming.begin(), incoming.end());
      continue;
    }
    bool isArgument = isa<FunctionOpInterface>(cast<BlockArgument>(value).getOwner()->getParentOp());
    if (!isArgument || (root && root != value))
      return {};
    root = value;
  }
  return root;
}
