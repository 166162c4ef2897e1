//===- Occupancy.cpp - computes the occupancy of kernels ----------------------------------------------------------===//
//
// The driver computes the occupancy after ptxas has reported the resources of kernels.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/Occupancy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace tilecc::nvidia {

std::optional<Occupancy> getOccupancy(const Architecture &arch, unsigned threads, unsigned registers,
                                      unsigned sharedBytes) {
  const Facts *facts = findFacts(arch);
  if (!facts || !threads)
    return std::nullopt;
  // From the table of compute capabilities in NVIDIA's CUDA programming guide. The system reserves one KiB of shared
  // memory for each block; a multiprocessor has one KiB more than a block may use.
  constexpr unsigned KiB = 1024;
  bool isForDataCenters = arch.number == 80 || (arch.number >= 90 && arch.number < 110);
  unsigned maxThreads = isForDataCenters ? 2048 : arch.number < 80 ? 1024 : 1536;
  unsigned maxBlocks = isForDataCenters ? 32 : arch.number < 89 ? 16 : 24;
  unsigned maxSharedBytes = facts->sharedBytes + KiB;
  // A multiprocessor has four partitions, each with a quarter of the registers. All registers of a warp must be in the
  // same partition.
  constexpr unsigned parts = 4, sharedUnit = 128;
  unsigned warps = divideCeil(threads, facts->warpSize);
  unsigned warpRegisters = alignTo(std::max(registers, 1u), facts->registerUnit) * facts->warpSize;
  const std::pair<unsigned, StringRef> limits[] = {
      // If several limits are equal, report the first of them, which is the limit that the kernel can influence least.
      {maxBlocks, "blocks"},
      {maxThreads / (warps * facts->warpSize), "threads"},
      {unsigned(maxSharedBytes / alignTo(sharedBytes + KiB, sharedUnit)), "shared memory"},
      {facts->registers / parts / warpRegisters * parts / warps, "registers"},
  };
  auto least = llvm::min_element(limits, [](const auto &a, const auto &b) { return a.first < b.first; });
  return Occupancy{least->first, least->first * warps, maxThreads / facts->warpSize, least->second};
}

} // namespace tilecc::nvidia
