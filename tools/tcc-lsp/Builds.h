//===-- Builds.h - compiles documents in the background ------------------------------------------------*- C++ -*-===//
#ifndef TILECC_TOOLS_LSP_BUILDS_H
#define TILECC_TOOLS_LSP_BUILDS_H

#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace tilecc::lsp {

/// A version of a document that is to be compiled.
struct BuildRequest {
  std::string path, text;
  int64_t version = 0;
  std::string directory; ///< in which tcc runs
  std::vector<std::string> command; ///< tcc and the options for the document
};

/// The output of tcc.
struct BuildOutcome {
  std::string messages; ///< on standard error
  std::string annotations; ///< the result of --emit=annotations; empty after an error
  std::string failure; ///< how tcc ended if it was not regular, for example by a signal
};

/// Runs tcc --emit=annotations on documents, one at a time, because tcc itself uses all processors. A request replaces
/// the previous request for its document, and ends that build if it is running. All functions return at once and are
/// thread-safe.
class Builds {
public:
  using Done = std::function<void(const BuildRequest &, const BuildOutcome &)>;

  /// `folder` is for temporary files. `done` is called by the thread that compiles, without holding locks.
  Builds(std::string folder, Done done);
  /// Ends the build that is running.
  ~Builds();

  /// Compiles a document when `delay` has passed without another request for it.
  void request(BuildRequest request, std::chrono::milliseconds delay);
  /// Drops the requests for a document.
  void drop(const std::string &path);

private:
  using Clock = std::chrono::steady_clock;
  struct Waiting {
    BuildRequest request;
    Clock::time_point start;
  };
  void run();
  /// Returns false if the build was ended early.
  bool build(const BuildRequest &request, BuildOutcome &outcome);
  void forget(const std::string &path);

  std::string folder;
  Done done;
  std::mutex mutex;
  std::condition_variable changed;
  std::list<Waiting> waiting; ///< in the order of requests
  std::string running; ///< the path of the document that is being compiled
  bool isObsolete = false; ///< the running build must end
  bool isStopping = false;
  std::thread thread;
};

} // namespace tilecc::lsp
#endif
