//===-- FileWatch.cpp - waits for changes of files -------------------------------------------------------------===//
//
// tcc-explore.cpp waits for these changes in its loop.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "FileWatch.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <sys/inotify.h>
#include <unistd.h>

using namespace tilecc::explore;

Watch::Watch() : inotify(inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
  if (inotify < 0)
    throw std::runtime_error(std::string("inotify: ") + strerror(errno));
}

Watch::~Watch() { close(inotify); }

void Watch::set(const std::set<std::string> &files) {
  std::map<std::string, std::set<std::string>> wanted; // names by folder
  auto add = [&](const std::string &path) {
    size_t slash = path.rfind('/');
    std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
    wanted[folder].insert(slash == std::string::npos ? path : path.substr(slash + 1));
  };
  for (const std::string &file : files) {
    add(file);
    // The target of a symbolic link may change, too.
    if (std::unique_ptr<char, void (*)(void *)> real(realpath(file.c_str(), nullptr), free); real)
      add(real.get());
  }
  for (auto it = folders.begin(); it != folders.end();)
    if (wanted.count(it->first)) {
      ++it;
    } else {
      inotify_rm_watch(inotify, it->second);
      it = folders.erase(it);
    }
  names.clear();
  for (auto &[folder, own] : wanted) {
    // Two names of the same folder have the same watch.
    int watch = inotify_add_watch(inotify, folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE);
    if (watch < 0)
      continue; // the folder is gone, which the build reports
    folders[folder] = watch;
    names[watch].insert(own.begin(), own.end());
  }
}

bool Watch::read() {
  alignas(inotify_event) char buffer[4096];
  bool isChanged = false;
  for (ssize_t length; (length = ::read(inotify, buffer, sizeof(buffer))) > 0;)
    for (char *at = buffer; at < buffer + length;) {
      auto *event = reinterpret_cast<inotify_event *>(at);
      auto watched = names.find(event->wd);
      isChanged |= event->mask & IN_Q_OVERFLOW; // some events are lost
      isChanged |= event->len && watched != names.end() && watched->second.count(event->name);
      at += sizeof(inotify_event) + event->len;
    }
  return isChanged;
}
