//===- DependencyRule.h - the rule for make of a source that is parsed several times --------------------------*- C++ -*-//
//
// -MD and its kin. Each parse of a source with SIMT code may read files that no other one reads, and they run side by side:
// the last one to end writes the rule of all.
//
//===--------------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_DEPENDENCYRULE_H
#define TILECC_FRONTEND_DEPENDENCYRULE_H

#include "frontend/Frontend.h"
#include "clang/Frontend/CompilerInstance.h"
#include <mutex>

namespace tilecc {

class DependencyRule {
public:
  /// So many parses will be asked to follow.
  explicit DependencyRule(size_t parses) : left(parses) {}

  /// Has `compiler`, which is about to parse, add what it reads, where it was to write a rule. The target is the host's, if
  /// there is a parse of the host.
  static void follow(std::shared_ptr<DependencyRule> rule, clang::CompilerInstance &compiler, bool isHost);

private:
  struct Collector;

  std::mutex mutex;
  size_t left;
  bool hasHost = false;
  clang::DependencyOutputOptions options;
  /// What each parse has read, the host's (false) first.
  std::vector<std::pair<bool, std::vector<std::string>>> parses;
};

} // namespace tilecc

#endif // TILECC_FRONTEND_DEPENDENCYRULE_H
