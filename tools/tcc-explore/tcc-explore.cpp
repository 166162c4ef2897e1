//===-- tcc-explore.cpp - shows the compiler's stages while a source is edited ---------------------------------===//
//
//   tcc-explore [--port=<n>] <source> [<option of tcc>...]
//
// Makes the page of tcc --emit=html, serves it, and makes it again whenever the source, a file that it includes, or a
// profile changes. Browsers that show the page reload it. Ends with Ctrl-C.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "PageBuild.h"
#include "ErrorPage.h"
#include "PageServer.h"
#include "FileWatch.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <sys/signalfd.h>
#include <unistd.h>

using namespace tilecc::explore;

namespace {

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Command {
  uint16_t port = 0;
  std::string source;
  std::vector<std::string> options; // of tcc
};

} // namespace

static void printHelp() {
  puts("OVERVIEW: tcc-explore serves the page of tcc --emit=html, and makes it again when the source changes.\n\n"
       "USAGE: tcc-explore [--port=<n>] <source> [<option of tcc>...]\n\n"
       "OPTIONS:\n"
       "  --port=<n>   The port on 127.0.0.1 (default: any that is free)\n"
       "  --help       This text\n\n"
       "Options after the source are those of tcc, such as -arch=sm_90 or --profile=<file>.");
}

static Command parseCommandLine(int argc, char **argv) {
  Command command;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (!command.source.empty()) {
      if (word == "-o" || word.rfind("--emit", 0) == 0)
        throw UsageError(word + ": tcc-explore itself determines the output");
      command.options.push_back(word);
    } else if (word == "--help" || word == "-h") {
      printHelp();
      exit(0);
    } else if (word.rfind("--port=", 0) == 0) {
      char *end;
      unsigned long port = strtoul(word.c_str() + 7, &end, 10);
      if (word.size() == 7 || *end || port > 65535)
        throw UsageError(word + ": a port is a number up to 65535");
      command.port = static_cast<uint16_t>(port);
    } else if (word[0] == '-') {
      throw UsageError(word + ": options of tcc come after the source (see --help)");
    } else {
      command.source = word;
    }
  }
  if (command.source.empty())
    throw UsageError("there is no source (see --help)");
  if (access(command.source.c_str(), R_OK))
    throw UsageError(command.source + ": " + strerror(errno));
  return command;
}

// Returns a descriptor for poll() that receives the signals that end the program.
static int blockSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int number : {SIGINT, SIGTERM, SIGHUP})
    sigaddset(&signals, number);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  return signalfd(-1, &signals, SFD_CLOEXEC);
}

static void finishBuild(const Build &build, Watch &watch, Server &server, const std::string &source) {
  fputs(build.messages().c_str(), stderr);
  printf("%s: %s\n", source.c_str(), build.succeeded() ? "the page is new" : "errors");
  fflush(stdout);
  watch.set(build.dependencies());
  server.setPage(build.succeeded() ? build.page() : makeErrorPage(source, build.messages()));
}

static int run(const Command &command) {
  enum : int { settleMilliseconds = 50 }; // editors write several files at once
  int signals = blockSignals();
  Watch watch;
  Build build(command.source, command.options);
  Server server(command.port);
  server.setPage("<!doctype html>\n<title>tcc-explore</title>\n<body>\n<p>tcc is compiling.</p>\n</body>\n");
  watch.set(build.dependencies());
  build.start();
  printf("%s\n", server.address().c_str());
  fflush(stdout);
  bool isChanged = false;
  for (;;) {
    std::vector<pollfd> waits = {{signals, POLLIN, 0}, {watch.descriptor(), POLLIN, 0}, {build.output(), POLLIN, 0}};
    server.prepare(waits);
    int count = poll(waits.data(), waits.size(), isChanged && !build.isRunning() ? settleMilliseconds : -1);
    if (count < 0 && errno != EINTR)
      throw std::runtime_error(std::string("poll: ") + strerror(errno));
    if (count < 0)
      continue;
    if (waits[0].revents)
      return 0;
    bool hasChanged = waits[1].revents && watch.read();
    isChanged |= hasChanged;
    if (waits[2].revents && build.read())
      finishBuild(build, watch, server, command.source);
    server.handle(waits);
    if (isChanged && !hasChanged && !build.isRunning()) {
      isChanged = false;
      build.start();
    }
  }
}

int main(int argc, char **argv) {
  try {
    return run(parseCommandLine(argc, argv));
  } catch (const std::exception &error) {
    fprintf(stderr, "tcc-explore: error: %s\n", error.what());
    return dynamic_cast<const UsageError *>(&error) ? 2 : 1;
  }
}
