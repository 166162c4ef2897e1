//===- AddressRange.h - between which bytes a tile of pointers points -------------------------------*- C++ -*-----===//
#ifndef TILECC_LOWERING_ANALYSIS_ADDRESSRANGE_H
#define TILECC_LOWERING_ANALYSIS_ADDRESSRANGE_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/MapVector.h"
#include <optional>

namespace tilecc {

/// Of numbers that are a sum of values times factors, which have one value each for a whole run of the kernel, and a
/// number between two: those, or the addresses of bytes.
struct AddressRange {
  llvm::SmallMapVector<mlir::Value, int64_t, 4> terms;
  int64_t first = 0, last = 0;
};

/// The bytes that an access through `pointers` (a pointer or a tile of them) may touch; nothing where that is not
/// known. Sums and products are taken not to overflow, as the language has it.
std::optional<AddressRange> getAddressRange(mlir::Value pointers);

/// Whether no byte is in both.
bool areApart(const AddressRange &a, const AddressRange &b);

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_ADDRESSRANGE_H
