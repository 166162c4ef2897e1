//===- LinearLayout.h - maps between machine places and tile elements, over F2 ------------------------------------===//
//
// Where does an element of a tile live? Every dimension of a tile and every level of the machine (registers of a thread,
// lanes of a warp, warps of a block, blocks of a program where it has several) has a power-of-two size, and every
// placement in use here maps the bits of (register, lane, warp, block) to the bits of the element's coordinates by XOR of
// fixed patterns: a matrix over the field of two elements. Seen like that, questions that would each need code per kind of
// encoding become linear algebra that is written once: which elements do two threads both hold (the kernel), does a
// conversion stay inside a warp (a block of the composed matrix is the identity), how many registers are neighbours in
// memory (a run of unit columns).
//
// A layout stores one column per input bit, packed in 64 bits. The first input and the first output dimension own the
// lowest bits. Nothing here depends on MLIR.
//
//===---------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_LAYOUTS_LINEARLAYOUT_H
#define TILECC_LOWERING_LAYOUTS_LINEARLAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <optional>
#include <string>

namespace tilecc {

/// What the bits of an index stand for: a level of the machine, an offset in memory, a row and a column of memory that is
/// addressed by both, or an axis of the tile.
enum class Dim : uint8_t { Register, Lane, Warp, Block, Offset, Row, Column, Axis0 };

/// The `i`-th axis of a tile.
constexpr Dim axis(unsigned i) { return Dim(unsigned(Dim::Axis0) + i); }

std::string toString(Dim dim);

/// A linear map over F2 from named input dimensions to named output dimensions, each of a power-of-two size.
class LinearLayout {
public:
  /// A dimension and the number of bits of its index.
  struct Extent {
    Dim dim;
    unsigned bits;
    bool operator==(const Extent &other) const { return dim == other.dim && bits == other.bits; }
  };
  using Extents = llvm::SmallVector<Extent, 4>;
  /// An index into several dimensions.
  using Index = llvm::SmallVector<std::pair<Dim, uint32_t>, 4>;

  /// The layout of no dimensions, neutral for operator*.
  LinearLayout() = default;
  /// `columns[i]` is the packed output that the i-th input bit contributes.
  LinearLayout(Extents ins, Extents outs, llvm::ArrayRef<uint64_t> columns);

  /// `in` counts through `out`: 2^bits values, one to one.
  static LinearLayout identity(unsigned bits, Dim in, Dim out);
  /// `in` has no influence: every one of its 2^bits values gives 0. Replication, in other words.
  static LinearLayout zeros(unsigned bits, Dim in, Dim out);

  llvm::ArrayRef<Extent> getIns() const { return ins; }
  llvm::ArrayRef<Extent> getOuts() const { return outs; }
  llvm::SmallVector<Dim, 4> getInDims() const;
  /// Bits of a dimension; 0 where the layout does not have it.
  unsigned getInBits(Dim dim) const { return bitsOf(ins, dim); }
  unsigned getOutBits(Dim dim) const { return bitsOf(outs, dim); }
  unsigned getTotalInBits() const { return columns.size(); }
  unsigned getTotalOutBits() const;
  /// What input bit `bit` of `in` contributes to `out`.
  uint32_t getBasis(Dim in, unsigned bit, Dim out) const;
  /// The columns of one input dimension, each the packed output.
  llvm::ArrayRef<uint64_t> getColumns(Dim in) const;

  /// Input dimensions that are not named count as 0.
  Index apply(const Index &index) const;
  /// On packed indices.
  uint64_t apply(uint64_t packed) const;

  /// The direct product: dimensions that both have are concatenated, the left factor owning the low bits.
  LinearLayout operator*(const LinearLayout &outer) const;
  /// `outer` after this; its inputs must be this layout's outputs.
  LinearLayout compose(const LinearLayout &outer) const;
  /// The same map with another order of the output dimensions, all of which it names.
  LinearLayout transposeOuts(llvm::ArrayRef<Dim> order) const;
  /// Reinterprets the packed output bits as other dimensions with the same number of bits in all.
  LinearLayout reshapeOuts(Extents newOuts) const;
  /// The part of the map between the given dimensions.
  LinearLayout sublayout(llvm::ArrayRef<Dim> inDims, llvm::ArrayRef<Dim> outDims) const;
  /// The same, from all inputs.
  LinearLayout sublayout(llvm::ArrayRef<Dim> outDims) const { return sublayout(getInDims(), outDims); }
  /// Drops the input bits of `in` that contribute nothing.
  LinearLayout removeZeroBases(Dim in) const;

  unsigned rank() const;
  bool isSurjective() const { return rank() == getTotalOutBits(); }
  bool isInjective() const { return rank() == getTotalInBits(); }
  bool isInvertible() const { return isSurjective() && isInjective(); }
  /// Every input bit of `in` contributes nothing.
  bool isZero(Dim in) const;

  LinearLayout invert() const;
  /// A right inverse of a surjective layout: among the places that hold an element, one that uses only the earliest
  /// input bits that suffice.
  LinearLayout pseudoInvert() const;

  /// The map M with `source(M(x)) == (*this)(x)`: from where in `source` does each place of this layout fetch its
  /// element. Of all such maps it takes one that moves data least: within the thread before within the warp, and
  /// within the warp before across warps. Nothing if `source` lacks an element.
  std::optional<LinearLayout> fetchFrom(const LinearLayout &source) const;

  /// The bits of `in` that do not select other elements once all earlier dimensions and lower bits may vary: places
  /// that differ in those bits alone hold copies.
  uint32_t getFreeBits(Dim in) const;
  /// How many consecutive values of the first input dimension are consecutive in the first output dimension, with
  /// everything else equal; a power of two.
  unsigned getNumConsecutive() const;

  bool operator==(const LinearLayout &other) const {
    return ins == other.ins && outs == other.outs && columns == other.columns;
  }
  bool operator!=(const LinearLayout &other) const { return !(*this == other); }
  friend llvm::hash_code hash_value(const LinearLayout &layout) {
    return llvm::hash_combine_range(layout.columns.begin(), layout.columns.end()); // extents rarely tell more
  }
  void print(llvm::raw_ostream &os) const;

private:
  static unsigned bitsOf(llvm::ArrayRef<Extent> extents, Dim dim);
  static unsigned shiftOf(llvm::ArrayRef<Extent> extents, Dim dim);

  Extents ins, outs;
  llvm::SmallVector<uint64_t, 16> columns;
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const LinearLayout &layout);

} // namespace tilecc

#endif
