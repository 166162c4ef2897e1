//===- DataMovement.h - how operations move data between threads ----------------------------------------*- C++ -*-===//
//
// Plans are made once, from linear layouts, and used three times: by the allocation of shared memory (how much), by
// barrier insertion (whether a barrier is needed), and by the lowering (how).
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_DATAMOVEMENT_H
#define TILECC_LOWERING_ANALYSIS_DATAMOVEMENT_H

#include "lowering/dialects/ttg/TTG.h"
#include "lowering/layouts/LaneExchange.h"
#include "lowering/layouts/Swizzle.h"

namespace tilecc {

/// Returns the bytes of an element in shared memory; an i1 takes one byte.
unsigned getBytesInMemory(mlir::Type element);

/// The cost of two barriers, in units of one addition per thread; the second if the program is a single warp.
constexpr unsigned costOfBarriers = 100, costOfWarpBarriers = 30;

/// How a tile is converted from layout `source` to layout `destination`.
class ConversionPlan {
public:
  enum class Kind {
    Registers, ///< every thread has the elements that it needs
    Shuffles, ///< every warp has the elements that its threads need
    Shared, ///< through shared memory
  };
  /// Larger tiles go through shared memory in rounds if their layouts allow it. A round is large enough for accesses to
  /// overlap, and small enough not to limit occupancy.
  static constexpr unsigned bytesOfRound = 32 * 1024;

  /// Chooses the cheapest way. If it `mustFit`, ways through shared memory must need no more than one round at once. If
  /// warps `mayStayApart`, a warp that has all it needs uses scratch space of its own; the caller must then synchronize
  /// as `isWithinWarps` says.
  ConversionPlan(const LinearLayout &source, const LinearLayout &destination, unsigned elementBytes,
                 unsigned bytesOfRound = ConversionPlan::bytesOfRound, bool mustFit = false, bool mayStayApart = false);

  Kind kind;
  LinearLayout source, destination;
  /// In units of one addition per thread.
  unsigned cost = 0;
  /// Maps each place of `destination` to the place of `source` that holds its element.
  LinearLayout fetch;
  /// The plans of Kind::Shuffles and of Kind::Shared.
  std::optional<LaneExchange> exchange;
  std::optional<Swizzle> scratch;
  /// For Kind::Shared: each warp has its own part of the scratch space, the same in all rounds.
  bool isWithinWarps = false;

  unsigned getScratchBytes() const { return scratch ? scratch->getBytes() : 0; }
};

/// How a tile is reduced along an axis: within threads, then by shuffles within warps, and then, if several warps hold
/// parts of the axis, through shared memory.
class ReductionPlan {
public:
  explicit ReductionPlan(tt::ReduceOp op);

  LinearLayout source;
  unsigned axisIndex;
  /// Bits of the lane and of the warp that move along the axis.
  llvm::SmallVector<unsigned> laneBits, warpBits;
  /// Number of elements of one result.
  int64_t resultElements;

  unsigned getNumPartials() const { return 1u << warpBits.size(); }
  bool needsScratch() const { return !warpBits.empty(); }
  /// Byte offsets of each operand's partial results, followed by the total size.
  llvm::SmallVector<unsigned> scratchOffsets;
};

/// How a tile is scanned along an axis. The bits of a coordinate along it come, from the lowest on, from the register,
/// the lane, the warp, and again from the register. The last ones number the chunks; all threads share each chunk.
class ScanPlan {
public:
  explicit ScanPlan(tt::ScanOp op);
  /// Returns true if a layout's bits come in that order, without gaps. Those of blocked layouts and of their slices do.
  static bool canScan(const LinearLayout &layout, unsigned axisIndex);

  LinearLayout source;
  unsigned axisIndex;
  unsigned registerBits = 0, chunkBits = 0;
  /// The lowest bit of the lane and of the warp that moves along the axis, and the number of such bits.
  unsigned firstLaneBit = 0, laneBits = 0, firstWarpBit = 0, warpBits = 0;

  unsigned getNumLanes() const { return 1u << laneBits; }
  unsigned getNumWarps() const { return 1u << warpBits; }
  unsigned getNumChunks() const { return 1u << chunkBits; }
  bool needsScratch() const { return warpBits != 0; }
  /// As in ReductionPlan. The total of a warp's part of a chunk of row r (row-major, without the axis) is at (r *
  /// chunks + chunk) * warps + warp.
  llvm::SmallVector<unsigned> scratchOffsets;
};

/// How the thread that executes an atomic access broadcasts the result to threads that hold copies of the element.
struct AtomicPlan {
  /// `op` is tt.atomic_rmw or tt.atomic_cas.
  explicit AtomicPlan(mlir::Operation *op);
  /// Maps each place to the row-major offset of its element; nothing for an access through a single pointer.
  std::optional<LinearLayout> layout;
  unsigned scratchBytes = 0;
  bool needsScratch() const { return scratchBytes != 0; }
};

/// Where a call of code for threads finds its tiles in scratch space, if it wants them in shared memory.
struct SharedArguments {
  llvm::SmallVector<ttg::MemDescType> memories; ///< for each tile: row-major, without a swizzle
  llvm::SmallVector<unsigned> offsets; ///< in bytes
  unsigned bytes = 0;
};
/// Returns nothing for calls of other kinds.
std::optional<SharedArguments> planSharedArguments(tt::CallThreadsOp op);

/// Returns true if a dot's operands have layouts of their own. The dot then passes its operands through shared memory
/// and reads them step by step, instead of holding them all in registers.
bool isStaged(tt::DotOp op);

/// How the operands of a staged dot lie in its scratch space, one after the other. A loop along the contracted axis
/// reads them.
struct StagingPlan {
  explicit StagingPlan(tt::DotOp op);
  struct Operand {
    LinearLayout source, destination;
    Swizzle scratch;
    /// What each bit of the loop's counter adds to (XORs into) the offset of an element.
    llvm::SmallVector<uint64_t> counterColumns;
  };
  /// Steps along the contracted axis in one iteration of the loop.
  unsigned steps;
  Operand a, b;
  unsigned offsetOfB, bytes;
};

/// Returns the bytes of shared memory that `op` needs while it runs.
unsigned getScratchBytes(mlir::Operation *op);
/// Returns true if threads synchronize only with their own warp between writing and reading scratch space. Otherwise
/// they synchronize with the whole program.
bool waitsWithinWarps(mlir::Operation *op);

/// Returns the plan of a conversion of encoded tiles.
ConversionPlan planConversion(mlir::RankedTensorType source, mlir::RankedTensorType destination,
                              unsigned bytesOfRound = ConversionPlan::bytesOfRound, bool mustFit = false);
/// Returns the plan of a conversion operation. Passes may have set the size of its rounds (first attribute) or a limit
/// on it (second attribute).
ConversionPlan planConversion(ttg::ConvertLayoutOp op);
inline constexpr llvm::StringLiteral bytesOfRoundAttr = "allocation.bytes_of_round",
                                     mostBytesOfRoundAttr = "allocation.most_bytes_of_round";
/// Returns the plan of a reshape, transposition, join or split. It is a conversion from the operand's layout, in terms
/// of the new coordinates, to the result's layout. The tile is the result, or the operand of a split.
ConversionPlan planMovement(mlir::Operation *op);

} // namespace tilecc

#endif
