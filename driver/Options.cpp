//===- Options.cpp - turns the command line into a Context --------------------------------------------------------===//
//
// The first step of main(). Reports all command line errors that can be found without reading files.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/Options.h"
#include "driver/AsNvcc.h"
#include "driver/AsTileiras.h"
#include "driver/HostTarget.h"
#include "driver/OptionIds.h"
#include "compile/Compile.h"
#include "driver/CommandLine.h"
#include "driver/Context.h"
#include "driver/HostCompiler.h"
#include "driver/Cubins.h"
#include "compile/Variants.h"
#include "driver/Diagnostics.h"
#include "driver/TileWarnings.h"
#include "frontend/tileir/TileIR.h"
#include "targets/BackendPlugin.h"
#include "targets/Registry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/StringSaver.h"
#include <unistd.h>

using namespace llvm;
using namespace llvm::opt;

namespace tilecc {

using namespace options;

//===--- inputs ---------------------------------------------------------------------------------------------------===//

static std::optional<InputKind> kindOfLanguage(StringRef language) {
  return StringSwitch<std::optional<InputKind>>(language)
      .Cases({"tile", "cu", "cuda"}, InputKind::TileSource)
      .Cases({"ttir", "mlir"}, InputKind::TTIR)
      .Case("ttgir", InputKind::TTGIR)
      .Case("tileir", InputKind::TileIR)
      .Case("ptx", InputKind::PTX)
      .Cases({"c", "c++", "cpp-output", "c++-cpp-output", "c++-header", "c++-module", "c-header"},
             InputKind::HostSource)
      .Cases({"assembler", "assembler-with-cpp", "ir"}, InputKind::HostSource)
      .Default(std::nullopt);
}

static InputKind kindOfFile(StringRef path) {
  if (path.ends_with(".tt.cpp") || path.ends_with(".tt.cc") || path.ends_with(".tt.cxx") || path.ends_with(".cu"))
    return InputKind::TileSource;
  return StringSwitch<InputKind>(sys::path::extension(path))
      .Case(".ttir", InputKind::TTIR)
      .Case(".tilelink", InputKind::LinkedTiles)
      .Case(".ttgir", InputKind::TTGIR)
      .Case(".ptx", InputKind::PTX)
      .Case(".cubin", InputKind::Cubin)
      .Case(".fatbin", InputKind::Fatbin)
      .Cases({".cpp", ".cc", ".cxx", ".C", ".c++", ".cp", ".CPP", ".c"}, InputKind::HostSource)
      .Cases({".cppm", ".ccm", ".cxxm", ".c++m"}, InputKind::HostSource)
      .Cases({".s", ".S", ".i", ".ii", ".ll", ".bc"}, InputKind::HostSource)
      .Default(InputKind::Linkable);
}

/// Returns true if a file starts like CUDA Tile IR. There is no common suffix: front ends use .tilebc, .tile, .bc,
/// .bytecode etc.
static bool beginsAsTileIR(StringRef path) {
  auto file = MemoryBuffer::getFileSlice(path, 16, 0, /*IsVolatile=*/true);
  return file && isTileIR((*file)->getBuffer());
}

/// Returns the source of a preprocessed file, which its first line names: `# 1 "name"`. Empty if there is no such line.
static std::string sourceOf(StringRef path) {
  auto file = MemoryBuffer::getFile(path);
  StringRef line = file ? (*file)->getBuffer().split('\n').first : StringRef();
  return line.consume_front("# 1 \"") ? line.split('"').first.str() : std::string();
}

/// Reads the files that --remap-file names.
static void readRemappedFiles(Context &ctx) {
  for (const std::string &value : ctx.args.getAllArgValues(OPT_remap_file_EQ)) {
    auto [path, file] = StringRef(value).rsplit(';');
    if (path.empty() || file.empty())
      Error(ctx) << "--remap-file=" << value << ": it takes two files, <path>;<file>";
    else
      ctx.remappedFiles[path.str()] = readFile(ctx, file);
  }
}

static void addInput(Context &ctx, StringRef path, StringRef language) {
  Input input{path.str(), kindOfFile(path)};
  input.source = path.str();
  if (path != "-" && language.empty() && sys::fs::is_regular_file(path) && beginsAsTileIR(path))
    input.kind = InputKind::TileIR;
  // sccache passes -x c++ for all C++. A .tt.cpp is C++ and has kernels; a .cu becomes C++ without kernels.
  if (language == "c++" && input.kind == InputKind::TileSource && !path.ends_with(".cu"))
    language = "none";
  if (is_contained({".ii", ".i"}, sys::path::extension(path)) && is_contained({"", "none", "c++-cpp-output"}, language))
    if (std::string source = sourceOf(path); kindOfFile(source) == InputKind::TileSource) {
      // Build systems preprocess a source to compile it elsewhere (distcc) or to hash it (ccache).
      if (StringRef(source).ends_with(".cu"))
        Error(ctx) << path << ": SIMT code is preprocessed once for each GPU and once for the host; compile " << source
                   << " itself";
      input.kind = InputKind::TileSource;
      input.source = source;
      language = "none";
    }
  if (path == "-" && language.empty() && ctx.args.hasArg(OPT_E))
    language = "c++"; // Clang would assume C; build systems query the macros this way
  if (path == "-" && language.empty()) {
    Error(ctx) << "-: specify the language of standard input with -x tile, -x c++, ...";
    return;
  }
  if (!language.empty() && language != "none") {
    auto kind = kindOfLanguage(language);
    if (!kind) {
      Error(ctx) << "-x: '" << language << "' is not a language tcc compiles";
      return;
    }
    input.kind = *kind;
    input.language = language.str();
  }
  bool isCuda = input.language.empty() ? path.ends_with(".cu") : input.language.starts_with("cu");
  input.simt = input.kind == InputKind::TileSource && (isCuda || ctx.args.hasArg(OPT_simt));
  if (ctx.asNvcc && path == "__cmake_determine_cuda")
    return; // a query, which answerAsNvcc() answers
  if (path != "-" && !sys::fs::exists(path) && !ctx.remappedFiles.count(path.str())) {
    if (asksHostCompiler(ctx))
      return;
    Error(ctx) << path << ": no such file";
    return;
  }
  // Inputs of the same name in different folders need different intermediate files.
  std::string stem = sys::path::stem(path).str();
  for (char &c : stem)
    if (StringRef(notInImageNames).contains(c))
      c = '_';
  input.stem = stem;
  for (unsigned n = 2; any_of(ctx.inputs, [&](const Input &other) { return other.stem == input.stem; }); ++n)
    input.stem = stem + "-" + std::to_string(n);
  ctx.linkLine.push_back({path.str(), int(ctx.inputs.size())});
  ctx.inputs.push_back(std::move(input));
}

//===--- the stage ------------------------------------------------------------------------------------------------===//

/// Returns true for nvcc -c -Xcompiler=-S, where the host compiler writes assembly instead of the object. Compiler
/// Explorer uses this option.
static bool wantsHostAssembly(const ArgList &args) {
  return any_of(args.filtered(OPT_Xcompiler_EQ),
                [](const Arg *arg) { return is_contained(split(arg->getValue(), ','), "-S"); });
}

static void selectStage(Context &ctx) {
  const Arg *chosen = nullptr;
  auto choose = [&](ID id, Stage stage) {
    const Arg *arg = ctx.args.getLastArg(id);
    if (!arg || (chosen && chosen->getIndex() > arg->getIndex()))
      return;
    chosen = arg;
    ctx.stage = stage;
  };
  choose(OPT_c, Stage::Object);
  choose(OPT_dc, Stage::Object);
  choose(OPT_dw, Stage::Object);
  choose(OPT_dlink, Stage::DeviceLink);
  choose(OPT_lib, Stage::Archive);
  choose(OPT_link, Stage::Link);
  choose(OPT_run, Stage::Link);
  choose(OPT_E, Stage::Preprocess);
  choose(OPT_M, Stage::Dependencies);
  choose(OPT_MM, Stage::Dependencies);
  choose(OPT_S, ctx.args.hasArg(OPT_emit_llvm) ? Stage::HostLLVM : Stage::HostAsm);
  if (ctx.asNvcc && ctx.stage == Stage::Object && wantsHostAssembly(ctx.args))
    ctx.stage = Stage::HostAsm;
  choose(OPT_ptx, Stage::PTX);
  choose(OPT_cubin, Stage::Cubin);
  choose(OPT_fatbin, Stage::Fatbin);
  choose(OPT_tilecubin, Stage::Cubin);
  choose(OPT_tilefatbin, Stage::Fatbin);
  if (ctx.args.hasArg(OPT_emit_llvm) && !ctx.args.hasArg(OPT_S))
    Error(ctx) << "-emit-llvm needs -S: an object also contains the kernels' code, which bitcode cannot hold";
  if (const Arg *arg = ctx.args.getLastArg(OPT_emit_EQ)) {
    std::optional<Stage> stage = stageCalled(arg->getValue());
    if (!stage) {
      Error(ctx) << "--emit: '" << arg->getValue() << "' is not a stage; it is one of " << stageNames();
      return;
    }
    choose(OPT_emit_EQ, *stage);
  }
  // As in Clang, the position does not matter, and -E and -M take precedence.
  if (ctx.args.hasArg(OPT_fsyntax_only) && ctx.stage != Stage::Preprocess && ctx.stage != Stage::Dependencies)
    ctx.stage = Stage::Syntax;
}

//===--- inputs, and arguments for Clang and the linker -----------------------------------------------------------===//

/// -Xlinker a,b: nvcc splits the value at commas, and then a shell splits the rest.
static SmallVector<const char *> splitAtCommas(const Arg *arg) {
  static BumpPtrAllocator allocator;
  StringSaver saver(allocator);
  SmallVector<const char *> parts;
  for (const std::string &part : splitList(arg->getValue()))
    cl::TokenizeGNUCommandLine(part, saver, parts);
  return parts;
}

/// Walks over the command line once, because the order of inputs and linker arguments matters.
static void sortArguments(Context &ctx) {
  // nvcc's -x applies to all inputs. As tcc, like GCC's, it applies to those that follow.
  StringRef language = ctx.asNvcc ? ctx.args.getLastArgValue(OPT_x) : StringRef();
  const Arg *ccbin = nullptr;
  for (const Arg *arg : ctx.args) {
    const Option option = arg->getOption();
    ArgStringList strings;
    if (option.matches(OPT_INPUT)) {
      addInput(ctx, arg->getValue(), language);
    } else if (option.matches(OPT_host_link)) {
      bool isOutput = false;
      for (StringRef word : drop_begin(arg->getValues()))
        if (!std::exchange(isOutput, word == "-o") && !isOutput)
          ctx.linkLine.push_back({word.str()});
    } else if (option.matches(OPT_x)) {
      if (!ctx.asNvcc)
        language = arg->getValue();
    } else if (option.matches(OPT_Xcompiler_EQ)) {
      for (const char *part : splitAtCommas(arg))
        if (StringRef(part).starts_with("-Wl,"))
          ctx.linkLine.push_back({part}); // applies to the items that follow
        else if (StringRef(part) != "-S" || !ctx.asNvcc) // selectStage() has read it
          ctx.hostArgs.push_back(part);
    } else if (option.matches(OPT_Xlinker_EQ)) {
      for (const char *part : splitAtCommas(arg)) {
        ctx.linkLine.push_back({"-Xlinker"});
        ctx.linkLine.push_back({part});
      }
    } else if (option.matches(OPT_ccbin_EQ)) {
      ccbin = arg;
    } else if (option.matches(OPT_m_EQ)) {
      if (StringRef(arg->getValue()) != "64")
        Error(ctx) << asWritten(ctx.args, *arg) << ": tcc compiles for 64 bits";
    } else if (option.matches(OPT_noeh)) {
      ctx.hostArgs.push_back("-fno-exceptions");
    } else if (option.matches(OPT_rt_EQ) || option.matches(OPT_Xarchive_EQ) || option.matches(OPT_archiver_binary_EQ)) {
      continue; // planLink() and planArchive() read them
    } else if (option.matches(OPT_fsanitize_EQ)) {
      // "tile" is ours; the host compiler handles the other kinds.
      SmallVector<StringRef> kinds(split(arg->getValue(), ','));
      ctx.cpuChecks |= is_contained(kinds, "tile");
      llvm::erase(kinds, "tile");
      if (!kinds.empty())
        ctx.hostArgs.push_back("-fsanitize=" + join(kinds, ","));
    } else if (option.matches(OPT_HostGroup) || option.matches(OPT_DependencyGroup)) {
      render(ctx.args, *arg, strings);
      append_range(ctx.hostArgs, strings);
    } else if (option.matches(OPT_LinkGroup) || option.matches(OPT_shared)) {
      render(ctx.args, *arg, strings);
      for (const char *string : strings)
        ctx.linkLine.push_back({string});
    }
  }
  if (ccbin)
    append_range(ctx.hostArgs, argumentsOfHostCompiler(ctx, ccbin->getValue()));
  dropOptionsOfGcc(ctx);
}

//===--- parsing --------------------------------------------------------------------------------------------------===//

Context::Context(int argc, char **argv) {
  programName = argv[0];
  asNvcc = isNameOfNvcc(programName);
  asTileiras = isNameOfTileiras(programName);
  if (asTileiras)
    speakAsTileiras();
  static int anchor;
  programPath = sys::fs::getMainExecutable(argv[0], &anchor);
}

/// Reports an Error for a value that Options.td does not list.
static void checkValue(Context &ctx, unsigned option) {
  const Arg *arg = ctx.args.getLastArg(option);
  std::vector<std::string> values = valuesOf(option);
  if (!arg || is_contained(values, StringRef(arg->getValue())))
    return;
  Error(ctx) << "--" << arg->getOption().getName().rtrim('=') << ": '" << arg->getValue() << "' is not "
             << join(drop_end(values), ", ") << " or " << values.back();
}

/// Reads a boolean option, if given.
static void parseBool(Context &ctx, opt::OptSpecifier id, bool &value) {
  const Arg *arg = ctx.args.getLastArg(id);
  if (!arg)
    return;
  StringRef text = arg->getValue();
  if (text != "true" && text != "false")
    Error(ctx) << arg->getAsString(ctx.args) << ": neither true nor false";
  value = text == "true";
}

/// As in nvcc, -use_fast_math implies other options, and explicit ones win.
static FloatOptions parseFloatOptions(Context &ctx) {
  FloatOptions floats;
  floats.fastMath = floats.ftz = ctx.args.hasArg(OPT_use_fast_math);
  parseBool(ctx, OPT_fmad_EQ, floats.fmad);
  parseBool(ctx, OPT_ftz_EQ, floats.ftz);
  parseBool(ctx, OPT_prec_div_EQ, floats.precDiv);
  parseBool(ctx, OPT_prec_sqrt_EQ, floats.precSqrt);
  return floats;
}

static void readKernelAttribute(Context &ctx, const KernelAttribute &attribute, const Arg &arg) {
  int number = 1;
  if (attribute.most && (StringRef(arg.getValue()).getAsInteger(10, number) || !attribute.isValid(number)))
    Error(ctx) << arg.getAsString(ctx.args) << ": not " << attribute.getRange();
  ctx.kernelOptions.*attribute.member = number;
  for (const Input &input : ctx.inputs)
    if (input.kind == InputKind::TileSource && attribute.isForIRAlone)
      Error(ctx) << arg.getSpelling() << " is for inputs of IR; in " << input.path << ", write [["
                 << attribute.getScopedName()
                 << (attribute.most ? "(" + std::string(arg.getValue()) + ")" : std::string()) << "]]";
    else if (input.kind == InputKind::TTGIR)
      Error(ctx) << arg.getSpelling() << ": the layouts of " << input.path << " were made for its own value";
}

/// --num-warps and related options: the defaults for kernels without attributes such as [[tt::num_warps]].
static void readKernelAttributes(Context &ctx) {
  for (const KernelAttribute &attribute : kernelAttributes) {
    const Arg *last = nullptr;
    for (const Arg *arg : ctx.args)
      if (StringRef name = arg->getOption().getName(); name.rtrim('=') == StringRef(attribute.getOption()).ltrim('-'))
        last = arg;
    if (last)
      readKernelAttribute(ctx, attribute, *last);
  }
}

/// Returns true if Ninja runs this process, directly or through a shell. Ninja already starts one compiler per core. So
/// does make, but its jobserver says how many more threads may run.
static bool isRunByNinja() {
  pid_t parent = getppid();
  for (int generation = 0; generation < 2 && parent > 1; ++generation) {
    // "12 (ninja) S 11 ..."
    auto stat = MemoryBuffer::getFileAsStream("/proc/" + Twine(parent) + "/stat");
    if (!stat)
      return false;
    auto [before, after] = (*stat)->getBuffer().rsplit(')');
    if (before.ends_with("(ninja"))
      return true;
    StringRef rest = after.drop_front(std::min<size_t>(3, after.size())); // skips the state and the blanks around it
    if (rest.consumeInteger(10, parent))
      return false;
  }
  return false;
}

/// Reports nvcc options that tcc does not implement; NvccOptions.td gives the reasons.
static void checkUnusedOptions(Context &ctx) {
  bool warns =
      !ctx.args.hasArg(OPT_w) && !is_contained(ctx.args.getAllArgValues(OPT_W), "no-unused-command-line-argument");
  for (const Arg *arg : ctx.args) {
    const char *why = optionTable().getOptionHelpText(arg->getOption().getID());
    if (arg->getOption().matches(OPT_RefusedGroup))
      Error(ctx) << asWritten(ctx.args, *arg) << ": " << why;
    else if (arg->getOption().matches(OPT_IgnoredGroup) && warns)
      Warning(ctx) << asWritten(ctx.args, *arg) << " is ignored: " << why << " [-Wunused-command-line-argument]";
  }
}

/// At a device link, -dlto applies to objects that contain code for it. Sources cannot be compiled with it.
static void checkLinkTimeOptimization(Context &ctx) {
  const Arg *arg = ctx.args.getLastArg(OPT_dlto);
  if (arg && any_of(ctx.inputs, [](const Input &input) { return input.kind == InputKind::TileSource; }))
    Error(ctx) << asWritten(ctx.args, *arg)
               << ": optimizing across objects when device code is linked is not available";
}

/// Decides whether and where intermediate files are kept.
static void chooseKept(Context &ctx) {
  const Arg *arg = ctx.args.getLastArg(OPT_keep, OPT_save_temps, OPT_save_temps_EQ, OPT_keep_dir_EQ);
  ctx.keep = arg;
  if (!arg || arg->getNumValues() == 0)
    return;
  StringRef value = arg->getValue();
  if (arg->getOption().matches(OPT_keep_dir_EQ)) {
    ctx.keepDir = value.str();
    if (!sys::fs::is_directory(ctx.keepDir))
      Error(ctx) << "--keep-dir: '" << ctx.keepDir << "' is not a folder";
  } else if (value == "obj") {
    ctx.keepDir = sys::path::parent_path(ctx.output).str();
  } else if (value != "cwd") {
    Error(ctx) << "-save-temps: '" << value << "' is neither obj nor cwd";
  }
}

/// Loads the back ends that TILECC_BACKENDS and --load-backend name.
static void loadBackends(Context &ctx) {
  auto load = [&](StringRef path, StringRef option) {
    if (llvm::Error error = loadBackend(path))
      Error(ctx) << option << ": " << path << " " << toString(std::move(error));
  };
  const char *variable = secure_getenv("TILECC_BACKENDS");
  for (StringRef path : split(variable ? variable : "", ':'))
    if (!path.empty())
      load(path, "TILECC_BACKENDS");
  for (const std::string &path : ctx.args.getAllArgValues(OPT_load_backend_EQ))
    load(path, "--load-backend");
}

void parseCommandLine(Context &ctx, int argc, char **argv) {
  SmallVector<const char *> words(argv + 1, argv + argc);
  if (ctx.asTileiras)
    words = translateTileirasOptions(ctx, words);
  ctx.args = readArguments(ctx, words);
  loadBackends(ctx); // other options may name their targets and stages
  readRemappedFiles(ctx);
  checkUnusedOptions(ctx);

  sortArguments(ctx);
  checkLinkTimeOptimization(ctx);
  selectStage(ctx);
  if (ctx.stage == Stage::Preprocess && ctx.args.hasArg(OPT_v))
    ctx.hostArgs.push_back("-v"); // prints the search folders, which tools ask for
  ctx.output = ctx.args.getLastArgValue(OPT_o).str();
  ctx.tileOnly = ctx.args.hasArg(OPT_tile_only, OPT_tilecubin, OPT_tilefatbin);
  ctx.kernelFilter = ctx.args.getLastArgValue(OPT_kernel_EQ).str();
  ctx.variantFilter = ctx.args.getLastArgValue(OPT_variant_EQ).str();
  if (ctx.args.hasArg(OPT_profile_EQ) && ctx.stage != Stage::Html)
    Error(ctx) << "--profile=<file> is shown by --emit=html only";
  if (!ctx.variantFilter.empty() && ctx.variantFilter != "all" && !is_contained(variantNames, ctx.variantFilter))
    Error(ctx) << "--variant: '" << ctx.variantFilter << "' is not a variant; it is " << join(variantNames, ", ")
               << " or all";
  ctx.dryRun = ctx.args.hasArg(OPT_dryrun);
  ctx.verbose = ctx.args.hasArg(OPT_v);
  ctx.timeFile = ctx.args.getLastArgValue(OPT_time_EQ).str();
  ctx.outputDir = ctx.args.getLastArgValue(OPT_odir_EQ).str();
  if (!ctx.outputDir.empty() && !sys::fs::is_directory(ctx.outputDir))
    Error(ctx) << "-odir: '" << ctx.outputDir << "' is not a folder";
  chooseKept(ctx);
  if (const Arg *arg = ctx.args.getLastArg(OPT_t); !arg)
    ctx.threads = isRunByNinja() || findJobserver() == Jobserver::IsClosed ? 1 : 0;
  else if (StringRef(arg->getValue()).getAsInteger(10, ctx.threads))
    Error(ctx) << arg->getAsString(ctx.args) << ": not a number of threads";
  ctx.floats = parseFloatOptions(ctx);
  ctx.staticShared = ctx.args.hasArg(OPT_static_shared);
  // A page shows the code of objects.
  ctx.tensorMaps =
      hasHostCode(ctx.stage) || is_contained({Stage::Html, Stage::Annotations}, ctx.stage) || ctx.staticShared;
  parseBool(ctx, OPT_tensor_maps_EQ, ctx.tensorMaps);
  if (ctx.tensorMaps && ctx.stage == Stage::CLauncher && !ctx.staticShared)
    Error(ctx)
        << "--tensor-maps=true: the functions of --emit=c-launcher cannot make tensor maps, only the runtime can";
  if (const Arg *arg = ctx.args.getLastArg(OPT_dc, OPT_dw, OPT_rdc_EQ))
    ctx.relocatable = arg->getOption().matches(OPT_dc) ||
                      (arg->getOption().matches(OPT_rdc_EQ) && StringRef(arg->getValue()) == "true");
  // As in nvcc, -G -dopt=on means optimized code with line numbers.
  ctx.deviceDebug = ctx.args.hasArg(OPT_G) && !ctx.args.hasArg(OPT_dopt_EQ);
  ctx.lineInfo = ctx.args.hasArg(OPT_lineinfo, OPT_G) || ctx.stage == Stage::Html;
  for (unsigned option : {OPT_cudart_EQ, OPT_rt_EQ, OPT_default_stream_EQ, OPT_compress_mode_EQ})
    checkValue(ctx, option);
  selectHostTarget(ctx);
  if (const Arg *arg = ctx.args.getLastArg(OPT_reproduce_pass_EQ)) {
    unsigned pass = 0;
    if (StringRef(arg->getValue()).getAsInteger(10, pass))
      Error(ctx) << "--reproduce-pass: '" << arg->getValue() << "' is not the number of a pass";
    ctx.reproducedPass = pass;
  }
  readKernelAttributes(ctx);
  checkTileWarnings(ctx);
}

} // namespace tilecc
