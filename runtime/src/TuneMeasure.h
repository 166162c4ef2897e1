//===-- TuneMeasure.h - measures the time of each configuration ------------------------------------------------===//
#ifndef TILECC_RUNTIME_TUNEMEASURE_H
#define TILECC_RUNTIME_TUNEMEASURE_H

#include "Support.h"

namespace tilecc::rt {

// A row to be measured.
struct TuneRow {
  enum : unsigned { maxSamples = 12 };
  bool isCandidate;    // to be measured
  bool isPruned;       // removed before measuring
  double microseconds; // median of the samples; 0: not measured
  char why[256];       // why it cannot be launched; empty if it can
  float samples[maxSamples];
  unsigned count;        // number of samples
  ttEvent_t start, stop; // owned
};

// Returns true if the row's kernel can be loaded; otherwise `why` says why not.
bool canLoad(const void *kernel, TuneRow &row);

// Measures the candidates among the request.rows rows on the current device and finds the fastest. Launches them as a
// user would, and restores request.buffers. Fails if no candidate can be launched (each row then has a reason) or if a
// launch fails on the device.
ttError_t measureRows(const ttTuneRequest &request, TuneRow *rows, unsigned *fastest);

} // namespace tilecc::rt
#endif
