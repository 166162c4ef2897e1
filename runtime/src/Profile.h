//===-- Profile.h - times inside kernels, for the trace --------------------------------------------------------===//
//
// With TILECC_PROFILE, the first launches of a kernel that was compiled with -fprofile-tile record into a buffer, one
// launch at a time. They are waited for, and become rows of the trace. Observation must not affect the program: what
// cannot be recorded is reported on standard error.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_PROFILE_H
#define TILECC_RUNTIME_PROFILE_H

#include "Registry.h"

namespace tilecc::rt {

// The functions of a device that a profile needs. Copies wait until they are done.
struct ProfileMemory {
  ttError_t (*allocate)(void **pointer, size_t bytes);
  ttError_t (*free)(void *pointer);
  ttError_t (*copy)(void *to, const void *from, size_t bytes);
  ttError_t (*synchronize)(); // all launches
};

// The launch of a kernel whose code records.
class ProfiledLaunch {
public:
  // `variable` is the address of <symbol>$profile on the device; null: nothing is recorded.
  ProfiledLaunch(const ProfileMemory &memory, Kernel &kernel, void *variable, ttDim3 blocks, uint32_t threads);
  // Waits for the launch, and reads its records.
  void finish();

private:
  bool begin();
  void read();

  const ProfileMemory &memory;
  Kernel &kernel;
  void *variable; // null: nothing is recorded
  uint64_t warps, start = 0; // how many record; on the trace's clock
  void *buffer = nullptr; // owned, on the device
};

// Reports once that launches of a kernel in graphs are not recorded.
void tellUnprofiledGraph(const Kernel &kernel);

} // namespace tilecc::rt
#endif
