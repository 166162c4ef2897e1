//===- Occupancy.h - computes the occupancy of kernels --------------------------------------------------*- C++ -*-===//
//
// --resource-usage and the pages of --emit=html show the occupancy of kernels. It is computed like in NVIDIA's
// calculator.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_NVIDIA_OCCUPANCY_H
#define TILECC_TARGETS_NVIDIA_OCCUPANCY_H

#include "targets/Resources.h"
#include "targets/nvidia/Architectures.h"

namespace tilecc::nvidia {

/// Returns the occupancy of a multiprocessor by blocks of `threads` threads, with `registers` per thread and
/// `sharedBytes` of static and dynamic shared memory. Returns nothing if there is no such architecture, or if `threads`
/// is 0 because only the launch determines it.
std::optional<Occupancy> getOccupancy(const Architecture &arch, unsigned threads, unsigned registers,
                                      unsigned sharedBytes);

} // namespace tilecc::nvidia

#endif // TILECC_TARGETS_NVIDIA_OCCUPANCY_H
