//===- Allocation.h - who uses shared memory, when, and where ------------------------------------------*- C++ -*-----===//
//
// A buffer is a tile that the IR allocates, or the scratch space of an operation. The first lives from its allocation to
// the last use of anything that refers to it: views, block arguments, and the tokens of copies under way; the second while
// its operation runs. Buffers that never live at the same time may have the same place.
//
//===---------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_ALLOCATION_H
#define TILECC_LOWERING_ANALYSIS_ALLOCATION_H

#include "lowering/analysis/SharedEncounters.h"

namespace tilecc {

/// Bytes of shared memory that `op` allocates or needs while it runs.
int64_t getSharedBytes(mlir::Operation *op);

/// From which operation of a function to behind which one each of its allocations is in use. Operations are numbered in the
/// order of the text; an allocation is in use from itself to the last operation at which something that refers to it is live.
class LiveRanges {
public:
  struct Range {
    int64_t begin, end; ///< [begin, end)
  };
  explicit LiveRanges(mlir::FunctionOpInterface func);

  int64_t getNumber(mlir::Operation *op) const { return number.lookup(op); }
  /// The number behind the function's last operation.
  int64_t getEnd() const { return number.size(); }
  /// That of an operation that allocates nothing is itself.
  Range get(mlir::Operation *allocation) const;

private:
  llvm::DenseMap<mlir::Operation *, int64_t> number;
  llvm::DenseMap<mlir::Operation *, Range> ranges;
};

/// Where an allocation lies, once it has a place: bytes of shared memory, or, behind all of these, columns of tensor memory.
std::pair<int64_t, int64_t> getMemoryRange(mlir::Operation *allocation);

/// The allocations that a memdesc may refer to, in shared or tensor memory; null among them for one that is unknown.
llvm::SmallVector<mlir::Operation *> getAllocations(mlir::Value memdesc);

/// Where the buffers of a function should lie. Control flow may be structured or not.
class Allocation {
public:
  explicit Allocation(mlir::FunctionOpInterface func);

  struct Buffer {
    mlir::Operation *owner;
    int64_t bytes, begin, end; ///< lives in [begin, end), in numbers of operations
    int64_t alignment, offset = 0;
    bool isOfBlock = true; ///< and not of each program of a block (ttg.programs-per-block), where there are several
  };
  llvm::ArrayRef<Buffer> getBuffers() const { return buffers; }
  int64_t getBytes() const { return bytes; }
  /// Of several programs of a block, what each has: from getBytes() - programs * getProgramBytes() on, where the offsets of the first
  /// one's buffers are.
  int64_t getProgramBytes() const { return programBytes; }
  /// Where the program hands over what its partitions work on (ttg.start_partitions), apart from all buffers.
  int64_t getHandOver() const { return handOver; }

private:
  /// Up to which size buffers lie apart although they never live at the same time.
  struct Generosity {
    int64_t once, repeatedly; ///< to save a barrier that runs once, and one that runs in every iteration of a loop
  };
  int64_t placeBest(const SharedEncounters &encounters, bool ofBlock);
  int64_t place(llvm::ArrayRef<unsigned> order, const SharedEncounters &encounters, Generosity generosity);

  llvm::SmallVector<Buffer> buffers;
  int64_t apartOnce; ///< up to which size it pays to save a barrier that runs once
  int64_t bytes = 0, handOver = 0, programBytes = 0;
};

} // namespace tilecc

#endif // TILECC_LOWERING_ANALYSIS_ALLOCATION_H
