//===- TTGShared.cpp - encodings and types of tiles in shared memory ----------------------------------------------===//
//
// Verifies, prints and parses these encodings, and converts them to linear layouts from offsets to coordinates. Padding
// is handled separately.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttg/TTGEncodingSyntax.h"
#include "lowering/layouts/Encodings.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::ttg;

/// Permutes the outputs of `layout`: axis i of the result is axis `order[i]`.
static LinearLayout permuteAxes(const LinearLayout &layout, ArrayRef<int32_t> order) {
  SmallVector<Dim> outs;
  LinearLayout::Extents renamed;
  for (auto [i, d] : llvm::enumerate(order)) {
    outs.push_back(axis(d));
    renamed.push_back({axis(i), layout.getOutBits(axis(d))});
  }
  return layout.transposeOuts(outs).reshapeOuts(renamed);
}

/// Permutes the axes of a distribution over blocks.
static LinearLayout permuteBlocks(const LinearLayout &blocks, ArrayRef<int32_t> order) {
  return blocks.getIns().empty() ? blocks : permuteAxes(blocks, order);
}

static LogicalResult verifySameShape(const LinearLayout &layout, ArrayRef<int64_t> shape,
                                     function_ref<InFlightDiagnostic()> emitError) {
  for (auto [out, size] : llvm::zip_equal(layout.getOuts(), shape))
    if (int64_t(1) << out.bits != size)
      return emitError() << "a layout of tiles that have " << (int64_t(1) << out.bits)
                         << " along an axis on a tile that has " << size;
  return success();
}

/// Returns true if a block has each element of its part exactly once.
static bool placesEachOnce(const LinearLayout &layout) {
  SmallVector<Dim> axes = llvm::map_to_vector(layout.getOuts(), [](LinearLayout::Extent out) { return out.dim; });
  return layout.isSurjective() && layout.sublayout({Dim::Offset}, axes).isInjective();
}

//===--- swizzled -------------------------------------------------------------------------------------------------===//

LogicalResult SwizzledSharedEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError, unsigned vec,
                                                 unsigned perPhase, unsigned maxPhase, ArrayRef<unsigned> order,
                                                 LinearLayout blocks) {
  for (unsigned size : {vec, perPhase, maxPhase})
    if (!llvm::isPowerOf2_32(size))
      return emitError() << "vec, perPhase and maxPhase must be powers of two, and this has " << size;
  if (order.empty())
    return emitError() << "order must name at least one axis";
  return failure(failed(verifyOrder(order, emitError)) || failed(verifyBlocks(blocks, order.size(), emitError)));
}

Attribute SwizzledSharedEncodingAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  unsigned vec = 0, perPhase = 0, maxPhase = 0;
  SmallVector<unsigned> order;
  BlocksField blocks;
  EncodingFields fields("swizzled_shared");
  fields.add("vec", vec);
  fields.add("perPhase", perPhase);
  fields.add("maxPhase", maxPhase);
  fields.add("order", order);
  blocks.addTo(fields);
  if (parser.parseLess() || fields.parse(parser) || parser.parseGreater())
    return {};
  std::optional<LinearLayout> parts = blocks.get(order.size(), [&] { return parser.emitError(start); });
  return parts ? parser.getChecked<SwizzledSharedEncodingAttr>(start, parser.getContext(), vec, perPhase, maxPhase,
                                                               ArrayRef(order), *parts)
               : Attribute();
}

void SwizzledSharedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{vec = " << getVec() << ", perPhase = " << getPerPhase() << ", maxPhase = " << getMaxPhase()
          << ", order = [" << getOrder() << "]";
  printBlocks(printer, getBlocks());
  printer << "}>";
}

unsigned SwizzledSharedEncodingAttr::getRank() const { return getOrder().size(); }

LinearLayout SwizzledSharedEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return overBlocks(getBlocks(), shape, [&](ArrayRef<int64_t> part) {
    return swizzledLayout(part, getVec(), getPerPhase(), getMaxPhase(), getOrder());
  });
}

Attribute SwizzledSharedEncodingAttr::getPartEncoding() const {
  return get(getContext(), getVec(), getPerPhase(), getMaxPhase(), getOrder());
}

Attribute SwizzledSharedEncodingAttr::permute(ArrayRef<int32_t> order) const {
  SmallVector<unsigned> renamed;
  for (unsigned d : getOrder())
    renamed.push_back(llvm::find(order, int32_t(d)) - order.begin());
  return get(getContext(), getVec(), getPerPhase(), getMaxPhase(), renamed, permuteBlocks(getBlocks(), order));
}

LogicalResult SwizzledSharedEncodingAttr::verifyShape(ArrayRef<int64_t> shape,
                                                      function_ref<InFlightDiagnostic()> emitError) const {
  return verifyRank(getRank(), shape, emitError);
}

//===--- boxes of swizzled rows -----------------------------------------------------------------------------------===//

LogicalResult NVMMASharedEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError, unsigned width,
                                              bool transposed, unsigned elementBits, unsigned rank,
                                              LinearLayout blocks) {
  if (width != 0 && width != 32 && width != 64 && width != 128)
    return emitError() << "swizzlingByteWidth must be 0, 32, 64 or 128, not " << width;
  if (elementBits != 8 && elementBits != 16 && elementBits != 32 && elementBits != 64)
    return emitError() << "elementBitWidth must be 8, 16, 32 or 64, not " << elementBits;
  if (rank == 0 || (rank == 1 && (width || transposed)))
    return emitError() << "swizzles and transposes matrices, and tiles of them; a tile of one axis has neither";
  return verifyBlocks(blocks, rank, emitError);
}

NVMMASharedEncodingAttr NVMMASharedEncodingAttr::getWidest(MLIRContext *context, ArrayRef<int64_t> shape,
                                                           bool transposed, unsigned elementBits) {
  int64_t bytes = shape[shape.size() - (transposed ? 2 : 1)] * elementBits / 8;
  for (unsigned width : {128, 64, 32})
    if (bytes >= width && shape.size() > 1)
      return get(context, width, transposed, elementBits, shape.size());
  return bytes >= 16 ? get(context, 0, transposed, elementBits, shape.size()) : NVMMASharedEncodingAttr();
}

NVMMASharedEncodingAttr NVMMASharedEncodingAttr::getOfRank(unsigned rank) const {
  // A single row is not permuted.
  return get(getContext(), rank > 1 ? getSwizzlingByteWidth() : 0, rank > 1 && getTransposed(), getElementBitWidth(),
             rank);
}

Attribute NVMMASharedEncodingAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  unsigned width = 0, elementBits = 0, rank = 0;
  bool transposed = false;
  BlocksField blocks;
  EncodingFields fields("nvmma_shared");
  fields.add("swizzlingByteWidth", width);
  fields.add("transposed", transposed);
  fields.add("elementBitWidth", elementBits);
  fields.add("rank", rank);
  blocks.addTo(fields);
  if (parser.parseLess() || fields.parse(parser) || parser.parseGreater())
    return {};
  if (!rank)
    rank = blocks.getRank() ? blocks.getRank() : 2;
  std::optional<LinearLayout> parts = blocks.get(rank, [&] { return parser.emitError(start); });
  return parts ? parser.getChecked<NVMMASharedEncodingAttr>(start, parser.getContext(), width, transposed, elementBits,
                                                            rank, *parts)
               : Attribute();
}

void NVMMASharedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{swizzlingByteWidth = " << getSwizzlingByteWidth()
          << ", transposed = " << (getTransposed() ? "true" : "false")
          << ", elementBitWidth = " << getElementBitWidth();
  printBlocks(printer, getBlocks());
  if (getRank() != 2 && getBlocks().getIns().empty()) // otherwise the blocks imply the rank
    printer << ", rank = " << getRank();
  printer << "}>";
}

LinearLayout NVMMASharedEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  unsigned width = getSwizzlingByteWidth(), vec = 128 / getElementBitWidth();
  return overBlocks(getBlocks(), shape, [&](ArrayRef<int64_t> part) {
    return boxedLayout(part, getContiguousAxis(), getRowElements(), vec, width ? 128 / width : 1,
                       width ? width / 16 : 1);
  });
}

Attribute NVMMASharedEncodingAttr::getPartEncoding() const {
  return get(getContext(), getSwizzlingByteWidth(), getTransposed(), getElementBitWidth(), getRank());
}

// Returns the alignment of a tile, which begins at the start of a phase of the swizzle.
unsigned NVMMASharedEncodingAttr::getTileAlignment() const { return 8 * getRowBytes(); }

Attribute NVMMASharedEncodingAttr::permute(ArrayRef<int32_t> order) const {
  unsigned rank = getRank();
  for (unsigned d = 0; d + 2 < rank; ++d)
    if (order[d] != int32_t(d))
      return {};
  bool swaps = order[rank - 1] != int32_t(rank - 1);
  return get(getContext(), getSwizzlingByteWidth(), getTransposed() != swaps, getElementBitWidth(), rank,
             permuteBlocks(getBlocks(), order));
}

LogicalResult NVMMASharedEncodingAttr::verifyShape(ArrayRef<int64_t> shape,
                                                   function_ref<InFlightDiagnostic()> emitError) const {
  if (failed(verifyRank(getRank(), shape, emitError)))
    return failure();
  int64_t columns = getPartShape(getBlocks(), shape)[getContiguousAxis()];
  if (columns < int64_t(getRowElements()))
    return emitError() << "rows of " << getRowElements() << " elements on a tile that has " << columns;
  return success();
}

//===--- memory ---------------------------------------------------------------------------------------------------===//

bool SwizzledSharedEncodingAttr::isOfMemorySpace(Attribute space) const { return isa<SharedMemorySpaceAttr>(space); }
bool PaddedSharedEncodingAttr::isOfMemorySpace(Attribute space) const { return isa<SharedMemorySpaceAttr>(space); }
bool SharedLinearEncodingAttr::isOfMemorySpace(Attribute space) const { return isa<SharedMemorySpaceAttr>(space); }
bool NVMMASharedEncodingAttr::isOfMemorySpace(Attribute space) const { return isa<SharedMemorySpaceAttr>(space); }

//===--- padded ---------------------------------------------------------------------------------------------------===//

LogicalResult PaddedSharedEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                               ArrayRef<unsigned> intervals, ArrayRef<unsigned> paddings,
                                               LinearLayout layout) {
  if (intervals.empty() || intervals.size() != paddings.size())
    return emitError() << "needs a padding for each length of a run, and at least one";
  for (ArrayRef<unsigned> list : {intervals, paddings})
    for (unsigned value : list)
      if (!llvm::isPowerOf2_32(value))
        return emitError() << "runs and paddings must be powers of two, and this has " << value;
  for (auto [i, interval] : llvm::enumerate(intervals))
    if (llvm::is_contained(intervals.take_front(i), interval))
      return emitError() << "has two paddings for runs of " << interval;
  if (!placesEachOnce(layout))
    return emitError() << "must place each element once";
  return success();
}

std::optional<SmallVector<unsigned>> PaddedSharedEncodingAttr::getPlainOrder() const {
  const LinearLayout &layout = getLinearComponent();
  SmallVector<unsigned> order;
  for (unsigned bit = 0; bit < layout.getInBits(Dim::Offset); ++bit)
    for (unsigned d = 0; d < getRank(); ++d)
      if (layout.getBasis(Dim::Offset, bit, axis(d)) && !llvm::is_contained(order, d))
        order.push_back(d);
  for (unsigned d = getRank(); d-- > 0;) // axes of size 1 come last
    if (!llvm::is_contained(order, d))
      order.push_back(d);
  SmallVector<int64_t> shape;
  for (LinearLayout::Extent out : layout.getOuts())
    shape.push_back(int64_t(1) << out.bits);
  if (layout != swizzledLayout(shape, 1, 1, 1, order))
    return std::nullopt;
  return order;
}

Attribute PaddedSharedEncodingAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  SmallVector<unsigned> intervals, paddings, order, shape;
  Bases offsets, blocks;
  auto parseRun = [&] {
    return failure(parser.parseInteger(intervals.emplace_back()) || parser.parseColon() || parser.parsePlus() ||
                   parser.parseInteger(paddings.emplace_back()));
  };
  EncodingFields fields("padded_shared");
  fields.add("order", order);
  fields.add("shape", shape);
  fields.add("offset", offsets);
  fields.add("block", blocks);
  if (parser.parseLess() || parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRun) ||
      fields.parse(parser) || parser.parseGreater())
    return {};
  auto emitError = [&] { return parser.emitError(start); };
  std::optional<LinearLayout> layout;
  if (offsets.empty()) {
    SmallVector<int64_t> sizes(shape.begin(), shape.end());
    if (order.empty() || failed(verifyOrder(order, emitError)) || failed(verifyRank(order.size(), sizes, emitError))) {
      if (order.empty())
        emitError() << "needs 'order' and 'shape', or the bases of 'offset'";
      return {};
    }
    layout = swizzledLayout(sizes, 1, 1, 1, order);
  } else {
    layout = layoutOfBases(withBlocks({{Dim::Offset, offsets}}, blocks), emitError);
  }
  return layout ? parser.getChecked<PaddedSharedEncodingAttr>(start, parser.getContext(), ArrayRef(intervals),
                                                              ArrayRef(paddings), *layout)
                : Attribute();
}

void PaddedSharedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(llvm::zip_equal(getIntervals(), getPaddings()), printer,
                        [&](auto run) { printer << std::get<0>(run) << ":+" << std::get<1>(run); });
  printer << "] {";
  if (auto order = getPlainOrder()) {
    printer << "order = [" << ArrayRef(*order) << "], shape = [";
    llvm::interleaveComma(getLinearComponent().getOuts(), printer,
                          [&](LinearLayout::Extent out) { printer << (int64_t(1) << out.bits); });
    printer << "]";
  } else {
    printBases(printer, getLinearComponent(), Dim::Offset);
    printer << ", ";
    printBases(printer, getLinearComponent(), Dim::Block);
  }
  printer << "}>";
}

unsigned PaddedSharedEncodingAttr::getRank() const { return getLinearComponent().getOuts().size(); }

LinearLayout PaddedSharedEncodingAttr::toLinearLayout(ArrayRef<int64_t>) const { return getLinearComponent(); }

Attribute PaddedSharedEncodingAttr::getPartEncoding() const {
  return get(getContext(), getIntervals(), getPaddings(), getLayoutOfPart(getLinearComponent()));
}

SmallVector<std::pair<unsigned, unsigned>> PaddedSharedEncodingAttr::getPaddedRuns() const {
  SmallVector<std::pair<unsigned, unsigned>> runs;
  for (auto [interval, padding] : llvm::zip_equal(getIntervals(), getPaddings()))
    runs.push_back({interval, padding});
  return runs;
}

Attribute PaddedSharedEncodingAttr::permute(ArrayRef<int32_t> order) const {
  return get(getContext(), getIntervals(), getPaddings(), permuteAxes(getLinearComponent(), order));
}

LogicalResult PaddedSharedEncodingAttr::verifyShape(ArrayRef<int64_t> shape,
                                                    function_ref<InFlightDiagnostic()> emitError) const {
  return failure(failed(verifyRank(getRank(), shape, emitError)) ||
                 failed(verifySameShape(getLinearComponent(), shape, emitError)));
}

//===--- linear ---------------------------------------------------------------------------------------------------===//

LogicalResult SharedLinearEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError, LinearLayout layout,
                                               unsigned alignment) {
  if (!llvm::isPowerOf2_32(alignment))
    return emitError() << "alignment must be a power of two, not " << alignment;
  if (!placesEachOnce(layout))
    return emitError() << "must place each element once";
  return success();
}

Attribute SharedLinearEncodingAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  Bases offsets, blocks;
  unsigned alignment = 16;
  EncodingFields fields("shared_linear");
  fields.add("offset", offsets);
  fields.add("block", blocks);
  if (parser.parseLess() || fields.parse(parser) || parser.parseComma() || parser.parseKeyword("alignment") ||
      parser.parseEqual() || parser.parseInteger(alignment) || parser.parseGreater())
    return {};
  std::optional<LinearLayout> layout =
      layoutOfBases(withBlocks({{Dim::Offset, offsets}}, blocks), [&] { return parser.emitError(start); });
  return layout ? parser.getChecked<SharedLinearEncodingAttr>(start, parser.getContext(), *layout, alignment)
                : Attribute();
}

void SharedLinearEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{";
  printBases(printer, getLinearLayout(), Dim::Offset);
  if (getLinearLayout().getInBits(Dim::Block)) {
    printer << ", ";
    printBases(printer, getLinearLayout(), Dim::Block);
  }
  printer << "}, alignment = " << getLayoutAlignment() << ">";
}

unsigned SharedLinearEncodingAttr::getRank() const { return getLinearLayout().getOuts().size(); }

LinearLayout SharedLinearEncodingAttr::toLinearLayout(ArrayRef<int64_t>) const { return getLinearLayout(); }

Attribute SharedLinearEncodingAttr::getPartEncoding() const {
  return get(getContext(), getLayoutOfPart(getLinearLayout()), getLayoutAlignment());
}

unsigned SharedLinearEncodingAttr::getTileAlignment() const { return getLayoutAlignment(); }

Attribute SharedLinearEncodingAttr::permute(ArrayRef<int32_t> order) const {
  return get(getContext(), permuteAxes(getLinearLayout(), order), getLayoutAlignment());
}

LogicalResult SharedLinearEncodingAttr::verifyShape(ArrayRef<int64_t> shape,
                                                    function_ref<InFlightDiagnostic()> emitError) const {
  return failure(failed(verifyRank(getRank(), shape, emitError)) ||
                 failed(verifySameShape(getLinearLayout(), shape, emitError)));
}

//===--- !ttg.memdesc ---------------------------------------------------------------------------------------------===//

LogicalResult MemDescType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape, Type element,
                                  Attribute encoding, Attribute memorySpace, bool, ArrayRef<int64_t> allocShape) {
  auto inMemory = dyn_cast_or_null<MemoryEncoding>(encoding);
  if (!inMemory)
    return emitError() << "a tile in memory needs an encoding of that memory, not " << encoding;
  if (!memorySpace || !inMemory.isOfMemorySpace(memorySpace))
    return emitError() << "a tile encoded " << encoding << " cannot be in " << memorySpace;
  if (!element.isIntOrFloat() && !isa<tt::PointerType>(element))
    return emitError() << "a tile in memory has integers, floats or pointers, not " << element;
  unsigned rank = inMemory.getRank();
  if (shape.size() < rank || shape.size() > rank + 1 || allocShape.size() != shape.size())
    return emitError() << "a layout of rank " << rank << " on " << shape.size() << " axes, allocated as "
                       << allocShape.size();
  for (auto [part, whole] : llvm::zip_equal(shape, allocShape))
    if (part <= 0 || part > whole)
      return emitError() << "a tile cannot have " << part << " of " << whole << " along an axis";
  return failure(failed(verifyRank(rank, shape.take_back(rank), emitError)) ||
                 failed(inMemory.verifyShape(allocShape.take_back(rank), emitError)));
}

Type MemDescType::parse(AsmParser &parser) {
  SMLoc start = parser.getCurrentLocation();
  SmallVector<int64_t> shape, allocShape;
  Type element;
  Attribute encoding, memorySpace;
  bool isMutable = false;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false) || parser.parseType(element) ||
      parser.parseComma() || parser.parseAttribute(encoding) || parser.parseComma() ||
      parser.parseAttribute(memorySpace))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    if (!isMutable && succeeded(parser.parseOptionalKeyword("mutable"))) {
      isMutable = true;
      continue;
    }
    if (parser.parseDimensionList(allocShape, /*allowDynamic=*/false, /*withTrailingX=*/false))
      return {};
    break;
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<MemDescType>(start, parser.getContext(), ArrayRef(shape), element, encoding, memorySpace,
                                        isMutable, ArrayRef(allocShape.empty() ? shape : allocShape));
}

void MemDescType::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printDimensionList(getShape());
  printer << "x" << getElementType() << ", " << getEncoding() << ", " << getMemorySpace();
  if (getMutableMemory())
    printer << ", mutable";
  if (getAllocShape() != getShape()) {
    printer << ", ";
    printer.printDimensionList(getAllocShape());
  }
  printer << ">";
}

ShapedType MemDescType::cloneWith(std::optional<ArrayRef<int64_t>> shape, Type element) const {
  return get(shape.value_or(getShape()), element, getEncoding(), getMemorySpace(), getMutableMemory(),
             shape ? ArrayRef<int64_t>() : getAllocShape());
}

bool MemDescType::hasRank() const { return true; }

ArrayRef<int64_t> MemDescType::getTileShape() const {
  return getShape().take_back(cast<MemoryEncoding>(getEncoding()).getRank());
}

ArrayRef<int64_t> MemDescType::getAllocTileShape() const {
  return getAllocShape().take_back(cast<MemoryEncoding>(getEncoding()).getRank());
}

int64_t MemDescType::getNumTiles() const { return getShape().size() == getTileShape().size() ? 1 : getShape().front(); }

LinearLayout ttg::toLinearLayout(MemDescType type) {
  return cast<SharedEncoding>(type.getEncoding()).toLinearLayout(type.getAllocTileShape());
}

int64_t ttg::getPaddedOffset(MemDescType type, int64_t offset) {
  int64_t padded = offset;
  for (auto [interval, padding] : cast<SharedEncoding>(type.getEncoding()).getPaddedRuns())
    padded += offset / interval * padding;
  return padded;
}

int64_t ttg::getTileBytes(MemDescType type) {
  return llvm::product_of(type.getTileShape()) * tt::getElementBits(type.getElementType()) / 8;
}

int64_t ttg::getTileStrideInBytes(MemDescType type) {
  int64_t elements = getPaddedOffset(type, int64_t(1) << toLinearLayout(type).getInBits(Dim::Offset));
  int64_t bytes = elements * (std::max(8u, tt::getElementBits(type.getElementType())) / 8);
  return llvm::alignTo(bytes, cast<SharedEncoding>(type.getEncoding()).getTileAlignment());
}
