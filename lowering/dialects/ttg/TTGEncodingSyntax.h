//===- TTGEncodingSyntax.h - what encodings share in parsing, printing and verification -----------------*- C++ -*-----===//
#ifndef TILECC_LOWERING_DIALECTS_TTGENCODINGSYNTAX_H
#define TILECC_LOWERING_DIALECTS_TTGENCODINGSYNTAX_H

#include "lowering/dialects/ttg/TTG.h"
#include "mlir/IR/DialectImplementation.h"
#include <variant>

namespace tilecc::ttg {

/// What each bit of an input contributes to each axis: `[[0, 1], [8, 0]]`.
using Bases = llvm::SmallVector<llvm::SmallVector<int32_t>>;

/// `{name = 1, name = true, name = [1, 2], name = [[0, 1], [8, 0]]}`, fields in any order and none of them needed.
class EncodingFields {
public:
  /// `mnemonic` is the encoding's.
  explicit EncodingFields(llvm::StringRef mnemonic) : mnemonic(mnemonic) {}
  using Target = std::variant<unsigned *, bool *, llvm::SmallVector<unsigned> *, Bases *>;
  template <typename T> void add(llvm::StringRef name, T &target) { fields.push_back({name, &target}); }
  mlir::ParseResult parse(mlir::AsmParser &parser);

private:
  llvm::StringRef mnemonic;
  llvm::SmallVector<std::pair<llvm::StringRef, Target>> fields;
};

/// Which part of a tile each block of a program has, as encodings spell it that are patterns for tiles of any size:
/// `CGALayout = [[0, 1]]`; or as Triton did before 3.6, blocks and parts along each axis, and the axes from the fastest:
/// `CTAsPerCGA = [1, 2], CTASplitNum = [1, 2], CTAOrder = [1, 0]`.
class BlocksField {
public:
  void addTo(EncodingFields &fields);
  /// The rank that the field tells; 0 if it is not there.
  unsigned getRank() const { return bases.empty() ? 0 : bases.front().size(); }
  /// The map from a block's rank to the number of its part along each of `rank` axes, without dimensions for one block;
  /// reports what is wrong.
  std::optional<LinearLayout> get(unsigned rank, llvm::function_ref<mlir::InFlightDiagnostic()> emitError) const;

private:
  Bases bases;
  llvm::SmallVector<unsigned> ctasPerCGA, ctaSplitNum, ctaOrder;
};

/// `, CGALayout = [[0, 1]]`, or nothing for one block.
void printBlocks(mlir::AsmPrinter &printer, const LinearLayout &blocks);
mlir::LogicalResult verifyBlocks(const LinearLayout &blocks, unsigned rank,
                                 llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// `bases`, and those of the blocks if there are any: a layout of one block has no block dimension.
using NamedBases = llvm::SmallVector<std::pair<Dim, Bases>>;
NamedBases withBlocks(NamedBases bases, const Bases &blocks);

/// A layout of whole tiles, restricted to the part of the block of rank 0: coordinates without the bits that select a block.
LinearLayout getLayoutOfPart(const LinearLayout &layout);

/// The layout with these bases, axes as large as they reach; reports lists of different lengths, and no list at all.
std::optional<LinearLayout> layoutOfBases(llvm::ArrayRef<std::pair<Dim, Bases>> bases,
                                          llvm::function_ref<mlir::InFlightDiagnostic()> emitError);
/// `register = [[0, 1], [8, 0]]`
void printBases(mlir::AsmPrinter &printer, const LinearLayout &layout, Dim in);

mlir::LogicalResult verifyRank(unsigned rank, llvm::ArrayRef<int64_t> shape,
                               llvm::function_ref<mlir::InFlightDiagnostic()> emitError);
mlir::LogicalResult verifyOrder(llvm::ArrayRef<unsigned> order,
                                llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace tilecc::ttg

#endif // TILECC_LOWERING_DIALECTS_TTGENCODINGSYNTAX_H
