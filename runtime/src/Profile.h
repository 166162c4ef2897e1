//===-- Profile.h - times inside kernels, for the trace --------------------------------------------------------===//
//
// If TILECC_PROFILE is set, the first launches of each kernel that was compiled with -fprofile-tile record times into a
// buffer, one launch or graph at a time. The runtime waits for each of them, and writes the records to the trace.
// Observation must not affect the program, so failures to record are only reported on standard error.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_PROFILE_H
#define TILECC_RUNTIME_PROFILE_H

#include "KernelRegistry.h"
#include "tilecc/profile.h"

namespace tilecc::rt {

// The functions of a device that a profile needs. Copies are synchronous.
struct ProfileMemory {
  ttError_t (*allocate)(void **pointer, size_t bytes);
  ttError_t (*free)(void *pointer);
  ttError_t (*copy)(void *to, const void *from, size_t bytes);
  ttError_t (*synchronize)(); // all launches
};

// The addresses on the device of the variables that a kernel's code uses to record (tilecc/profile.h). They are null if
// nothing is recorded.
struct ProfileVariables {
  void *profile = nullptr, *scopes = nullptr;
  explicit operator bool() const { return profile != nullptr; }
};

// Returns the variables of an entry. They are null if its code does not record, or if no profile is requested. `find`
// returns the address of a variable of the module, or null.
ProfileVariables findProfile(const char *symbol, void *(*find)(void *module, const char *name), void *module);

// A lock that is held during a launch that is recorded. It is necessary because the code of a kernel has only one
// variable for the buffer.
class ProfileGuard {
public:
  ProfileGuard();
  ~ProfileGuard();
  ProfileGuard(const ProfileGuard &) = delete;
};

// Returns true if the next launch of a kernel should be recorded. The caller must then create a ProfiledLaunch.
bool wantsProfile(Kernel &kernel);

// Returns the number of warps of a launch that record.
uint64_t countRecordingWarps(ttDim3 blocks, uint32_t threads);

// A launch of a kernel whose code records, or of a graph that may contain such launches. The caller holds a
// ProfileGuard.
class ProfiledLaunch {
public:
  ProfiledLaunch(const ProfileMemory &memory, Kernel &kernel, ProfileVariables variables, uint64_t warps);
  // Waits for the launch, and reads its records.
  void finish();

private:
  bool begin();
  void read();

  const ProfileMemory &memory;
  Kernel &kernel;
  ProfileVariables variables; // null: nothing is recorded
  uint64_t warps, start = 0; // warps: how many record; start: when the launch began, on the trace's clock
  void *buffer = nullptr; // owned, on the device
  tilecc_gpu_profile profile = {}; // the value of the variable during the launch
};

} // namespace tilecc::rt
#endif
