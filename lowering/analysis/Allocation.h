//===- Allocation.h - live ranges and placement of buffers in shared memory -----------------------------*- C++ -*-===//
//
// A buffer is either a tile that the IR allocates, or the scratch space of an operation. A tile is live from its
// allocation to the last use of anything that refers to it: views, block arguments, and tokens of pending copies.
// Scratch space is live while its operation executes. Buffers that are never live at the same time may overlap.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_ALLOCATION_H
#define TILECC_LOWERING_ANALYSIS_ALLOCATION_H

#include "lowering/analysis/UnorderedAccesses.h"

namespace tilecc {

/// A module attribute: the largest amount of shared memory of any target of the compilation. A kernel that needs more
/// than its own target has, but not more than this, is still compiled; launching it on its target fails.
inline constexpr llvm::StringLiteral maxSharedAttr = "tilecc.max-shared";

/// Returns the bytes of shared memory that `op` allocates, or needs while it runs.
int64_t getSharedBytes(mlir::Operation *op);

/// The live range of each allocation of a function. Operations are numbered in program order. An allocation is live
/// from itself to the last operation at which something that refers to it is live.
class LiveRanges {
public:
  struct Range {
    int64_t begin, end; ///< [begin, end)
  };
  explicit LiveRanges(mlir::FunctionOpInterface func);

  int64_t getNumber(mlir::Operation *op) const { return number.lookup(op); }
  /// Returns the number after the function's last operation.
  int64_t getEnd() const { return number.size(); }
  /// Returns a live range. For an operation that allocates nothing, returns the range that contains only the operation.
  Range get(mlir::Operation *allocation) const;

private:
  llvm::DenseMap<mlir::Operation *, int64_t> number;
  llvm::DenseMap<mlir::Operation *, Range> ranges;
};

/// Returns the memory range of a placed allocation: bytes of shared memory, or, numbered after all of these, columns of
/// tensor memory.
std::pair<int64_t, int64_t> getMemoryRange(mlir::Operation *allocation);

/// Returns the allocations in shared or tensor memory that a memdesc may refer to. The result contains null if one is
/// unknown.
llvm::SmallVector<mlir::Operation *> getAllocations(mlir::Value memdesc);

/// Places the buffers of a function. Control flow may be structured or not.
class Allocation {
public:
  explicit Allocation(mlir::FunctionOpInterface func);

  struct Buffer {
    mlir::Operation *owner;
    int64_t bytes, begin, end; ///< live in [begin, end), as operation numbers
    int64_t alignment, offset = 0;
    bool isOfBlock = true; ///< the buffer exists once per thread block, not once per program (ttg.programs-per-block)
  };
  llvm::ArrayRef<Buffer> getBuffers() const { return buffers; }
  int64_t getBytes() const { return bytes; }
  /// Returns the bytes of each program, if a block runs several. The memory of the programs starts at getBytes() -
  /// programs * getProgramBytes(), and the offsets are those of the first program's buffers.
  int64_t getProgramBytes() const { return programBytes; }
  /// Returns the offset of the memory, apart from all buffers, by which the program passes captures to its partitions
  /// (ttg.start_partitions).
  int64_t getHandOver() const { return handOver; }

private:
  /// The sizes up to which buffers are kept apart although they are never live at the same time.
  struct Generosity {
    int64_t once,
        repeatedly; ///< to save a barrier that executes once, or one that executes in every iteration of a loop
  };
  int64_t placeBest(const UnorderedAccesses &unordered, bool ofBlock);
  int64_t place(llvm::ArrayRef<unsigned> order, const UnorderedAccesses &unordered, Generosity generosity);

  llvm::SmallVector<Buffer> buffers;
  int64_t apartOnce; ///< the size up to which saving a barrier that executes once is worthwhile
  int64_t bytes = 0, handOver = 0, programBytes = 0;
};

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_ALLOCATION_H
