//===-- TensorCoreMma.cpp --------------------------------------------------------------------------------------===//
#include "emulator/exec/TensorCoreMma.h"
#include "emulator/isa/SharedMatrix.h"
#include "emulator/isa/numerics/Integer.h"
#include "emulator/isa/numerics/Rounding.h"
#include "emulator/isa/numerics/SmallFloat.h"

#include <algorithm>
#include <cmath>

using namespace tilecc::emu;

namespace {

enum : unsigned { maxRows = 256, maxColumns = 256, aColumns = operandRowBytes / 4, scaleRows = 32 };
using Bytes = std::vector<u8>; // of an operand, 32 per row

class TensorCoreMma {
public:
  TensorCoreMma(TensorCoreAccess &access, MmaForm form, const MmaOperands &operands)
      : form(form), kind(MmaKind(form.kind)), operands(operands), shape(operands.descriptor, kind), d(operands.d),
        left(static_cast<uint32_t>(operands.a)), scaleA(operands.scaleA), scaleB(operands.scaleB),
        issued(access.place()), launch(*access.warp.block->launch) {
    check(access);
    blocks = blocksOfGroup(access.warp, access.inst, Mask(1) << access.lane, form.isPair ? 2 : 1);
    rowsOfBlock = shape.m / blocks.size();
    columnsOfBlock = shape.n / blocks.size();
    // For a pair with M = 128, each block holds half of its rows' accumulators in the upper 64 lanes.
    isFolded = form.isPair && shape.m == 128;
    sumColumns = isFolded ? shape.n / 2 : shape.n;
  }

  // Reports all accesses to the checker, and saves the current contents of shared memory.
  void look(TensorCoreAccess &access);
  void perform();

private:
  void check(TensorCoreAccess &access) const;
  // Returns the lane of row `row` of a block's part of D or A.
  unsigned laneOf(unsigned row) const { return rowsOfBlock == 64 && !form.isPair ? row / 16 * 32 + row % 16 : row; }
  TensorLanes lanesOfRows(unsigned first) const {
    TensorLanes lanes;
    for (unsigned row = 0; row < rowsOfBlock; ++row)
      lanes.set(first + laneOf(row));
    return lanes;
  }
  TensorLanes lanesOfAccumulator(unsigned block) const;
  unsigned columnsOfScales(unsigned rows) const { return (rows + scaleRows - 1) / scaleRows; }

  SharedMatrix matrix(uint64_t descriptor, bool transposes) const {
    return SharedMatrix::ofTensorCore(descriptor, /*alongK=*/!transposes);
  }
  // Calls use(address of 16 bytes, line, k) for an operand with this number of lines.
  template <class F> void eachPiece(uint64_t descriptor, bool transposes, unsigned lines, F use) const;
  Bytes readShared(Block &block, uint64_t descriptor, bool transposes, unsigned lines) const;
  Bytes readTensor(Block &block) const;
  void readScales(Block &block, TensorMemory::Address at, unsigned rows, unsigned first, const char *what,
                  double *scales) const;
  void storeAccumulator(unsigned row, const TensorLanes &lanes, const double *sums) const;

  MmaForm form;
  MmaKind kind;
  MmaOperands operands;
  InstructionDescriptor shape;
  TensorMemory::Address d, left, scaleA, scaleB;
  Place issued;
  const Launch &launch;
  std::vector<Block *> blocks;
  unsigned rowsOfBlock = 0, columnsOfBlock = 0; // of A and D, of B
  bool isFolded = false;
  unsigned sumColumns = 0;
  std::vector<Bytes> a, b; // by block; if A is in tensor memory, it is read later
};

} // namespace

void TensorCoreMma::check(TensorCoreAccess &access) const {
  if (std::string flaw = InstructionDescriptor::flawOf(operands.descriptor, form); !flaw.empty())
    access.fault(errorIllegalInstruction, "tcgen05.mma: " + flaw);
  for (uint64_t descriptor : {form.leftInTensor ? operands.b : operands.a, operands.b})
    if (const char *flaw = SharedMatrix::flawOf(descriptor))
      access.fault(errorIllegalInstruction, std::string("tcgen05.mma: ") + flaw);
  bool upperHalf = !form.isPair && shape.m == 64;
  auto needLane = [&](TensorMemory::Address at, const char *what) {
    if (at.lane != 0 && !(upperHalf && at.lane == 16))
      access.fault(errorMisalignedAddress, std::string("tcgen05.mma: ") + what + " begins at lane " +
                                               std::to_string(at.lane) + ", and it must begin at lane 0" +
                                               (upperHalf ? " or 16" : ""));
  };
  needLane(d, "D");
  if (form.leftInTensor)
    needLane(left, "A");
}

TensorLanes TensorCoreMma::lanesOfAccumulator(unsigned block) const {
  TensorLanes lanes = lanesOfRows(d.lane);
  if (isFolded)
    lanes |= lanesOfRows(64);
  for (unsigned lane = 0; form.masks && lane < TensorMemory::lanes; ++lane)
    if (operands.masks[block * 4 + lane / 32] >> lane % 32 & 1)
      lanes.reset(lane);
  return lanes;
}

template <class F> void TensorCoreMma::eachPiece(uint64_t descriptor, bool transposes, unsigned lines, F use) const {
  unsigned bytes = elementBytesOf(kind), perPiece = SharedMatrix::pieceBytes / bytes;
  SharedMatrix at = matrix(descriptor, transposes);
  unsigned depth = operandRowBytes / bytes;
  for (unsigned line = 0; line < lines; line += transposes ? perPiece : 1)
    for (unsigned k = 0; k < depth; k += transposes ? 1 : perPiece)
      use(at.address(line, k, bytes), line, k);
}

Bytes TensorCoreMma::readShared(Block &block, uint64_t descriptor, bool transposes, unsigned lines) const {
  unsigned bytes = elementBytesOf(kind), perPiece = SharedMatrix::pieceBytes / bytes;
  Bytes read(lines * operandRowBytes);
  eachPiece(descriptor, transposes, lines, [&](uint64_t address, unsigned line, unsigned k) {
    const std::byte *piece = block.shared + address;
    if (!transposes)
      std::memcpy(&read[line * operandRowBytes + k * bytes], piece, SharedMatrix::pieceBytes);
    for (unsigned i = 0; transposes && i < perPiece && line + i < lines; ++i)
      std::memcpy(&read[(line + i) * operandRowBytes + k * bytes], piece + i * bytes, bytes);
  });
  return read;
}

Bytes TensorCoreMma::readTensor(Block &block) const {
  Bytes read(rowsOfBlock * operandRowBytes);
  for (unsigned column = 0; column < aColumns; ++column)
    for (unsigned row = 0; row < rowsOfBlock; ++row)
      std::memcpy(&read[row * operandRowBytes + column * 4],
                  &block.tensor->cell(left.lane + laneOf(row), left.column + column), 4);
  return read;
}

void TensorCoreMma::look(TensorCoreAccess &access) {
  Mask lane = Mask(1) << access.lane;
  auto pieces = [&](Block &block, uint64_t descriptor, bool transposes, unsigned lines) {
    std::vector<uint64_t> addresses;
    eachPiece(descriptor, transposes, lines, [&](uint64_t at, unsigned, unsigned) { addresses.push_back(at); });
    access.shared(block, addresses);
    return readShared(block, descriptor, transposes, lines);
  };
  const TensorLanes all = TensorLanes().set();
  for (unsigned i = 0; i < blocks.size(); ++i) {
    Block &block = *blocks[i];
    if (!form.leftInTensor) {
      a.push_back(pieces(block, operands.a, shape.transposesA, rowsOfBlock));
    } else {
      needColumns(access.warp, access.inst, lane, block, left.column, aColumns, "A of tcgen05.mma");
      TensorLanes lanes = lanesOfRows(left.lane);
      access.tensor(block, isFolded ? lanes | lanesOfRows(64) : lanes, left.column, aColumns, Access::load);
    }
    b.push_back(pieces(block, operands.b, shape.transposesB, columnsOfBlock));
    if (hasScales(kind)) {
      unsigned ofA = columnsOfScales(rowsOfBlock), ofB = columnsOfScales(shape.n);
      needColumns(access.warp, access.inst, lane, block, scaleA.column, ofA, "the scales of A of tcgen05.mma");
      needColumns(access.warp, access.inst, lane, block, scaleB.column, ofB, "the scales of B of tcgen05.mma");
      access.tensor(block, all, scaleA.column, ofA, Access::load);
      access.tensor(block, all, scaleB.column, ofB, Access::load);
    }
    needColumns(access.warp, access.inst, lane, block, d.column, sumColumns, "D of tcgen05.mma");
    access.tensor(block, lanesOfAccumulator(i), d.column, sumColumns, Access::store, operands.accumulates);
  }
}

// Reads scales. Scale k of row r is byte `first` + k of the cell in lane r % 32 and column r / 32, in each quarter of
// the lanes.
void TensorCoreMma::readScales(Block &block, TensorMemory::Address at, unsigned rows, unsigned first, const char *what,
                               double *scales) const {
  for (unsigned row = 0; row < rows; ++row) {
    unsigned column = at.column + row / scaleRows, lane = row % scaleRows;
    uint32_t mask = form.scales == 4 ? ~0u : ((1u << 8 * form.scales) - 1) << 8 * first;
    uint32_t cell = block.tensor->cell(lane, column) & mask;
    for (unsigned quarter = 1; quarter < 4; ++quarter)
      if ((block.tensor->cell(lane + quarter * scaleRows, column) & mask) != cell)
        faultAt(launch, issued, errorLaunchFailure, "tcgen05.mma scales",
                std::string("tcgen05.mma: the scales of ") + what +
                    " must be the same in all four quarters of the lanes, and differ in lane " + std::to_string(lane) +
                    " of column " + std::to_string(column) + " (tcgen05.cp.warpx4 makes them so)");
    for (unsigned k = 0; k < form.scales; ++k) {
      u8 byte = static_cast<u8>(cell >> 8 * (first + k));
      scales[row * form.scales + k] = shape.powersOfTwo ? ue8m0(byte) : ue4m3(byte);
    }
  }
}

// Stores a row of the pair's D to these lanes of a block. A 32-bit cell holds an f32 or s32, or an f16 in its lower
// half.
void TensorCoreMma::storeAccumulator(unsigned row, const TensorLanes &lanes, const double *sums) const {
  Block &block = *blocks[row / rowsOfBlock];
  unsigned ownRow = row % rowsOfBlock;
  double scale = std::ldexp(1.0, -static_cast<int>(operands.scaleD));
  for (unsigned n = 0; n < shape.n; ++n) {
    unsigned lane = d.lane + laneOf(ownRow) + (n / sumColumns) * 64;
    if (!lanes[lane])
      continue;
    uint32_t &cell = block.tensor->cell(lane, d.column + n % sumColumns);
    if (shape.formatD == 2) {
      double sum = sums[n] + (operands.accumulates ? static_cast<s32>(cell) : 0);
      s64 whole = static_cast<s64>(sum);
      cell = shape.saturates ? saturateS32(whole) : static_cast<s32>(whole);
    } else if (shape.formatD == 1) {
      double sum = sums[n] + (operands.accumulates ? scale * floatOf(cell) : 0);
      cell = bitsOf(canonical(static_cast<float>(sum)));
    } else {
      double sum = sums[n] + (operands.accumulates ? scale * toDouble(f16{static_cast<u16>(cell)}) : 0);
      cell = narrow<f16>(roundToFloat({sum}, Rounding::odd), Rounding::rn).bits;
    }
  }
}

void TensorCoreMma::perform() {
  for (Block *block : blocks)
    if (block->finished()) {
      launch.reporter->report(
          "tensor work", issued,
          "a block has ended while the tensor core was at work in its memory: nobody has waited "
          "for a commit of this",
          {launch.reporter->thread(issued) + " has issued it", "  " + launch.reporter->names().instruction(issued.pc)});
      return;
    }
  unsigned depth = elementsOf(kind);
  static thread_local double left[maxRows][maxRowElements], right[maxRowElements][maxColumns];
  static thread_local double scalesA[maxRows * 4], scalesB[maxColumns * 4];
  auto unchanged = [&](const Bytes &before, Bytes now) {
    if (before != now)
      faultAt(launch, issued, errorLaunchFailure, "tcgen05 operand",
              "what a tcgen05.mma reads in shared memory has changed before it was done: the result is undefined");
    return now;
  };
  for (unsigned i = 0; i < blocks.size(); ++i) {
    Block &block = *blocks[i];
    Bytes rows = form.leftInTensor ? readTensor(block)
                                   : unchanged(a[i], readShared(block, operands.a, shape.transposesA, rowsOfBlock));
    for (unsigned row = 0; row < rowsOfBlock; ++row)
      decodeElements(kind, shape.formatA, &rows[row * operandRowBytes], left[i * rowsOfBlock + row]);
    Bytes columns = unchanged(b[i], readShared(block, operands.b, shape.transposesB, columnsOfBlock));
    for (unsigned n = 0; n < columnsOfBlock; ++n) {
      double elements[maxRowElements];
      decodeElements(kind, shape.formatB, &columns[n * operandRowBytes], elements);
      for (unsigned k = 0; k < depth; ++k)
        right[k][i * columnsOfBlock + n] = shape.negatesB ? -elements[k] : elements[k];
    }
    if (hasScales(kind)) {
      readScales(block, scaleA, rowsOfBlock, shape.scaleA, "A", scalesA + i * rowsOfBlock * form.scales);
      if (i == 0) // both blocks have the scales of all columns
        readScales(block, scaleB, shape.n, shape.scaleB, "B", scalesB);
    }
  }
  unsigned perScale = hasScales(kind) ? depth / form.scales : depth;
  for (unsigned k = 0; hasScales(kind) && k < depth; ++k)
    for (unsigned n = 0; n < shape.n; ++n)
      right[k][n] *= scalesB[n * form.scales + k / perScale];
  TensorLanes lanes;
  for (unsigned row = 0; row < shape.m; ++row) {
    if (row % rowsOfBlock == 0)
      lanes = lanesOfAccumulator(row / rowsOfBlock);
    double sums[maxColumns] = {};
    for (unsigned k = 0; k < depth; ++k) {
      double factor = shape.negatesA ? -left[row][k] : left[row][k];
      if (hasScales(kind))
        factor *= scalesA[row * form.scales + k / perScale];
      for (unsigned n = 0; n < shape.n; ++n)
        sums[n] = __builtin_fma(factor, right[k][n], sums[n]);
    }
    storeAccumulator(row, lanes, sums);
  }
}

void tilecc::emu::issueMma(TensorCoreAccess &access, MmaForm form, const MmaOperands &operands) {
  auto mma = std::make_shared<TensorCoreMma>(access, form, operands);
  mma->look(access);
  access.issue([mma] { mma->perform(); });
}
