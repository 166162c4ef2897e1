//===-- Tune.h - the state of a tuned kernel -------------------------------------------------------------------===//
//
// Tune.cpp looks up the choice for a launch; the files named Tune*.cpp measure, and read and write tables.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_TUNE_H_
#define TILECC_RUNTIME_TUNE_H_

#include "KernelRegistry.h"
#include "TuneTable.h"

namespace tilecc::rt {

struct DeviceKind;

struct TuneChoice {
  TuneChoice *next;
  uint64_t hash;
  int device;
  uint32_t met; // the demands of variants that the arguments satisfy
  unsigned row;
  ttTuneKey key;
};

// What ttTuned::state points to. Everything except the choices is set before other threads can see the state.
struct TuneState {
  tilecc_kernel kernel;        // the first row's; `params` covers the variants of all rows and is owned
  uint64_t code;               // a hash of the code of all rows
  char name[256];              // the name of the kernel, without its configuration
  TuneTable embedded, beside;  // tables in the object, and in a file next to it
  char besidePath[4200];
  bool hasNoted; // a launch that could not be measured has been reported
  enum : unsigned { buckets = 1024 };
  std::atomic<TuneChoice *> choices[buckets]; // lists that grow at the head; owned
};

// Finds the descriptors of a kernel and of its object, in any copy of the runtime.
ttError_t describeAnywhere(const void *stub, const tilecc_kernel **kernel, const tilecc_module **object);

// The conditions under which a choice is used: the device, the key, and the demands that the arguments satisfy.
struct TunePlace {
  const DeviceKind &device;
  int ordinal;
  const ttTuneKey &key;
  uint32_t met;
};

// The functions below are called by one thread at a time, under the lock in Tune.cpp.

// Finds the row for a launch in a table, or measures. Sets *holds to true if the choice is also valid for later
// launches.
ttError_t chooseRow(TuneState &state, const ttTuneRequest &request, const TunePlace &place, unsigned *row, bool *holds);

// Reads a file of choices. Choices from TILECC_TUNE_TABLE take precedence over others; otherwise the file that was read
// last does. saveTunedChoices() writes the choices of this process; it returns false and sets errno if that fails.
ttError_t loadTuneTable(const char *path, bool isOfVariable);
bool saveTunedChoices(const char *path);

} // namespace tilecc::rt
#endif
