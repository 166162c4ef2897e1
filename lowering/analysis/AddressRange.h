//===- AddressRange.h - value ranges of integers and address ranges of pointers -------------------------*- C++ -*-===//
//
// A range is a linear expression over SSA values plus an interval of constants. Barrier insertion compares address
// ranges to decide whether two accesses may alias. Other passes use value ranges to find the iterations of a loop in
// which a mask is true.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_ADDRESSRANGE_H
#define TILECC_LOWERING_ANALYSIS_ADDRESSRANGE_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace tilecc {

/// A linear expression: the sum of values times constant factors, plus a constant in the closed interval [first, last].
/// It is the value of an integer or a byte address.
struct AddressRange {
  llvm::SmallMapVector<mlir::Value, int64_t, 4> terms; ///< factors may be zero
  int64_t first = 0, last = 0;
};

/// Returns the range of an integer or of a tile of integers. The caller supplies ranges through `ask`, which is called
/// for each value that the traversal visits: first with `isLast` false, and, if the operation that defines the value
/// does not determine a range, once more with `isLast` true. Sums and products are assumed not to overflow, as the
/// language specifies.
using AskForRange = llvm::function_ref<std::optional<AddressRange>(mlir::Value value, bool isLast)>;
std::optional<AddressRange> getNumberRange(mlir::Value numbers, AskForRange ask);

/// Returns the range whose only term is `value`.
AddressRange getRangeOfTerm(mlir::Value value);

/// Returns a + b * factor, or nothing if a coefficient of the result does not fit into 64 bits.
std::optional<AddressRange> addScaled(std::optional<AddressRange> a, const std::optional<AddressRange> &b,
                                      int64_t factor);

/// Returns the bytes that an access through `pointers` (a pointer or a tile of pointers) may access, or nothing if they
/// are not known. Each term is a value that does not change while the kernel runs, so the ranges of different
/// operations can be compared.
std::optional<AddressRange> getAddressRange(mlir::Value pointers);

/// Returns true if the ranges have no byte in common.
bool areApart(const AddressRange &a, const AddressRange &b);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_ADDRESSRANGE_H
