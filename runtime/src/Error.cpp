//===-- Error.cpp ----------------------------------------------------------------------------------------------===//
#include "Error.h"

#include <stdarg.h>
#include <stdio.h>

using namespace tilecc::rt;

// Long enough for a page of the PTX compiler's complaints.
static thread_local char lastMessage[4096];
static thread_local ttError_t lastError = ttSuccess;

ttError_t tilecc::rt::fail(ttError_t code, const char *format, ...) {
  // Formatted aside first: an argument may be the previous message itself.
  char message[sizeof(lastMessage)];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof(message), format, args);
  va_end(args);
  __builtin_strcpy(lastMessage, message);
  return lastError = code;
}

ttError_t ttGetLastError(void) {
  ttError_t error = lastError;
  lastError = ttSuccess;
  return error;
}

ttError_t ttPeekAtLastError(void) { return lastError; }

const char *ttGetLastErrorMessage(void) { return lastMessage; }

const char *ttGetErrorName(ttError_t error) {
  switch (error) {
#define NAME(name, value, description)                                                                                 \
  case name:                                                                                                           \
    return #name;
    TT_ERRORS(NAME)
#undef NAME
  }
  return "unrecognized error code";
}

const char *ttGetErrorString(ttError_t error) {
  switch (error) {
#define DESCRIPTION(name, value, description)                                                                          \
  case name:                                                                                                           \
    return description;
    TT_ERRORS(DESCRIPTION)
#undef DESCRIPTION
  }
  return "unrecognized error code";
}
