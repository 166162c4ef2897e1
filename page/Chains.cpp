//===- Chains.cpp - the table of call chains ----------------------------------------------------------------------===//
//
// Filled by Collector.cpp, written by PageWriter.cpp.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "page/Model.h"

namespace tilecc::page {

unsigned Chains::getFile(llvm::StringRef path) {
  std::lock_guard lock(mutex);
  auto [it, isNew] = fileNumbers.try_emplace(path, files.size());
  if (isNew)
    files.push_back(path.str());
  return it->second;
}

unsigned Chains::getNumber(const Chain &chain) {
  std::lock_guard lock(mutex);
  auto [it, isNew] = numbers.try_emplace(chain, chains.size());
  if (isNew)
    chains.push_back(chain);
  return it->second;
}

} // namespace tilecc::page
