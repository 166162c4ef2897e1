//===- Span.h - the span of vectors over F2 ------------------------------------------------------------*- C++ -*-----===//
#ifndef TILECC_LOWERING_LAYOUTS_SPAN_H
#define TILECC_LOWERING_LAYOUTS_SPAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include <cstdint>
#include <optional>

namespace tilecc {

/// The span of a set of columns, reduced so that each member owns the highest bit set in it, with the combination of
/// columns that made each member. Answers "is this vector a sum of those columns, and of which".
class Span {
public:
  Span() = default;
  explicit Span(llvm::ArrayRef<uint64_t> columns) {
    for (auto [i, column] : llvm::enumerate(columns))
      insert(column, i);
  }

  /// False if `column` was in the span already. `id` (below 64) is its bit in the combinations that solve() returns.
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
    // Members are reduced against those before them, so one pass in order of insertion clears every leading bit.
    for (const auto &[value, made] : members)
      if (column & llvm::bit_floor(value)) {
        column ^= value;
        combination ^= made;
      }
  }
  llvm::SmallVector<std::pair<uint64_t, uint64_t>, 16> members;
};

/// A linear map that is made by saying where vectors go; what was not said goes to 0.
class SpannedMap {
public:
  /// False if `vector` depends on earlier ones, which fix its image then.
  bool add(uint64_t vector, uint64_t image) {
    if (!span.insert(vector, images.size()))
      return false;
    images.push_back(image);
    return true;
  }
  bool isFixed(uint64_t vector) const { return span.contains(vector); }
  /// The image of a vector that is fixed.
  uint64_t at(uint64_t vector) const {
    uint64_t combination = *span.solve(vector), image = 0;
    for (auto [i, part] : llvm::enumerate(images))
      if (combination >> i & 1)
        image ^= part;
    return image;
  }
  /// Sends a complement of what is fixed, made of unit vectors of the first `bits` bits, to 0; and the images of all
  /// unit vectors.
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
