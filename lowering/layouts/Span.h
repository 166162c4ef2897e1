//===- Span.h - the span of vectors over F2 -------------------------------------------------------------*- C++ -*-===//
//
// The layout algorithms use this class to solve systems of linear equations over the field of two elements.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_LAYOUTS_SPAN_H
#define TILECC_LOWERING_LAYOUTS_SPAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include <cstdint>
#include <optional>

namespace tilecc {

/// The span of a set of columns. Decides whether a vector is a sum of these columns, and of which ones. The members are
/// reduced so that each has its own leading bit; each member records of which columns it is the sum.
class Span {
public:
  Span() = default;
  explicit Span(llvm::ArrayRef<uint64_t> columns) {
    for (auto [i, column] : llvm::enumerate(columns))
      insert(column, i);
  }

  /// Adds `column` and returns true, or returns false if `column` is already in the span. `id` (below 64) is the bit
  /// for `column` in the combinations that solve() returns.
  bool insert(uint64_t column, unsigned id = 0) {
    uint64_t combination = uint64_t(1) << id;
    reduce(column, combination);
    if (!column)
      return false;
    members.push_back({column, combination});
    return true;
  }
  std::optional<uint64_t> solve(uint64_t target) const {
    uint64_t combination = 0;
    reduce(target, combination);
    return target ? std::nullopt : std::optional(combination);
  }
  bool contains(uint64_t vector) const { return solve(vector).has_value(); }
  unsigned size() const { return members.size(); }

private:
  void reduce(uint64_t &column, uint64_t &combination) const {
    // Each member is reduced by those before it, so one pass in insertion order clears every leading bit.
    for (const auto &[value, made] : members)
      if (column & llvm::bit_floor(value)) {
        column ^= value;
        combination ^= made;
      }
  }
  llvm::SmallVector<std::pair<uint64_t, uint64_t>, 16> members;
};

/// A linear map that is built by fixing the images of vectors, one by one. Vectors that are independent of these are
/// mapped to 0.
class SpannedMap {
public:
  /// Fixes the image of `vector`. Returns false if `vector` is a sum of earlier vectors, whose images already determine
  /// its image.
  bool add(uint64_t vector, uint64_t image) {
    if (!span.insert(vector, images.size()))
      return false;
    images.push_back(image);
    return true;
  }
  bool isFixed(uint64_t vector) const { return span.contains(vector); }
  /// Returns the image of a vector for which isFixed() is true.
  uint64_t at(uint64_t vector) const {
    uint64_t combination = *span.solve(vector), image = 0;
    for (auto [i, part] : llvm::enumerate(images))
      if (combination >> i & 1)
        image ^= part;
    return image;
  }
  /// Maps to 0 enough of the first `bits` unit vectors to complete the fixed vectors to a basis. Returns the images of
  /// all unit vectors.
  llvm::SmallVector<uint64_t> complete(unsigned bits) {
    llvm::SmallVector<uint64_t> columns;
    for (unsigned bit = 0; bit < bits; ++bit)
      add(uint64_t(1) << bit, 0);
    for (unsigned bit = 0; bit < bits; ++bit)
      columns.push_back(at(uint64_t(1) << bit));
    return columns;
  }

private:
  Span span;
  llvm::SmallVector<uint64_t, 16> images;
};

} // namespace tilecc

#endif // TILECC_LOWERING_LAYOUTS_SPAN_H
