//===-- Builds.cpp - compiles documents in the background -------------------------------------------------------===//
//
// tcc reads the text of a document from a temporary file instead of the document's own file (--remap-file), so unsaved
// changes are compiled under the document's name. tcc runs as a separate process, so it can be ended at any time, and
// its failures are results like any other.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Builds.h"
#include "../support/CompilerMessages.h"
#include "driver/Subprocess.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;

namespace tilecc::lsp {

Builds::Builds(std::string folder, Done done) : folder(std::move(folder)), done(std::move(done)) {
  thread = std::thread([this] { run(); });
}

Builds::~Builds() {
  {
    std::lock_guard lock(mutex);
    isStopping = isObsolete = true;
  }
  changed.notify_all();
  thread.join();
}

void Builds::forget(const std::string &path) {
  waiting.remove_if([&](const Waiting &entry) { return entry.request.path == path; });
  isObsolete |= running == path;
}

void Builds::request(BuildRequest request, std::chrono::milliseconds delay) {
  {
    std::lock_guard lock(mutex);
    forget(request.path);
    waiting.push_back({std::move(request), Clock::now() + delay});
  }
  changed.notify_all();
}

void Builds::drop(const std::string &path) {
  std::lock_guard lock(mutex);
  forget(path);
}

void Builds::run() {
  std::unique_lock lock(mutex);
  while (!isStopping) {
    auto next = llvm::min_element(waiting, [](auto &a, auto &b) { return a.start < b.start; });
    if (next == waiting.end()) {
      changed.wait(lock);
      continue;
    }
    if (Clock::time_point start = next->start; start > Clock::now()) {
      changed.wait_until(lock, start); // then look again: another request may be the next one
      continue;
    }
    BuildRequest request = std::move(next->request);
    waiting.erase(next);
    running = request.path;
    isObsolete = false;
    lock.unlock();
    BuildOutcome outcome;
    if (build(request, outcome))
      done(request, outcome);
    lock.lock();
    running.clear();
  }
}

bool Builds::build(const BuildRequest &request, BuildOutcome &outcome) {
  std::string source = folder + "/source", annotations = folder + "/annotations.json", messages = folder + "/messages";
  ::unlink(annotations.c_str());
  std::error_code error;
  {
    raw_fd_ostream file(source, error);
    if (!error)
      file << request.text;
    file.close();
    if (!error && (error = file.error()))
      file.clear_error();
  }
  int output = error ? -1 : ::open(messages.c_str(), O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0600);
  if (output < 0) {
    outcome.failure = folder + ": " + (error ? error.message() : std::string(strerror(errno)));
    return true;
  }
  // The server itself uses only absolute paths, so it may change the working folder.
  if (::chdir(request.directory.c_str()) != 0) {
    outcome.failure = request.directory + ": " + strerror(errno);
    ::close(output);
    return true;
  }
  std::vector<std::string> command = request.command;
  command.insert(command.end(), {"--emit=annotations", "--remap-file=" + request.path + ";" + source, request.path,
                                 "-o", annotations});
  Subprocess process(command, output, output);
  ::close(output);
  constexpr int milliseconds = 20; // how long an obsolete build may run unnoticed
  std::optional<ExitStatus> status;
  while (!(status = process.waitFor(milliseconds))) {
    std::lock_guard lock(mutex);
    if (isObsolete)
      return false; // the destructor ends the process
  }
  outcome.messages = tools::readFile(messages);
  if (status->succeeded())
    outcome.annotations = tools::readFile(annotations);
  constexpr int userError = 1;
  if (status->error)
    outcome.failure = command[0] + ": " + strerror(status->error);
  else if (status->signal)
    outcome.failure = command[0] + " was ended by a signal: " + strsignal(status->signal);
  else if (status->code > userError)
    outcome.failure = command[0] + " ended with status " + std::to_string(status->code);
  std::lock_guard lock(mutex);
  return !isObsolete;
}

} // namespace tilecc::lsp
