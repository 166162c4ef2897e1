//===- DependencyRule.h - writes the make rule of a source that is parsed several times --------------------*- C++ -*-//
//
// Implements -MD and related options for sources with SIMT code, which are parsed several times. Each parse may read
// files that the others do not, and the parses run in parallel. The last one to finish writes a rule with the files of
// all.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_DEPENDENCYRULE_H
#define TILECC_FRONTEND_DEPENDENCYRULE_H

#include "frontend/Frontend.h"
#include "clang/Frontend/CompilerInstance.h"
#include <mutex>

namespace tilecc {

class DependencyRule {
public:
  /// `parses` is the number of times that the source will be parsed; each parse calls follow(). If there are more calls
  /// because a parse is repeated, the rule is written again.
  explicit DependencyRule(int parses) : left(parses) {}

  /// Makes `compiler` add the files that it reads to this rule, instead of writing a rule of its own. Must be called
  /// before parsing. The target of the rule is that of the host parse, if there is one.
  static void follow(std::shared_ptr<DependencyRule> rule, clang::CompilerInstance &compiler, bool isHost);

private:
  struct Collector;

  std::mutex mutex;
  int left;
  bool hasHost = false;
  clang::DependencyOutputOptions options;
  /// The files that each parse has read. The entry of the host parse (false) comes first.
  std::vector<std::pair<bool, std::vector<std::string>>> parses;
};

} // namespace tilecc

#endif // TILECC_FRONTEND_DEPENDENCYRULE_H
