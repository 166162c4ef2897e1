//===-- CudaTimers.h - measures when a GPU did what --------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_CUDATIMERS_H
#define TILECC_RUNTIME_CUDATIMERS_H

#include "Device.h"

namespace tilecc::rt {

// Timers for the trace. A timer records an event before the timed work and one after it, and reads both when they have
// completed, at the latest at exit.
extern const DeviceTimers cudaTimers;

} // namespace tilecc::rt
#endif
