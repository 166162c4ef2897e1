//===- DependencyRule.cpp - the rule for make of a source that is parsed several times ----------------------------===//

#include "frontend/DependencyRule.h"
#include "clang/Frontend/Utils.h"

using namespace clang;

namespace tilecc {

struct DependencyRule::Collector : DependencyCollector {
  std::shared_ptr<DependencyRule> rule;
  const bool hasSystemFiles;
  Collector(std::shared_ptr<DependencyRule> rule, bool hasSystemFiles)
      : rule(std::move(rule)), hasSystemFiles(hasSystemFiles) {}

  bool needSystemDependencies() override { return hasSystemFiles; }

  void finishedMainFile(DiagnosticsEngine &diags) override {
    std::lock_guard lock(rule->mutex);
    rule->files.insert(rule->files.end(), getDependencies().begin(), getDependencies().end());
    if (--rule->left > 0)
      return;
    DependencyFileGenerator writer(rule->options);
    for (const std::string &file : rule->files) // each is written once
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
  compiler.addDependencyCollector(std::make_shared<Collector>(std::move(rule), bool(options.IncludeSystemHeaders)));
  options.OutputFile.clear();
}

} // namespace tilecc
