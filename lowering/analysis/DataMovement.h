//===- DataMovement.h - how conversions and reductions move data between threads ------------------------*- C++ -*-----===//
//
// Decided once, from linear layouts, and used three times: by the allocation of shared memory (how much), by the
// insertion of barriers (whether at all), and by the lowering (how).
//
//===---------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_DATAMOVEMENT_H
#define TILECC_LOWERING_ANALYSIS_DATAMOVEMENT_H

#include "lowering/dialects/TTG.h"
#include "lowering/layouts/LaneExchange.h"
#include "lowering/layouts/Swizzle.h"

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
  /// The cheapest way.
  ConversionPlan(const LinearLayout &source, const LinearLayout &destination, unsigned elementBytes);

  Kind kind;
  LinearLayout source, destination;
  /// From where in `source` each place of `destination` takes its element.
  LinearLayout fetch;
  /// The way of Kind::Shuffles, and that of Kind::Shared.
  std::optional<LaneExchange> exchange;
  std::optional<Swizzle> scratch;

  unsigned getScratchBytes() const { return scratch ? scratch->getBytes() : 0; }
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

/// How a staged product's operands lie in its scratch space, one behind the other, to be read in a loop along the
/// contracted axis.
struct StagingPlan {
  explicit StagingPlan(tt::DotOp op);
  struct Operand {
    LinearLayout source, destination;
    Swizzle scratch;
    /// What the bits of the loop's counter change in the offset of an element.
    llvm::SmallVector<uint64_t> counterColumns;
  };
  /// Of the contracted axis, that one round of the loop takes.
  unsigned steps;
  Operand a, b;
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
