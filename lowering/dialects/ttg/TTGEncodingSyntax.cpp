//===- TTGEncodingSyntax.cpp - the common syntax of encodings -----------------------------------------------------===//
//
// Parses and prints the common elements of encodings: named lists of numbers and of bases, in Triton's syntax.
//
//===-------------------------------------------------------------------------------------------------------------===//

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

ParseResult EncodingFields::parse(AsmParser &parser) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, [&]() -> ParseResult {
    StringRef name;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    auto *it = llvm::find_if(fields, [&](auto &field) { return field.first == name; });
    if (it == fields.end())
      return parser.emitError(loc) << "'" << name << "' is not a field of #ttg." << mnemonic
                                   << " that is supported here";
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
        emitError() << "the bases of a layout must have one length, and these have " << *rank << " and "
                    << basis.size();
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

static void printList(AsmPrinter &printer, const LinearLayout &layout, Dim in) {
  printer << "[";
  for (unsigned bit = 0; bit < layout.getInBits(in); ++bit) {
    printer << (bit ? ", [" : "[");
    llvm::interleaveComma(layout.getOuts(), printer,
                          [&](LinearLayout::Extent out) { printer << layout.getBasis(in, bit, out.dim); });
    printer << "]";
  }
  printer << "]";
}

void ttg::printBases(AsmPrinter &printer, const LinearLayout &layout, Dim in) {
  printer << toString(in) << " = ";
  printList(printer, layout, in);
}

//===--- blocks of a program --------------------------------------------------------------------------------------===//

void BlocksField::addTo(EncodingFields &fields) {
  fields.add("CGALayout", bases);
  fields.add("CTAsPerCGA", ctasPerCGA);
  fields.add("CTASplitNum", ctaSplitNum);
  fields.add("CTAOrder", ctaOrder);
}

std::optional<LinearLayout> BlocksField::get(unsigned rank, function_ref<InFlightDiagnostic()> emitError) const {
  if (!bases.empty()) {
    for (auto &basis : bases)
      if (basis.size() != rank) {
        emitError() << "CGALayout has " << basis.size() << " numbers for " << rank << " axes";
        return std::nullopt;
      }
    return layoutOfBases({{Dim::Block, bases}}, emitError);
  }
  if (ctasPerCGA.empty())
    return LinearLayout();
  if (ctasPerCGA.size() != rank || ctaSplitNum.size() != rank || ctaOrder.size() != rank) {
    emitError() << "CTAsPerCGA, CTASplitNum and CTAOrder must have a number for each of " << rank << " axes";
    return std::nullopt;
  }
  if (failed(verifyOrder(ctaOrder, emitError)))
    return std::nullopt;
  LinearLayout blocks;
  for (unsigned d : ctaOrder) {
    unsigned all = ctasPerCGA[d], parts = ctaSplitNum[d];
    if (!llvm::isPowerOf2_32(all) || !llvm::isPowerOf2_32(parts) || parts > all) {
      emitError() << "CTAsPerCGA and CTASplitNum must be powers of two, and no axis has more parts than blocks";
      return std::nullopt;
    }
    blocks = blocks * LinearLayout::identity(llvm::Log2_32(parts), Dim::Block, axis(d)) *
             LinearLayout::zeros(llvm::Log2_32(all / parts), Dim::Block, axis(d));
  }
  SmallVector<Dim> natural;
  for (unsigned d = 0; d < rank; ++d)
    natural.push_back(axis(d));
  return blocks.getTotalInBits() ? blocks.transposeOuts(natural) : LinearLayout();
}

void ttg::printBlocks(AsmPrinter &printer, const LinearLayout &blocks) {
  if (blocks.getIns().empty())
    return;
  printer << ", CGALayout = ";
  printList(printer, blocks, Dim::Block);
}

LogicalResult ttg::verifyBlocks(const LinearLayout &blocks, unsigned rank,
                                function_ref<InFlightDiagnostic()> emitError) {
  if (blocks.getIns().empty())
    return success();
  if (blocks.getOuts().size() != rank)
    return emitError() << "blocks are distributed along " << blocks.getOuts().size() << " axes of a layout of rank "
                       << rank;
  for (uint64_t column : blocks.getColumns(Dim::Block))
    if (column & (column - 1))
      return emitError() << "each bit of a block's rank must add a power of two along one axis";
  if (!blocks.isSurjective())
    return emitError() << "the blocks must have all parts of a tile between them";
  return success();
}

NamedBases ttg::withBlocks(NamedBases bases, const Bases &blocks) {
  if (!blocks.empty())
    bases.push_back({Dim::Block, blocks});
  return bases;
}

LinearLayout ttg::getLayoutOfPart(const LinearLayout &layout) {
  SmallVector<uint32_t> selecting; // of each axis
  LinearLayout::Extents ins, outs;
  for (LinearLayout::Extent out : layout.getOuts()) {
    uint32_t &bits = selecting.emplace_back(0);
    for (unsigned bit = 0; bit < layout.getInBits(Dim::Block); ++bit)
      bits |= layout.getBasis(Dim::Block, bit, out.dim);
    outs.push_back({out.dim, out.bits - unsigned(llvm::popcount(bits))});
  }
  SmallVector<uint64_t> columns;
  for (LinearLayout::Extent in : layout.getIns()) {
    if (in.dim == Dim::Block)
      continue;
    ins.push_back(in);
    for (unsigned bit = 0; bit < in.bits; ++bit) {
      uint64_t column = 0;
      unsigned shift = 0;
      for (auto [bits, out] : llvm::zip_equal(selecting, layout.getOuts()))
        for (unsigned place = 0; place < out.bits; ++place)
          if (!(bits >> place & 1))
            column |= uint64_t(layout.getBasis(in.dim, bit, out.dim) >> place & 1) << shift++;
      columns.push_back(column);
    }
  }
  return LinearLayout(ins, outs, columns);
}

//===--- axes -----------------------------------------------------------------------------------------------------===//

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
