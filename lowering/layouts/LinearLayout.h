//===- LinearLayout.h - linear maps over F2 from locations to tile elements -----------------------------*- C++ -*-===//
//
// A linear layout describes the location of each element of a tile. Every dimension of a tile and every level of the
// machine (registers of a thread, lanes of a warp, warps of a block, blocks of a program) has a power-of-two size.
// Every distribution that the compiler uses maps the bits of (register, lane, warp, block) to the bits of the element's
// coordinates by XOR of fixed patterns, so it is a matrix over the field of two elements. Questions that would
// otherwise need code for each kind of encoding become linear algebra: which elements two threads both hold (the
// kernel), whether a conversion stays inside a warp (a block of the composed matrix is the identity), and how many
// registers are adjacent in memory (a run of unit columns).
//
// A layout stores one column per input bit, packed in 64 bits. The first input and the first output dimension have the
// lowest bits. Nothing here depends on MLIR.
//
//===-------------------------------------------------------------------------------------------------------------===//
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

/// What an index counts: a level of the machine (Register to Block), an offset in memory, a row or column of a memory
/// that has two-dimensional addresses (tensor memory), or an axis of the tile.
enum class Dim : uint8_t { Register, Lane, Warp, Block, Offset, Row, Column, Axis0 };

/// Returns the dimension of the `i`-th axis of a tile.
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
  /// An index with a component for each of several dimensions.
  using Index = llvm::SmallVector<std::pair<Dim, uint32_t>, 4>;

  /// The layout without dimensions, the neutral element of operator*.
  LinearLayout() = default;
  /// `columns[i]` is the packed output of the i-th input bit.
  LinearLayout(Extents ins, Extents outs, llvm::ArrayRef<uint64_t> columns);

  /// Returns the map that takes the 2^bits values of `in` to `out` one to one.
  static LinearLayout identity(unsigned bits, Dim in, Dim out);
  /// Returns the map that takes all 2^bits values of `in` to 0, so that they hold copies.
  static LinearLayout zeros(unsigned bits, Dim in, Dim out);

  llvm::ArrayRef<Extent> getIns() const { return ins; }
  llvm::ArrayRef<Extent> getOuts() const { return outs; }
  llvm::SmallVector<Dim, 4> getInDims() const;
  /// Returns the number of bits of a dimension, or 0 if the layout does not have it.
  unsigned getInBits(Dim dim) const { return bitsOf(ins, dim); }
  unsigned getOutBits(Dim dim) const { return bitsOf(outs, dim); }
  unsigned getTotalInBits() const { return columns.size(); }
  unsigned getTotalOutBits() const;
  /// Returns the contribution of input bit `bit` of `in` to `out`.
  uint32_t getBasis(Dim in, unsigned bit, Dim out) const;
  /// Returns the columns of one input dimension, each a packed output.
  llvm::ArrayRef<uint64_t> getColumns(Dim in) const;

  /// Applies the map. Input dimensions that are not given are 0.
  Index apply(const Index &index) const;
  /// The same on packed indices.
  uint64_t apply(uint64_t packed) const;

  /// Returns the direct product. Dimensions that both layouts have are concatenated; the left factor has the low bits.
  LinearLayout operator*(const LinearLayout &outer) const;
  /// Returns this layout followed by `outer`, whose inputs must be this layout's outputs.
  LinearLayout compose(const LinearLayout &outer) const;
  /// Returns the same map with its output dimensions reordered. `order` names all of them.
  LinearLayout transposeOuts(llvm::ArrayRef<Dim> order) const;
  /// Returns the same map with larger outputs. `newOuts` has at least as many bits of each output dimension.
  LinearLayout extendOuts(llvm::ArrayRef<Extent> newOuts) const;
  /// Reinterprets the packed output bits as other dimensions with the same total number of bits.
  LinearLayout reshapeOuts(Extents newOuts) const;
  /// Returns the part of the map between the given dimensions.
  LinearLayout sublayout(llvm::ArrayRef<Dim> inDims, llvm::ArrayRef<Dim> outDims) const;
  /// The same, from all inputs.
  LinearLayout sublayout(llvm::ArrayRef<Dim> outDims) const { return sublayout(getInDims(), outDims); }
  /// Removes the input bits of `in` that contribute nothing.
  LinearLayout removeZeroBases(Dim in) const;

  unsigned rank() const;
  bool isSurjective() const { return rank() == getTotalOutBits(); }
  bool isInjective() const { return rank() == getTotalInBits(); }
  bool isInvertible() const { return isSurjective() && isInjective(); }
  /// Returns true if no input bit of `in` contributes anything.
  bool isZero(Dim in) const;

  LinearLayout invert() const;
  /// Returns a right inverse of a surjective layout. If several locations hold an element, the inverse selects the one
  /// that uses only the earliest input bits that suffice.
  LinearLayout pseudoInvert() const;

  /// Returns a map M with `source(M(x)) == (*this)(x)`. For each location of this layout, M gives the location in
  /// `source` from which to fetch the element. Among all such maps, this is the one that moves data least: within a
  /// thread rather than within a warp, and within a warp rather than across warps. Returns nothing if `source` lacks an
  /// element.
  std::optional<LinearLayout> fetchFrom(const LinearLayout &source) const;

  /// Returns the bits of `in` that only select copies: the elements that they reach are already reached by lower bits
  /// and by earlier dimensions.
  uint32_t getFreeBits(Dim in) const;
  /// Returns how many consecutive values of the first input dimension have consecutive values in the first output
  /// dimension, if everything else is equal. The result is a power of two.
  unsigned getNumConsecutive() const;

  bool operator==(const LinearLayout &other) const {
    return ins == other.ins && outs == other.outs && columns == other.columns;
  }
  bool operator!=(const LinearLayout &other) const { return !(*this == other); }
  friend llvm::hash_code hash_value(const LinearLayout &layout) {
    // Extents rarely differ if the columns are equal.
    return llvm::hash_combine_range(layout.columns.begin(), layout.columns.end());
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
