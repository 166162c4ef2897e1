//===- Diagnostics.cpp - messages of the driver -------------------------------------------------------------------===//
//
// Used by the whole driver.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/Diagnostics.h"
#include "driver/Context.h"
#include "llvm/ADT/StringSet.h"
#include <mutex>
#include <unistd.h>

using namespace llvm;

namespace tilecc {

void writeAll(int fd, StringRef text) {
  while (!text.empty()) {
    ssize_t written = ::write(fd, text.data(), text.size());
    if (written <= 0)
      return;
    text = text.drop_front(written);
  }
}

static std::atomic<bool> hasStopped = false;

bool stopPrinting() { return hasStopped.exchange(true); }

void printWhole(StringRef text) {
  while (hasStopped)
    pause(); // errors from now on result from the stop
  writeAll(STDERR_FILENO, text);
}

static bool isTileiras = false;

void speakAsTileiras() { isTileiras = true; }

Message::Message(StringRef severity) { stream << (isTileiras ? "" : "tcc: ") << severity << ": "; }

/// Returns true if no message has had this text. Targets are processed in parallel, and fail for the same reason.
static bool isNew(const std::string &text) {
  static std::mutex mutex;
  static StringSet<> printed;
  std::lock_guard lock(mutex);
  return printed.insert(text).second;
}

Message::~Message() {
  stream << '\n';
  if (isNew(text))
    printWhole(text);
}

Error::Error(Context &ctx) : Message("error") { ++ctx.errors; }

void Context::checkpoint() {
  if (errors)
    std::exit(asTileiras ? exitTileirasError : exitUserError); // an exit handler removes temporaries
}

} // namespace tilecc
