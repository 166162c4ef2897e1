//===- DataMovement.h - how conversions and reductions move data between threads ------------------------*- C++ -*-----===//
//
// Decided once, from linear layouts, and used three times: by the allocation of shared memory (how much), by the
// insertion of barriers (whether at all), and by the lowering (how).
//
//===---------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_ANALYSIS_DATAMOVEMENT_H
#define TILECC_LOWERING_ANALYSIS_DATAMOVEMENT_H

#include "lowering/dialects/ttg/TTG.h"
#include "lowering/layouts/LaneExchange.h"
#include "lowering/layouts/Swizzle.h"

namespace tilecc {

/// Bytes of an element in shared memory; a truth value takes one.
unsigned getBytesInMemory(mlir::Type element);

/// What two barriers cost, in units of an addition of every thread; and where one warp makes up the program.
constexpr unsigned costOfBarriers = 100, costOfWarpBarriers = 30;

/// How a tile goes from layout `source` to layout `destination`.
class ConversionPlan {
public:
  enum class Kind {
    Registers, ///< every thread has what it needs
    Shuffles,  ///< every warp has what its threads need
    Shared,    ///< through shared memory
  };
  /// Tiles that are larger go through shared memory in rounds if their layouts allow it: enough for accesses to overlap,
  /// little enough not to be what decides how many programs fit on a multiprocessor.
  static constexpr unsigned bytesOfRound = 32 * 1024;

  /// The cheapest way; of those through shared memory that need no more than a round at once, if one `mustFit`. Warps that have all they
  /// need `mayStayApart`: whoever carries it out then waits as `isWithinWarps` says.
  ConversionPlan(const LinearLayout &source, const LinearLayout &destination, unsigned elementBytes,
                 unsigned bytesOfRound = ConversionPlan::bytesOfRound, bool mustFit = false, bool mayStayApart = false);

  Kind kind;
  LinearLayout source, destination;
  /// What it costs, in units of an addition of every thread.
  unsigned cost = 0;
  /// From where in `source` each place of `destination` takes its element.
  LinearLayout fetch;
  /// The way of Kind::Shuffles, and that of Kind::Shared.
  std::optional<LaneExchange> exchange;
  std::optional<Swizzle> scratch;
  /// Of Kind::Shared: each warp has a part of the scratch space for itself, the same in all rounds.
  bool isWithinWarps = false;

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

/// How a tile is scanned along an axis. An element's number along it is made of bits: from the lowest on, some of the
/// register, some of the lane, some of the warp, and again some of the register (chunks, each of which all threads share).
class ScanPlan {
public:
  explicit ScanPlan(tt::ScanOp op);
  /// Whether a layout's bits come in that order, without gaps; those of blocked layouts and slices of them do.
  static bool canScan(const LinearLayout &layout, unsigned axisIndex);

  LinearLayout source;
  unsigned axisIndex;
  unsigned registerBits = 0, chunkBits = 0;
  /// The lowest bit of the lane and of the warp that moves along the axis, and how many do.
  unsigned firstLaneBit = 0, laneBits = 0, firstWarpBit = 0, warpBits = 0;

  unsigned getNumLanes() const { return 1u << laneBits; }
  unsigned getNumWarps() const { return 1u << warpBits; }
  unsigned getNumChunks() const { return 1u << chunkBits; }
  bool needsScratch() const { return warpBits != 0; }
  /// As in ReductionPlan. The total of a warp's part of a chunk of row r (row-major among what is not the axis) lies at
  /// (r * chunks + chunk) * warps + warp.
  llvm::SmallVector<unsigned> scratchOffsets;
};

/// What threads that hold copies of the elements of an atomic access get: the one that acts hands out what it read.
struct AtomicPlan {
  /// `op` is a tt.atomic_rmw or a tt.atomic_cas.
  explicit AtomicPlan(mlir::Operation *op);
  /// Where a place's element lies (row-major); nothing for an access through a single pointer.
  std::optional<LinearLayout> layout;
  unsigned scratchBytes = 0;
  bool needsScratch() const { return scratchBytes != 0; }
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
  /// Of the contracted axis, that one iteration of the loop takes.
  unsigned steps;
  Operand a, b;
  unsigned offsetOfB, bytes;
};

/// Shared memory that `op` needs while it runs, in bytes.
unsigned getScratchBytes(mlir::Operation *op);
/// Whether threads write there, wait for the others of their warp alone, and read; all others wait for the whole program.
bool waitsWithinWarps(mlir::Operation *op);

/// The plan of a conversion of encoded tiles.
ConversionPlan planConversion(mlir::RankedTensorType source, mlir::RankedTensorType destination,
                              unsigned bytesOfRound = ConversionPlan::bytesOfRound, bool mustFit = false);
/// The same of an operation, once passes may have said how large its rounds are, by the first attribute, or that they are no
/// larger, by the second.
ConversionPlan planConversion(ttg::ConvertLayoutOp op);
inline constexpr llvm::StringLiteral bytesOfRoundAttr = "allocation.bytes_of_round",
                                     mostBytesOfRoundAttr = "allocation.most_bytes_of_round";
/// The plan of a reshape, transposition, join or split: a conversion between what the operand's layout is under the new
/// coordinates, and the result's. The tile is that of the result, or of a split's operand.
ConversionPlan planMovement(mlir::Operation *op);

} // namespace tilecc

#endif
