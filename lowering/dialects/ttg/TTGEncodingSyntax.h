//===- TTGEncodingSyntax.h - what encodings share in parsing, printing and verification -----------------*- C++ -*-----===//
#ifndef TILECC_LOWERING_DIALECTS_TTGENCODINGSYNTAX_H
#define TILECC_LOWERING_DIALECTS_TTGENCODINGSYNTAX_H

#include "lowering/dialects/ttg/TTG.h"
#include "mlir/IR/DialectImplementation.h"
#include <variant>

namespace tilecc::ttg {

/// What each bit of an input contributes to each axis: `[[0, 1], [8, 0]]`.
using Bases = llvm::SmallVector<llvm::SmallVector<int32_t>>;

/// `{name = 1, name = true, name = [1, 2], name = [[0, 1], [8, 0]]}`, fields in any order and none of them needed. Beside those
/// added, what Triton says of clusters is taken where it says that there is none.
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
