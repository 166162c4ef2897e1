//===-- TuneMeasure.cpp - measures the time of each configuration ----------------------------------------------===//
//
// Used by Tune.cpp. All rows are launched in turn, round after round, so that clock changes and disturbances affect all
// of them equally. Rows that are far behind after a few rounds are dropped. On a GPU, the L2 cache is overwritten
// before each launch, because a kernel rarely finds its inputs there. This also keeps the queue filled, so that events
// measure kernels and not the host.
//
// Everything uses public calls, so this works on every kind of device.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "TuneMeasure.h"
#include "Error.h"
#include "Trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

using namespace tilecc::rt;

namespace {

enum : unsigned { roundsForAll = 3 }; // before slow rows are dropped
constexpr double farBehind = 1.25;
constexpr uint64_t budget = 1'000'000'000; // nanoseconds; no round starts later
constexpr float withoutWarmUp = 20; // milliseconds; slower kernels need no warm-up run

// Allows these calls during another thread's capture, of which they are not part.
class OutsideCaptures {
public:
  OutsideCaptures() { ttThreadExchangeStreamCaptureMode(&mode); }
  ~OutsideCaptures() { ttThreadExchangeStreamCaptureMode(&mode); }

private:
  ttStreamCaptureMode mode = ttStreamCaptureModeRelaxed;
};

class Measurement {
public:
  Measurement(const ttTuneRequest &request, TuneRow *rows)
      : request(request), rows(rows), stream(request.launches[0].stream) {}
  ~Measurement();

  ttError_t prepare();
  ttError_t run();
  ttError_t restore(bool isLast);

private:
  ttError_t round(bool isFirst);
  bool isComplete() const;
  ttError_t launch(unsigned row);
  void leaveOut();

  const ttTuneRequest &request;
  TuneRow *rows;
  ttStream_t stream;
  void **saved = nullptr; // [bufferCount], owned: the nonzero buffers
  void *cache = nullptr; // owned; null: no cache to overwrite
  size_t cacheBytes = 0;
};

} // namespace

#define TRY(call)                                                                                                      \
  do {                                                                                                                 \
    if (ttError_t error_ = call)                                                                                       \
      return error_;                                                                                                   \
  } while (0)

bool tilecc::rt::canLoad(const void *kernel, TuneRow &row) {
  if (!ttPreload(kernel))
    return true;
  snprintf(row.why, sizeof(row.why), "%s", ttGetLastErrorMessage());
  ttGetLastError();
  return false;
}

ttError_t Measurement::prepare() {
  saved = static_cast<void **>(calloc(request.bufferCount + 1, sizeof(void *)));
  if (!saved)
    return fail(ttErrorMemoryAllocation, "not enough memory to measure a kernel");
  for (unsigned i = 0; i < request.bufferCount; ++i)
    if (const ttTuneBuffer &buffer = request.buffers[i]; !buffer.isZero && buffer.bytes) {
      TRY(ttMalloc(&saved[i], buffer.bytes));
      TRY(ttMemcpyAsync(saved[i], buffer.pointer, buffer.bytes, ttMemcpyDeviceToDevice, stream));
    }
  int device;
  ttDeviceProp properties;
  TRY(ttGetDevice(&device));
  TRY(ttGetDeviceProperties(&properties, device));
  cacheBytes = 2 * static_cast<size_t>(properties.l2CacheSize);
  if (cacheBytes && ttMalloc(&cache, cacheBytes)) {
    ttGetLastError(); // continue without overwriting the cache
    cache = nullptr;
  }
  for (unsigned i = 0; i < request.rows; ++i)
    if (rows[i].isCandidate) {
      TRY(ttEventCreate(&rows[i].start));
      TRY(ttEventCreate(&rows[i].stop));
    }
  return ttSuccess;
}

Measurement::~Measurement() {
  for (unsigned i = 0; i < request.rows; ++i)
    for (ttEvent_t event : {rows[i].start, rows[i].stop})
      if (event)
        ttEventDestroy(event);
  ttFree(cache);
  for (unsigned i = 0; saved && i < request.bufferCount; ++i)
    ttFree(saved[i]);
  free(saved);
}

ttError_t Measurement::restore(bool isLast) {
  for (unsigned i = 0; i < request.bufferCount; ++i) {
    const ttTuneBuffer &buffer = request.buffers[i];
    if (buffer.isZero && buffer.bytes)
      TRY(ttMemsetAsync(buffer.pointer, 0, buffer.bytes, stream));
    else if (buffer.bytes)
      TRY(ttMemcpyAsync(buffer.pointer, saved[i], buffer.bytes, ttMemcpyDeviceToDevice, stream));
  }
  return isLast ? ttStreamSynchronize(stream) : ttSuccess;
}

ttError_t Measurement::launch(unsigned i) {
  TuneRow &row = rows[i];
  TRY(restore(/*isLast=*/false));
  if (cache)
    TRY(ttMemsetAsync(cache, 0, cacheBytes, stream));
  TRY(ttEventRecord(row.start, stream));
  if (ttLaunchKernelEx(&request.launches[i], request.kernels[i], request.args)) {
    snprintf(row.why, sizeof(row.why), "%s", ttGetLastErrorMessage());
    ttGetLastError();
    row.isCandidate = false;
    row.microseconds = row.count = 0;
    return ttSuccess;
  }
  return ttEventRecord(row.stop, stream);
}

static float medianOf(const TuneRow &row) {
  float sorted[TuneRow::maxSamples];
  for (unsigned i = 0; i < row.count; ++i) {
    unsigned place = i;
    for (; place > 0 && sorted[place - 1] > row.samples[i]; --place)
      sorted[place] = sorted[place - 1];
    sorted[place] = row.samples[i];
  }
  return sorted[row.count / 2];
}

ttError_t Measurement::round(bool isFirst) {
  for (unsigned i = 0; i < request.rows; ++i)
    if (rows[i].isCandidate)
      TRY(launch(i));
  TRY(ttStreamSynchronize(stream));
  for (unsigned i = 0; i < request.rows; ++i) {
    TuneRow &row = rows[i];
    if (!row.isCandidate)
      continue;
    float milliseconds = 0;
    TRY(ttEventElapsedTime(&milliseconds, row.start, row.stop));
    if (isFirst && milliseconds < withoutWarmUp)
      continue;
    row.samples[row.count++] = milliseconds * 1e3f;
    row.microseconds = medianOf(row);
  }
  return ttSuccess;
}

static int findFastest(const TuneRow *rows, unsigned count) {
  int fastest = -1;
  for (unsigned i = 0; i < count; ++i)
    if (rows[i].count && (fastest < 0 || rows[i].microseconds < rows[fastest].microseconds))
      fastest = static_cast<int>(i);
  return fastest;
}

static float leastOf(const TuneRow &row) {
  float least = row.samples[0];
  for (unsigned i = 1; i < row.count; ++i)
    least = row.samples[i] < least ? row.samples[i] : least;
  return least;
}

// Drops slow rows from further rounds; they keep their times. Compares minima, because all but one of a few samples may
// be disturbed.
void Measurement::leaveOut() {
  int fastest = findFastest(rows, request.rows);
  for (unsigned i = 0; fastest >= 0 && i < request.rows; ++i)
    if (rows[i].count && leastOf(rows[i]) > farBehind * rows[fastest].microseconds)
      rows[i].isCandidate = false;
}

// Returns true if every row that can be launched has a time.
bool Measurement::isComplete() const {
  for (unsigned i = 0; i < request.rows; ++i)
    if (rows[i].isCandidate && !rows[i].count)
      return false;
  return true;
}

ttError_t Measurement::run() {
  uint64_t begin = traceNanoseconds();
  for (unsigned number = 0; number < TuneRow::maxSamples; ++number) {
    if (isComplete() && traceNanoseconds() - begin > budget)
      break;
    TRY(round(number == 0));
    if (number >= roundsForAll)
      leaveOut();
  }
  return ttSuccess;
}

ttError_t tilecc::rt::measureRows(const ttTuneRequest &request, TuneRow *rows, unsigned *fastest) {
  OutsideCaptures outside;
  const char *why = "all of them are excluded or pruned";
  bool hasCandidate = false;
  for (unsigned i = 0; i < request.rows; ++i)
    if (rows[i].isCandidate) {
      rows[i].isCandidate = canLoad(request.kernels[i], rows[i]);
      hasCandidate |= rows[i].isCandidate;
    }
  if (hasCandidate) {
    Measurement measurement(request, rows);
    TRY(measurement.prepare());
    ttError_t error = measurement.run();
    ttError_t restored = measurement.restore(/*isLast=*/true);
    if (error || restored)
      return error ? error : restored;
    int found = findFastest(rows, request.rows);
    if (found >= 0) {
      *fastest = found;
      return ttSuccess;
    }
  }
  for (unsigned i = 0; i < request.rows; ++i)
    if (*rows[i].why)
      why = rows[i].why;
  return fail(ttErrorLaunchOutOfResources, "no configuration can be launched: %s", why);
}
