//===- Chunk.h - positions in a tile and their elements ----------------------------------------------------*- C++ -*-//
//
// The unit of code generation on the CPU: code evaluates one chunk of a tile at a time, in a register or a scalar.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_CHUNK_H
#define TILECC_TARGETS_CPU_CHUNK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Value.h"

namespace tilecc::cpu {

using Values = llvm::SmallVector<llvm::Value *, 4>;
using Shape = llvm::ArrayRef<int64_t>;

/// A chunk of a tile: one element, or `lanes` adjacent elements along dimension `vecDim`, the first of which is at
/// `index`.
struct Chunk {
  llvm::SmallVector<llvm::Value *, 4> index; // i64 per dimension
  int vecDim = -1;
  unsigned lanes = 1;

  bool isVector() const { return vecDim >= 0; }
  /// Returns true if this chunk and `other` differ only in their position along the vector dimension.
  bool isInRowOf(const Chunk &other) const;
};

/// The elements that a value has at a chunk, in the cheapest form that represents them.
struct Lane {
  enum Kind {
    Uniform, // all elements equal the scalar `value`
    Strided, // element i is `value + i * stride`, an integer or a pointer (stride in bytes)
    Vector // `value` is a vector
  } kind = Uniform;
  llvm::Value *value = nullptr;
  llvm::Value *stride = nullptr;
  // False for strided integers after a widening cast. Other strided integers wrap around like the elements of a vector,
  // but the wide form does not. It is used only for addresses, which do not wrap around (as Triton assumes); the
  // elements themselves are computed as a vector.
  bool exact = true;

  /// Returns true if these are the addresses of adjacent elements of `bytes` bytes.
  bool isContiguous(unsigned bytes) const;
};

/// Returns true if `v` is known to be true in all lanes.
bool isTrue(llvm::Value *v);

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_CHUNK_H
