//===- SimtActions.cpp - compiles SIMT code to a fat binary -------------------------------------------------------===//
//
// The steps of sources with SIMT code, for KernelActions.cpp.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/SimtActions.h"
#include "compile/Compile.h"
#include "driver/Diagnostics.h"
#include "driver/InstalledPaths.h"
#include "driver/OptionIds.h"
#include "driver/Programs.h"
#include "driver/SourceOptions.h"
#include "driver/StepCommands.h"
#include "frontend/DependencyRule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace tilecc {

void ParseMessages::print(StringRef message) {
  std::lock_guard lock(mutex);
  if (printed.insert(message).second)
    printWhole(message);
}

/// Returns the name of a file or program that SIMT code needs and that is missing; empty if there is none.
static StringRef lackingForSimt(const Context &ctx) {
  return ctx.cuda.path.empty()                                         ? "a CUDA toolkit"
         : !sys::fs::exists(ctx.cuda.path + "/include/cuda_runtime.h") ? "the header cuda_runtime.h"
         : ctx.cuda.libdevice.empty()                                  ? "nvvm/libdevice/libdevice.10.bc"
         : ctx.cuda.fatbinary.empty()                                  ? "fatbinary"
                                                                       : "";
}

/// Returns the version of CUDA's headers: 13000 for CUDA 13.0, 0 if unknown.
static unsigned headerVersion(const CudaToolkit &cuda) {
  auto header = MemoryBuffer::getFile(cuda.path + "/include/cuda.h");
  unsigned version = 0;
  if (header)
    (*header)->getBuffer().split("#define CUDA_VERSION ").second.consumeInteger(10, version);
  return version;
}

static void warnOfUnknownToolkit(Context &ctx) {
  constexpr unsigned oldest = 12080, newest = 13999;
  unsigned version = headerVersion(ctx.cuda);
  if (version && (version < oldest || version > newest))
    Warning(ctx) << "the CUDA toolkit in '" << ctx.cuda.path << "' has version " << version / 1000 << "."
                 << version % 1000 / 10 << "; SIMT code has been tried with 12.8 to 13";
}

void checkSimtInputs(Context &ctx) {
  StringRef missing = lackingForSimt(ctx), preambles = ctx.args.getLastArgValue(options::OPT_preamble_dir_EQ);
  if (!preambles.empty())
    if (std::error_code error = sys::fs::create_directories(preambles))
      Error(ctx) << "--preamble-dir: " << preambles << ": " << error.message();
  if (missing.empty() && any_of(ctx.inputs, [](const Input &input) { return input.simt; }))
    warnOfUnknownToolkit(ctx);
  for (const Input &input : ctx.inputs) {
    if (!input.simt || missing.empty())
      continue;
    Error error(ctx);
    error << input.path << ": SIMT code needs " << missing;
    if (!ctx.cuda.path.empty())
      error << ", which is not in the CUDA toolkit in '" << ctx.cuda.path << "'";
    error << "; install one (12.8 or later), or name its folder with --cuda-path";
    return; // one toolkit serves all inputs
  }
}

void precompileSimtHeaders(Context &ctx) {
  const auto everybodyReads = sys::fs::all_read | sys::fs::all_exe | sys::fs::owner_write;
  if (!lackingForSimt(ctx).empty())
    return;
  FrontendOptions options = frontendOptions(ctx);
  options.simt = simtOptions(ctx);
  options.simt->unitId = "0"; // belongs to no source
  StringRef folder = options.simt->precompiledDir;
  if (std::error_code error = sys::fs::create_directories(folder, /*IgnoreExisting=*/true, everybodyReads)) {
    Error(ctx) << folder << ": " << error.message();
    return;
  }
  // A parse needs a source. This header is always included anyway.
  std::string header = installed(ctx, "include/tilecc/detail/simt.h");
  std::vector<std::string> sides = {""}; // the host
  append_range(sides, options.simt->archs);
  constexpr StringLiteral dialects[] = {"gnu++17", "c++17", "gnu++20", "c++20"};
  runSideBySide(ctx.threads, std::size(dialects) * sides.size(), [&](size_t i) {
    StringRef dialect = dialects[i % std::size(dialects)];
    std::string standard = ("-std=" + dialect).str();
    StringRef side = sides[i / std::size(dialects)];
    if (!precompileWrapper({standard.c_str(), "-O2", "-c", header.c_str()}, options, side, dialect))
      ++ctx.errors; // the front end has reported it
  });
}

//===--- preprocessing --------------------------------------------------------------------------------------------===//

/// Returns the file that a line marker of preprocessed text (`# 12 "file.h" 1`) names; empty for any other line.
static StringRef fileOfMarker(StringRef line) {
  return line.consume_front("# ") ? line.split('"').second.split('"').first : "";
}

/// Prints a summary of one side's preprocessed text, to be appended to another side's text: line markers for files that
/// are new, and a digest of the lines. The digest excludes names of files, because these depend on the checkout.
static void printDigest(StringRef side, StringRef text, StringSet<> &files, raw_ostream &os) {
  MD5 hash;
  for (StringRef line : split(text, '\n')) {
    StringRef file = fileOfMarker(line);
    hash.update(file.empty() ? line : line.split('"').first);
    hash.update("\n");
    if (!file.empty() && files.insert(file).second)
      os << "# 1 \"" << file << "\"\n";
  }
  MD5::MD5Result result;
  hash.final(result);
  os << "#pragma tilecc preprocessed " << side << " " << result.digest() << "\n";
}

bool preprocessSimt(Context &ctx, const Input &input, ArrayRef<const char *> hostArgs,
                    ArrayRef<const char *> deviceArgs, StringRef output) {
  std::vector<std::string> sides;
  for (const TargetArch &target : ctx.simtTargets)
    sides.push_back(target.arch.name);
  sides.push_back(""); // the host
  std::vector<std::string> texts(sides.size());
  auto rule = std::make_shared<DependencyRule>(sides.size());
  ParseMessages messages;
  runSideBySide(ctx.threads, sides.size(), [&](size_t i) {
    FrontendOptions options = frontendOptions(ctx, &input);
    options.print = [&](StringRef message) { messages.print(message); };
    options.simt->rule = rule;
    if (!runPreprocessor(sides[i].empty() ? hostArgs : deviceArgs, options, sides[i], &texts[i]))
      ++ctx.errors; // the front end has reported it
  });
  if (ctx.errors || ctx.stage != Stage::Preprocess)
    return !ctx.errors;
  // Like nvcc, print the text for the first GPU. Compiler caches treat sources with equal text as equal, so the texts
  // for other GPUs must not be missing entirely.
  if (none_of(ctx.hostArgs, [](StringRef arg) { return arg == "-dM"; })) {
    StringSet<> files;
    for (StringRef line : split(texts.front(), '\n'))
      files.insert(fileOfMarker(line));
    raw_string_ostream os(texts.front());
    for (size_t i = 1; i < sides.size(); ++i)
      printDigest(sides[i].empty() ? "host" : StringRef(sides[i]), texts[i], files, os);
  }
  return writeOutput(ctx, output, texts.front());
}

//===--- the steps ------------------------------------------------------------------------------------------------===//

/// Returns the key of a target in `codeForTiles`. Tile kernels for sm_90a and SIMT code for sm_90 share functions.
static std::string getPortableName(const Target &arch) { return arch.backend->asGpu()->getPortableTarget(arch).name; }

std::vector<std::optional<std::string>> SimtJob::parse(const std::function<void()> &beside,
                                                       TranslationUnit::Output kind) {
  std::vector<std::string> args = sourceArguments(ctx, input);
  args.push_back("-c");
  SmallVector<const char *> pointers(map_range(args, [](const std::string &arg) { return arg.c_str(); }));
  std::vector<std::optional<std::string>> code(files.size());
  std::vector<std::string> threadCode(files.size());
  size_t others = beside ? 1 : 0;
  rule = std::make_shared<DependencyRule>(others + files.size());
  runSideBySide(ctx.threads, others + files.size(), [&](size_t i) {
    if (i < others)
      return beside();
    const TargetFile &file = files[i - others];
    FrontendOptions options = frontendOptions(ctx, &input);
    options.print = [this](StringRef message) { messages.print(message); };
    options.simt->rule = rule;
    Timed timed(ctx, "SIMT code for " + file.target.arch.name);
    code[i - others] = compileSimt(pointers, options, file.target.arch.name, kind, &threadCode[i - others]);
    if (!code[i - others])
      ++ctx.errors; // the front end has reported it
  });
  for (auto [file, bitcode] : zip(files, threadCode))
    codeForTiles[getPortableName(file.target.arch)] = std::move(bitcode);
  return code;
}

bool SimtJob::compile(const std::function<void()> &beside, TranslationUnit::Output kind) {
  std::vector<std::optional<std::string>> code = parse(beside, kind);
  return !ctx.errors && all_of(zip(files, code), [&](auto both) {
    auto &[file, text] = both;
    bool annotates = kind == TranslationUnit::Output::Assembly && ctx.args.hasArg(options::OPT_source_in_ptx);
    return writeOutput(ctx, file.ptx, annotates ? withSource(*text) : *text);
  });
}

void SimtJob::check(const std::function<void()> &beside) {
  for (const TargetArch &target : ctx.simtTargets)
    files.push_back({target, /*ptx=*/"", /*cubin=*/"", {}});
  parse(beside, TranslationUnit::Output::LLVMText);
}

std::optional<std::string> SimtJob::getCodeForTiles(const Target &tiles) {
  const std::string portable = getPortableName(tiles);
  std::string name = tiles.name;
  if (auto known = codeForTiles.find(portable); known != codeForTiles.end())
    return known->second;
  std::vector<std::string> args = sourceArguments(ctx, input);
  args.push_back("-c");
  SmallVector<const char *> pointers(map_range(args, [](const std::string &arg) { return arg.c_str(); }));
  FrontendOptions options = frontendOptions(ctx, &input);
  options.print = [this](StringRef message) { messages.print(message); };
  // For sm_90, tile kernels are compiled for sm_90a and SIMT code for sm_90.
  for (const TargetArch &target : ctx.simtTargets)
    if (getPortableName(target.arch) == portable)
      name = target.arch.name;
  if (!is_contained(options.simt->archs, name))
    options.simt->archs.push_back(name);
  Timed timed(ctx, "SIMT code for " + name);
  std::string &bitcode = codeForTiles[portable];
  if (!compileSimt(pointers, options, name, TranslationUnit::Output::Assembly, &bitcode)) {
    ++ctx.errors; // the front end has reported it
    return std::nullopt;
  }
  return bitcode;
}

static bool assembleSimt(SimtJob &job) {
  if (!assembleFiles(job.ctx, job.files))
    return false;
  return !job.ctx.args.hasArg(options::OPT_resource_usage) || reportFiles(job.ctx, job.input, {}, job.files);
}

/// Adds a PTX file for each target, and the step that compiles them.
static void addPtx(std::shared_ptr<SimtJob> job, std::vector<Action> &actions, ArrayRef<TargetArch> targets,
                   std::function<void()> beside) {
  std::vector<Command> commands;
  for (const TargetArch &target : targets) {
    std::string stem = ".simt." + target.arch.name;
    TargetFile file{target, job->ctx.intermediate(job->input, stem + ".ptx"),
                    job->ctx.intermediate(job->input, stem + ".cubin")};
    file.isSimt = true;
    commands.push_back(ptxCommand(job->ctx, job->input, file, /*variants=*/""));
    job->files.push_back(std::move(file));
  }
  actions.push_back({"SIMT code of " + job->input.path + " to PTX", std::move(commands),
                     [job, beside] { return job->compile(beside, TranslationUnit::Output::Assembly); }});
}

static void addAssembly(std::shared_ptr<SimtJob> job, std::vector<Action> &actions) {
  std::vector<Command> commands;
  for (TargetFile &file : job->files)
    if (file.target.cubin)
      commands.push_back({file.ptxas = ptxasCommand(job->ctx, file), {}});
  actions.push_back({"PTX of SIMT code to cubins", std::move(commands), [job] { return assembleSimt(*job); }});
}

void addSimtFatbin(std::shared_ptr<SimtJob> job, std::vector<Action> &actions, std::function<void()> beside) {
  addPtx(job, actions, job->ctx.simtTargets, std::move(beside));
  addAssembly(job, actions);
  job->fatbin = job->ctx.intermediate(job->input, ".simt.fatbin");
  Command command{fatbinaryCommand(job->ctx, job->files, job->fatbin), {}};
  actions.push_back(
      {"fatbinary of SIMT code", {command}, [job, command] { return runProgram(job->ctx, command.args); }});
}

bool showsSimtCode(const Context &ctx, const Input &input) {
  return input.simt && !ctx.tileOnly && ctx.kernelFilter.empty() && ctx.variantFilter.empty() &&
         is_contained({Stage::LLVM, Stage::PTX, Stage::Cubin, Stage::SASS, Stage::Fatbin}, ctx.stage);
}

std::vector<Action> planSimtStage(Context &ctx, const Input &input, const std::string &output) {
  auto job = std::make_shared<SimtJob>(ctx, input);
  std::vector<Action> actions;
  if (ctx.stage == Stage::LLVM || ctx.stage == Stage::PTX) {
    job->files.push_back({ctx.simtTargets.back(), output, {}});
    auto kind = ctx.stage == Stage::LLVM ? TranslationUnit::Output::LLVMText : TranslationUnit::Output::Assembly;
    actions.push_back(
        {"SIMT code", {stageCommand(ctx, input, output)}, [job, kind] { return job->compile({}, kind); }});
    return actions;
  }
  if (ctx.stage == Stage::Fatbin) {
    addSimtFatbin(job, actions);
    actions.push_back(copyAction(ctx, job->fatbin, output));
    return actions;
  }
  if (!ctx.cuda.hasPtxas()) {
    CudaToolkit::reportMissing(ctx, "ptxas", "a cubin");
    return {};
  }
  TargetArch target = ctx.simtTargets.back();
  for (const TargetArch &each : ctx.simtTargets)
    if (each.cubin)
      target = each;
  target.cubin = true;
  addPtx(job, actions, target, {});
  addAssembly(job, actions);
  const std::string &cubin = job->files.front().cubin;
  actions.push_back(ctx.stage == Stage::Cubin ? copyAction(ctx, cubin, output)
                                              : disassembleAction(ctx, cubin, /*isFatbin=*/false, output));
  return actions;
}

} // namespace tilecc
