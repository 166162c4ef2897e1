//===- Occupancy.h - how many blocks a multiprocessor runs at once -----------------------------------------*- C++ -*-//
//
// What NVIDIA's occupancy calculator computes, for --resource-usage and the pages of --emit=html.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_NVIDIA_OCCUPANCY_H
#define TILECC_TARGETS_NVIDIA_OCCUPANCY_H

#include "targets/nvidia/Architectures.h"
#include "llvm/ADT/StringRef.h"

namespace tilecc::nvidia {

struct Occupancy {
  unsigned blocks = 0, warps = 0;
  unsigned mostWarps = 0; ///< that there may be of any kernel
  llvm::StringRef limit;  ///< what allows no more: "registers", "shared memory", "threads" or "blocks"

  /// "50 % (registers)"
  std::string str() const;
};

/// Of blocks of `threads`, each thread with `registers`, that have `sharedBytes` of static and dynamic shared memory.
/// Nothing if there is no such architecture, or no thread: the launch alone knows how many.
std::optional<Occupancy> getOccupancy(const Architecture &arch, unsigned threads, unsigned registers,
                                      unsigned sharedBytes);

} // namespace tilecc::nvidia

#endif // TILECC_TARGETS_NVIDIA_OCCUPANCY_H
