//===-- ProgramGrid.cpp - the thread blocks that run the programs of a launch ----------------------------------===//
#include "ProgramGrid.h"

using namespace tilecc::rt;

static uint32_t &along(ttDim3 &grid, uint32_t axis) { return axis == 0 ? grid.x : axis == 1 ? grid.y : grid.z; }

bool tilecc::rt::layOutPrograms(ttDim3 grid, const tilecc_variant &variant, const tilecc_gpu_entry &entry,
                                ProgramGrid *result) {
  grid.x *= countParts(variant); // cannot overflow: the choice of the variant has checked it
  result->blocks = grid;
  if (const uint32_t axes = entry.persistent ? entry.persistent : entry.numbered) {
    uint64_t all = 1;
    for (uint32_t axis = 0; axis < axes; ++axis) {
      result->numbers[axis] = along(grid, axis);
      all *= result->numbers[axis]; // at most 2^31 * 2^16 * 2^16
      if (entry.persistent)
        along(result->blocks, axis) = 1;
    }
    if (all > INT32_MAX)
      return false;
    if (entry.persistent)
      result->blocks.x = static_cast<uint32_t>(all);
    if (entry.numbered)
      result->numbers[axes] = entry.persistent ? static_cast<uint32_t>(all) : 0;
  } else if (entry.programs > 1) {
    uint32_t &blocks = along(result->blocks, entry.axis);
    result->numbers[0] = blocks;
    blocks = blocks / entry.programs + (blocks % entry.programs != 0);
  }
  return true;
}

uint64_t tilecc::rt::countRounds(ttDim3 grid, const tilecc_variant &variant, const tilecc_gpu_entry &entry,
                                 uint64_t active) {
  ProgramGrid laidOut;
  return layOutPrograms(grid, variant, entry, &laidOut) ? (countAll(laidOut.blocks) + active - 1) / active : 0;
}

uint32_t tilecc::rt::countTail(uint64_t programs, uint64_t active) {
  constexpr uint64_t maxRounds = 12; // with more rounds, the tail is too small a part of the launch
  const bool isWorthIt = active && programs > active && programs / active <= maxRounds;
  return isWorthIt ? static_cast<uint32_t>(programs % active) : 0;
}

uint32_t tilecc::rt::countBlocks(ttDim3 blocks, uint32_t most) {
  uint64_t others = static_cast<uint64_t>(blocks.y) * blocks.z, along = most / others;
  bool keepsBusy = along * others * 10 >= static_cast<uint64_t>(most) * 9;
  return keepsBusy && along < blocks.x ? static_cast<uint32_t>(along) : blocks.x;
}
