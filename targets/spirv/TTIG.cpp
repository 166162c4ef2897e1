//===- TTIG.cpp - the encoding of results of Intel's matrix unit --------------------------------------------------===//
//
// TTIG.td describes the encoding. Layouts of operands and results follow from the SPIR-V extension
// SPV_INTEL_subgroup_matrix_multiply_accumulate.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/spirv/TTIG.h"
#include "lowering/dialects/ttg/TTGEncodingSyntax.h"
#include "lowering/layouts/Encodings.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::ttig;

#include "targets/spirv/TTIGDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "targets/spirv/TTIGAttributes.cpp.inc"

void TTIGDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "targets/spirv/TTIGAttributes.cpp.inc"
      >();
}

LogicalResult DpasEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError, unsigned repeatCount,
                                       ArrayRef<unsigned> warpsPerCTA) {
  if (!llvm::isPowerOf2_32(repeatCount) || repeatCount > 8)
    return emitError() << "repeatCount must be 1, 2, 4 or 8, not " << repeatCount;
  if (warpsPerCTA.size() != 2 && warpsPerCTA.size() != 3)
    return emitError() << "warpsPerCTA must have 2 or 3 axes, and this has " << warpsPerCTA.size();
  for (unsigned warps : warpsPerCTA)
    if (!llvm::isPowerOf2_32(warps))
      return emitError() << "warpsPerCTA must be powers of two, and this has " << warps;
  return success();
}

Attribute DpasEncodingAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  unsigned repeatCount = 0;
  SmallVector<unsigned> warpsPerCTA;
  ttg::EncodingFields fields("dpas");
  fields.add("repeatCount", repeatCount);
  fields.add("warpsPerCTA", warpsPerCTA);
  if (parser.parseLess() || fields.parse(parser) || parser.parseGreater())
    return {};
  return parser.getChecked<DpasEncodingAttr>(start, parser.getContext(), repeatCount, ArrayRef(warpsPerCTA));
}

void DpasEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{repeatCount = " << getRepeatCount() << ", warpsPerCTA = [" << getWarpsPerCTA() << "]}>";
}

unsigned DpasEncodingAttr::getRank() const { return getWarpsPerCTA().size(); }

std::pair<unsigned, unsigned> DpasEncodingAttr::getThreadsAndWarps() const {
  return {lanes, llvm::product_of(getWarpsPerCTA())};
}

/// Returns the distribution over warps, which are numbered along the last axis first. Warps that differ only along
/// `ignored` hold the same part.
static LinearLayout overWarps(ArrayRef<unsigned> warpsPerCTA, std::optional<unsigned> ignored = std::nullopt) {
  LinearLayout warps;
  for (unsigned dim = warpsPerCTA.size(); dim-- > 0;) {
    unsigned bits = llvm::Log2_32(warpsPerCTA[dim]);
    warps = warps * (dim == ignored ? LinearLayout::zeros(bits, Dim::Warp, axis(dim))
                                    : LinearLayout::identity(bits, Dim::Warp, axis(dim)));
  }
  return warps;
}

LinearLayout DpasEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  const unsigned rank = shape.size();
  LinearLayout tile = LinearLayout::identity(llvm::Log2_32(getRepeatCount()), Dim::Register, axis(rank - 2)) *
                      LinearLayout::identity(llvm::Log2_32(lanes), Dim::Lane, axis(rank - 1));
  SmallVector<unsigned> order = {rank - 1, rank - 2};
  if (rank == 3)
    order.push_back(0);
  return coverShape(tile * overWarps(getWarpsPerCTA()), shape, order);
}

Attribute DpasEncodingAttr::getPartEncoding() const { return *this; }

LinearLayout DpasEncodingAttr::getOperandLayout(ArrayRef<int64_t> shape, unsigned opIdx, unsigned kWidth) const {
  const unsigned rank = shape.size(), rows = rank - 2, columns = rank - 1, laneBits = llvm::Log2_32(lanes);
  LinearLayout tile;
  if (opIdx == 0)
    tile = LinearLayout::identity(llvm::Log2_32(kWidth), Dim::Register, axis(columns)) *
           LinearLayout::identity(llvm::Log2_32(getRepeatCount()), Dim::Register, axis(rows)) *
           LinearLayout::identity(laneBits, Dim::Lane, axis(columns));
  else
    tile = LinearLayout::identity(llvm::Log2_32(getOperandDepth(kWidth)), Dim::Register, axis(rows)) *
           LinearLayout::identity(laneBits, Dim::Lane, axis(columns));
  const unsigned contracted = opIdx == 0 ? columns : rows;
  SmallVector<unsigned> order = {contracted, opIdx == 0 ? rows : columns};
  if (rank == 3)
    order.push_back(0);
  return coverShape(tile * overWarps(getWarpsPerCTA(), contracted), shape, order);
}

unsigned DpasEncodingAttr::getOperandDepth(unsigned kWidth) const { return lanes * kWidth; }

LogicalResult DpasEncodingAttr::verifyOperand(unsigned, unsigned kWidth,
                                              function_ref<InFlightDiagnostic()> emitError) const {
  if (kWidth != 1 && kWidth != 2)
    return emitError() << "kWidth must be 1 or 2, not " << kWidth;
  return success();
}

LogicalResult DpasEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                               function_ref<InFlightDiagnostic()> emitError) const {
  return ttg::verifyRank(getRank(), shape, emitError);
}
