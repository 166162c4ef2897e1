//===- DataMovement.h - how conversions and reductions move data between threads ------------------------*- C++ -*-----===//
//
// Decided once, from linear layouts, and used three times: by the allocation of shared memory (how much), by the
// insertion of barriers (whether at all), and by the lowering (how).
//
//===---------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_DATAMOVEMENT_H
#define TILECC_LOWERING_ANALYSIS_DATAMOVEMENT_H

#include "lowering/dialects/TTG.h"

namespace tilecc {

/// Bytes of an element in shared memory; a truth value takes one.
unsigned getBytesInMemory(mlir::Type element);

/// How a tile goes from layout `source` to layout `destination`.
class ConversionPlan {
public:
  enum class Kind {
    Registers, ///< every thread has what it needs
    Shuffles,  ///< every warp has what its threads need
    Shared,    ///< through shared memory
  };
  /// The cheapest way; with `mustStage`, the way through shared memory.
  ConversionPlan(const LinearLayout &source, const LinearLayout &destination, unsigned elementBytes,
                 bool mustStage = false);

  Kind kind;
  LinearLayout source, destination;
  /// From where in `source` each place of `destination` takes its element.
  LinearLayout fetch;

  /// The scratch tile of Kind::Shared: axes from the fastest, and elements of padding after each run of the fastest
  /// axis, which puts the rows that a warp touches at once into different banks.
  llvm::SmallVector<unsigned> order;
  unsigned padding = 0;
  /// Registers that one access to the scratch tile takes.
  unsigned storeWidth = 1, loadWidth = 1;

  unsigned getScratchBytes() const;
  /// `layout` with the coordinates packed in memory order, the number of the element when there is no padding.
  LinearLayout inMemoryOrder(const LinearLayout &layout) const;
  /// The same for given coordinates.
  uint64_t getNumber(const LinearLayout::Index &coordinates) const;
  /// Position in the scratch tile, in elements, of the element with that number.
  uint64_t getPosition(uint64_t number) const;
  unsigned getRowBits() const { return destination.getOutBits(axis(order[0])); }

private:
  unsigned elementBytes;
};

/// How a tile is reduced along an axis: within threads, then by shuffles within warps, then, where several warps hold
/// parts of the axis, through shared memory.
class ReductionPlan {
public:
  explicit ReductionPlan(tt::ReduceOp op);

  LinearLayout source;
  unsigned axisIndex;
  /// Bits of the lane and of the warp that move along the axis.
  llvm::SmallVector<unsigned> laneBits, warpBits;
  /// Elements of one result.
  int64_t resultElements;

  unsigned getNumPartials() const { return 1u << warpBits.size(); }
  bool needsScratch() const { return !warpBits.empty(); }
  /// Where the partial results of each operand begin, in bytes, and behind the last, the size of it all.
  llvm::SmallVector<unsigned> scratchOffsets;
};

/// True if a product's operands have layouts of their own: then the product itself takes them through shared memory
/// and reads them from there as it goes, instead of holding all of them in registers.
bool isStaged(tt::DotOp op);

/// How a staged product's operands lie in its scratch space, one behind the other.
struct StagingPlan {
  explicit StagingPlan(tt::DotOp op);
  ConversionPlan a, b;
  unsigned offsetOfB, bytes;
};

/// Shared memory that `op` needs while it runs, in bytes.
unsigned getScratchBytes(mlir::Operation *op);

/// The plan of a conversion of encoded tiles.
ConversionPlan planConversion(mlir::RankedTensorType source, mlir::RankedTensorType destination);
/// The plan of a reshape: a conversion between what the source's layout is under the new shape, and the new layout.
ConversionPlan planReshape(tt::ReshapeOp op);

} // namespace tilecc

#endif
