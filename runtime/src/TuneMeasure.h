//===-- TuneMeasure.h - how long each configuration takes ------------------------------------------------------===//
#ifndef TILECC_RUNTIME_TUNEMEASURE_H
#define TILECC_RUNTIME_TUNEMEASURE_H

#include "Support.h"

namespace tilecc::rt {

// A row that is measured.
struct TuneRow {
  enum : unsigned { mostSamples = 12 };
  bool isCandidate;    // to be measured
  bool isPruned;       // it never was one
  double microseconds; // the median of its samples; 0: it was not measured
  char why[256];       // it cannot be launched; empty if it can
  float samples[mostSamples];
  unsigned count;        // of samples
  ttEvent_t start, stop; // owned
};

// Whether the row's kernel can be loaded; else `why` says what keeps it from it.
bool canLoad(const void *kernel, TuneRow &row);

// Measures the candidates in rows, request.rows of them, on the current device, and finds the fastest. Launches them,
// as a user does, and leaves request.buffers as they were. Fails if no candidate can be launched (which is said of each
// in rows) or if what is launched fails on the device.
ttError_t measureRows(const ttTuneRequest &request, TuneRow *rows, unsigned *fastest);

} // namespace tilecc::rt
#endif
