//===- ProgramOrder.cpp - the order in which blocks run the programs of a grid -----------------------------------===//

#include "targets/nvidia/ProgramOrder.h"
#include "lowering/pipeliner/EarlyLoads.h"
#include "targets/nvidia/hopper/BlockSharing.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilecc;

SmallVector<Value> tilecc::addArguments(tt::FuncOp kernel, unsigned count) {
  SmallVector<Value> arguments;
  Builder builder(kernel.getContext());
  // A divisibility of 1 declares that the number is not negative (AxisInfo.h).
  auto attrs = builder.getDictionaryAttr(builder.getNamedAttr(tt::divisibilityAttr, builder.getI32IntegerAttr(1)));
  while (arguments.size() < count) {
    if (failed(kernel.insertArgument(kernel.getNumArguments(), builder.getI32Type(), attrs, kernel.getLoc())))
      llvm_unreachable("a kernel takes more arguments");
    arguments.push_back(kernel.getArguments().back());
  }
  return arguments;
}

SmallVector<Value> tilecc::splitNumber(OpBuilder &builder, Location loc, Value number, ArrayRef<Value> extents) {
  SmallVector<Value> indices;
  for (Value extent : extents.drop_back()) {
    indices.push_back(arith::RemUIOp::create(builder, loc, number, extent));
    number = arith::DivUIOp::create(builder, loc, number, extent);
  }
  indices.push_back(number);
  return indices;
}

unsigned tilecc::countAskedAxes(tt::FuncOp func) {
  for (auto [axis, number] : {std::pair{tt::ProgramIDDim::Z, 3}, {tt::ProgramIDDim::Y, 2}})
    if (pipeline::asksForProgram(func, axis))
      return number;
  return 1;
}

bool tilecc::hasIndependentPrograms(tt::FuncOp kernel) {
  auto mayDepend = [](Operation *op) {
    bool isIndependent = isa<tt::StoreOp>(op) || pipeline::onlyReadsGlobalMemory(op);
    return isIndependent ? WalkResult::advance() : WalkResult::interrupt();
  };
  return !kernel.getBody().walk(mayDepend).wasInterrupted();
}

SmallVector<Value> tilecc::orderPrograms(OpBuilder &builder, Location loc, Value number, ArrayRef<Value> extents,
                                         const ProgramWork &work, int32_t programsOfGroup) {
  if (extents.size() == 1 || !(work.growsAlongX || work.shrinksAlongX))
    return splitNumber(builder, loc, number, extents);
  auto constant = [&](int32_t value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
  };
  auto add = [&](Value x, Value y) -> Value { return arith::AddIOp::create(builder, loc, x, y); };
  auto subtract = [&](Value x, Value y) -> Value { return arith::SubIOp::create(builder, loc, x, y); };
  auto multiply = [&](Value x, Value y) -> Value { return arith::MulIOp::create(builder, loc, x, y); };
  auto divide = [&](Value x, Value y) -> Value { return arith::DivUIOp::create(builder, loc, x, y); };
  auto minimum = [&](Value x, Value y) -> Value { return arith::MinUIOp::create(builder, loc, x, y); };

  Value alongX = extents.front(), rows = extents[1], one = constant(1);
  for (Value extent : extents.drop_front(2))
    rows = multiply(rows, extent);
  Value first, size = rows, position = number;
  if (programsOfGroup) {
    // A group has `most` rows along x; the last group may have fewer.
    Value most = minimum(rows, divide(add(alongX, constant(programsOfGroup - 1)), alongX));
    Value inGroup = multiply(most, alongX), group = divide(number, inGroup);
    position = subtract(number, multiply(group, inGroup));
    first = multiply(group, most);
    size = minimum(most, subtract(rows, first));
  }
  Value x = divide(position, size), row = subtract(position, multiply(x, size));
  if (first)
    row = add(row, first);
  if (work.growsAlongX)
    x = subtract(subtract(alongX, one), x);
  SmallVector<Value> indices = splitNumber(builder, loc, row, extents.drop_front());
  indices.insert(indices.begin(), x);
  return indices;
}

void tilecc::replaceGridQueries(Operation *root, ArrayRef<Value> indices, ArrayRef<Value> extents) {
  root->walk([&](Operation *op) {
    auto replaceBy = [&](tt::ProgramIDDim axis, ArrayRef<Value> values) {
      if (auto i = static_cast<size_t>(axis); i < values.size()) {
        op->getResult(0).replaceAllUsesWith(values[i]);
        op->erase();
      }
    };
    if (auto id = dyn_cast<tt::GetProgramIdOp>(op))
      replaceBy(id.getAxis(), indices);
    else if (auto count = dyn_cast<tt::GetNumProgramsOp>(op))
      replaceBy(count.getAxis(), extents);
  });
}

void tilecc::numberPrograms(tt::FuncOp func) {
  constexpr tt::ProgramIDDim axes[] = {tt::ProgramIDDim::X, tt::ProgramIDDim::Y, tt::ProgramIDDim::Z};
  Location loc = func.getLoc();
  Block &body = func.getBody().front();
  Operation *next = &body.front();
  OpBuilder builder(next);
  auto add = [&](Value a, Value b) -> Value { return arith::AddIOp::create(builder, loc, a, b); };
  auto multiply = [&](Value a, Value b) -> Value { return arith::MulIOp::create(builder, loc, a, b); };
  SmallVector<Value> extents = addArguments(func, countAskedAxes(func));
  func->setAttr(ttng::numberedAttr, builder.getI32IntegerAttr(extents.size()));
  Value number; // of the block in its launch
  for (tt::ProgramIDDim axis : llvm::reverse(ArrayRef(axes).take_front(extents.size()))) {
    Value index = tt::GetProgramIdOp::create(builder, loc, axis);
    number = number ? add(multiply(number, tt::GetNumProgramsOp::create(builder, loc, axis)), index) : index;
  }
  number = add(number, addArguments(func, 1).front());
  SmallVector<Value> indices = splitNumber(builder, loc, number, extents);
  for (Operation &op : llvm::make_early_inc_range(llvm::make_range(next->getIterator(), body.end())))
    replaceGridQueries(&op, indices, extents);
}
