//===- HostCompiler.cpp - Clang and LLD in process ------------------------------------------------------------------===//
//
// The actions of sources without kernels and of the link, and the linker that combines the objects of one source.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "driver/HostCompiler.h"
#include "driver/DeviceLink.h"
#include "driver/Options.h"
#include "driver/Programs.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Job.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/FrontendTool/Utils.h"
#include "lld/Common/Driver.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Host.h"

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace tilecc {

std::string installed(const Context &ctx, StringRef relative) {
  SmallString<256> path(sys::path::parent_path(sys::path::parent_path(ctx.programPath)));
  sys::path::append(path, relative);
  return path.str().str();
}

std::string resourceDir(const Context &ctx) { return installed(ctx, "lib/tilecc/clang"); }

//===--- jobs of Clang's driver -------------------------------------------------------------------------------------===//

/// Clang's driver, and what it made of a command line. The members go together: jobs point into the driver.
namespace {
struct HostJobs {
  std::unique_ptr<clang::DiagnosticOptions> diagnosticOptions;
  IntrusiveRefCntPtr<clang::DiagnosticsEngine> diagnostics;
  std::unique_ptr<clang::driver::Driver> driver;
  std::unique_ptr<clang::driver::Compilation> compilation;
  std::vector<std::string> storage;
};
} // namespace

static std::unique_ptr<HostJobs> makeJobs(Context &ctx, StringRef mode, std::vector<std::string> args,
                                          bool inputsExist = true) {
  auto jobs = std::make_unique<HostJobs>();
  std::vector<std::string> front = {ctx.programPath, ("--driver-mode=" + mode).str(), "-resource-dir", resourceDir(ctx)};
  jobs->storage = std::move(front);
  jobs->storage.insert(jobs->storage.end(), args.begin(), args.end());
  SmallVector<const char *> argv;
  for (const std::string &arg : jobs->storage)
    argv.push_back(arg.c_str());

  jobs->diagnosticOptions = clang::CreateAndPopulateDiagOpts(argv);
  jobs->diagnostics = makeIntrusiveRefCnt<clang::DiagnosticsEngine>(
      clang::DiagnosticIDs::create(), *jobs->diagnosticOptions,
      new clang::TextDiagnosticPrinter(errs(), *jobs->diagnosticOptions));
  jobs->driver = std::make_unique<clang::driver::Driver>(ctx.programPath, sys::getDefaultTargetTriple(),
                                                         *jobs->diagnostics, "tcc");
  jobs->driver->setCheckInputsExist(inputsExist && !ctx.dryRun); // intermediate files do not
  jobs->compilation.reset(jobs->driver->BuildCompilation(argv));
  if (!jobs->compilation || jobs->diagnostics->hasErrorOccurred()) {
    ++ctx.errors; // Clang's driver has said why
    return nullptr;
  }
  return jobs;
}

/// Runs `clang -cc1 ...` in this process.
static bool runCC1(ArrayRef<const char *> args, Context &ctx) {
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  clang::DiagnosticOptions bufferOptions;
  auto *buffer = new clang::TextDiagnosticBuffer;
  clang::DiagnosticsEngine parseDiagnostics(clang::DiagnosticIDs::create(), bufferOptions, buffer);
  bool parsed = clang::CompilerInvocation::CreateFromArgs(*invocation, args, parseDiagnostics, ctx.programPath.c_str());
  clang::CompilerInstance instance(std::move(invocation));
  instance.createVirtualFileSystem();
  instance.createDiagnostics();
  buffer->FlushDiagnostics(instance.getDiagnostics());
  return parsed && clang::ExecuteCompilerInvocation(&instance);
}

static std::vector<std::string> commandOf(const clang::driver::Command &job) {
  std::vector<std::string> command = {job.getExecutable()};
  command.insert(command.end(), job.getArguments().begin(), job.getArguments().end());
  return command;
}

/// Runs the jobs that Clang's driver makes of `args`. False after an Error.
static bool runJobs(Context &ctx, StringRef mode, std::vector<std::string> args) {
  auto jobs = makeJobs(ctx, mode, std::move(args));
  if (!jobs)
    return false;
  for (const clang::driver::Command &job : jobs->compilation->getJobs()) {
    ArrayRef<const char *> jobArgs = job.getArguments();
    bool isCC1 = !jobArgs.empty() && StringRef(jobArgs.front()) == "-cc1";
    bool succeeded = isCC1 ? runCC1(jobArgs.drop_front(), ctx) : runProgram(ctx, commandOf(job));
    if (!succeeded) {
      ++ctx.errors;
      return false;
    }
  }
  return true;
}

Action planHostSource(Context &ctx, const Input &input, const std::string &output) {
  StringRef language = input.language.empty() ? sys::path::extension(input.path) : StringRef(input.language);
  bool isC = language == ".c" || language == "c" || language == ".s" || language == ".S";
  std::vector<std::string> args(ctx.hostArgs);
  if (!isC && !ctx.args.hasArg(options::OPT_std_EQ, options::OPT_ansi))
    args.push_back("-std=gnu++20");
  if (ctx.stage == Stage::HostLLVM)
    args.insert(args.end(), {"-S", "-emit-llvm"});
  else if (ctx.stage == Stage::Link)
    args.push_back("-c");
  else if (StringRef option = optionFor(ctx.stage); !option.empty())
    args.push_back(option.str()); // Clang's name for the stage is ours
  std::vector<std::string> file;
  if (!input.language.empty())
    file.insert(file.end(), {"-x", input.language});
  file.push_back(input.path);
  if (!output.empty() && ctx.stage != Stage::Syntax)
    file.insert(file.end(), {"-o", output});

  std::vector<std::string> command = {ctx.programName};
  if (ctx.stage == Stage::HostLLVM) {
    append_range(command, ctx.hostArgs);
    command.push_back(optionFor(ctx.stage).str());
  } else {
    append_range(command, args);
  }
  append_range(command, file);

  if (language == ".s" || language == ".S" || language.starts_with("assembler"))
    args.push_back("-no-integrated-as"); // Clang's own assembler is a program of its own
  args.insert(args.end(), {"-isystem", installed(ctx, "include")});
  append_range(args, file);
  return {"compile " + input.path, {{command, {}}}, [&ctx, isC, args] { return runJobs(ctx, isC ? "gcc" : "g++", args); }};
}

bool compileC(Context &ctx, StringRef source, StringRef output) {
  return runJobs(ctx, "gcc", {"-O2", "-fPIC", "-c", source.str(), "-o", output.str()});
}

//===--- linking ----------------------------------------------------------------------------------------------------===//

/// A linker that runs the same command outside this process, for printed steps.
static std::string linkerProgram() {
  for (const char *name : {"ld.lld-22", "ld.lld", "ld"})
    if (auto path = sys::findProgramByName(name))
      return *path;
  return "ld.lld";
}

static bool runLinker(Context &ctx, ArrayRef<std::string> args) {
  SmallVector<const char *> argv = {"ld.lld"};
  std::string threads = "--threads=" + std::to_string(ctx.threads);
  if (ctx.threads)
    argv.push_back(threads.c_str());
  for (const std::string &arg : args)
    argv.push_back(arg.c_str());
  if (lld::lldMain(argv, outs(), errs(), {{lld::Gnu, &lld::elf::link}}).retCode == 0)
    return true;
  ++ctx.errors; // the linker has said why
  return false;
}

bool combineObjects(Context &ctx, ArrayRef<std::string> objects, StringRef output) {
  std::vector<std::string> args = {"-r"};
  args.insert(args.end(), objects.begin(), objects.end());
  args.insert(args.end(), {"-o", output.str()});
  return runLinker(ctx, args);
}

/// The run path of what links the runtime: there it finds its shared library, and the PTX emulator, which the runtime opens
/// when a program is asked to run on it. The system's folders are searched anyway.
static std::vector<std::string> runPath(const Context &ctx) {
  std::string folder = installed(ctx, "lib");
  if (folder == "/usr/lib" || folder == "/lib")
    return {};
  return {"-Wl,-rpath," + folder};
}

/// CUDA's runtime, as nvcc links it: static, it costs nothing where no object launches SIMT kernels.
static std::vector<std::string> cudaRuntime(Context &ctx, bool withDeviceRuntime) {
  StringRef kind = ctx.args.getLastArgValue(options::OPT_cudart_EQ, "static");
  if (ctx.cuda.libraries.empty() || kind == "none")
    return {};
  std::vector<std::string> args = {"-L" + ctx.cuda.libraries};
  if (withDeviceRuntime)
    args.push_back("-lcudadevrt");
  if (kind == "shared")
    args.push_back("-lcudart");
  else
    args.insert(args.end(), {"-lcudart_static", "-lrt", "-ldl", "-lpthread"});
  return args;
}

std::vector<Action> planLink(Context &ctx, StringRef output) {
  std::vector<Action> actions;
  const bool linksDeviceCode = needsDeviceLink(ctx);
  std::string registration;
  if (linksDeviceCode) {
    registration = ctx.temporaryFile("device-link.o");
    actions = planDeviceLink(ctx, registration);
  }

  // Some host options matter when linking, too; Clang's driver knows which.
  std::vector<std::string> args = ctx.hostArgs;
  args.push_back("-Wno-unused-command-line-argument");
  if (linksDeviceCode)
    args.push_back(registration);
  for (const LinkItem &item : ctx.linkLine)
    args.push_back(item.text);

  StringRef runtime = ctx.args.getLastArgValue(options::OPT_rt_EQ, "static");
  if (runtime == "static")
    args.push_back(installed(ctx, "lib/libtilecc_rt.a"));
  else if (runtime == "shared")
    args.insert(args.end(), {"-L" + installed(ctx, "lib"), "-ltilecc_rt"});
  else if (runtime != "none")
    Error(ctx) << "--rt: '" << runtime << "' is not static, shared or none";
  if (!ctx.args.hasArg(options::OPT_nostdlib, options::OPT_nodefaultlibs))
    append_range(args, cudaRuntime(ctx, linksDeviceCode));
  if (runtime != "none")
    append_range(args, runPath(ctx));
  if (runtime != "none" && !ctx.args.hasArg(options::OPT_nostdlib, options::OPT_nodefaultlibs))
    args.insert(args.end(), {"-ldl", "-lpthread"});
  args.insert(args.end(), {"-o", output.str()});

  auto jobs = makeJobs(ctx, "g++", std::move(args), /*inputsExist=*/!linksDeviceCode);
  if (!jobs)
    return {};
  bool otherLinker = any_of(ctx.hostArgs, [](StringRef arg) { return arg.starts_with("-fuse-ld=") && arg != "-fuse-ld=lld"; });
  for (const clang::driver::Command &job : jobs->compilation->getJobs()) {
    std::vector<std::string> command = commandOf(job);
    if (otherLinker || !isa<clang::driver::LinkJobAction>(job.getSource())) {
      actions.push_back({"link", {{command, {}}}, [&ctx, command] { return runProgram(ctx, command); }});
      continue;
    }
    command.front() = linkerProgram();
    actions.push_back({"link", {{command, {}}}, [&ctx, command] {
                         return runLinker(ctx, ArrayRef(command).drop_front());
                       }});
  }
  return actions;
}

} // namespace tilecc
