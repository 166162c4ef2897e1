//===- AddressRange.h - between which numbers a tile's are, and which bytes pointers point to -------*- C++ -*-----===//
#ifndef TILECC_LOWERING_ANALYSIS_ADDRESSRANGE_H
#define TILECC_LOWERING_ANALYSIS_ADDRESSRANGE_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace tilecc {

/// Of numbers that are a sum of values times factors and a number between two: those, or the addresses of bytes.
struct AddressRange {
  llvm::SmallMapVector<mlir::Value, int64_t, 4> terms; ///< factors may be zero
  int64_t first = 0, last = 0;
};

/// The range of an integer, or of a tile of them. `ask` may answer for a value that is reached. It is asked with
/// `isLast` false first, then, where the value's operation says nothing, with `isLast` true. Sums and products are
/// taken not to overflow, as the language has it.
using AskForRange = llvm::function_ref<std::optional<AddressRange>(mlir::Value value, bool isLast)>;
std::optional<AddressRange> getNumberRange(mlir::Value numbers, AskForRange ask);

/// The range of `value`, which is a term.
AddressRange getRangeOfTerm(mlir::Value value);

/// a + b * factor; nothing if that does not fit into 64 bits.
std::optional<AddressRange> addScaled(std::optional<AddressRange> a, const std::optional<AddressRange> &b,
                                      int64_t factor);

/// The bytes that an access through `pointers` (a pointer or a tile of them) may touch; nothing where that is not
/// known. The terms have one value each for a whole run of the kernel.
std::optional<AddressRange> getAddressRange(mlir::Value pointers);

/// Whether no byte is in both.
bool areApart(const AddressRange &a, const AddressRange &b);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_ADDRESSRANGE_H
