//===-- Tune.h - what is known of a tuned kernel ---------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_TUNE_H_
#define TILECC_RUNTIME_TUNE_H_

#include "Registry.h"
#include "TuneTable.h"

namespace tilecc::rt {

struct DeviceKind;

struct TuneChoice {
  TuneChoice *next;
  uint64_t hash;
  int device;
  uint32_t met; // demands of variants
  unsigned row;
  ttTuneKey key;
};

// What ttTuned::state points to. All but the choices is set before anybody else can see it.
struct TuneState {
  tilecc_kernel kernel;        // the first row's, with parameters that matter to variants of any row; those are owned
  uint64_t code;               // a hash of all rows' code
  char name[256];              // of the kernel without its configuration
  TuneTable embedded, beside;  // tables that came with the kernels
  char besidePath[4200];
  bool hasNoted; // that a launch could not be measured; changed by who makes a choice
  enum : unsigned { buckets = 1024 };
  std::atomic<TuneChoice *> choices[buckets]; // lists that grow at their heads; owned
};

// The tables of a kernel and of its object, whichever copy of the runtime has them.
ttError_t describeAnywhere(const void *stub, const tilecc_kernel **kernel, const tilecc_module **object);

// Where a choice is made: on which device, for which key, and with arguments that meet these demands.
struct TunePlace {
  const DeviceKind &device;
  int ordinal;
  const ttTuneKey &key;
  uint32_t met;
};

// What follows is for one thread at a time, which has Tune.cpp's lock.

// Finds the row in a table, or measures. *holds: for later launches, too.
ttError_t chooseRow(TuneState &state, const ttTuneRequest &request, const TunePlace &place, unsigned *row, bool *holds);

// Reads a file of choices: that of TILECC_TUNE_TABLE comes before all others, else the latest does. Writes one with
// those of this process; false with errno if that fails.
ttError_t loadTuneTable(const char *path, bool isOfVariable);
bool saveTunedChoices(const char *path);

} // namespace tilecc::rt
#endif
