//===-- FileWatch.h - waits for changes of files ---------------------------------------------------------------===//
#ifndef TILECC_TOOLS_EXPLORE_FILEWATCH_H
#define TILECC_TOOLS_EXPLORE_FILEWATCH_H

#include <map>
#include <set>
#include <string>

namespace tilecc::explore {

// Watches files with inotify. It watches their folders, because editors replace a file by a new file of the same name.
class Watch {
public:
  Watch();
  ~Watch();
  Watch(const Watch &) = delete;
  Watch &operator=(const Watch &) = delete;

  // Replaces the set of watched files. Files that do not exist yet are watched, too.
  void set(const std::set<std::string> &files);
  int descriptor() const { return inotify; } // readable after a change
  // Reads all changes. Returns true if any of them concerns a watched file.
  bool read();

private:
  int inotify;
  std::map<std::string, int> folders;                  // the watch of each folder
  std::map<int, std::set<std::string>> names;          // by watch
};

} // namespace tilecc::explore
#endif
