//===-- PageBuild.h - runs tcc --emit=html ---------------------------------------------------------------------===//
#ifndef TILECC_TOOLS_EXPLORE_PAGEBUILD_H
#define TILECC_TOOLS_EXPLORE_PAGEBUILD_H

#include <set>
#include <string>
#include <sys/types.h>
#include <vector>

namespace tilecc::explore {

// Builds the page of one source, any number of times, one build at a time. The files are in a temporary folder. The
// destructor ends an unfinished build and removes the folder.
class Build {
public:
  // `options` are passed to tcc after the source.
  Build(std::string source, std::vector<std::string> options);
  ~Build();
  Build(const Build &) = delete;
  Build &operator=(const Build &) = delete;

  void start();
  bool isRunning() const { return child > 0; }
  int output() const { return pipe; } // readable while tcc may print messages; -1 if no build runs
  // Reads messages of tcc. Returns true once the build has ended.
  bool read();

  // The following functions describe the last build that has ended.
  bool succeeded() const { return status == 0; }
  const std::string &messages() const { return text; }
  std::string page() const; // the contents of the page
  // Returns the files that the page depends on: those of the last successful build, and those that messages name.
  std::set<std::string> dependencies() const;

private:
  std::string source, folder;
  std::vector<std::string> command;
  std::set<std::string> known; // dependencies
  std::string text, running; // messages
  pid_t child = 0;
  int pipe = -1, status = 0;
};

} // namespace tilecc::explore
#endif
