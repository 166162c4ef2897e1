//===- TTGNvidiaMma.cpp - the encoding of NVIDIA's matrix units ---------------------------------------------------===//
//
// Defines how mma.sync and wgmma distribute operands and results. The layouts themselves are in lowering/layouts. This
// file implements MatrixUnitEncoding for each version of the unit, so that neutral passes need not know any version by
// name.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttg/TTGEncodingSyntax.h"
#include "lowering/layouts/Encodings.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::ttg;

LogicalResult NvidiaMmaEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError, unsigned versionMajor,
                                            unsigned, ArrayRef<unsigned> warpsPerCTA, ArrayRef<unsigned> instrShape,
                                            LinearLayout blocks) {
  if (versionMajor != 2 && versionMajor != 3)
    return emitError() << "versionMajor = " << versionMajor << " is not supported: matrix units are used by mma.sync, "
                       << "which is versionMajor = 2, and wgmma, which is 3";
  unsigned rank = warpsPerCTA.size();
  if (rank != 2 && rank != 3)
    return emitError() << "warpsPerCTA must have 2 or 3 axes, and this has " << rank;
  for (unsigned warps : warpsPerCTA)
    if (!llvm::isPowerOf2_32(warps))
      return emitError() << "warpsPerCTA must be powers of two, and this has " << warps;
  if (failed(verifyBlocks(blocks, rank, emitError)))
    return failure();
  if (versionMajor == 3) {
    if (rank != 2 || warpsPerCTA[0] % 4 != 0)
      return emitError() << "a warpgroup is four warps along the rows of a matrix, and warpsPerCTA = [" << warpsPerCTA
                         << "] has none";
    if (instrShape.size() != 3 || instrShape[0] != 16 || instrShape[1] < 8 || instrShape[1] > 256 ||
        !llvm::isPowerOf2_32(instrShape[1]) || !llvm::isPowerOf2_32(instrShape[2]))
      return emitError() << "instrShape of wgmma must be [16, columns, depth], columns a power of two from 8 to 256";
    return success();
  }
  if (instrShape.size() != rank || instrShape.take_back(2) != ArrayRef<unsigned>{16, 8} || instrShape.front() > 16 ||
      (rank == 3 && instrShape[0] != 1))
    return emitError() << "instrShape must be [16, 8], or [1, 16, 8] for batches";
  return success();
}

Attribute NvidiaMmaEncodingAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  unsigned versionMajor = 0, versionMinor = 0;
  SmallVector<unsigned> warpsPerCTA, instrShape;
  BlocksField blocks;
  EncodingFields fields("nvidia_mma");
  fields.add("versionMajor", versionMajor);
  fields.add("versionMinor", versionMinor);
  fields.add("warpsPerCTA", warpsPerCTA);
  fields.add("instrShape", instrShape);
  blocks.addTo(fields);
  if (parser.parseLess() || fields.parse(parser) || parser.parseGreater())
    return {};
  std::optional<LinearLayout> parts = blocks.get(warpsPerCTA.size(), [&] { return parser.emitError(start); });
  return parts ? parser.getChecked<NvidiaMmaEncodingAttr>(start, parser.getContext(), versionMajor, versionMinor,
                                                          ArrayRef(warpsPerCTA), ArrayRef(instrShape), *parts)
               : Attribute();
}

void NvidiaMmaEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{versionMajor = " << getVersionMajor() << ", versionMinor = " << getVersionMinor() << ", warpsPerCTA = ["
          << getWarpsPerCTA() << "]";
  printBlocks(printer, getBlocks());
  printer << ", instrShape = [" << getInstrShape() << "]}>";
}

unsigned NvidiaMmaEncodingAttr::getRank() const { return getWarpsPerCTA().size(); }

std::pair<unsigned, unsigned> NvidiaMmaEncodingAttr::getThreadsAndWarps() const {
  return {32, llvm::product_of(getWarpsPerCTA())};
}

LinearLayout NvidiaMmaEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return overBlocks(getBlocks(), shape, [&](ArrayRef<int64_t> part) {
    return isWarpGroup() ? warpGroupResultLayout(part, getWarpsPerCTA(), getInstrShape()[1])
                         : mmaResultLayout(part, getWarpsPerCTA());
  });
}

Attribute NvidiaMmaEncodingAttr::getPartEncoding() const {
  return get(getContext(), getVersionMajor(), getVersionMinor(), getWarpsPerCTA(), getInstrShape());
}

LinearLayout NvidiaMmaEncodingAttr::getOperandLayout(ArrayRef<int64_t> shape, unsigned opIdx, unsigned kWidth) const {
  unsigned contracted = opIdx == 0 ? getRank() - 1 : getRank() - 2;
  return overBlocks(copyAlong(getBlocks(), contracted), shape, [&](ArrayRef<int64_t> part) {
    return mmaOperandLayout(part, opIdx, kWidth, getWarpsPerCTA(), isWarpGroup());
  });
}

unsigned NvidiaMmaEncodingAttr::getOperandDepth(unsigned kWidth) const { return 8 * kWidth; }

LogicalResult NvidiaMmaEncodingAttr::verifyOperand(unsigned opIdx, unsigned kWidth,
                                                   function_ref<InFlightDiagnostic()> emitError) const {
  if (isWarpGroup() && opIdx != 0)
    return emitError() << "wgmma takes its right operand from shared memory, not from registers";
  if (!llvm::isPowerOf2_32(kWidth) || kWidth > 16)
    return emitError() << "kWidth must be a power of two up to 16, not " << kWidth;
  return success();
}

LogicalResult NvidiaMmaEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                                    function_ref<InFlightDiagnostic()> emitError) const {
  return verifyRank(getRank(), shape, emitError);
}
