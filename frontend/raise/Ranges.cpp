//===- Ranges.cpp - loops over tt::range --------------------------------------------------------------------------===//
//
// A loop over tt::range calls builtin::range_goes_on to ask whether there is another iteration. After inlining, the
// step and the options are constants. The call is then replaced by the comparison of a plain `for` loop, which LLVM can
// unroll and tt-while-to-for turns into an scf.for. No loop operation that could hold the options exists yet. So they
// are attached to the comparison by which a counted loop is recognized: first as metadata, and then as attributes of
// the arith.cmpi.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/Ranges.h"
#include "frontend/include/tilecc/detail/numbers.h"
#include "lowering/dialects/tt/LoopAttributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace tilecc {

static constexpr StringLiteral kind = "tilecc.range";
/// The names of the options, in the order of tt::loopAttributes.
static constexpr StringLiteral functions[] = {
    "num_stages", "unroll", "warp_specialize", "flatten", "disallow_acc_multi_buffer", "split"};
static constexpr unsigned numbers = 2; // the first options take a number; the others are flags, which may be unset
static constexpr int64_t notGiven = ::tt::detail::range_not_given;

std::string findRangeMistake(const CallInst &call) {
  auto *step = dyn_cast<ConstantInt>(call.getArgOperand(2));
  if (step && step->isZero())
    return "the step of tt::range is 0";
  for (auto [i, function] : enumerate(functions)) {
    auto *value = dyn_cast<ConstantInt>(call.getArgOperand(3 + i));
    if (!value)
      return (Twine(function) + " of tt::range must be a constant").str();
    if (i < numbers && value->getSExtValue() < 1 && value->getSExtValue() != notGiven)
      return (Twine(function) + " of tt::range must be at least 1, not " + Twine(value->getSExtValue())).str();
  }
  return "";
}

static void replaceByComparison(CallInst &call, bool isSigned) {
  auto *step = dyn_cast<ConstantInt>(call.getArgOperand(2));
  bool isDown = step && step->isNegative();
  CmpInst::Predicate predicate =
      isDown ? (isSigned ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT) : (isSigned ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT);
  auto *compare = new ICmpInst(call.getIterator(), predicate, call.getArgOperand(0), call.getArgOperand(1));
  compare->setDebugLoc(call.getDebugLoc());
  SmallVector<Metadata *> options;
  for (unsigned i = 0; i < std::size(functions); ++i)
    options.push_back(ValueAsMetadata::get(call.getArgOperand(3 + i)));
  compare->setMetadata(kind, MDNode::get(call.getContext(), options));
  call.replaceAllUsesWith(compare);
  call.eraseFromParent();
}

void replaceRangeConditions(Function &function, const TileModule &tiles) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallInst>(&instruction);
    if (!call || !call->getCalledFunction())
      continue;
    auto builtin = tiles.builtins.find(call->getCalledFunction()->getName());
    if (builtin == tiles.builtins.end() || builtin->second.name != "range_goes_on" || !findRangeMistake(*call).empty())
      continue; // the raise reports the mistake
    replaceByComparison(*call, builtin->second.params[0].element.isSigned());
  }
}

void copyRangeOptions(const CmpInst &compare, mlir::Operation *op) {
  MDNode *options = compare.getMetadata(kind);
  if (!options)
    return;
  mlir::MLIRContext *context = op->getContext();
  for (auto [i, operand, name] : enumerate(options->operands(), tt::loopAttributes)) {
    int64_t value = mdconst::extract<ConstantInt>(operand)->getSExtValue();
    if (value == notGiven)
      continue;
    op->setDiscardableAttr(
        name, i < numbers ? mlir::Attribute(mlir::IntegerAttr::get(mlir::IntegerType::get(context, 32), value))
                          : mlir::BoolAttr::get(context, value != 0));
  }
}

} // namespace tilecc
