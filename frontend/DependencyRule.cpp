//===- DependencyRule.cpp - writes the make rule of a source that is parsed several times -------------------------===//

#include "frontend/DependencyRule.h"
#include "frontend/Precompiled.h"
#include "clang/Frontend/Utils.h"

using namespace clang;

namespace tilecc {

struct DependencyRule::Collector : DependencyCollector {
  std::shared_ptr<DependencyRule> rule;
  const std::string precompiled;
  const bool hasSystemFiles, isHost;
  Collector(std::shared_ptr<DependencyRule> rule, std::string precompiled, bool hasSystemFiles, bool isHost)
      : rule(std::move(rule)), precompiled(std::move(precompiled)), hasSystemFiles(hasSystemFiles), isHost(isHost) {}

  bool needSystemDependencies() override { return hasSystemFiles; }

  // Exclude a precompiled header that tcc has chosen, because it may disappear. The rule lists the headers from which
  // it was made instead.
  bool sawDependency(StringRef file, bool fromModule, bool isSystem, bool isModuleFile, bool isMissing) override {
    return file != precompiled &&
           DependencyCollector::sawDependency(file, fromModule, isSystem, isModuleFile, isMissing);
  }

  void finishedMainFile(DiagnosticsEngine &diags) override {
    std::lock_guard lock(rule->mutex);
    rule->parses.push_back({!isHost, {getDependencies().begin(), getDependencies().end()}});
    if (--rule->left > 0)
      return;
    llvm::sort(rule->parses); // so that the order of the parses does not matter
    DependencyFileGenerator writer(rule->options);
    for (const auto &[isDevice, files] : rule->parses)
      for (const std::string &file : files) // list each file once
        writer.maybeAddDependency(file, /*FromModule=*/false, /*IsSystem=*/false, /*IsModuleFile=*/false,
                                  /*IsMissing=*/false);
    writer.finishedMainFile(diags);
  }
};

void DependencyRule::follow(std::shared_ptr<DependencyRule> rule, CompilerInstance &compiler, bool isHost) {
  DependencyOutputOptions &options = compiler.getDependencyOutputOpts();
  if (options.OutputFile.empty())
    return;
  {
    std::lock_guard lock(rule->mutex);
    if (isHost || !rule->hasHost)
      rule->options = options;
    rule->hasHost |= isHost;
  }
  compiler.addDependencyCollector(std::make_shared<Collector>(std::move(rule), chosenPrecompiled(compiler),
                                                              bool(options.IncludeSystemHeaders), isHost));
  options.OutputFile.clear();
}

} // namespace tilecc
