//===-- Error.h - the last error of a thread -------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_ERROR_H
#define TILECC_RUNTIME_ERROR_H

#include "Support.h"

namespace tilecc::rt {

// Records `code` as the calling thread's last error, with a printf-style message, and returns it. A message is one
// sentence without a full stop, and begins with what the user named: a kernel, a function, a variable.
ttError_t fail(ttError_t code, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Converts a CUDA error number, a CUresult or cudaError_t, to a ttError_t, which uses CUDA's numbers.
ttError_t errorOf(int number);

struct LastError {
  ttError_t code;       // reset once it has been reported
  ttError_t described;  // the error that `message` describes
  ttError_t lostLaunch; // the error of kernel<<<grid>>>(...), which returns nothing, until a call reports it
  char message[4096];   // large enough for a page of PTX compiler errors
};

// The record of the calling thread's failures.
LastError *lastError();

// Returns the error of a <<<>>> launch that has not been queried since. The thread's next copy or wait reports it,
// once.
ttError_t takeLostLaunch();

// Redirects the record of failures and returns the previous one.
LastError *exchangeLastError(LastError *error);

} // namespace tilecc::rt
#endif
