//===- MatrixRegisters.cpp - the registers of a matrix unit's tiles -----------------------------------------------===//
//
// The patterns that lower dots to matrix units, which read operands from registers, call these functions.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/gpu/MatrixRegisters.h"

using namespace mlir;

namespace tilecc {

/// Calls `visit` for each register of a tile, with the position of its element relative to that of the lane and the
/// warp.
static void forEachRegister(Value tile, llvm::function_ref<void(unsigned, MatrixCoordinates)> visit) {
  LinearLayout layout = ttg::toLinearLayout(cast<RankedTensorType>(tile.getType()));
  unsigned unused = 3 - layout.getOuts().size();
  for (unsigned reg = 0; reg < 1u << layout.getInBits(Dim::Register); ++reg) {
    MatrixCoordinates place = {0, 0, 0};
    for (auto [d, coordinate] : llvm::enumerate(layout.apply(LinearLayout::Index{{Dim::Register, reg}})))
      place[unused + d] = coordinate.second;
    visit(reg, place);
  }
}

std::map<MatrixCoordinates, unsigned> getMatrixRegisters(Value tile) {
  std::map<MatrixCoordinates, unsigned> registerAt;
  forEachRegister(tile, [&](unsigned reg, MatrixCoordinates place) { registerAt[place] = reg; });
  return registerAt;
}

MatrixLines getMatrixLines(Value operand, ValueRange registers, unsigned contracted) {
  std::map<std::pair<uint32_t, uint32_t>, std::map<uint32_t, Value>> sorted;
  forEachRegister(operand, [&](unsigned reg, MatrixCoordinates place) {
    sorted[{place[0], place[contracted == 2 ? 1 : 2]}][place[contracted]] = registers[reg];
  });
  MatrixLines lines;
  for (auto &[line, elements] : sorted)
    lines[line] = SmallVector<Value>(llvm::make_second_range(elements));
  return lines;
}

} // namespace tilecc
