//===- Scan.cpp - scans within threads, warps and the program -----------------------------------------------------===//
//
// The bits of a coordinate along the axis come, from the lowest on, from registers, lanes, warps, and registers again.
// The last of these number the chunks of the axis; all threads share each chunk (see ScanPlan). Every thread scans its
// registers of each chunk. The result for its last register, the thread's total, is scanned over lanes by shuffles. A
// warp's total goes to shared memory. After one barrier, every thread combines the totals of the preceding warps and of
// the preceding chunks, and finally combines the result into its registers of the chunk.
//
// A reverse scan complements all coordinates along the axis.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/gpu/CombinerRegion.h"

using namespace mlir;
using namespace tilecc;

namespace {

class Scan : Combiner {
public:
  Scan(tt::ScanOp op, const ScanPlan &plan, OpBuilder &builder, const TargetInfo &target)
      : Combiner(op, op.getCombineOp(), builder, target, plan.scratchOffsets), plan(plan), reverse(op.getReverse()),
        rows(sliceCoordinates(plan.source, plan.axisIndex)) {}

  SmallVector<SmallVector<Value>> run(ArrayRef<ValueRange> sources) {
    ThreadPosition place = getThreadPosition(builder, loc, target);
    lane = place.lane;
    laneNumber = number(place.lane, plan.firstLaneBit, plan.laneBits);
    warpNumber = number(place.warp, plan.firstWarpBit, plan.warpBits);

    collect(sources);
    for (Row &row : tile)
      for (Chunk &chunk : row.chunks)
        scanThread(chunk);
    if (plan.laneBits)
      for (Row &row : tile)
        for (Chunk &chunk : row.chunks)
          scanLanes(chunk);
    if (plan.warpBits)
      shareTotals(place);
    for (Row &row : tile)
      addWhatIsBefore(row);

    SmallVector<SmallVector<Value>> results;
    for (ValueRange source : sources)
      results.emplace_back(source.size());
    for (Row &row : tile)
      for (Chunk &chunk : row.chunks)
        for (auto [reg, elements] : llvm::zip_equal(chunk.registers, chunk.elements))
          for (auto [i, element] : llvm::enumerate(elements))
            results[i][reg] = element;
    return results;
  }

private:
  struct Chunk {
    /// The registers of the chunk, in the order of the scan.
    SmallVector<unsigned> registers;
    SmallVector<Elements> elements;
    /// The total of the lanes up to and including this one, and the total of the lanes before it (undefined in the
    /// first lane).
    Elements total, before;
    /// The totals of the warps' parts of the chunk, in order. If no warps are along the axis, the total of the chunk.
    SmallVector<Elements> parts;
  };
  struct Row {
    uint64_t coordinates; // the contribution of its registers to the row's number
    std::vector<Chunk> chunks;
  };

  /// Returns `bits` bits of `index`, counted in the direction of the scan.
  Value number(Value index, unsigned first, unsigned bits) {
    if (reverse)
      index = arith::XOrIOp::create(builder, loc, index, constant(-1));
    Value shifted = arith::ShRUIOp::create(builder, loc, index, constant(first));
    return arith::AndIOp::create(builder, loc, shifted, constant((1 << bits) - 1));
  }

  void collect(ArrayRef<ValueRange> sources) {
    // Collect the registers of each row in scan order.
    LinearLayout along = plan.source.sublayout(axis(plan.axisIndex));
    llvm::MapVector<uint64_t, SmallVector<std::pair<uint64_t, unsigned>>> byRow;
    for (unsigned reg = 0; reg < sources[0].size(); ++reg)
      byRow[rows.apply(uint64_t(reg))].push_back({along.apply(uint64_t(reg)), reg});
    for (auto &[coordinates, registers] : byRow) {
      llvm::sort(registers);
      if (reverse)
        std::reverse(registers.begin(), registers.end());
      Row &row = tile.emplace_back(Row{coordinates, {}});
      unsigned perChunk = 1u << plan.registerBits;
      for (auto [i, entry] : llvm::enumerate(registers)) {
        if (i % perChunk == 0)
          row.chunks.emplace_back();
        Elements elements;
        for (ValueRange source : sources)
          elements.push_back(source[entry.second]);
        row.chunks.back().registers.push_back(entry.second);
        row.chunks.back().elements.push_back(elements);
      }
    }
  }

  void scanThread(Chunk &chunk) {
    for (unsigned i = 1; i < chunk.elements.size(); ++i)
      chunk.elements[i] = combine(chunk.elements[i - 1], chunk.elements[i]);
    chunk.total = chunk.elements.back();
  }

  /// Fetches the elements of the lane that is `distance` lanes before this one along the axis. In lanes without such a
  /// lane, the result is undefined.
  Elements fromBefore(const Elements &elements, unsigned distance) {
    int32_t step = int32_t(distance) << plan.firstLaneBit;
    Value from = arith::AddIOp::create(builder, loc, lane, constant(reverse ? step : -step));
    return shuffle(elements, [&](Value word) { return target.shuffleIndex(builder, loc, word, from); });
  }

  Value isAtLeast(Value number, unsigned bound) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, number, constant(bound));
  }

  void scanLanes(Chunk &chunk) {
    for (unsigned distance = 1; distance < plan.getNumLanes(); distance *= 2)
      chunk.total =
          select(isAtLeast(laneNumber, distance), combine(fromBefore(chunk.total, distance), chunk.total), chunk.total);
    chunk.before = fromBefore(chunk.total, 1);
  }

  /// Gives every thread the totals of all warps for its rows.
  void shareTotals(ThreadPosition place) {
    // If the lanes of a warp have different rows, rows are the innermost dimension, because otherwise the lanes would
    // have bank conflicts. In other cases warps are innermost, so that one access loads several totals.
    Value ownRow = applyLayout(builder, loc, rows, place);
    bool rowsInside = llvm::any_of(rows.getColumns(Dim::Lane), [](uint64_t column) { return column != 0; });
    unsigned rowBits = rows.getTotalOutBits();
    auto position = [&](uint64_t coordinates, unsigned chunk, Value warp) {
      if (rowsInside) {
        // Add the constant last: it becomes the offset of the access.
        Value known = constant((chunk * plan.getNumWarps()) << rowBits | (coordinates & ~ofOthers()));
        Value row = builder.createOrFold<arith::XOrIOp>(loc, ownRow, constant(coordinates & ofOthers()));
        row = arith::AddIOp::create(builder, loc, arith::ShLIOp::create(builder, loc, warp, constant(rowBits)), row);
        return arith::AddIOp::create(builder, loc, row, known).getResult();
      }
      Value row = builder.createOrFold<arith::XOrIOp>(loc, ownRow, constant(coordinates));
      row = arith::MulIOp::create(builder, loc, row, constant(plan.getNumChunks()));
      row = arith::AddIOp::create(builder, loc, row, constant(chunk));
      row = arith::MulIOp::create(builder, loc, row, constant(plan.getNumWarps()));
      return arith::AddIOp::create(builder, loc, row, warp).getResult();
    };
    // The last lane writes the total. If lanes or warps hold copies, the first of them writes.
    auto copies = [&](Dim dim) {
      uint32_t mask = 0;
      for (unsigned bit = 0; bit < plan.source.getInBits(dim); ++bit)
        if (plan.source.getColumns(dim)[bit] == 0)
          mask |= 1u << bit;
      return mask;
    };
    uint32_t lanes = (plan.getNumLanes() - 1) << plan.firstLaneBit;
    Value writes = hasBits(place.lane, lanes | copies(Dim::Lane), reverse ? 0 : lanes);
    if (uint32_t warps = copies(Dim::Warp))
      writes = arith::AndIOp::create(builder, loc, writes, hasBits(place.warp, warps, 0));
    for (Row &r : tile)
      for (auto [i, chunk] : llvm::enumerate(r.chunks))
        storeScratch(chunk.total, position(r.coordinates, i, warpNumber), writes);
    target.sharedBarrier(builder, loc);
    if (!rowsInside) {
      for (Row &r : tile)
        for (auto [i, chunk] : llvm::enumerate(r.chunks))
          chunk.parts = loadScratch(position(r.coordinates, i, constant(0)), plan.getNumWarps(), chunk.total);
      return;
    }
    DenseMap<uint64_t, Row *> rowAt;
    for (Row &r : tile)
      rowAt[r.coordinates] = &r;
    unsigned neighbours = getNumNeighbours();
    for (Row &first : tile)
      for (unsigned i = 0; first.coordinates % neighbours == 0 && i < plan.getNumChunks(); ++i)
        for (unsigned warp = 0; warp < plan.getNumWarps(); ++warp) {
          Value at = position(first.coordinates, i, constant(warp));
          for (auto [j, part] : llvm::enumerate(loadScratch(at, neighbours, first.chunks[i].total)))
            rowAt.at(first.coordinates + j)->chunks[i].parts.push_back(part);
        }
  }

  /// Returns the bits of a row's number that lanes and warps determine.
  uint64_t ofOthers() {
    uint64_t bits = 0;
    for (Dim dim : {Dim::Lane, Dim::Warp})
      for (uint64_t column : rows.getColumns(dim))
        bits |= column;
    return bits;
  }
  /// Returns the number of consecutive rows that every thread has; the first row is a multiple of this number.
  unsigned getNumNeighbours() {
    unsigned bits = 0;
    while (!(ofOthers() >> bits & 1) && llvm::is_contained(rows.getColumns(Dim::Register), uint64_t(1) << bits))
      ++bits;
    return 1u << bits;
  }

  /// Returns the total of a chunk whose axis does not cross warps.
  Elements totalOf(const Chunk &chunk) {
    if (plan.laneBits == 0)
      return chunk.total;
    uint32_t mask = (plan.getNumLanes() - 1) << plan.firstLaneBit;
    Value last = reverse ? arith::AndIOp::create(builder, loc, lane, constant(~mask)).getResult()
                         : arith::OrIOp::create(builder, loc, lane, constant(mask)).getResult();
    return shuffle(chunk.total, [&](Value word) { return target.shuffleIndex(builder, loc, word, last); });
  }

  void addWhatIsBefore(Row &row) {
    Elements running; // common to all threads: the preceding chunks, then the preceding warps
    for (auto [i, chunk] : llvm::enumerate(row.chunks)) {
      bool isLast = i + 1 == row.chunks.size();
      if (plan.warpBits == 0 && !isLast)
        chunk.parts = {totalOf(chunk)};
      Elements before = running; // total before this warp's part of the chunk
      for (auto [warp, part] : llvm::enumerate(chunk.parts)) {
        running = running.empty() ? part : combine(running, part);
        if (warp + 1 < chunk.parts.size())
          before = before.empty() ? running : select(isAtLeast(warpNumber, warp + 1), running, before);
      }
      addToChunk(chunk, before, /*always=*/i > 0);
    }
  }

  /// Combines `before`, the total before the warp's part of the chunk, into the chunk. Unless `always` is true, nothing
  /// precedes the first warp's part, and `before` is undefined in that warp.
  void addToChunk(Chunk &chunk, const Elements &before, bool always) {
    Elements prefix = before;
    Value isPreceded; // null: always
    if (!always && plan.warpBits)
      isPreceded = isAtLeast(warpNumber, 1);
    if (plan.laneBits) {
      Value laneIsPreceded = isAtLeast(laneNumber, 1);
      if (before.empty()) {
        prefix = chunk.before;
        isPreceded = laneIsPreceded;
      } else {
        Elements both = combine(before, chunk.before);
        if (isPreceded) {
          both = select(isPreceded, both, chunk.before);
          isPreceded = arith::OrIOp::create(builder, loc, isPreceded, laneIsPreceded);
        }
        prefix = select(laneIsPreceded, both, before);
      }
    }
    if (prefix.empty())
      return;
    for (Elements &elements : chunk.elements) {
      Elements sum = combine(prefix, elements);
      elements = isPreceded ? select(isPreceded, sum, elements) : sum;
    }
  }

  const ScanPlan &plan;
  bool reverse;
  LinearLayout rows;
  std::vector<Row> tile;
  /// This thread's lane, and its number among the lanes and warps along the axis.
  Value lane, laneNumber, warpNumber;
};

} // namespace

void tilecc::populateScanPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                  const LoweringContext &lowering) {
  patterns.add<CombinePattern<tt::ScanOp, ScanPlan, Scan>>(types, patterns.getContext(), lowering);
}
