//===- Span.h - the span of vectors over F2 -------------------------------------------------------------*- C++ -*-===//
//
// The layout algorithms use spans to solve linear equations.
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

/// The span of a set of columns. Members are reduced so that each has its own leading bit, and record the combination
/// of columns of which they consist. Decides whether a vector is a sum of columns, and of which ones.
class Span {
public:
  Span() = default;
  explicit Span(llvm::ArrayRef<uint64_t> columns) {
    for (auto [i, column] : llvm::enumerate(columns))
      insert(column, i);
  }

  /// Returns false if `column` was already in the span. `id` (below 64) is its bit in the combinations that solve()
  /// returns.
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

/// A linear map that is built by fixing the images of vectors. Everything else maps to 0.
class SpannedMap {
public:
  /// Fixes the image of `vector`. Returns false if `vector` depends on earlier vectors, which already determine its
  /// image.
  bool add(uint64_t vector, uint64_t image) {
    if (!span.insert(vector, images.size()))
      return false;
    images.push_back(image);
    return true;
  }
  bool isFixed(uint64_t vector) const { return span.contains(vector); }
  /// Returns the image of a vector that is determined.
  uint64_t at(uint64_t vector) const {
    uint64_t combination = *span.solve(vector), image = 0;
    for (auto [i, part] : llvm::enumerate(images))
      if (combination >> i & 1)
        image ^= part;
    return image;
  }
  /// Maps a complement of the fixed vectors, made of unit vectors of the first `bits` bits, to 0. Returns the images of
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
