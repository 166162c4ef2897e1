//===-- TuneMeasure.h - measures the time of each configuration ------------------------------------------------===//
//
// The first launch for a key measures the configurations of a tuned kernel, which are called its rows.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_TUNEMEASURE_H
#define TILECC_RUNTIME_TUNEMEASURE_H

#include "Support.h"

namespace tilecc::rt {

// A row that may be measured, and the results.
struct TuneRow {
  enum : unsigned { maxSamples = 12 };
  bool isCandidate;    // to be measured
  bool isPruned;       // excluded before measuring
  double microseconds; // median of the samples; 0: not measured
  char why[256];       // the reason if it cannot be launched; otherwise empty
  float samples[maxSamples];
  unsigned count;        // number of samples
  ttEvent_t start, stop; // owned
};

// Returns true if the kernel of the row can be loaded; otherwise sets `why`.
bool canLoad(const void *kernel, TuneRow &row);

// Measures the candidates among the rows of the request on the current device, and finds the fastest one. Launches them
// as a user would, and restores request.buffers afterwards. Fails if no candidate can be launched (each row then has a
// reason), or if a launch fails on the device.
ttError_t measureRows(const ttTuneRequest &request, TuneRow *rows, unsigned *fastest);

} // namespace tilecc::rt
#endif
