//===- Combine.cpp - translates reductions and scans of CUDA Tile IR ----------------------------------------------===//
//
// In Tile IR, the function that combines two elements must be associative. In TTIR, the function of a reduction must
// also be commutative. If commutativity cannot be proven, the reduction becomes a scan, whose last element is the
// result.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/tileir/Commutes.h"
#include "frontend/tileir/Translator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tilecc::tileir {

LogicalResult Translator::combine(const Operation &op) {
  Values operands;
  for (ValueId id : op.all())
    operands.push_back(get(id));
  const Block &region = op.regions[0];
  size_t count = operands.size();
  uint64_t axis = op.number("dim");
  if (operands.empty() || region.arguments.size() != 2 * count || op.results.size() != count)
    return error(op) << "operands, results and the arguments of the region do not fit";
  ArrayRef<int64_t> shape = shapeOf(operands[0].getType());
  if (axis >= shape.size())
    return error(op) << "the operands have no dimension " << axis;
  SmallVector<mlir::Type> elements;
  for (Value operand : operands) {
    elements.push_back(getElementTypeOrSelf(operand));
    if (shapeOf(operand.getType()) != shape)
      return error(op) << "the operands are not of one shape";
    if (!elements.back().isIntOrFloat())
      return unsupported(op, "an operand of pointers");
  }
  // In Tile IR, the arguments of the region are pairs of a new element and an accumulated value. In TTIR, all
  // accumulated values precede all new elements.
  for (auto [i, element] : llvm::enumerate(elements))
    for (size_t side : {0, 1})
      if (convert(typeOf(region.arguments[2 * i + side])) != element)
        return error(op) << "the region's arguments are not the operands' elements";

  bool isScan = op.op() == Op::Scan;
  std::optional<bool> isCommutative;
  if (!isScan)
    isCommutative = commutes(op, function);
  bool scans = isScan || !*isCommutative;
  mlir::Operation *combineOp =
      scans ? tt::ScanOp::create(builder, loc, operands, int(axis), isScan && op.number("reverse"))
            : tt::ReduceOp::create(builder, loc, operands, int(axis)).getOperation();
  mlir::Block *body = &combineOp->getRegion(0).emplaceBlock();
  for (size_t side : {1, 0})
    for (auto [i, element] : llvm::enumerate(elements))
      set(region.arguments[2 * i + side], body->addArgument(element, loc));
  Exits exits;
  exits.onYield = [&](ArrayRef<ValueId> ids) -> LogicalResult {
    auto given = passed(ids, elements);
    if (succeeded(given))
      tt::createElementReturn(builder, loc, combineOp, *given);
    return given;
  };
  {
    OpBuilder::InsertionGuard guard(builder);
    llvm::SaveAndRestore inside(inElements, true);
    mlir::Location outside = loc;
    builder.setInsertionPointToEnd(body);
    if (failed(translateBlock(region, exits)))
      return failure();
    loc = outside;
  }
  for (auto [id, value, element] : llvm::zip(op.results, combineOp->getResults(), elements)) {
    Value result = value;
    if (scans && !isScan) {
      SmallVector<int64_t> one(shape), rest(shape);
      one[axis] = 1;
      rest.erase(rest.begin() + axis);
      Value last = constantOf(RankedTensorType::get(one, builder.getI32Type()), shape[axis] - 1);
      result = reshape(create<tt::GatherOp>(result, last, int(axis)), rest);
    }
    if (convert(typeOf(id)) != result.getType())
      return error(op) << "a result cannot have the type " << typeOf(id).print();
    set(id, result);
  }
  return success();
}

} // namespace tilecc::tileir
