//===- TTGEncodingSyntax.cpp - the braces of encodings ------------------------------------------------------------===//
//
// Parsing and printing of what encodings have in common: named lists of numbers and of bases, in Triton's spelling.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttg/TTGEncodingSyntax.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::ttg;

static ParseResult parseValue(AsmParser &parser, unsigned *value) { return parser.parseInteger(*value); }

static ParseResult parseValue(AsmParser &parser, bool *value) {
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  *value = word == "true";
  if (word != "true" && word != "false")
    return parser.emitError(parser.getCurrentLocation(), "expected true or false");
  return success();
}

static ParseResult parseValue(AsmParser &parser, SmallVector<unsigned> *values) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(values->emplace_back()); });
}

static ParseResult parseValue(AsmParser &parser, Bases *bases) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    auto &basis = bases->emplace_back();
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                          [&] { return parser.parseInteger(basis.emplace_back()); });
  });
}

/// How Triton spells that tiles are not distributed over a cluster: every encoding may say so, and none is printed so.
static OptionalParseResult parseClusterField(AsmParser &parser, SMLoc loc, StringRef name) {
  if (name != "CTAsPerCGA" && name != "CTASplitNum" && name != "CTAOrder")
    return std::nullopt;
  SmallVector<unsigned> values;
  if (parseValue(parser, &values))
    return failure();
  if (name == "CTAOrder") // of one block, no order means anything
    return verifyOrder(values, [&] { return parser.emitError(loc); });
  if (!llvm::all_of(values, [](unsigned count) { return count == 1; }))
    return parser.emitError(loc) << "tiles cannot be distributed over a cluster: '" << name << "' must be 1 along each axis";
  return success();
}

ParseResult EncodingFields::parse(AsmParser &parser) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, [&]() -> ParseResult {
    StringRef name;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    auto *it = llvm::find_if(fields, [&](auto &field) { return field.first == name; });
    if (it == fields.end()) {
      if (OptionalParseResult cluster = parseClusterField(parser, loc, name); cluster.has_value())
        return *cluster;
      return parser.emitError(loc) << "'" << name << "' is not a field of #ttg." << mnemonic << " that is supported here";
    }
    return std::visit([&](auto *target) { return parseValue(parser, target); }, it->second);
  });
}

std::optional<LinearLayout> ttg::layoutOfBases(ArrayRef<std::pair<Dim, Bases>> bases,
                                               function_ref<InFlightDiagnostic()> emitError) {
  std::optional<unsigned> rank;
  SmallVector<uint32_t> reach;
  for (auto &[in, list] : bases)
    for (auto &basis : list) {
      if (rank.value_or(basis.size()) != basis.size()) {
        emitError() << "the bases of a layout must have one length, and these have " << *rank << " and " << basis.size();
        return std::nullopt;
      }
      rank = basis.size();
      reach.resize(*rank);
      for (auto [value, all] : llvm::zip_equal(basis, reach)) {
        if (value < 0) {
          emitError() << "a basis cannot be negative: " << value;
          return std::nullopt;
        }
        all |= value;
      }
    }
  if (!rank || *rank == 0) {
    emitError() << "a layout needs at least one basis, to tell its rank";
    return std::nullopt;
  }
  LinearLayout::Extents ins, outs;
  for (auto [d, all] : llvm::enumerate(reach))
    outs.push_back({axis(d), unsigned(llvm::bit_width(all))});
  SmallVector<uint64_t> columns;
  for (auto &[in, list] : bases) {
    ins.push_back({in, unsigned(list.size())});
    for (auto &basis : list) {
      uint64_t column = 0;
      unsigned shift = 0;
      for (auto [value, out] : llvm::zip_equal(basis, outs)) {
        column |= uint64_t(value) << shift;
        shift += out.bits;
      }
      columns.push_back(column);
    }
  }
  return LinearLayout(ins, outs, columns);
}

void ttg::printBases(AsmPrinter &printer, const LinearLayout &layout, Dim in) {
  printer << toString(in) << " = [";
  for (unsigned bit = 0; bit < layout.getInBits(in); ++bit) {
    printer << (bit ? ", [" : "[");
    llvm::interleaveComma(layout.getOuts(), printer,
                          [&](LinearLayout::Extent out) { printer << layout.getBasis(in, bit, out.dim); });
    printer << "]";
  }
  printer << "]";
}

LogicalResult ttg::verifyRank(unsigned rank, ArrayRef<int64_t> shape, function_ref<InFlightDiagnostic()> emitError) {
  if (rank != shape.size())
    return emitError() << "a layout of rank " << rank << " on a tile of rank " << shape.size();
  for (int64_t size : shape)
    if (size <= 0 || !llvm::isPowerOf2_64(size))
      return emitError() << "a tile's dimensions must be powers of two, and this has one of " << size;
  return success();
}

LogicalResult ttg::verifyOrder(ArrayRef<unsigned> order, function_ref<InFlightDiagnostic()> emitError) {
  SmallVector<bool> seen(order.size(), false);
  for (unsigned dim : order) {
    if (dim >= order.size() || seen[dim])
      return emitError() << "order must name each axis once";
    seen[dim] = true;
  }
  return success();
}
