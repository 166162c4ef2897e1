//===- ControlFlow.cpp - translates loops, branches and jumps of CUDA Tile IR -------------------------------------===//
//
// `for` and `if` become scf.for and scf.if. Two operations contain jumps, for which TTIR has no operations: a `loop`,
// which ends with `break`, and an `if` with a jump out of its branches. These, and the operations that contain them,
// become blocks and branches. The passes that structure kernels of C++ sources then structure them, too
// (frontend/raise/RaisePipeline.cpp).
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/tileir/Translator.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tilecc::tileir {

static bool isTerminator(const Operation &op) {
  return llvm::is_contained({Op::Yield, Op::Continue, Op::Break, Op::Return}, op.op());
}

/// Returns true if an operation must become branches, because of itself or because of a nested operation.
static bool needsBranches(const Operation &op) {
  if (op.op() == Op::Loop)
    return true;
  if (op.op() != Op::If && op.op() != Op::For)
    return false;
  return llvm::any_of(op.regions, [&](const Block &block) {
    bool jumps = op.op() == Op::If && !block.operations.empty() && isTerminator(block.operations.back()) &&
                 block.operations.back().op() != Op::Yield;
    return jumps || llvm::any_of(block.operations, needsBranches);
  });
}

LogicalResult Translator::translateBlock(const Block &block, const Exits &exits) {
  for (const Operation &op : block.operations) {
    loc = locationOf(op.location);
    if (failed(translateOperation(op, exits)))
      return failure();
    if (!isTerminator(op))
      continue;
    if (&op != &block.operations.back())
      return error(op) << "operations follow the end of a block";
    return success();
  }
  // The terminator may be omitted if it passes no values.
  for (const Exits::Exit &exit : {exits.onYield, exits.onContinue, exits.onReturn})
    if (exit)
      return exit({});
  return error() << "a block does not end";
}

LogicalResult Translator::translateOperation(const Operation &op, const Exits &exits) {
  if (failed(checkValues(op)))
    return failure();
  auto leave = [&](const Exits::Exit &exit) -> LogicalResult {
    return exit ? exit(op.all()) : LogicalResult(error() << op.spec->name << " is not allowed here");
  };
  if (inElements && needsBranches(op))
    return unsupported(op, "a jump in a reduction or scan");
  switch (op.op()) {
  case Op::Yield: return leave(exits.onYield);
  case Op::Continue: return leave(exits.onContinue);
  case Op::Break: return leave(exits.onBreak);
  case Op::Return: return leave(exits.onReturn);
  case Op::If: return needsBranches(op) ? branchIf(op, exits) : translateIf(op, exits);
  case Op::For: return needsBranches(op) ? branchFor(op, exits) : translateFor(op, exits);
  case Op::Loop: return translateLoop(op, exits);
  default: return translateSimple(op);
  }
}

//===--- values carried by control flow ---------------------------------------------------------------------------===//

FailureOr<SmallVector<mlir::Type>> Translator::passedTypes(ArrayRef<ValueId> ids) {
  SmallVector<mlir::Type> types;
  for (ValueId id : ids) {
    const Type &type = typeOf(id);
    if (type.kind == Type::Token)
      continue;
    if (type.isView()) {
      error() << "a loop or an if passes on a " << type.print() << ", which CUDA Tile IR does not allow";
      return failure();
    }
    types.push_back(convert(type));
    if (!types.back())
      return failure();
  }
  return types;
}

FailureOr<SmallVector<Value>> Translator::passed(ArrayRef<ValueId> ids, TypeRange expected) {
  SmallVector<Value> result;
  for (ValueId id : ids)
    if (get(id))
      result.push_back(get(id));
  if (TypeRange(ValueRange(result)) == expected)
    return result;
  error() << "values are passed on whose types are not those that are expected";
  return failure();
}

void Translator::bind(ArrayRef<ValueId> ids, ValueRange to) {
  for (ValueId id : ids)
    if (typeOf(id).kind != Type::Token) {
      set(id, to.front());
      to = to.drop_front();
    }
}

mlir::Block *Translator::addBlock(TypeRange arguments) {
  mlir::Block *block = &kernel.getBody().emplaceBlock();
  for (mlir::Type type : arguments)
    block->addArgument(type, loc);
  return block;
}

//===--- structured control flow ----------------------------------------------------------------------------------===//

LogicalResult Translator::translateIf(const Operation &op, const Exits &) {
  Value condition = get(op.operand("condition"));
  auto types = passedTypes(op.results);
  if (failed(types))
    return failure();
  if (!condition.getType().isInteger(1))
    return error(op) << "the condition is not an i1";
  bool hasElse = !types->empty() || !op.regions[1].operations.empty();
  auto ifOp = scf::IfOp::create(builder, loc, *types, condition, /*addThenBlock=*/true, hasElse);
  Exits exits;
  exits.onYield = [&](ArrayRef<ValueId> ids) -> LogicalResult {
    auto given = passed(ids, *types);
    if (succeeded(given))
      scf::YieldOp::create(builder, loc, *given);
    return given;
  };
  OpBuilder::InsertionGuard guard(builder);
  for (auto [region, block] : llvm::zip(ifOp->getRegions(), op.regions)) {
    if (region.empty())
      continue;
    region.front().clear(); // removes the implicit terminator
    builder.setInsertionPointToEnd(&region.front());
    if (failed(translateBlock(block, exits)))
      return failure();
  }
  bind(op.results, ifOp.getResults());
  return success();
}

FailureOr<Translator::ForParts> Translator::partsOfFor(const Operation &op) {
  ArrayRef<ValueId> all = op.all();
  ArrayRef<ValueId> arguments = op.regions[0].arguments;
  auto areIntegersOfOneType = [&] {
    if (all.size() < 3 || arguments.size() != all.size() - 2)
      return false;
    Value low = values[all[0]], high = values[all[1]], step = values[all[2]];
    return low && high && step && isa<IntegerType>(low.getType()) && low.getType() == high.getType() &&
           low.getType() == step.getType() && convert(typeOf(arguments[0])) == low.getType();
  };
  if (!areIntegersOfOneType())
    return error(op) << "the bounds and the step are not integers of one type";
  auto types = passedTypes(op.results), argumentTypes = passedTypes(arguments.drop_front());
  if (failed(types) || failed(argumentTypes))
    return failure();
  auto inits = passed(all.drop_front(3), *types);
  if (failed(inits))
    return failure();
  if (*argumentTypes != *types)
    return error(op) << "the arguments of the region do not match the values that the loop carries";
  return ForParts{values[all[0]], values[all[1]], values[all[2]], std::move(*types), std::move(*inits)};
}

LogicalResult Translator::translateFor(const Operation &op, const Exits &) {
  FailureOr<ForParts> parts = partsOfFor(op);
  if (failed(parts))
    return failure();
  auto loop = scf::ForOp::create(builder, loc, parts->low, parts->high, parts->step, parts->inits,
                                 /*bodyBuilder=*/nullptr, op.has("unsigned"));
  loop.getBody()->clear();
  Exits exits;
  exits.onContinue = [&](ArrayRef<ValueId> ids) -> LogicalResult {
    auto given = passed(ids, parts->types);
    if (succeeded(given))
      scf::YieldOp::create(builder, loc, *given);
    return given;
  };
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(loop.getBody());
  set(op.regions[0].arguments[0], loop.getInductionVar());
  bind(ArrayRef(op.regions[0].arguments).drop_front(), loop.getRegionIterArgs());
  if (failed(translateBlock(op.regions[0], exits)))
    return failure();
  bind(op.results, loop.getResults());
  return success();
}

//===--- branches -------------------------------------------------------------------------------------------------===//

LogicalResult Translator::branchIf(const Operation &op, const Exits &outer) {
  Value condition = get(op.operand("condition"));
  auto types = passedTypes(op.results);
  if (failed(types))
    return failure();
  if (!condition.getType().isInteger(1))
    return error(op) << "the condition is not an i1";
  mlir::Block *branches[] = {addBlock({}), addBlock({})}, *after = addBlock(*types);
  cf::CondBranchOp::create(builder, loc, condition, branches[0], ValueRange(), branches[1], ValueRange());
  Exits exits = outer;
  exits.onYield = [&](ArrayRef<ValueId> ids) -> LogicalResult {
    auto given = passed(ids, *types);
    if (succeeded(given))
      cf::BranchOp::create(builder, loc, after, *given);
    return given;
  };
  for (auto [branch, block] : llvm::zip(branches, op.regions)) {
    builder.setInsertionPointToEnd(branch);
    if (failed(translateBlock(block, exits)))
      return failure();
  }
  builder.setInsertionPointToEnd(after);
  bind(op.results, after->getArguments());
  return success();
}

LogicalResult Translator::translateLoop(const Operation &op, const Exits &outer) {
  const Block &region = op.regions[0];
  auto carried = passedTypes(region.arguments), results = passedTypes(op.results);
  if (failed(carried) || failed(results))
    return failure();
  auto inits = passed(op.all(), *carried);
  if (failed(inits))
    return failure();
  mlir::Block *body = addBlock(*carried), *after = addBlock(*results);
  cf::BranchOp::create(builder, loc, body, *inits);
  Exits exits;
  exits.onReturn = outer.onReturn;
  auto jump = [&](ArrayRef<ValueId> ids, mlir::Block *to) -> LogicalResult {
    auto given = passed(ids, to->getArgumentTypes());
    if (succeeded(given))
      cf::BranchOp::create(builder, loc, to, *given);
    return given;
  };
  exits.onContinue = [&](ArrayRef<ValueId> ids) { return jump(ids, body); };
  exits.onBreak = [&](ArrayRef<ValueId> ids) { return jump(ids, after); };
  builder.setInsertionPointToEnd(body);
  bind(region.arguments, body->getArguments());
  if (failed(translateBlock(region, exits)))
    return failure();
  builder.setInsertionPointToEnd(after);
  bind(op.results, after->getArguments());
  return success();
}

/// Creates a header block, which compares, and a body, at the exits of which the step is added.
LogicalResult Translator::branchFor(const Operation &op, const Exits &outer) {
  FailureOr<ForParts> parts = partsOfFor(op);
  if (failed(parts))
    return failure();

  SmallVector<mlir::Type> headTypes = {parts->low.getType()};
  llvm::append_range(headTypes, parts->types);
  mlir::Block *head = addBlock(headTypes), *body = addBlock({}), *after = addBlock(parts->types);
  parts->inits.insert(parts->inits.begin(), parts->low);
  cf::BranchOp::create(builder, loc, head, parts->inits);
  builder.setInsertionPointToEnd(head);
  Value variable = head->getArgument(0);
  auto carried = head->getArguments().drop_front();
  bool isUnsigned = op.has("unsigned");
  Value goesOn =
      create<arith::CmpIOp>(isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt, variable, parts->high);
  cf::CondBranchOp::create(builder, loc, goesOn, body, ValueRange(), after, carried);

  Exits exits;
  exits.onReturn = outer.onReturn;
  exits.onContinue = [&](ArrayRef<ValueId> ids) -> LogicalResult {
    auto given = passed(ids, parts->types);
    if (failed(given))
      return failure();
    auto flags = isUnsigned ? arith::IntegerOverflowFlags::nuw : arith::IntegerOverflowFlags::nsw;
    given->insert(given->begin(), create<arith::AddIOp>(variable, parts->step, flags));
    cf::BranchOp::create(builder, loc, head, *given);
    return success();
  };
  builder.setInsertionPointToEnd(body);
  set(op.regions[0].arguments[0], variable);
  bind(ArrayRef(op.regions[0].arguments).drop_front(), carried);
  if (failed(translateBlock(op.regions[0], exits)))
    return failure();
  builder.setInsertionPointToEnd(after);
  bind(op.results, after->getArguments());
  return success();
}

} // namespace tilecc::tileir
