//===- TTGDistributed.cpp - encodings of tiles in registers -------------------------------------------------------===//
//
// Verifies, prints and parses the encodings that every target has, and converts them to linear layouts. Encodings of
// matrix units have a file each (TTGNvidiaMma.cpp).
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttg/TTGEncodingSyntax.h"
#include "lowering/layouts/Encodings.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::ttg;

static unsigned product(ArrayRef<unsigned> sizes) {
  unsigned result = 1;
  for (unsigned size : sizes)
    result *= size;
  return result;
}

//===--- blocked and slices ---------------------------------------------------------------------------------------===//

LogicalResult BlockedEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                          ArrayRef<unsigned> sizePerThread, ArrayRef<unsigned> threadsPerWarp,
                                          ArrayRef<unsigned> warpsPerCTA, ArrayRef<unsigned> order,
                                          LinearLayout blocks) {
  unsigned rank = order.size();
  if (rank == 0 || sizePerThread.size() != rank || threadsPerWarp.size() != rank || warpsPerCTA.size() != rank)
    return emitError() << "sizePerThread, threadsPerWarp, warpsPerCTA and order must have the same, non-zero length";
  for (ArrayRef<unsigned> sizes : {sizePerThread, threadsPerWarp, warpsPerCTA})
    for (unsigned size : sizes)
      if (!llvm::isPowerOf2_32(size) || size > tt::maxTileElements)
        return emitError() << "the sizes of a blocked layout must be powers of two, and this has " << size;
  return failure(failed(verifyOrder(order, emitError)) || failed(verifyBlocks(blocks, rank, emitError)));
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
  BlocksField blocks;
  EncodingFields fields("blocked");
  fields.add("sizePerThread", sizePerThread);
  fields.add("threadsPerWarp", threadsPerWarp);
  fields.add("warpsPerCTA", warpsPerCTA);
  fields.add("order", order);
  blocks.addTo(fields);
  if (parser.parseLess() || fields.parse(parser) || parser.parseGreater())
    return {};
  std::optional<LinearLayout> parts = blocks.get(order.size(), [&] { return parser.emitError(start); });
  return parts ? parser.getChecked<BlockedEncodingAttr>(start, parser.getContext(), ArrayRef(sizePerThread),
                                                        ArrayRef(threadsPerWarp), ArrayRef(warpsPerCTA),
                                                        ArrayRef(order), *parts)
               : Attribute();
}

void BlockedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{sizePerThread = [" << getSizePerThread() << "], threadsPerWarp = [" << getThreadsPerWarp()
          << "], warpsPerCTA = [" << getWarpsPerCTA() << "], order = [" << getOrder() << "]";
  printBlocks(printer, getBlocks());
  printer << "}>";
}

unsigned BlockedEncodingAttr::getRank() const { return getOrder().size(); }

std::pair<unsigned, unsigned> BlockedEncodingAttr::getThreadsAndWarps() const {
  return {product(getThreadsPerWarp()), product(getWarpsPerCTA())};
}

LinearLayout BlockedEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return overBlocks(getBlocks(), shape, [&](ArrayRef<int64_t> part) {
    return blockedLayout(part, getSizePerThread(), getThreadsPerWarp(), getWarpsPerCTA(), getOrder());
  });
}

Attribute BlockedEncodingAttr::getPartEncoding() const {
  return get(getContext(), getSizePerThread(), getThreadsPerWarp(), getWarpsPerCTA(), getOrder());
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

Attribute SliceEncodingAttr::getPartEncoding() const {
  return get(getContext(), getDim(), cast<LayoutEncoding>(getParent()).getPartEncoding());
}

LogicalResult SliceEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                                function_ref<InFlightDiagnostic()> emitError) const {
  return verifyRank(getRank(), shape, emitError);
}

//===--- dots -----------------------------------------------------------------------------------------------------===//

LogicalResult DotOperandEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError, unsigned opIdx,
                                             Attribute parent, unsigned kWidth) {
  if (opIdx > 1)
    return emitError() << "a dot has operands 0 and 1, not " << opIdx;
  if (auto unit = dyn_cast_or_null<MatrixUnitEncoding>(parent))
    return unit.verifyOperand(opIdx, kWidth, emitError);
  if (!isa_and_nonnull<BlockedEncodingAttr>(parent) || cast<BlockedEncodingAttr>(parent).getRank() < 2)
    return emitError() << "the parent of an operand's layout must be a blocked layout of rank 2 or more, or that of a "
                          "matrix unit";
  if (kWidth != 0)
    return emitError() << "kWidth is for operands of matrix units";
  return success();
}

MatrixUnitEncoding DotOperandEncodingAttr::getMatrixUnit() const { return dyn_cast<MatrixUnitEncoding>(getParent()); }

unsigned DotOperandEncodingAttr::getRank() const { return cast<LayoutEncoding>(getParent()).getRank(); }

std::pair<unsigned, unsigned> DotOperandEncodingAttr::getThreadsAndWarps() const {
  return cast<LayoutEncoding>(getParent()).getThreadsAndWarps();
}

LinearLayout DotOperandEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  if (MatrixUnitEncoding unit = getMatrixUnit())
    return unit.getOperandLayout(shape, getOpIdx(), getKWidth());
  auto parent = cast<BlockedEncodingAttr>(getParent());
  return overBlocks(copyAlong(parent.getBlocks(), getContractedAxis()), shape, [&](ArrayRef<int64_t> part) {
    return dotOperandLayout(part, getContractedAxis(), parent.getSizePerThread(), parent.getThreadsPerWarp(),
                            parent.getWarpsPerCTA(), parent.getOrder());
  });
}

Attribute DotOperandEncodingAttr::getPartEncoding() const {
  return get(getContext(), getOpIdx(), cast<LayoutEncoding>(getParent()).getPartEncoding(), getKWidth());
}

LogicalResult DotOperandEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                                     function_ref<InFlightDiagnostic()> emitError) const {
  return verifyRank(getRank(), shape, emitError);
}

//===--- linear ---------------------------------------------------------------------------------------------------===//

LogicalResult LinearEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError, LinearLayout layout) {
  for (LinearLayout::Extent in : layout.getIns())
    for (uint64_t column : layout.getColumns(in.dim))
      if (column & (column - 1))
        return emitError() << "each basis of a distributed layout must be a power of two along one axis";
  if (!layout.isSurjective())
    return emitError() << "a linear layout must reach every element";
  return success();
}

Attribute LinearEncodingAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  Bases registers, lanes, warps, blocks;
  EncodingFields fields("linear");
  fields.add("register", registers);
  fields.add("lane", lanes);
  fields.add("warp", warps);
  fields.add("block", blocks);
  if (parser.parseLess() || fields.parse(parser) || parser.parseGreater())
    return {};
  std::optional<LinearLayout> layout =
      layoutOfBases(withBlocks({{Dim::Register, registers}, {Dim::Lane, lanes}, {Dim::Warp, warps}}, blocks),
                    [&] { return parser.emitError(start); });
  return layout ? parser.getChecked<LinearEncodingAttr>(start, parser.getContext(), *layout) : Attribute();
}

void LinearEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{";
  for (Dim dim : {Dim::Register, Dim::Lane, Dim::Warp}) {
    printBases(printer, getLinearLayout(), dim);
    printer << ", ";
  }
  printBases(printer, getLinearLayout(), Dim::Block);
  printer << "}>";
}

unsigned LinearEncodingAttr::getRank() const { return getLinearLayout().getOuts().size(); }

std::pair<unsigned, unsigned> LinearEncodingAttr::getThreadsAndWarps() const {
  return {1u << getLinearLayout().getInBits(Dim::Lane), 1u << getLinearLayout().getInBits(Dim::Warp)};
}

LinearLayout LinearEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  // If the pattern repeats, the order is the one in which registers move along the axes.
  const LinearLayout &layout = getLinearLayout();
  llvm::SmallSetVector<unsigned, 4> order;
  for (unsigned bit = 0; bit < layout.getInBits(Dim::Register); ++bit)
    for (unsigned d = 0; d < getRank(); ++d)
      if (layout.getBasis(Dim::Register, bit, axis(d)))
        order.insert(d);
  for (unsigned d = getRank(); d-- > 0;)
    order.insert(d);
  return coverShape(layout, shape, order.getArrayRef());
}

Attribute LinearEncodingAttr::getPartEncoding() const { return get(getContext(), getLayoutOfPart(getLinearLayout())); }

LogicalResult LinearEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                                 function_ref<InFlightDiagnostic()> emitError) const {
  return verifyRank(getRank(), shape, emitError);
}
