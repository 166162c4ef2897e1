//===-- Profile.h - times inside kernels, for the trace --------------------------------------------------------===//
//
// With TILECC_PROFILE, the first launches of a kernel that was compiled with -fprofile-tile record into a buffer, one
// launch or graph at a time. The runtime waits for them and writes their records to the trace. Observation must not
// affect the program: failures to record are reported on standard error.
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

// The addresses of an entry's variables on the device (tilecc/profile.h); null if nothing is recorded.
struct ProfileVariables {
  void *profile = nullptr, *scopes = nullptr;
  explicit operator bool() const { return profile != nullptr; }
};

// Returns the variables of an entry, which are null if its code does not record or if no profile is requested. `find`
// returns the address of a variable of the module, or null.
ProfileVariables findProfile(const char *symbol, void *(*find)(void *module, const char *name), void *module);

// A lock that is held during launches that are recorded, because the code of a kernel has only one variable.
class ProfileGuard {
public:
  ProfileGuard();
  ~ProfileGuard();
  ProfileGuard(const ProfileGuard &) = delete;
};

// Returns true if the next launch of a kernel is one of those that should be recorded; a ProfiledLaunch must follow.
bool wantsProfile(Kernel &kernel);

// Returns the number of warps that record.
uint64_t countRecordingWarps(ttDim3 blocks, uint32_t threads);

// The launch of a kernel whose code records, or of a graph that may contain such launches. Needs a ProfileGuard.
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
  uint64_t warps, start = 0; // the number of warps that record; the start on the trace's clock
  void *buffer = nullptr; // owned, on the device
  tilecc_gpu_profile profile = {}; // the variable's value during the launch
};

} // namespace tilecc::rt
#endif
