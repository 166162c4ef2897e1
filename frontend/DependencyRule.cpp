//===- DependencyRule.cpp - the make rule of a source that is parsed several times --------------------------------===//

#include "frontend/DependencyRule.h"
#include "clang/Frontend/Utils.h"

using namespace clang;

namespace tilecc {

struct DependencyRule::Collector : DependencyCollector {
  std::shared_ptr<DependencyRule> rule;
  const bool hasSystemFiles, isHost;
  Collector(std::shared_ptr<DependencyRule> rule, bool hasSystemFiles, bool isHost)
      : rule(std::move(rule)), hasSystemFiles(hasSystemFiles), isHost(isHost) {}

  bool needSystemDependencies() override { return hasSystemFiles; }

  void finishedMainFile(DiagnosticsEngine &diags) override {
    std::lock_guard lock(rule->mutex);
    rule->parses.push_back({!isHost, {getDependencies().begin(), getDependencies().end()}});
    if (--rule->left > 0)
      return;
    llvm::sort(rule->parses); // independent of which parse ended first
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
  compiler.addDependencyCollector(std::make_shared<Collector>(std::move(rule), bool(options.IncludeSystemHeaders), isHost));
  options.OutputFile.clear();
}

} // namespace tilecc
