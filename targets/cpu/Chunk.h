//===- Chunk.h - positions in a tile and their elements ----------------------------------------------------*- C++ -*-//

#ifndef TILECC_TARGETS_CPU_CHUNK_H
#define TILECC_TARGETS_CPU_CHUNK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Value.h"

namespace tilecc::cpu {

using Values = llvm::SmallVector<llvm::Value *, 4>;
using Shape = llvm::ArrayRef<int64_t>;

/// A position in a tile: one element, or `lanes` adjacent elements along dimension `vecDim`, starting at `index`.
struct Chunk {
  llvm::SmallVector<llvm::Value *, 4> index; // i64 per dimension
  int vecDim = -1;
  unsigned lanes = 1;

  bool isVector() const { return vecDim >= 0; }
  /// Returns true if the chunks differ only in their position along the vector dimension.
  bool isInRowOf(const Chunk &other) const;
};

/// The elements of a value at a chunk.
struct Lane {
  enum Kind {
    Uniform, // all equal: `value` is the scalar
    Strided, // integers or pointers `value + lane * stride` (bytes for pointers)
    Vector // `value` is a vector
  } kind = Uniform;
  llvm::Value *value = nullptr;
  llvm::Value *stride = nullptr;
  // Strided integers wrap as the vector would, except after a widening cast. In that case, the strided form is only
  // used for addresses, which do not wrap (as Triton assumes), and the elements themselves are computed as a vector.
  bool exact = true;

  /// Returns true if these are the addresses of adjacent elements of that size.
  bool isContiguous(unsigned bytes) const;
};

/// Returns true if `v` is known to be true in all lanes.
bool isTrue(llvm::Value *v);

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_CHUNK_H
