//===- AddressRange.h - value ranges of integers and address ranges of pointers -------------------------*- C++ -*-===//
//
// Barrier insertion uses the ranges for alias queries, and other passes use them to split loops at the iterations that
// need masks.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_ADDRESSRANGE_H
#define TILECC_LOWERING_ANALYSIS_ADDRESSRANGE_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace tilecc {

/// A sum of values times constant factors, plus a constant in [first, last]. The sum is an integer or a byte address.
struct AddressRange {
  llvm::SmallMapVector<mlir::Value, int64_t, 4> terms; ///< factors may be zero
  int64_t first = 0, last = 0;
};

/// Returns the range of an integer or of a tile of integers. `ask` may return ranges for the values that are visited.
/// It is called with `isLast` false first. If the defining operation does not determine a range, it is called again
/// with `isLast` true. Sums and products are assumed not to overflow, as the language specifies.
using AskForRange = llvm::function_ref<std::optional<AddressRange>(mlir::Value value, bool isLast)>;
std::optional<AddressRange> getNumberRange(mlir::Value numbers, AskForRange ask);

/// Returns the range whose only term is `value`.
AddressRange getRangeOfTerm(mlir::Value value);

/// Returns a + b * factor, or nothing if it does not fit into 64 bits.
std::optional<AddressRange> addScaled(std::optional<AddressRange> a, const std::optional<AddressRange> &b,
                                      int64_t factor);

/// Returns the bytes that an access through `pointers` (a pointer or a tile of pointers) may access, or nothing if they
/// are not known. Each term has a single value during an execution of the kernel.
std::optional<AddressRange> getAddressRange(mlir::Value pointers);

/// Returns true if the ranges have no byte in common.
bool areApart(const AddressRange &a, const AddressRange &b);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_ADDRESSRANGE_H
