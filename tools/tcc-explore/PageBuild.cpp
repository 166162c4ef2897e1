//===-- PageBuild.cpp - runs tcc --emit=html -------------------------------------------------------------------===//
//
// tcc-explore.cpp starts the builds. They run the tcc beside this program, or the one in PATH.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "PageBuild.h"
#include "../support/CompilerMessages.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

using namespace tilecc::explore;
using namespace tilecc::tools;

Build::Build(std::string source, std::vector<std::string> options) : source(std::move(source)) {
  const char *parent = getenv("TMPDIR");
  folder = std::string(parent && *parent ? parent : "/tmp") + "/tcc-explore-XXXXXX";
  if (!mkdtemp(folder.data()))
    throw std::runtime_error(folder + ": " + strerror(errno));
  command = {findCompiler(),        "--emit=html", this->source, "-o",
             folder + "/page.html", "-MMD",        "-MF",        folder + "/page.d"};
  command.insert(command.end(), options.begin(), options.end());
  known = {this->source};
  for (const std::string &option : options) // another profile gives another page
    if (option.rfind("--profile=", 0) == 0)
      known.insert(option.substr(strlen("--profile=")));
}

Build::~Build() {
  if (isRunning()) {
    kill(child, SIGTERM);
    waitpid(child, nullptr, 0);
  }
  for (const char *name : {"/page.html", "/page.d"})
    unlink((folder + name).c_str());
  rmdir(folder.c_str());
}

void Build::start() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    throw std::runtime_error(std::string("pipe: ") + strerror(errno));
  std::vector<char *> arguments;
  for (std::string &word : command)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawnattr_t attributes; // signals are blocked here
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  int error = posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);
  pipe = ends[0];
  running.clear();
  if (error) {
    child = 0;
    close(pipe);
    pipe = -1;
    throw std::runtime_error(command[0] + ": " + strerror(error));
  }
}

// Reads the prerequisites of a make rule: "page.html: a.tt.cpp \", with make's escapes.
static std::set<std::string> readDependencies(const std::string &path) {
  std::set<std::string> files;
  std::string text = readFile(path), file;
  size_t at = text.find(": ");
  auto end = [&] {
    if (!file.empty())
      files.insert(file);
    file.clear();
  };
  for (at = at == std::string::npos ? text.size() : at + 2; at < text.size(); ++at) {
    char next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (text[at] == '\\' && next == '\n')
      ++at, end();
    else if ((text[at] == '\\' && (next == ' ' || next == '#')) || (text[at] == '$' && next == '$'))
      file += text[++at];
    else if (text[at] == ' ' || text[at] == '\n')
      end();
    else
      file += text[at];
  }
  end();
  return files;
}

bool Build::read() {
  char buffer[4096];
  ssize_t length = ::read(pipe, buffer, sizeof(buffer));
  if (length > 0) {
    running.append(buffer, length);
    return false;
  }
  if (length < 0 && errno == EINTR)
    return false;
  close(pipe);
  pipe = -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  child = 0;
  text = std::move(running);
  if (succeeded()) {
    for (const std::string &file : readDependencies(folder + "/page.d"))
      known.insert(file);
  }
  return true;
}

std::string Build::page() const { return readFile(folder + "/page.html"); }

std::set<std::string> Build::dependencies() const {
  std::set<std::string> files = known;
  for (const std::string &line : splitLines(text))
    if (MessageLine message = parseMessage(line); !message.file.empty())
      files.insert(message.file);
  return files;
}
