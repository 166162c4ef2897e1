//===-- ProgramGrid.h - the thread blocks that run the programs of a launch ------------------------------------===//
//
// A program of the grid is not always one block: variants may divide programs, join them, or run many on one block.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_PROGRAMGRID_H
#define TILECC_RUNTIME_PROGRAMGRID_H

#include "Support.h"

namespace tilecc::rt {

// Returns the number of programs. It cannot overflow, because Launch.cpp checks the limits of a grid.
inline uint64_t countAll(ttDim3 grid) { return uint64_t(grid.x) * grid.y * grid.z; }

// Returns how many programs together do the work of one program of the grid.
inline uint32_t countParts(const tilecc_variant &variant) { return variant.parts > 1 ? variant.parts : 1; }

// The blocks that are launched for a grid of programs, and the arguments that tell the kernel about the grid.
struct ProgramGrid {
  ttDim3 blocks;        // for a persistent kernel, as many blocks as programs
  // The numbers that are passed after the tensor maps: the numbers of programs along the axes, and then the number of
  // the launch's first program or, if the kernel is persistent, the number of all programs of the launch.
  uint32_t numbers[4];
  // The members below are for entries with cluster_bytes.
  uint32_t clusters = 1; // the number of clusters that run each program
  void *memory = nullptr;
};

// Computes the blocks for a grid of programs. Returns false if the grid has more programs than the kernel can number;
// another variant must then be launched.
bool layOutPrograms(ttDim3 grid, const tilecc_variant &variant, const tilecc_gpu_entry &entry, ProgramGrid *result);

// Returns the number of rounds that a grid of programs takes if `active` blocks run at the same time. Returns 0 if the
// kernel cannot number its programs.
uint64_t countRounds(ttDim3 grid, const tilecc_variant &variant, const tilecc_gpu_entry &entry, uint64_t active);

// Returns the number of programs in the tail of a launch of `programs` programs: those that do not fill a round of
// `active` blocks. Returns 0 if launching them separately would not be faster.
uint32_t countTail(uint64_t programs, uint64_t active);

// Returns true if the kernel numbers all programs of the grid. This is false if two programs differ only along an axis
// whose index the kernel does not use.
inline bool numbersAll(const tilecc_gpu_entry &entry, ttDim3 grid) {
  return entry.numbered && (entry.numbered > 1 || grid.y == 1) && (entry.numbered > 2 || grid.z == 1);
}

// Returns how many numbers of programs, and indices, are passed to the kernel.
inline uint32_t countNumbers(const tilecc_gpu_entry &entry) {
  return entry.numbered ? entry.numbered + 1 : entry.persistent ? entry.persistent : entry.programs > 1;
}

// Returns the number of clusters (or blocks) that should run each program of a launch of few programs. `activeOf(size)`
// returns how many clusters of `size` blocks run at the same time. Larger clusters leave fewer partial sums to add up
// in global memory, so they are preferred even if they leave a few multiprocessors idle. At most `usefulBlocks` blocks
// of a program have something to do.
template <class ActiveOf>
inline uint32_t countClusters(uint64_t programs, uint32_t maxBlocks, uint32_t usefulBlocks, ActiveOf activeOf) {
  constexpr uint64_t percentOfMost = 90, percentThatGains = 125;
  auto blocksOf = [&](uint32_t size) -> uint64_t { // the blocks that run each program
    const uint64_t fit = activeOf(size) / programs, useful = usefulBlocks / size;
    return (fit < useful ? fit : useful) * size;
  };
  uint64_t most = 0, ofOneCluster = 0;
  for (uint32_t size = 1; size == 1 || size <= maxBlocks; ++size) {
    const uint64_t blocks = blocksOf(size);
    if (blocks > most)
      most = blocks;
    if (blocks)
      ofOneCluster = size;
  }
  for (uint32_t size = maxBlocks > 1 ? maxBlocks : 1; size; --size)
    if (const uint64_t blocks = blocksOf(size); blocks * 100 >= most * percentOfMost)
      return blocks * 100 >= ofOneCluster * percentThatGains ? static_cast<uint32_t>(blocks / size) : 1;
  return 1;
}

// Returns the number of arguments that follow the tensor maps.
inline uint32_t countOwnArguments(const tilecc_gpu_entry &entry) {
  return countNumbers(entry) + (entry.cluster_bytes ? 2 : 0);
}

// Returns the number of blocks along x for a persistent kernel of which `most` blocks run at the same time. If, given
// the other axes of the grid, no number keeps all of them busy, each program gets its own block.
uint32_t countBlocks(ttDim3 blocks, uint32_t most);

// Does the same for a launch in clusters of two blocks. Returns 0 if the programs cannot run in pairs.
inline uint32_t countBlocksInPairs(ttDim3 blocks, uint32_t most) {
  return blocks.x % 2 == 0 ? countBlocks(blocks, most) / 2 * 2 : 0;
}

} // namespace tilecc::rt
#endif
