//===- HostCompiler.cpp - runs Clang and LLD in this process ------------------------------------------------------===//
//
// The steps of sources without kernels, and runs of the linker: for Link.cpp, and to combine the objects of a source.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/HostCompiler.h"
#include "compile/Compile.h"
#include "driver/AsNvcc.h"
#include "driver/CrashHandlers.h"
#include "driver/Diagnostics.h"
#include "driver/HostJobs.h"
#include "driver/HostTarget.h"
#include "driver/InstalledPaths.h"
#include "driver/OptionIds.h"
#include "driver/Programs.h"
#include "driver/SourceOptions.h"
#include "frontend/Compiler.h"
#include "frontend/Invocation.h"
#include "frontend/TokenWatcher.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/FrontendTool/Utils.h"
#include "lld/Common/Driver.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace tilecc {

//===--- jobs of Clang's driver -----------------------------------------------------------------------------------===//

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
  std::vector<std::string> args = {"-O2", "-fPIC", "-c", source.str(), "-o", output.str()};
  if (!ctx.hostTriple.empty())
    args.push_back("--target=" + ctx.hostTriple);
  return runJobs(ctx, "gcc", std::move(args));
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

//===--- linking --------------------------------------------------------------------------------------------------===//

std::string linkerProgram() {
  for (const char *name : {"ld.lld-22", "ld.lld", "ld"})
    if (auto path = sys::findProgramByName(name))
      return *path;
  return "ld.lld";
}

bool runLinker(Context &ctx, ArrayRef<std::string> args) {
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
               << (hostTriple(ctx).isAArch64()
                       ? "; the toolkit's packages for cross compilation have it (targets/sbsa-linux)"
                       : ", and there is none");
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

} // namespace tilecc
