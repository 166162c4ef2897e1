//===- DataMovement.h - plans of data movement between threads ------------------------------------------*- C++ -*-===//
//
// A plan describes how the elements of a tile move between threads, and is computed from linear layouts. The allocation
// of shared memory takes the size of scratch space from the plan, barrier insertion takes the barriers, and the
// lowering generates the code. All three compute the same plan, so they agree.
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

/// The cost of the two barriers that an exchange through shared memory needs, in units of one addition per thread. The
/// second number is for programs of a single warp.
constexpr unsigned costOfBarriers = 100, costOfWarpBarriers = 30;

/// The plan of a conversion from layout `source` to layout `destination`.
class ConversionPlan {
public:
  enum class Kind {
    Registers, ///< every thread already has the elements that it needs
    Shuffles, ///< every warp already has the elements that its threads need
    Shared, ///< through shared memory
  };
  /// A tile that is larger than this number of bytes goes through shared memory in rounds, if its layouts allow it. The
  /// number is large enough for accesses to overlap, and small enough not to limit occupancy.
  static constexpr unsigned bytesOfRound = 32 * 1024;

  /// Chooses the cheapest kind. If `mustFit` is true, a plan through shared memory must not use more than
  /// `bytesOfRound` at once. If `mayStayApart` is true and every warp already has all elements that it needs, each warp
  /// uses its own part of the scratch space; the caller must then synchronize as `isWithinWarps` says.
  ConversionPlan(const LinearLayout &source, const LinearLayout &destination, unsigned elementBytes,
                 unsigned bytesOfRound = ConversionPlan::bytesOfRound, bool mustFit = false, bool mayStayApart = false);

  Kind kind;
  LinearLayout source, destination;
  /// The cost in units of one addition per thread.
  unsigned cost = 0;
  /// Maps each hardware location (register, lane, warp) of `destination` to the location in `source` that holds its
  /// element.
  LinearLayout fetch;
  /// The plans for Kind::Shuffles and for Kind::Shared.
  std::optional<LaneExchange> exchange;
  std::optional<Swizzle> scratch;
  /// For Kind::Shared: each warp has its own part of the scratch space, which is the same in all rounds.
  bool isWithinWarps = false;

  unsigned getScratchBytes() const { return scratch ? scratch->getBytes() : 0; }
};

/// The plan of a reduction along an axis: within threads, then with shuffles within warps, and then, if several warps
/// hold elements along the axis, through shared memory.
class ReductionPlan {
public:
  explicit ReductionPlan(tt::ReduceOp op);

  LinearLayout source;
  unsigned axisIndex;
  /// The bits of the lane and of the warp that change the coordinate along the axis.
  llvm::SmallVector<unsigned> laneBits, warpBits;
  /// Number of elements of one result.
  int64_t resultElements;

  unsigned getNumPartials() const { return 1u << warpBits.size(); }
  bool needsScratch() const { return !warpBits.empty(); }
  /// Byte offsets of each operand's partial results, followed by the total size.
  llvm::SmallVector<unsigned> scratchOffsets;
};

/// The plan of a scan along an axis. From the lowest bit up, a coordinate along the axis is determined by bits of the
/// register, then of the lane, then of the warp, and then again of the register. These last bits number the chunks: all
/// threads together hold one chunk, and scan one chunk after the other.
class ScanPlan {
public:
  explicit ScanPlan(tt::ScanOp op);
  /// Returns true if the bits of a layout are in this order, without gaps. This holds for blocked layouts and their
  /// slices.
  static bool canScan(const LinearLayout &layout, unsigned axisIndex);

  LinearLayout source;
  unsigned axisIndex;
  unsigned registerBits = 0, chunkBits = 0;
  /// The lowest bits of the lane and of the warp that change the coordinate along the axis, and the numbers of such
  /// bits.
  unsigned firstLaneBit = 0, laneBits = 0, firstWarpBit = 0, warpBits = 0;

  unsigned getNumLanes() const { return 1u << laneBits; }
  unsigned getNumWarps() const { return 1u << warpBits; }
  unsigned getNumChunks() const { return 1u << chunkBits; }
  bool needsScratch() const { return warpBits != 0; }
  /// The same as in ReductionPlan. The scratch space holds the total of each warp's part of each chunk. For row r
  /// (row-major, without the scanned axis), the total is at (r * chunks + chunk) * warps + warp.
  llvm::SmallVector<unsigned> scratchOffsets;
};

/// The plan of an atomic access. One thread executes the access, and broadcasts the result to the threads that hold
/// copies of the element.
struct AtomicPlan {
  /// `op` is tt.atomic_rmw or tt.atomic_cas.
  explicit AtomicPlan(mlir::Operation *op);
  /// Maps each location to the row-major offset of its element; nothing for an access through a single pointer.
  std::optional<LinearLayout> layout;
  unsigned scratchBytes = 0;
  bool needsScratch() const { return scratchBytes != 0; }
};

/// The locations in scratch space of the tiles that a call of a device function takes in shared memory.
struct SharedArguments {
  llvm::SmallVector<ttg::MemDescType> memories; ///< for each tile: row-major, without a swizzle
  llvm::SmallVector<unsigned> offsets; ///< in bytes
  unsigned bytes = 0;
};
/// Returns nothing for calls that do not take tiles in shared memory.
std::optional<SharedArguments> planSharedArguments(tt::CallThreadsOp op);

/// Returns true if the operands of a dot have other layouts than its operand registers need. Such a dot is staged: it
/// passes its operands through shared memory and loads them step by step, instead of holding all of them in registers.
bool isStaged(tt::DotOp op);

/// The plan for the operands of a staged dot. Both operands are stored in the dot's scratch space, one after the other.
/// A loop along the contracted axis loads them from there.
struct StagingPlan {
  explicit StagingPlan(tt::DotOp op);
  struct Operand {
    LinearLayout source, destination;
    Swizzle scratch;
    /// For each bit of the loop's counter: the number with which the offset of an element is XORed if the bit is set.
    llvm::SmallVector<uint64_t> counterColumns;
  };
  /// Steps along the contracted axis in one iteration of the loop.
  unsigned steps;
  Operand a, b;
  unsigned offsetOfB, bytes;
};

/// Returns the bytes of shared memory that `op` needs while it executes.
unsigned getScratchBytes(mlir::Operation *op);
/// Returns true if threads synchronize only with their own warp between writing and reading the scratch space of `op`.
/// Otherwise they synchronize with the whole program.
bool waitsWithinWarps(mlir::Operation *op);

/// Returns the plan of a conversion of encoded tiles.
ConversionPlan planConversion(mlir::RankedTensorType source, mlir::RankedTensorType destination,
                              unsigned bytesOfRound = ConversionPlan::bytesOfRound, bool mustFit = false);
/// Returns the plan of a conversion operation. Two attributes, which passes may have set, affect the plan: the size of
/// a round (the first one below) and a limit for this size (the second one).
ConversionPlan planConversion(ttg::ConvertLayoutOp op);
inline constexpr llvm::StringLiteral bytesOfRoundAttr = "allocation.bytes_of_round",
                                     maxBytesOfRoundAttr = "allocation.max_bytes_of_round";
/// Returns the plan of a reshape, transposition, join or split. The plan converts from the operand's layout, expressed
/// in the coordinates of the result, to the result's layout. The converted tile is the result, or the operand of a
/// split.
ConversionPlan planMovement(mlir::Operation *op);

} // namespace tilecc

#endif
