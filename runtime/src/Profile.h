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
#include "tilecc/profile.h"

namespace tilecc::rt {

// The functions of a device that a profile needs. Copies wait until they are done.
struct ProfileMemory {
  ttError_t (*allocate)(void **pointer, size_t bytes);
  ttError_t (*free)(void *pointer);
  ttError_t (*copy)(void *to, const void *from, size_t bytes);
  ttError_t (*synchronize)(); // all launches
};

// The addresses of an entry's variables on the device (tilecc/profile.h); null: nothing is recorded.
struct ProfileVariables {
  void *profile = nullptr, *scopes = nullptr;
  explicit operator bool() const { return profile != nullptr; }
};

// Returns the variables of an entry; null if its code does not record or nobody asks for it. `find` returns the address of
// a variable of the module, or null.
ProfileVariables findProfile(const char *symbol, void *(*find)(void *module, const char *name), void *module);

// The launch of a kernel whose code records.
class ProfiledLaunch {
public:
  ProfiledLaunch(const ProfileMemory &memory, Kernel &kernel, ProfileVariables variables, ttDim3 blocks,
                 uint32_t threads);
  // Waits for the launch, and reads its records.
  void finish();

private:
  bool begin();
  void read();

  const ProfileMemory &memory;
  Kernel &kernel;
  ProfileVariables variables; // null: nothing is recorded
  uint64_t warps, start = 0; // how many record; on the trace's clock
  void *buffer = nullptr; // owned, on the device
  tilecc_gpu_profile profile = {}; // the variable's value during the launch
};

// Reports once that launches of a kernel in graphs are not recorded.
void tellUnprofiledGraph(const Kernel &kernel);

} // namespace tilecc::rt
#endif
