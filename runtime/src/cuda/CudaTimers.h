//===-- CudaTimers.h - when a GPU did what -----------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_CUDATIMERS_H
#define TILECC_RUNTIME_CUDATIMERS_H

#include "Device.h"

namespace tilecc::rt {

// Of the trace: an event in front of what is timed and one behind it, read when both have happened, at the latest when
// the program ends.
extern const DeviceTimers cudaTimers;

} // namespace tilecc::rt
#endif
