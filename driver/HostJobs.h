//===- HostJobs.h - jobs of Clang's driver --------------------------------------------------------------*- C++ -*-===//
//
// Clang's driver decides which jobs a command line needs: the paths of headers and libraries, and the calls of the
// compiler and the linker.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_HOSTJOBS_H
#define TILECC_DRIVER_HOSTJOBS_H

#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Job.h"
#include <memory>
#include <string>
#include <vector>

namespace tilecc {

struct Context;

/// Clang's driver, and its compilation of one command line. They are kept together, because jobs point into the driver.
struct HostJobs {
  std::unique_ptr<clang::DiagnosticOptions> diagnosticOptions;
  llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine> diagnostics;
  std::unique_ptr<clang::driver::Driver> driver;
  std::unique_ptr<clang::driver::Compilation> compilation;
  std::vector<std::string> storage;
};

/// Creates the jobs of Clang's driver for `args`. `mode` is g++ or gcc. Returns null after it has reported an error.
std::unique_ptr<HostJobs> makeJobs(Context &ctx, llvm::StringRef mode, std::vector<std::string> args,
                                   bool inputsExist = true);

/// Returns the command line of a job.
std::vector<std::string> commandOf(const clang::driver::Command &job);

} // namespace tilecc

#endif // TILECC_DRIVER_HOSTJOBS_H
