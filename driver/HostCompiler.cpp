//===- HostCompiler.cpp - runs Clang and LLD in this process ------------------------------------------------------===//
//
// Implements the steps that compile sources without kernels and the steps of the link, and runs the linker to combine
// the objects of one source.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/HostCompiler.h"
#include "compile/Compile.h"
#include "driver/AsNvcc.h"
#include "driver/DeviceLink.h"
#include "driver/HostTarget.h"
#include "driver/Options.h"
#include "driver/Programs.h"
#include "driver/StepCommands.h"
#include "frontend/Compiler.h"
#include "frontend/Invocation.h"
#include "frontend/TokenWatcher.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Job.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/FrontendTool/Utils.h"
#include "lld/Common/Driver.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Host.h"
#include <mutex>
#include <pthread.h>
#include <sys/resource.h>

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace tilecc {

std::string installed(const Context &ctx, StringRef relative) {
  SmallString<256> path(sys::path::parent_path(sys::path::parent_path(ctx.programPath)));
  sys::path::append(path, relative);
  return path.str().str();
}

std::string resourceDir(const Context &ctx) { return installed(ctx, "lib/tilecc/clang"); }

//===--- jobs of Clang's driver -----------------------------------------------------------------------------------===//

/// Clang's driver and the compilation for a command line. They must be kept together, because jobs point into the
/// driver.
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

/// Runs `clang -cc1 ...` in this process.
static bool runCC1(ArrayRef<const char *> args, Context &ctx) {
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  clang::DiagnosticOptions bufferOptions;
  auto *buffer = new clang::TextDiagnosticBuffer;
  clang::DiagnosticsEngine parseDiagnostics(clang::DiagnosticIDs::create(), bufferOptions, buffer);
  bool parsed = clang::CompilerInvocation::CreateFromArgs(*invocation, args, parseDiagnostics, ctx.programPath.c_str());
  clang::CompilerInstance instance(std::move(invocation));
  if (instance.getCodeGenOpts().TimePasses) // for -ftime-report
    instance.createFrontendTimer();
  instance.createVirtualFileSystem();
  instance.createDiagnostics();
  buffer->FlushDiagnostics(instance.getDiagnostics());
  if (ctx.asNvcc)
    repairTokensAsGcc(instance);
  // Write the output like any other of ours: it appears complete or not at all.
  clang::FrontendOptions &options = instance.getFrontendOpts();
  bool writesCode = is_contained(
      {clang::frontend::EmitObj, clang::frontend::EmitAssembly, clang::frontend::EmitLLVM, clang::frontend::EmitBC},
      options.ProgramAction);
  SmallString<0> code;
  if (writesCode)
    instance.setOutputStream(std::make_unique<raw_svector_ostream>(code));
  else if (!options.OutputFile.empty() && options.OutputFile != "-")
    options.OutputFile = followLinks(options.OutputFile);
  return parsed && parseWithDeepStack(instance, [&] { return clang::ExecuteCompilerInvocation(&instance); }) &&
         (!writesCode || writeOutput(ctx, options.OutputFile, code));
}

static std::vector<std::string> commandOf(const clang::driver::Command &job) {
  std::vector<std::string> command = {job.getExecutable()};
  command.insert(command.end(), job.getArguments().begin(), job.getArguments().end());
  return command;
}

/// Runs the jobs that Clang's driver creates for `args`. Reports an error and returns false on failure.
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

std::vector<std::string> sourceOptions(const Context &ctx, const Input &input) {
  std::vector<std::string> args = ctx.hostArgs;
  if (!isJoint(ctx.stage))
    return args;
  // The options may include options for the link.
  args.push_back("-Wno-unused-command-line-argument");
  // If the object is temporary, files that Clang writes next to it go next to the program instead.
  static constexpr StringLiteral coverage[] = {"--coverage", "-coverage", "-ftest-coverage", "-fprofile-arcs"};
  if (any_of(ctx.hostArgs, [](StringRef arg) { return is_contained(coverage, arg); })) {
    SmallString<128> stem(ctx.output.empty() ? "a.out" : StringRef(ctx.output));
    sys::fs::make_absolute(stem);
    stem += "-" + input.stem;
    for (StringRef kind : {"-coverage-notes-file=", "-coverage-data-file="})
      args.insert(args.end(), {"-Xclang", (kind + stem + (kind.contains("notes") ? ".gcno" : ".gcda")).str()});
  }
  return args;
}

Action planHostSource(Context &ctx, const Input &input, const std::string &output) {
  StringRef language = input.language.empty() ? sys::path::extension(input.path) : StringRef(input.language);
  bool isC = language == ".c" || language == "c" || language == ".s" || language == ".S";
  std::vector<std::string> args = sourceOptions(ctx, input);
  if (!isC && !ctx.args.hasArg(options::OPT_std_EQ, options::OPT_ansi))
    args.push_back("-std=" + defaultDialect(ctx, input).str());
  if (ctx.stage == Stage::HostLLVM)
    args.insert(args.end(), {"-S", "-emit-llvm"});
  else if (StringRef option = optionFor(stageOfSources(ctx.stage)); !option.empty())
    args.push_back(option.str()); // Clang uses the same option for the stage
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
    args.push_back("-no-integrated-as"); // Clang's integrated assembler would be a separate program
  std::string headers = installed(ctx, "include");
  args.insert(args.end(), {optionOfHeaderDir(headers).str(), headers});
  append_range(args, hostArgumentsAsNvcc(ctx));
  append_range(args, file);
  return {
      "compile " + input.path, {{command, {}}}, [&ctx, isC, args] { return runJobs(ctx, isC ? "gcc" : "g++", args); }};
}

bool compileC(Context &ctx, StringRef source, StringRef output) {
  return runJobs(ctx, "gcc", {"-O2", "-fPIC", "-c", source.str(), "-o", output.str()});
}

//===--- queries --------------------------------------------------------------------------------------------------===//

std::vector<std::string> argumentsOfHostCompiler(Context &ctx, StringRef compiler) {
  std::string program = compiler.str();
  if (sys::fs::is_directory(compiler)) {
    SmallString<128> inFolder(compiler);
    sys::path::append(inFolder, "g++");
    program = inFolder.str().str();
  } else if (auto found = sys::findProgramByName(compiler)) {
    program = *found;
  }
  // GCC's library locates the rest of its installation. With Clang, the result may be Clang's own library.
  std::string library = outputOf({program, "-print-libgcc-file-name"});
  StringRef name = sys::path::filename(StringRef(library).trim());
  if (name == "libgcc.a")
    return {"--gcc-install-dir=" + sys::path::parent_path(StringRef(library).trim()).str()};
  if (!name.contains("clang_rt"))
    Error(ctx) << "-ccbin: '" << compiler
               << "' is not a GCC or Clang that can be run; tcc compiles host code itself, with "
               << "the headers and libraries of the GCC that is named";
  return {};
}

bool clangAnswers(Context &ctx) {
  auto asks = [](StringRef arg) {
    return arg == "--version" || arg.starts_with("-dump") || arg.ltrim('-').starts_with("print-");
  };
  if (none_of(ctx.hostArgs, asks) && !ctx.verbose)
    return false;
  std::vector<std::string> args = ctx.hostArgs;
  if (ctx.verbose)
    args.push_back("-v");
  makeJobs(ctx, "g++", std::move(args));
  return true;
}

bool hasHostFile(Context &ctx, StringRef name) {
  std::vector<std::string> args = ctx.hostArgs;
  args.insert(args.end(), {"-Wno-unused-command-line-argument", "-x", "c++", "/dev/null"});
  auto jobs = makeJobs(ctx, "g++", std::move(args));
  return !jobs || // Clang has reported why
         jobs->driver->GetFilePath(name, jobs->compilation->getDefaultToolChain()) != name;
}

//===--- linking --------------------------------------------------------------------------------------------------===//

/// Returns the name of an external linker that accepts the same command, for printed steps.
static std::string linkerProgram() {
  for (const char *name : {"ld.lld-22", "ld.lld", "ld"})
    if (auto path = sys::findProgramByName(name))
      return *path;
  return "ld.lld";
}

bool hasThreadsForOthers() {
  static const bool has = [] {
    rlimit space = {};
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) // each thread needs a stack and a heap
      return false;
    // Limits of the user and the container restrict the number of threads. Try to start as many as a few programs need.
    constexpr size_t wanted = 32;
    std::mutex together;
    together.lock();
    auto waitForOthers = [](void *together) -> void * {
      std::lock_guard waits(*static_cast<std::mutex *>(together));
      return nullptr;
    };
    SmallVector<pthread_t> threads;
    pthread_t thread;
    while (threads.size() < wanted && pthread_create(&thread, nullptr, waitForOthers, &together) == 0)
      threads.push_back(thread);
    together.unlock();
    for (pthread_t each : threads)
      pthread_join(each, nullptr);
    return threads.size() == wanted;
  }();
  return has;
}

static bool runLinker(Context &ctx, ArrayRef<std::string> args) {
  SmallVector<const char *> argv = {"ld.lld"};
  // LLD does not support jobservers, from which its threads would need tokens, and it crashes if the system cannot
  // start a thread.
  bool isAlone = ctx.threads == 1 || findJobserver() != Jobserver::None || !hasThreadsForOthers();
  unsigned count = isAlone ? 1 : ctx.threads;
  std::string threads = "--threads=" + std::to_string(count);
  if (count)
    argv.push_back(threads.c_str());
  // LLD removes an existing output before it writes the new one, and it creates regular files only. So it links to a
  // file next to the output.
  auto output = llvm::find(args, "-o");
  const std::string name = output == args.end() ? "a.out" : output[1];
  PendingOutput pending(ctx, name);
  const bool isStraight = pending.isWrittenStraight() && sys::fs::is_regular_file(pending.path());
  const std::string linked = isStraight ? ctx.temporaryFile("linked") : pending.path();
  for (const std::string &arg : args.take_front(output - args.begin()))
    argv.push_back(arg.c_str());
  for (const char *arg : {"-o", linked.c_str()})
    argv.push_back(arg);
  for (const std::string &arg : args.drop_front(std::min<size_t>(output - args.begin() + 2, args.size())))
    argv.push_back(arg.c_str());
  if (ctx.errors)
    return false;
  MappedOutput mapped(name.c_str());
  std::string messages;
  raw_string_ostream stream(messages);
  stream.enable_colors(errs().has_colors());
  bool isLinked = lld::lldMain(argv, outs(), stream, {{lld::Gnu, &lld::elf::link}}).retCode == 0;
  errs() << messages;
  if (isLinked)
    return isStraight ? writeOutput(ctx, name, readFile(ctx, linked)) : pending.keep();
  ++ctx.errors; // the linker has reported it
  // <tilecc/jit.h> and <tilecc/fusion.h> need a library that other programs do not.
  if (StringRef(messages).contains("undefined symbol: tilecc_program_"))
    Error(ctx)
        << "the program compiles kernels while it runs (<tilecc/jit.h>, <tilecc/fusion.h>): link it with -ltilecc";
  if (StringRef(messages).contains("undefined symbol: cudaLaunchKernel") && !ctx.hostTriple.empty() &&
      cudaLibraries(ctx).empty())
    Error(ctx) << "--target: the program launches SIMT kernels, which needs CUDA's runtime for " << shortHostTriple(ctx)
               << "; the toolkit's packages for cross compilation have it (targets/sbsa-linux)";
  return false;
}

bool combineObjects(Context &ctx, ArrayRef<std::string> objects, StringRef output) {
  std::vector<std::string> args = {"-r"};
  args.insert(args.end(), objects.begin(), objects.end());
  args.insert(args.end(), {"-o", output.str()});
  return runLinker(ctx, args);
}

Action combineAction(Context &ctx, std::vector<std::string> objects, std::string output) {
  std::vector<std::string> command = {linkerProgram(), "-r"};
  append_range(command, objects);
  command.insert(command.end(), {"-o", output});
  return {
      "combine " + output, {{command, {}}}, [&ctx, objects, output] { return combineObjects(ctx, objects, output); }};
}

/// Returns the run path for programs that link the shared runtime. System folders need none, and on another machine the
/// library is elsewhere.
static std::vector<std::string> runPath(const Context &ctx) {
  std::string folder = libraryDir(ctx);
  if (!ctx.hostTriple.empty() || folder == "/usr/lib" || folder == "/lib")
    return {};
  return {"-Wl,-rpath," + folder};
}

/// Returns the arguments that link CUDA's runtime, by default statically, as in nvcc. The library adds no code if no
/// object launches SIMT kernels.
static std::vector<std::string> cudaRuntime(Context &ctx, bool withDeviceRuntime) {
  StringRef kind = ctx.args.getLastArgValue(options::OPT_cudart_EQ, "static");
  std::string libraries = cudaLibraries(ctx);
  if (libraries.empty() || kind == "none")
    return {};
  std::vector<std::string> args = {"-L" + libraries};
  if (withDeviceRuntime && ctx.args.getLastArgValue(options::OPT_cudadevrt_EQ) != "none")
    args.push_back("-lcudadevrt");
  if (kind == "shared")
    args.push_back("-lcudart");
  else
    args.insert(args.end(), {"-lcudart_static", "-lrt", "-ldl", "-lpthread"});
  return args;
}

std::vector<Action> planArchive(Context &ctx, StringRef output) {
  StringRef named = ctx.args.getLastArgValue(options::OPT_archiver_binary_EQ, "ar");
  // The archive is built among the temporary files, so that it appears complete.
  std::string archive = ctx.temporaryFile(sys::path::filename(output));
  ErrorOr<std::string> program = sys::findProgramByName(named);
  std::vector<std::string> command = {program ? *program : named.str(), "rc"};
  for (StringRef value : ctx.args.getAllArgValues(options::OPT_Xarchive_EQ))
    for (StringRef part : split(value, ','))
      command.push_back(part.str());
  command.push_back(archive);
  for (const LinkItem &item : ctx.linkLine)
    if (item.input >= 0)
      command.push_back(item.text);
  return {{"archive", {{command, {}}}, [&ctx, command] { return runProgram(ctx, command); }},
          copyAction(ctx, archive, output.str())};
}

/// Returns true unless OpenMP is requested and Clang's OpenMP runtime is missing. It is a separate package, which the
/// linker's message would not mention.
static bool hasOpenMP(Context &ctx, const HostJobs &jobs) {
  auto isWanted = [](StringRef arg) { return arg == "-fopenmp" || arg == "-fopenmp=libomp"; };
  if (ctx.dryRun || none_of(ctx.hostArgs, isWanted))
    return true;
  const std::string name = ctx.args.hasArg(options::OPT_static_) ? "libomp.a" : "libomp.so";
  bool isNamed = any_of(ctx.args.getAllArgValues(options::OPT_L),
                        [&](const std::string &folder) { return sys::fs::exists(folder + "/" + name); });
  if (isNamed || jobs.driver->GetFilePath(name, jobs.compilation->getDefaultToolChain()) != name)
    return true;
  Error(ctx) << "-fopenmp: there is no " << name
             << ", Clang's OpenMP runtime; on Debian and Ubuntu it is in the package "
             << "libomp-" << LLVM_VERSION_MAJOR << "-dev";
  return false;
}

std::vector<Action> planLink(Context &ctx, StringRef output) {
  std::vector<Action> actions;
  const bool linksDeviceCode = !ctx.args.hasArg(options::OPT_nodlink) && needsDeviceLink(ctx);
  std::string registration;
  if (linksDeviceCode) {
    registration = ctx.temporaryFile("device-link.o");
    actions = planDeviceLink(ctx, registration);
  }

  // Some host options also affect linking; Clang's driver knows which.
  std::vector<std::string> args = ctx.hostArgs;
  args.push_back("-Wno-unused-command-line-argument");
  if (linksDeviceCode)
    args.push_back(registration);
  for (const LinkItem &item : ctx.linkLine)
    args.push_back(item.text);
  // The compiler library is in this program's installation (<tilecc/compiler.h>).
  if (any_of(ctx.linkLine, [](const LinkItem &item) { return is_contained({"-ltilecc", "tilecc"}, item.text); })) {
    if (!ctx.hostTriple.empty())
      Error(ctx) << "-ltilecc: there is no compiler library for " << shortHostTriple(ctx);
    args.push_back("-L" + installed(ctx, "lib"));
    append_range(args, runPath(ctx));
  }

  StringRef runtime = ctx.args.getLastArgValue(options::OPT_rt_EQ, "static");
  if (runtime == "static") {
    args.push_back(libraryDir(ctx) + "/libtilecc_rt.a");
  } else if (runtime == "shared") {
    args.insert(args.end(), {"-L" + libraryDir(ctx), "-ltilecc_rt"});
    append_range(args, runPath(ctx));
  } else if (runtime != "none") {
    Error(ctx) << "--rt: '" << runtime << "' is not static, shared or none";
  }
  if (runtime != "none" && !hasRuntime(ctx, runtime == "shared" ? "libtilecc_rt.so" : "libtilecc_rt.a"))
    return {};
  if (!ctx.args.hasArg(options::OPT_nostdlib, options::OPT_nodefaultlibs))
    append_range(args, cudaRuntime(ctx, linksDeviceCode));
  if (runtime != "none" && !ctx.args.hasArg(options::OPT_nostdlib, options::OPT_nodefaultlibs))
    args.insert(args.end(), {"-ldl", "-lpthread"});
  args.insert(args.end(), {"-o", output.str()});

  auto jobs = makeJobs(ctx, "g++", std::move(args), /*inputsExist=*/!linksDeviceCode);
  if (!jobs)
    return {};
  if (!hasOpenMP(ctx, *jobs))
    return {};
  bool otherLinker =
      any_of(ctx.hostArgs, [](StringRef arg) { return arg.starts_with("-fuse-ld=") && arg != "-fuse-ld=lld"; });
  for (const clang::driver::Command &job : jobs->compilation->getJobs()) {
    std::vector<std::string> command = commandOf(job);
    if (otherLinker || !isa<clang::driver::LinkJobAction>(job.getSource())) {
      actions.push_back({"link", {{command, {}}}, [&ctx, command] { return runProgram(ctx, command); }});
      continue;
    }
    command.front() = linkerProgram();
    // Print the command like g++; CMake reads the link's folders and libraries from it.
    const bool isShown = is_contained(ctx.hostArgs, "-v") && !ctx.verbose;
    actions.push_back({"link", {{command, {}}}, [&ctx, command, isShown] {
                         if (isShown)
                           printWhole(" " + asShellCommand({command, {}}) + "\n");
                         return runLinker(ctx, ArrayRef(command).drop_front());
                       }});
  }
  return actions;
}

} // namespace tilecc
