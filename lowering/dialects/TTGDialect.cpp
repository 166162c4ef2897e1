#include "lowering/dialects/TTG.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::ttg;

#include "lowering/dialects/TTGDialect.cpp.inc"
#include "lowering/dialects/TTGInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "lowering/dialects/TTGAttributes.cpp.inc"

#define GET_OP_CLASSES
#include "lowering/dialects/TTGOps.cpp.inc"

namespace {
/// `#blocked` before the module, as Triton prints it; slices and operands of dots stay where they are used.
struct LayoutAliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (!isa<BlockedEncodingAttr>(attr))
      return AliasResult::NoAlias;
    os << "blocked";
    return AliasResult::FinalAlias;
  }
};
} // namespace

void TTGDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "lowering/dialects/TTGAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "lowering/dialects/TTGOps.cpp.inc"
      >();
  addInterfaces<LayoutAliases>();
}

Operation *TTGDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

//===--- encodings -------------------------------------------------------------------------------------------------===//

static LogicalResult verifyRank(unsigned rank, ArrayRef<int64_t> shape,
                                function_ref<InFlightDiagnostic()> emitError) {
  if (rank != shape.size())
    return emitError() << "a layout of rank " << rank << " on a tile of rank " << shape.size();
  for (int64_t size : shape)
    if (size <= 0 || !llvm::isPowerOf2_64(size))
      return emitError() << "a tile's dimensions must be powers of two, and this has one of " << size;
  return success();
}

static unsigned product(ArrayRef<unsigned> factors) {
  unsigned result = 1;
  for (unsigned factor : factors)
    result *= factor;
  return result;
}

LogicalResult BlockedEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                          ArrayRef<unsigned> sizePerThread, ArrayRef<unsigned> threadsPerWarp,
                                          ArrayRef<unsigned> warpsPerCTA, ArrayRef<unsigned> order) {
  unsigned rank = order.size();
  if (rank == 0 || sizePerThread.size() != rank || threadsPerWarp.size() != rank || warpsPerCTA.size() != rank)
    return emitError() << "sizePerThread, threadsPerWarp, warpsPerCTA and order must have the same, non-zero length";
  for (ArrayRef<unsigned> sizes : {sizePerThread, threadsPerWarp, warpsPerCTA})
    for (unsigned size : sizes)
      if (!llvm::isPowerOf2_32(size) || size > tt::maxTileElements)
        return emitError() << "the sizes of a blocked layout must be powers of two, and this has " << size;
  SmallVector<bool> seen(rank, false);
  for (unsigned dim : order) {
    if (dim >= rank || seen[dim])
      return emitError() << "order must name each axis once";
    seen[dim] = true;
  }
  return success();
}

BlockedEncodingAttr BlockedEncodingAttr::get(MLIRContext *context, ArrayRef<int64_t> shape,
                                             ArrayRef<unsigned> sizePerThread, ArrayRef<unsigned> order,
                                             unsigned numWarps, unsigned threadsPerWarp) {
  unsigned rank = shape.size(), lanesLeft = threadsPerWarp, warpsLeft = numWarps;
  SmallVector<unsigned> threads(rank, 1), warps(rank, 1);
  for (unsigned dim : order.drop_back()) {
    unsigned wanted = std::max<int64_t>(1, shape[dim] / sizePerThread[dim]);
    threads[dim] = std::min(wanted, lanesLeft);
    warps[dim] = std::min(wanted / threads[dim], warpsLeft);
    lanesLeft /= threads[dim];
    warpsLeft /= warps[dim];
  }
  threads[order.back()] = lanesLeft;
  warps[order.back()] = warpsLeft;
  return get(context, sizePerThread, threads, warps, order);
}

Attribute BlockedEncodingAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  SmallVector<unsigned> sizePerThread, threadsPerWarp, warpsPerCTA, order;
  StringRef names[] = {"sizePerThread", "threadsPerWarp", "warpsPerCTA", "order"};
  SmallVector<unsigned> *lists[] = {&sizePerThread, &threadsPerWarp, &warpsPerCTA, &order};
  auto parseField = [&]() -> ParseResult {
    StringRef name;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    auto *it = llvm::find(names, name);
    if (it == std::end(names))
      return parser.emitError(loc) << "'" << name
                                   << "' is not a field of #ttg.blocked that is supported here (clusters are not)";
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
      return parser.parseInteger(lists[it - names]->emplace_back());
    });
  };
  if (parser.parseLess() || parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, parseField) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<BlockedEncodingAttr>(start, parser.getContext(), sizePerThread, threadsPerWarp, warpsPerCTA,
                                                order);
}

void BlockedEncodingAttr::print(AsmPrinter &printer) const {
  auto list = [&](StringRef name, ArrayRef<unsigned> values) {
    printer << name << " = [";
    llvm::interleaveComma(values, printer);
    printer << "]";
  };
  printer << "<{";
  list("sizePerThread", getSizePerThread());
  list(", threadsPerWarp", getThreadsPerWarp());
  list(", warpsPerCTA", getWarpsPerCTA());
  list(", order", getOrder());
  printer << "}>";
}

unsigned BlockedEncodingAttr::getRank() const { return getOrder().size(); }

std::pair<unsigned, unsigned> BlockedEncodingAttr::getThreadsAndWarps() const {
  return {product(getThreadsPerWarp()), product(getWarpsPerCTA())};
}

LinearLayout BlockedEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return blockedLayout(shape, getSizePerThread(), getThreadsPerWarp(), getWarpsPerCTA(), getOrder());
}

LogicalResult BlockedEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                                  function_ref<InFlightDiagnostic()> emitError) const {
  return verifyRank(getRank(), shape, emitError);
}

LogicalResult SliceEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError, unsigned dim, Attribute parent) {
  auto layout = dyn_cast_or_null<LayoutEncoding>(parent);
  if (!layout)
    return emitError() << "the parent of a slice must be a layout";
  if (layout.getRank() < 2 || dim >= layout.getRank())
    return emitError() << "cannot slice axis " << dim << " off a layout of rank " << layout.getRank();
  return success();
}

unsigned SliceEncodingAttr::getRank() const { return cast<LayoutEncoding>(getParent()).getRank() - 1; }

std::pair<unsigned, unsigned> SliceEncodingAttr::getThreadsAndWarps() const {
  return cast<LayoutEncoding>(getParent()).getThreadsAndWarps();
}

LinearLayout SliceEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  SmallVector<int64_t> parentShape(shape);
  parentShape.insert(parentShape.begin() + getDim(), 1);
  return sliceLayout(cast<LayoutEncoding>(getParent()).toLinearLayout(parentShape), getDim());
}

LogicalResult SliceEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                                function_ref<InFlightDiagnostic()> emitError) const {
  return verifyRank(getRank(), shape, emitError);
}

LogicalResult DotOperandEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError, unsigned opIdx,
                                             Attribute parent) {
  if (opIdx > 1)
    return emitError() << "a product has operands 0 and 1, not " << opIdx;
  if (!isa_and_nonnull<BlockedEncodingAttr>(parent) || cast<BlockedEncodingAttr>(parent).getRank() < 2)
    return emitError() << "the parent of an operand's layout must be a blocked layout of rank 2 or more";
  return success();
}

unsigned DotOperandEncodingAttr::getRank() const { return cast<LayoutEncoding>(getParent()).getRank(); }

std::pair<unsigned, unsigned> DotOperandEncodingAttr::getThreadsAndWarps() const {
  return cast<LayoutEncoding>(getParent()).getThreadsAndWarps();
}

LinearLayout DotOperandEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  auto parent = cast<BlockedEncodingAttr>(getParent());
  unsigned kDim = getOpIdx() == 0 ? getRank() - 1 : getRank() - 2;
  return dotOperandLayout(shape, kDim, parent.getSizePerThread(), parent.getThreadsPerWarp(), parent.getWarpsPerCTA(),
                          parent.getOrder());
}

LogicalResult DotOperandEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                                     function_ref<InFlightDiagnostic()> emitError) const {
  return verifyRank(getRank(), shape, emitError);
}

//===--- operations ------------------------------------------------------------------------------------------------===//

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getSrc()))
    return splat.reshape(getType());
  return {};
}

LogicalResult ConvertLayoutOp::canonicalize(ConvertLayoutOp op, PatternRewriter &rewriter) {
  Operation *source = op.getSrc().getDefiningOp();
  // Of two conversions in a row only the second counts.
  if (auto inner = dyn_cast_or_null<ConvertLayoutOp>(source)) {
    rewriter.replaceOpWithNewOp<ConvertLayoutOp>(op, op.getType(), inner.getSrc());
    return success();
  }
  // These are made in any layout at no cost.
  if (auto splat = dyn_cast_or_null<tt::SplatOp>(source)) {
    rewriter.replaceOpWithNewOp<tt::SplatOp>(op, op.getType(), splat.getSrc());
    return success();
  }
  if (auto range = dyn_cast_or_null<tt::MakeRangeOp>(source)) {
    rewriter.replaceOpWithNewOp<tt::MakeRangeOp>(op, op.getType(), range.getStart(), range.getEnd());
    return success();
  }
  return failure();
}

//===--- rules -----------------------------------------------------------------------------------------------------===//

int64_t ttg::getModuleInteger(Operation *op, StringRef name, int64_t otherwise) {
  auto module = isa<ModuleOp>(op) ? cast<ModuleOp>(op) : op->getParentOfType<ModuleOp>();
  auto attr = module ? module->getAttrOfType<IntegerAttr>(name) : IntegerAttr();
  return attr ? attr.getInt() : otherwise;
}

LinearLayout ttg::toLinearLayout(RankedTensorType type) {
  return cast<LayoutEncoding>(type.getEncoding()).toLinearLayout(type.getShape()).removeZeroBases(Dim::Register);
}

unsigned ttg::getElementsPerThread(RankedTensorType type) { return 1u << toLinearLayout(type).getInBits(Dim::Register); }

/// Element i of each result depends on element i of each operand alone, so that any one layout will do for all.
static bool keepsElementsInPlace(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() ||
         isa<tt::BroadcastOp, arith::ConstantOp, tt::MakeRangeOp, tt::SplatOp, ub::PoisonOp>(op);
}

Attribute ttg::inferResultEncoding(Operation *op, Attribute operand) {
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    auto slice = dyn_cast<SliceEncodingAttr>(operand);
    return slice && slice.getDim() == expand.getAxis() ? slice.getParent() : Attribute();
  }
  if (auto reduce = dyn_cast<tt::ReduceOp>(op)) {
    auto layout = dyn_cast<LayoutEncoding>(operand);
    return layout && layout.getRank() > 1 ? SliceEncodingAttr::get(op->getContext(), reduce.getAxis(), operand)
                                          : Attribute();
  }
  return keepsElementsInPlace(op) ? operand : Attribute();
}

Attribute ttg::inferOperandEncoding(Operation *op, Attribute result) {
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op))
    return SliceEncodingAttr::get(op->getContext(), expand.getAxis(), result);
  if (auto reduce = dyn_cast<tt::ReduceOp>(op)) {
    auto slice = dyn_cast<SliceEncodingAttr>(result);
    return slice && slice.getDim() == reduce.getAxis() ? slice.getParent() : Attribute();
  }
  return keepsElementsInPlace(op) ? result : Attribute();
}

static Attribute encodingOf(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile ? tile.getEncoding() : Attribute();
}

static LogicalResult verifyOperation(Operation *op, unsigned threads, unsigned warps) {
  for (Type type : llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                            SmallVector<Type>(op->getResultTypes()))) {
    auto tile = dyn_cast<RankedTensorType>(type);
    if (!tile)
      continue;
    auto layout = dyn_cast_or_null<LayoutEncoding>(tile.getEncoding());
    if (!layout)
      return op->emitOpError() << "has a tile without a layout: " << type;
    if (layout.getThreadsAndWarps() != std::pair(threads, warps))
      return op->emitOpError() << "has a layout for " << layout.getThreadsAndWarps().second << " warps of "
                               << layout.getThreadsAndWarps().first << " threads in a module for " << warps << " of "
                               << threads << ": " << type;
  }
  if (auto dot = dyn_cast<tt::DotOp>(op)) {
    // Either both operands are encoded as operands of this product, or both lie anywhere and go through shared memory.
    Attribute parent = dot.getType().getEncoding();
    ttg::DotOperandEncodingAttr encodings[2];
    for (unsigned i : {0, 1})
      encodings[i] = dyn_cast<DotOperandEncodingAttr>(encodingOf(dot->getOperand(i).getType()));
    if (!encodings[0] && !encodings[1] && isa<BlockedEncodingAttr>(parent))
      return success();
    for (unsigned i : {0, 1})
      if (!encodings[i] || encodings[i].getOpIdx() != i || encodings[i].getParent() != parent)
        return op->emitOpError() << "needs operand " << i << " encoded as operand " << i << " of the result's layout";
    return success();
  }
  if (isa<tt::LoadOp, tt::StoreOp>(op) || keepsElementsInPlace(op) || isa<tt::ExpandDimsOp, tt::ReduceOp>(op)) {
    Attribute first;
    for (Type type : op->getOperandTypes())
      if (Attribute encoding = encodingOf(type)) {
        if (first && encoding != first)
          return op->emitOpError() << "has operands of different layouts";
        first = encoding;
      }
    for (Type type : op->getResultTypes())
      if (Attribute encoding = encodingOf(type)) {
        Attribute expected = isa<tt::LoadOp>(op) ? encoding : inferOperandEncoding(op, encoding);
        if (!expected || (first && expected != first))
          return op->emitOpError() << "has a result whose layout does not follow from its operands'";
      }
  }
  return success();
}

LogicalResult ttg::verifyLayouts(Operation *root) {
  unsigned threads = getThreadsPerWarp(root), warps = getNumWarps(root);
  return failure(root->walk([&](Operation *op) {
    return succeeded(verifyOperation(op, threads, warps)) ? WalkResult::advance() : WalkResult::interrupt();
  }).wasInterrupted());
}
