//===-- Error.h - the last error of a thread -------------------------------------------------------------------===//
//
// As in CUDA, each thread has a last error, which later calls can query.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_ERROR_H
#define TILECC_RUNTIME_ERROR_H

#include "Support.h"

namespace tilecc::rt {

// Records `code` as the calling thread's last error, with a printf-style message, and returns `code`. A message is one
// sentence without a full stop, and begins with what the user named: a kernel, a function, or a variable.
ttError_t fail(ttError_t code, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Converts the number of a CUDA error (a CUresult or cudaError_t) to a ttError_t, whose numbers are those of CUDA.
ttError_t errorOf(int number);

struct LastError {
  ttError_t code;       // reset once it has been reported
  ttError_t described;  // the error that `message` describes
  ttError_t lostLaunch; // the error of kernel<<<grid>>>(...), which returns nothing, until a call reports it
  char message[4096];   // large enough for a page of PTX compiler errors
};

// Returns the record of failures of the calling thread.
LastError *lastError();

// Returns the error of an earlier <<<>>> launch that has not been reported yet. The thread's next copy or wait reports
// it, once.
ttError_t takeLostLaunch();

// Replaces the record to which failures of the calling thread are written, and returns the previous one.
LastError *exchangeLastError(LastError *error);

} // namespace tilecc::rt
#endif
