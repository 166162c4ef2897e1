//===-- Error.cpp ----------------------------------------------------------------------------------------------===//
//
// The last error of a thread: calls return it and ttGetLastError() resets it.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Error.h"

#include <stdarg.h>
#include <stdio.h>

using namespace tilecc::rt;

static thread_local LastError own = {ttSuccess, ttSuccess, ttSuccess, ""};
// The record of another copy of the runtime, on whose behalf this copy works; not owned.
static thread_local LastError *elsewhere = nullptr;

LastError *tilecc::rt::lastError() { return elsewhere ? elsewhere : &own; }

LastError *tilecc::rt::exchangeLastError(LastError *error) {
  LastError *before = lastError();
  elsewhere = error;
  return before;
}

ttError_t tilecc::rt::fail(ttError_t code, const char *format, ...) {
  // Format into a temporary, because an argument may be the previous message.
  char message[sizeof(LastError::message)];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof(message), format, args);
  va_end(args);
  LastError *error = lastError();
  __builtin_strcpy(error->message, message);
  return error->code = error->described = code;
}

ttError_t tilecc::rt::errorOf(int number) {
  switch (number) {
#define CASE(name, value, description)                                                                                 \
  case value: return name;
    TT_ERRORS(CASE)
#undef CASE
  }
  return ttErrorUnknown;
}

ttError_t ttGetLastError(void) {
  LastError *error = lastError();
  ttError_t code = error->code;
  error->code = error->lostLaunch = ttSuccess;
  return code;
}

ttError_t ttPeekAtLastError(void) { return lastError()->code; }

ttError_t tilecc::rt::takeLostLaunch() {
  ttError_t lost = lastError()->lostLaunch;
  lastError()->lostLaunch = ttSuccess;
  return lost;
}

const char *ttGetLastErrorMessage(void) { return lastError()->message; }

const char *ttGetErrorMessage(ttError_t error) {
  return error != ttSuccess && lastError()->described == error ? lastError()->message : ttGetErrorString(error);
}

const char *ttGetErrorName(ttError_t error) {
  switch (error) {
#define NAME(name, value, description)                                                                                 \
  case name: return #name;
    TT_ERRORS(NAME)
#undef NAME
  }
  return "unrecognized error code";
}

const char *ttGetErrorString(ttError_t error) {
  switch (error) {
#define DESCRIPTION(name, value, description)                                                                          \
  case name: return description;
    TT_ERRORS(DESCRIPTION)
#undef DESCRIPTION
  }
  return "unrecognized error code";
}
