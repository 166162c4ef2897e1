//===- TTGAmdMatrix.cpp - encodings of AMD's matrix units ---------------------------------------------------------===//
//
// MFMA (CDNA) and WMMA (RDNA) differ in syntax and in their tiles. Everything else follows from the tile: see
// AmdMatrixTile. A program runs in one work-group, so these encodings have no blocks.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttg/TTGEncodingSyntax.h"
#include "lowering/layouts/Encodings.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::ttg;

static LogicalResult verifyWarps(function_ref<InFlightDiagnostic()> emitError, ArrayRef<unsigned> warpsPerCTA) {
  if (warpsPerCTA.size() != 2 && warpsPerCTA.size() != 3)
    return emitError() << "warpsPerCTA must have 2 or 3 axes, and this has " << warpsPerCTA.size();
  for (unsigned warps : warpsPerCTA)
    if (!llvm::isPowerOf2_32(warps))
      return emitError() << "warpsPerCTA must be powers of two, and this has " << warps;
  return success();
}

static LogicalResult verifyKWidth(unsigned kWidth, function_ref<InFlightDiagnostic()> emitError) {
  if (!llvm::isPowerOf2_32(kWidth) || kWidth > 16)
    return emitError() << "kWidth must be a power of two up to 16, not " << kWidth;
  return success();
}

//===--- MFMA ----------------------------------------------------------------------------------------------------===//

LogicalResult AmdMfmaEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError, unsigned version,
                                          ArrayRef<unsigned> warpsPerCTA, ArrayRef<unsigned> instrShape, bool,
                                          unsigned elementBitWidth) {
  if (version < 2 || version > 4)
    return emitError() << "version = " << version << " is not supported: CDNA 2, 3 and 4 have MFMA of these shapes";
  if (instrShape.size() != 3 || instrShape[0] != instrShape[1] || (instrShape[0] != 16 && instrShape[0] != 32) ||
      !llvm::isPowerOf2_32(instrShape[2]))
    return emitError() << "instrShape must be [16, 16, depth] or [32, 32, depth]";
  if (elementBitWidth != 32 && (elementBitWidth != 64 || instrShape[0] != 16))
    return emitError() << "elementBitWidth must be 32, or 64 with instrShape = [16, 16, 4]";
  return verifyWarps(emitError, warpsPerCTA);
}

Attribute AmdMfmaEncodingAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  unsigned version = 0, elementBitWidth = 32;
  SmallVector<unsigned> warpsPerCTA, instrShape;
  bool isTransposed = false;
  EncodingFields fields("amd_mfma");
  fields.add("version", version);
  fields.add("warpsPerCTA", warpsPerCTA);
  fields.add("instrShape", instrShape);
  fields.add("isTransposed", isTransposed);
  fields.add("elementBitWidth", elementBitWidth);
  if (parser.parseLess() || fields.parse(parser) || parser.parseGreater())
    return {};
  return parser.getChecked<AmdMfmaEncodingAttr>(start, parser.getContext(), version, ArrayRef(warpsPerCTA),
                                                ArrayRef(instrShape), isTransposed, elementBitWidth);
}

void AmdMfmaEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{version = " << getVersion() << ", warpsPerCTA = [" << getWarpsPerCTA() << "], instrShape = ["
          << getInstrShape() << "], isTransposed = " << (getIsTransposed() ? "true" : "false");
  if (getElementBitWidth() != 32)
    printer << ", elementBitWidth = " << getElementBitWidth();
  printer << "}>";
}

AmdMatrixTile AmdMfmaEncodingAttr::getTile() const {
  return {getInstrShape()[0], /*numLanes=*/64, /*rowRun=*/getElementBitWidth() == 64 ? 1u : 4u,
          /*copiesOperands=*/false, getIsTransposed()};
}

unsigned AmdMfmaEncodingAttr::getRank() const { return getWarpsPerCTA().size(); }

std::pair<unsigned, unsigned> AmdMfmaEncodingAttr::getThreadsAndWarps() const {
  return {getTile().numLanes, llvm::product_of(getWarpsPerCTA())};
}

LinearLayout AmdMfmaEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return amdMatrixResultLayout(shape, getWarpsPerCTA(), getTile());
}

Attribute AmdMfmaEncodingAttr::getPartEncoding() const { return *this; }

LinearLayout AmdMfmaEncodingAttr::getOperandLayout(ArrayRef<int64_t> shape, unsigned opIdx, unsigned kWidth) const {
  return amdMatrixOperandLayout(shape, opIdx, kWidth, getWarpsPerCTA(), getTile());
}

unsigned AmdMfmaEncodingAttr::getOperandDepth(unsigned kWidth) const { return getTile().getLanesAlongK() * kWidth; }

LogicalResult AmdMfmaEncodingAttr::verifyOperand(unsigned, unsigned kWidth,
                                                 function_ref<InFlightDiagnostic()> emitError) const {
  return verifyKWidth(kWidth, emitError);
}

LogicalResult AmdMfmaEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                                  function_ref<InFlightDiagnostic()> emitError) const {
  return verifyRank(getRank(), shape, emitError);
}

//===--- WMMA ----------------------------------------------------------------------------------------------------===//

LogicalResult AmdWmmaEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError, unsigned version, bool,
                                          ArrayRef<unsigned> warpsPerCTA) {
  if (version != 1 && version != 2)
    return emitError() << "version = " << version << " is not supported: WMMA of RDNA 3 is 1, that of RDNA 4 is 2";
  return verifyWarps(emitError, warpsPerCTA);
}

Attribute AmdWmmaEncodingAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  unsigned version = 0;
  bool isTranspose = false;
  SmallVector<unsigned> warpsPerCTA;
  EncodingFields fields("amd_wmma");
  fields.add("version", version);
  fields.add("isTranspose", isTranspose);
  fields.add("warpsPerCTA", warpsPerCTA);
  if (parser.parseLess() || fields.parse(parser) || parser.parseGreater())
    return {};
  return parser.getChecked<AmdWmmaEncodingAttr>(start, parser.getContext(), version, isTranspose,
                                                ArrayRef(warpsPerCTA));
}

void AmdWmmaEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{version = " << getVersion() << ", isTranspose = " << (getIsTranspose() ? "true" : "false")
          << ", warpsPerCTA = [" << getWarpsPerCTA() << "]}>";
}

AmdMatrixTile AmdWmmaEncodingAttr::getTile() const {
  bool isRdna3 = getVersion() == 1;
  return {/*size=*/16, /*numLanes=*/32, /*rowRun=*/isRdna3 ? 1u : 8u, /*copiesOperands=*/isRdna3, getIsTranspose()};
}

unsigned AmdWmmaEncodingAttr::getRank() const { return getWarpsPerCTA().size(); }

std::pair<unsigned, unsigned> AmdWmmaEncodingAttr::getThreadsAndWarps() const {
  return {getTile().numLanes, llvm::product_of(getWarpsPerCTA())};
}

LinearLayout AmdWmmaEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return amdMatrixResultLayout(shape, getWarpsPerCTA(), getTile());
}

Attribute AmdWmmaEncodingAttr::getPartEncoding() const { return *this; }

LinearLayout AmdWmmaEncodingAttr::getOperandLayout(ArrayRef<int64_t> shape, unsigned opIdx, unsigned kWidth) const {
  return amdMatrixOperandLayout(shape, opIdx, kWidth, getWarpsPerCTA(), getTile());
}

unsigned AmdWmmaEncodingAttr::getOperandDepth(unsigned kWidth) const { return getTile().getLanesAlongK() * kWidth; }

LogicalResult AmdWmmaEncodingAttr::verifyOperand(unsigned, unsigned kWidth,
                                                 function_ref<InFlightDiagnostic()> emitError) const {
  return verifyKWidth(kWidth, emitError);
}

LogicalResult AmdWmmaEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                                  function_ref<InFlightDiagnostic()> emitError) const {
  return verifyRank(getRank(), shape, emitError);
}
