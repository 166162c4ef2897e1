//===-- Error.h - the thread's last error ----------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_ERROR_H
#define TILECC_RUNTIME_ERROR_H

#include "Support.h"

namespace tilecc::rt {

// Records `code` as the calling thread's last error, with a message in printf's manner, and returns it. Messages are
// one sentence without a full stop, and begin with what the user named: a kernel, a function, a variable.
ttError_t fail(ttError_t code, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The number of a CUDA error, CUresult and cudaError_t alike, as a ttError_t, which has CUDA's numbers.
ttError_t errorOf(int number);

struct LastError {
  ttError_t code;       // reset once it has been reported
  ttError_t described;  // what `message` is about
  ttError_t lostLaunch; // of kernel<<<grid>>>(...), which returns nothing, until somebody has heard of it
  char message[4096];   // long enough for a page of the PTX compiler's complaints
};

// Where the calling thread's failures are recorded.
LastError *lastError();

// The failure of a launch by <<<>>> that nobody has asked for since: the thread's next copy or wait reports it, once.
ttError_t takeLostLaunch();

// Has them recorded elsewhere from now on; returns where they were recorded before.
LastError *exchangeLastError(LastError *error);

} // namespace tilecc::rt
#endif
