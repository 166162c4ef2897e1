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

/// A module attribute: the largest amount of shared memory that any target of this compilation has. A kernel that needs
/// more than its own target has, but no more than this, is still compiled, because another target can run it; a launch
/// on its own target fails.
inline constexpr llvm::StringLiteral maxSharedAttr = "tilecc.max-shared";

/// Returns the bytes of shared memory that `op` allocates, or needs as scratch space while it executes.
int64_t getSharedBytes(mlir::Operation *op);

/// The live range of each allocation of a function. Operations are numbered in program order. An allocation is live
/// from its own operation to the last one at which a value that refers to the allocation is live.
class LiveRanges {
public:
  struct Range {
    int64_t begin, end; ///< [begin, end)
  };
  explicit LiveRanges(mlir::FunctionOpInterface func);

  int64_t getNumber(mlir::Operation *op) const { return number.lookup(op); }
  /// Returns the number after the function's last operation.
  int64_t getEnd() const { return number.size(); }
  /// Returns the live range of an allocation. For any other operation, returns the range that contains only that
  /// operation.
  Range get(mlir::Operation *allocation) const;

private:
  llvm::DenseMap<mlir::Operation *, int64_t> number;
  llvm::DenseMap<mlir::Operation *, Range> ranges;
};

/// Returns the memory range of an allocation that has been placed. The range counts bytes of shared memory, or columns
/// of tensor memory, which are numbered after all bytes so that the two kinds never overlap.
std::pair<int64_t, int64_t> getMemoryRange(mlir::Operation *allocation);
/// Returns the range of all memory of the kind of `memory`, shared or tensor memory.
std::pair<int64_t, int64_t> getMemoryRange(ttg::MemDescType memory);

/// Returns the allocations in shared or tensor memory that a memdesc may refer to. If some of them are not known, the
/// result contains null.
llvm::SmallVector<mlir::Operation *> getAllocations(mlir::Value memdesc);

/// Places the buffers of a function in shared memory. The function may contain structured or unstructured control flow.
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
  /// If a block runs several programs, returns the bytes of shared memory of each program. The memory of the programs
  /// starts at getBytes() - programs * getProgramBytes(). The offsets of buffers are those in the first program's
  /// memory.
  int64_t getProgramBytes() const { return programBytes; }
  /// Returns the offset of the memory through which the program passes captured values to its partitions
  /// (ttg.start_partitions). This memory overlaps no buffer.
  int64_t getHandOver() const { return handOver; }

private:
  /// Buffers that are never live at the same time are kept apart while shared memory stays below these sizes, because a
  /// barrier between their accesses can then be omitted.
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
