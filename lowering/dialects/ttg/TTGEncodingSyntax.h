//===- TTGEncodingSyntax.h - the common syntax of encodings ---------------------------------------------*- C++ -*-===//
//
// The attributes that encode tiles share the parsing, printing and verification functions in this file.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_DIALECTS_TTGENCODINGSYNTAX_H
#define TILECC_LOWERING_DIALECTS_TTGENCODINGSYNTAX_H

#include "lowering/dialects/ttg/TTG.h"
#include "mlir/IR/DialectImplementation.h"
#include <variant>

namespace tilecc::ttg {

/// The contribution of each bit of an input to each axis: `[[0, 1], [8, 0]]`.
using Bases = llvm::SmallVector<llvm::SmallVector<int32_t>>;

/// Parses `{name = 1, name = true, name = [1, 2], name = [[0, 1], [8, 0]]}`, with optional fields in any order.
class EncodingFields {
public:
  /// `mnemonic` is the mnemonic of the encoding.
  explicit EncodingFields(llvm::StringRef mnemonic) : mnemonic(mnemonic) {}
  using Target = std::variant<unsigned *, bool *, llvm::SmallVector<unsigned> *, Bases *>;
  template <typename T> void add(llvm::StringRef name, T &target) { fields.push_back({name, &target}); }
  mlir::ParseResult parse(mlir::AsmParser &parser);

private:
  llvm::StringRef mnemonic;
  llvm::SmallVector<std::pair<llvm::StringRef, Target>> fields;
};

/// Parses the field of an encoding that distributes a tile over the blocks of a program, `CGALayout = [[0, 1]]`.
/// Encodings that are patterns for tiles of any size have this field. The older syntax of Triton before 3.6 is also
/// accepted: it gives the number of blocks and of parts along each axis, and the order of axes from the fastest,
/// `CTAsPerCGA = [1, 2], CTASplitNum = [1, 2], CTAOrder = [1, 0]`.
class BlocksField {
public:
  void addTo(EncodingFields &fields);
  /// Returns the rank that the field implies, or 0 if it is absent.
  unsigned getRank() const { return bases.empty() ? 0 : bases.front().size(); }
  /// Returns the map from a block's rank to its part number along each of `rank` axes. For a single block, the map has
  /// no dimensions. Reports errors.
  std::optional<LinearLayout> get(unsigned rank, llvm::function_ref<mlir::InFlightDiagnostic()> emitError) const;

private:
  Bases bases;
  llvm::SmallVector<unsigned> ctasPerCGA, ctaSplitNum, ctaOrder;
};

/// Prints `, CGALayout = [[0, 1]]`, or nothing for a single block.
void printBlocks(mlir::AsmPrinter &printer, const LinearLayout &blocks);
mlir::LogicalResult verifyBlocks(const LinearLayout &blocks, unsigned rank,
                                 llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Appends the bases of the blocks to `bases`, unless there is only one block: such a layout has no block dimension.
using NamedBases = llvm::SmallVector<std::pair<Dim, Bases>>;
NamedBases withBlocks(NamedBases bases, const Bases &blocks);

/// Restricts a layout of whole tiles to the part of block 0 by removing the coordinate bits that select a block.
LinearLayout getLayoutOfPart(const LinearLayout &layout);

/// Returns the layout with the given bases, which also determine the sizes of the axes. Reports an error for missing
/// lists and for lists of different lengths.
std::optional<LinearLayout> layoutOfBases(llvm::ArrayRef<std::pair<Dim, Bases>> bases,
                                          llvm::function_ref<mlir::InFlightDiagnostic()> emitError);
/// Prints `register = [[0, 1], [8, 0]]`.
void printBases(mlir::AsmPrinter &printer, const LinearLayout &layout, Dim in);

mlir::LogicalResult verifyRank(unsigned rank, llvm::ArrayRef<int64_t> shape,
                               llvm::function_ref<mlir::InFlightDiagnostic()> emitError);
mlir::LogicalResult verifyOrder(llvm::ArrayRef<unsigned> order,
                                llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace tilecc::ttg

#endif // TILECC_LOWERING_DIALECTS_TTGENCODINGSYNTAX_H
