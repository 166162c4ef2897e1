//===- TTGPartitionOps.cpp - operations of warp-specialized partitions --------------------------------------------===//
//
// Syntax, verifiers and control flow of warp_specialize, and the effects of starting and joining partitions.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttg/TTG.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::ttg;

WarpSpecializePartitionsOp WarpSpecializeOp::getPartitionsOp() {
  return cast<WarpSpecializePartitionsOp>(getPartitionOpHolder().front().front());
}

MutableArrayRef<Region> WarpSpecializeOp::getPartitionRegions() { return getPartitionsOp()->getRegions(); }

unsigned WarpSpecializeOp::getTotalPartitionWarps() {
  unsigned total = 0;
  for (int32_t warps : getPartitionNumWarps())
    total += warps;
  return total;
}

void WarpSpecializeOp::build(OpBuilder &builder, OperationState &state, TypeRange results, ValueRange captures,
                             ArrayRef<int32_t> partitionNumWarps) {
  build(builder, state, results, captures, partitionNumWarps, /*warpGroupStartIds=*/{}, /*requestedRegisters=*/{},
        /*actualRegisters=*/{});
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(state.regions[0].get());
  builder.createBlock(state.regions[1].get());
  auto partitions = WarpSpecializePartitionsOp::create(builder, state.location, partitionNumWarps.size());
  SmallVector<Location> locations(captures.size(), state.location);
  for (Region &region : partitions->getRegions())
    builder.createBlock(&region, {}, captures.getTypes(), locations);
}

void WarpSpecializeOp::getSuccessorRegions(RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  if (point.isParent())
    successors.push_back(RegionSuccessor(&getDefaultRegion()));
  else
    successors.push_back(RegionSuccessor(getOperation(), getResults()));
}

LogicalResult WarpSpecializeOp::verify() {
  MutableArrayRef<Region> partitions = getPartitionRegions();
  if (partitions.size() != getPartitionNumWarps().size())
    return emitOpError("has ") << partitions.size() << " partitions and numbers of warps for "
                               << getPartitionNumWarps().size();
  for (int32_t warps : getPartitionNumWarps())
    if (warps <= 0 || !llvm::isPowerOf2_32(warps))
      return emitOpError("has a partition of ") << warps << " warps, which is no power of two";
  for (Region &region : partitions)
    if (region.getArgumentTypes() != getExplicitCaptures().getTypes())
      return emitOpError("has a partition whose arguments are not what is captured");
  for (auto numbers : {getRequestedRegisters(), getActualRegisters(), getWarpGroupStartIds()})
    if (numbers && numbers->size() != partitions.size() && numbers->size() != partitions.size() + 1)
      return emitOpError("has an attribute with ")
             << numbers->size() << " numbers for " << partitions.size() << " partitions";
  for (Value capture : getExplicitCaptures())
    if (isa<RankedTensorType>(capture.getType()))
      return emitOpError("captures a tile in registers, which only the warps that hold it have: ") << capture.getType();
  auto yield = dyn_cast<WarpYieldOp>(getDefaultRegion().front().getTerminator());
  if (!yield || yield.getValues().getTypes() != getResultTypes())
    return emitOpError("must have a default region that ends with ttg.warp_yield of its results");
  return success();
}

//===--- ttg.warp_specialize(%a) default {...} partition0(%b: i32) num_warps(4) {...} : (i32) -> () ---------------===//

ParseResult WarpSpecializeOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseOperandList(operands, AsmParser::Delimiter::Paren) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) || parser.parseKeyword("default") ||
      parser.parseRegion(*result.addRegion()))
    return failure();
  OperationState partitions(parser.getEncodedSourceLoc(where), WarpSpecializePartitionsOp::getOperationName());
  SmallVector<int32_t> numWarps;
  while (succeeded(parser.parseOptionalKeyword(("partition" + Twine(numWarps.size())).str()))) {
    SmallVector<OpAsmParser::Argument> arguments;
    if (parser.parseArgumentList(arguments, AsmParser::Delimiter::Paren, /*allowType=*/true) ||
        parser.parseKeyword("num_warps") || parser.parseLParen() || parser.parseInteger(numWarps.emplace_back()) ||
        parser.parseRParen() || parser.parseRegion(*partitions.addRegion(), arguments))
      return failure();
  }
  FunctionType types;
  if (parser.parseColon() || parser.parseType(types) ||
      parser.resolveOperands(operands, types.getInputs(), where, result.operands))
    return failure();
  result.addTypes(types.getResults());
  result.addAttribute(getPartitionNumWarpsAttrName(result.name), parser.getBuilder().getDenseI32ArrayAttr(numWarps));
  Block &holder = result.addRegion()->emplaceBlock();
  OpBuilder builder(parser.getContext());
  builder.setInsertionPointToEnd(&holder);
  builder.create(partitions);
  return success();
}

void WarpSpecializeOp::print(OpAsmPrinter &printer) {
  printer << '(' << getExplicitCaptures() << ')';
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {getPartitionNumWarpsAttrName()});
  printer.printNewline();
  printer << "default ";
  printer.printRegion(getDefaultRegion(), /*printEntryBlockArgs=*/false);
  for (auto [number, region, warps] : llvm::enumerate(getPartitionRegions(), getPartitionNumWarps())) {
    printer.printNewline();
    printer << "partition" << number << '(';
    llvm::interleaveComma(region.getArguments(), printer,
                          [&](BlockArgument argument) { printer.printRegionArgument(argument); });
    printer << ") num_warps(" << warps << ") ";
    printer.printRegion(region, /*printEntryBlockArgs=*/false);
  }
  printer << " : ";
  printer.printFunctionalType(*this);
}

//===--- starting and joining -------------------------------------------------------------------------------------===//

SharedWait StartPartitionsOp::getSharedWait() { return {SharedWait::Threads}; }
SharedWait JoinPartitionsOp::getSharedWait() { return {SharedWait::Threads}; }
