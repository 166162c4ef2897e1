//===-- Error.h - the thread's last error ----------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_ERROR_H
#define TILECC_RUNTIME_ERROR_H

#include "Support.h"

namespace tilecc::rt {

// Records `code` as the calling thread's last error, with a message in printf's manner, and returns it. Messages are one
// sentence without a full stop, and begin with what the user named: a kernel, a function, a variable.
ttError_t fail(ttError_t code, const char *format, ...) __attribute__((format(printf, 2, 3)));

} // namespace tilecc::rt
#endif
