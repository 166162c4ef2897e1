//===- TTDialect.cpp - the tile dialect: types, constants, registration -------------------------------------------===//
//
// Registers the `tt` dialect, and implements the type rules that its operations, the raise and the lowerings share.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/tt/NewerOps.h"
#include "lowering/dialects/tt/SignalOps.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilecc;

#include "lowering/dialects/tt/TTDialect.cpp.inc"
#include "lowering/dialects/tt/TTEnums.cpp.inc"
#include "lowering/dialects/tt/TTInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "lowering/dialects/tt/TTAttributes.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "lowering/dialects/tt/TTTypes.cpp.inc"

namespace {
/// Allows the inlining of every function that a kernel calls, because tiles have no calling convention.
struct TTInliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Operation *, bool) const final { return true; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }

  void handleTerminator(Operation *op, Block *next) const final {
    OpBuilder builder(op);
    cf::BranchOp::create(builder, op->getLoc(), next, cast<tt::ReturnOp>(op).getSrcs());
    op->erase();
  }
  void handleTerminator(Operation *op, ValueRange toReplace) const final {
    for (auto [old, value] : llvm::zip(toReplace, cast<tt::ReturnOp>(op).getSrcs()))
      old.replaceAllUsesWith(value);
  }
};
} // namespace

void tt::TTDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "lowering/dialects/tt/TTAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "lowering/dialects/tt/TTTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "lowering/dialects/tt/TTOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "lowering/dialects/tt/TTSignalOps.cpp.inc"
      >();
  addOperations<GridDependencyLaunchDependentsOp>();
  addInterfaces<TTInliner>();
  // The plans in lowering/analysis, which know layouts, implement these interfaces (registerAnalysisModels).
  declarePromisedInterfaces<UsesScratch, GatherOp, HistogramOp, DotOp, ReduceOp, ScanOp, AtomicRMWOp, AtomicCASOp,
                            CallThreadsOp>();
}

Operation *tt::TTDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  if (auto poison = dyn_cast<ub::PoisonAttr>(value))
    return ub::PoisonOp::create(builder, loc, type, poison);
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

//===--- !tt.ptr<f32> ---------------------------------------------------------------------------------------------===//

Type tt::PointerType::parse(AsmParser &parser) {
  Type pointee;
  int addressSpace = 1;
  if (parser.parseLess() || parser.parseType(pointee))
    return {};
  if (succeeded(parser.parseOptionalComma()) && parser.parseInteger(addressSpace))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<PointerType>(parser.getContext(), pointee, addressSpace);
}

void tt::PointerType::print(AsmPrinter &printer) const {
  printer << "<" << getPointeeType();
  if (getAddressSpace() != 1)
    printer << ", " << getAddressSpace();
  printer << ">";
}

LogicalResult tt::PointerType::verify(function_ref<InFlightDiagnostic()> emitError, Type pointee, int addressSpace) {
  auto block = dyn_cast<RankedTensorType>(pointee);
  bool isBlock = block && !block.getEncoding() && block.getElementType().isIntOrFloat();
  if (!pointee.isIntOrFloat() && !isa<PointerType>(pointee) && !isBlock)
    return emitError() << "a pointer to " << pointee << " is not available in a tile kernel";
  return success();
}

//===--- shape rules ----------------------------------------------------------------------------------------------===//

Type tt::withElementType(Type t, Type element) {
  if (auto tile = dyn_cast<RankedTensorType>(t))
    return RankedTensorType::get(tile.getShape(), element, tile.getEncoding());
  return element;
}

Type tt::getPointeeType(Type ptrLike) {
  auto ptr = dyn_cast<PointerType>(getElementTypeOrSelf(ptrLike));
  return ptr ? withElementType(ptrLike, ptr.getPointeeType()) : Type();
}

RankedTensorType tt::getBlockOf(Type pointer) {
  auto type = dyn_cast<PointerType>(pointer);
  return type ? dyn_cast<RankedTensorType>(type.getPointeeType()) : RankedTensorType();
}

Type tt::getBaseType(Type blockPointer) {
  RankedTensorType block = getBlockOf(blockPointer);
  return block ? PointerType::get(block.getElementType(), cast<PointerType>(blockPointer).getAddressSpace())
               : blockPointer;
}

Type tt::getMaskType(Type ptrLike) { return withElementType(ptrLike, IntegerType::get(ptrLike.getContext(), 1)); }

unsigned tt::getElementBits(Type element) { return isa<PointerType>(element) ? 64 : element.getIntOrFloatBitWidth(); }
