//===- HostJobs.cpp - jobs of Clang's driver ----------------------------------------------------------------------===//
//
// Clang's driver knows what the options of host code mean, and where the machine has headers and libraries.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/HostJobs.h"
#include "driver/Context.h"
#include "driver/InstalledPaths.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;

namespace tilecc {

std::unique_ptr<HostJobs> makeJobs(Context &ctx, StringRef mode, std::vector<std::string> args, bool inputsExist) {
  auto jobs = std::make_unique<HostJobs>();
  std::vector<std::string> front = {ctx.programPath, ("--driver-mode=" + mode).str(), "-resource-dir",
                                    resourceDir(ctx)};
  jobs->storage = std::move(front);
  jobs->storage.insert(jobs->storage.end(), args.begin(), args.end());
  SmallVector<const char *> argv;
  for (const std::string &arg : jobs->storage)
    argv.push_back(arg.c_str());

  jobs->diagnosticOptions = clang::CreateAndPopulateDiagOpts(argv);
  jobs->diagnostics =
      makeIntrusiveRefCnt<clang::DiagnosticsEngine>(clang::DiagnosticIDs::create(), *jobs->diagnosticOptions,
                                                    new clang::TextDiagnosticPrinter(errs(), *jobs->diagnosticOptions));
  // The user's -W options also apply to what the driver itself reports; the parse reports unknown ones.
  ProcessWarningOptions(*jobs->diagnostics, *jobs->diagnosticOptions, *vfs::getRealFileSystem(),
                        /*ReportDiags=*/false);
  jobs->driver = std::make_unique<clang::driver::Driver>(ctx.programPath, sys::getDefaultTargetTriple(),
                                                         *jobs->diagnostics, "tcc");
  jobs->driver->setCheckInputsExist(inputsExist && !ctx.dryRun); // intermediate files do not exist
  jobs->compilation.reset(jobs->driver->BuildCompilation(argv));
  if (!jobs->compilation || jobs->diagnostics->hasErrorOccurred()) {
    ++ctx.errors; // Clang's driver has reported it
    return nullptr;
  }
  return jobs;
}

std::vector<std::string> commandOf(const clang::driver::Command &job) {
  std::vector<std::string> command = {job.getExecutable()};
  command.insert(command.end(), job.getArguments().begin(), job.getArguments().end());
  return command;
}

} // namespace tilecc
