//===- Options.cpp - from the command line to a Context -------------------------------------------------------------===//
//
// The first step of main(): everything that can be wrong with a command line without looking into files is said here.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "driver/Options.h"
#include "driver/AsNvcc.h"
#include "driver/Images.h"
#include "driver/Context.h"
#include "driver/TileWarnings.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;
using namespace llvm::opt;

namespace tilecc {

//===--- the table --------------------------------------------------------------------------------------------------===//

#define OPTTABLE_STR_TABLE_CODE
#include "driver/Options.inc"
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "driver/Options.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

namespace {
using namespace options;
constexpr OptTable::Info optionInfos[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "driver/Options.inc"
#undef OPTION
};

class DriverOptions : public GenericOptTable {
public:
  DriverOptions() : GenericOptTable(OptionStrTable, OptionPrefixesTable, optionInfos) {}
};

const DriverOptions &table() {
  static const DriverOptions options;
  return options;
}
} // namespace

//===--- inputs -----------------------------------------------------------------------------------------------------===//

static std::optional<InputKind> kindOfLanguage(StringRef language) {
  return StringSwitch<std::optional<InputKind>>(language)
      .Cases({"tile", "cu", "cuda"}, InputKind::TileSource)
      .Cases({"ttir", "mlir"}, InputKind::TTIR)
      .Case("ttgir", InputKind::TTGIR)
      .Case("ptx", InputKind::PTX)
      .Cases({"c", "c++", "cpp-output", "c++-cpp-output", "c++-header", "c-header", "assembler", "assembler-with-cpp", "ir"},
             InputKind::HostSource)
      .Default(std::nullopt);
}

static InputKind kindOfFile(StringRef path) {
  if (path.ends_with(".tt.cpp") || path.ends_with(".tt.cc") || path.ends_with(".tt.cxx") || path.ends_with(".cu"))
    return InputKind::TileSource;
  return StringSwitch<InputKind>(sys::path::extension(path))
      .Case(".ttir", InputKind::TTIR)
      .Case(".ttgir", InputKind::TTGIR)
      .Case(".ptx", InputKind::PTX)
      .Case(".cubin", InputKind::Cubin)
      .Case(".fatbin", InputKind::Fatbin)
      .Cases({".cpp", ".cc", ".cxx", ".C", ".c++", ".cp", ".CPP", ".c"}, InputKind::HostSource)
      .Cases({".s", ".S", ".i", ".ii", ".ll", ".bc"}, InputKind::HostSource)
      .Default(InputKind::Linkable);
}

static void addInput(Context &ctx, StringRef path, StringRef language) {
  Input input{path.str(), kindOfFile(path)};
  if (path == "-" && language.empty()) {
    Error(ctx) << "-: say what standard input holds, with -x tile, -x c++, ...";
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
    return; // a question, which answerAsNvcc() answers
  if (path != "-" && !sys::fs::exists(path)) {
    Error(ctx) << path << ": no such file";
    return;
  }
  // Two inputs of one name in different folders have intermediate files of different names.
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

//===--- the stage --------------------------------------------------------------------------------------------------===//

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
  choose(OPT_dlink, Stage::DeviceLink);
  choose(OPT_E, Stage::Preprocess);
  choose(OPT_M, Stage::Dependencies);
  choose(OPT_MM, Stage::Dependencies);
  choose(OPT_S, Stage::HostAsm);
  choose(OPT_ptx, Stage::PTX);
  choose(OPT_cubin, Stage::Cubin);
  choose(OPT_fatbin, Stage::Fatbin);
  if (const Arg *arg = ctx.args.getLastArg(OPT_emit_EQ)) {
    std::optional<Stage> stage = stageCalled(arg->getValue());
    if (!stage) {
      Error(ctx) << "--emit: '" << arg->getValue() << "' is not a stage; it is one of " << stageNames();
      return;
    }
    choose(OPT_emit_EQ, *stage);
  }
  // As in Clang it does not matter where it stands, and -E and -M do less.
  if (ctx.args.hasArg(OPT_fsyntax_only) && ctx.stage != Stage::Preprocess && ctx.stage != Stage::Dependencies)
    ctx.stage = Stage::Syntax;
}

//===--- inputs, and what Clang and the linker get ------------------------------------------------------------------===//

/// -Xlinker a,b: nvcc splits these at commas, and what is left is read by a shell.
static SmallVector<const char *> splitAtCommas(const Arg *arg) {
  static BumpPtrAllocator allocator;
  StringSaver saver(allocator);
  SmallVector<const char *> parts;
  for (StringRef part : split(arg->getValue(), ','))
    cl::TokenizeGNUCommandLine(part, saver, parts);
  return parts;
}

/// One walk over the command line, because the order of inputs and of what the linker gets between them counts.
static void sortArguments(Context &ctx) {
  StringRef language;
  for (const Arg *arg : ctx.args) {
    const Option option = arg->getOption();
    ArgStringList strings;
    if (option.matches(OPT_INPUT)) {
      addInput(ctx, arg->getValue(), language);
    } else if (option.matches(OPT_x)) {
      language = arg->getValue();
    } else if (option.matches(OPT_Xcompiler)) {
      for (const char *part : splitAtCommas(arg))
        ctx.hostArgs.push_back(part);
    } else if (option.matches(OPT_Xlinker)) {
      for (const char *part : splitAtCommas(arg)) {
        ctx.linkLine.push_back({"-Xlinker"});
        ctx.linkLine.push_back({part});
      }
    } else if (option.matches(OPT_rt_EQ)) {
      continue; // link() reads it
    } else if (option.matches(OPT_HostGroup) || option.matches(OPT_DependencyGroup)) {
      arg->render(ctx.args, strings);
      append_range(ctx.hostArgs, strings);
    } else if (option.matches(OPT_LinkGroup) || option.matches(OPT_shared)) {
      arg->render(ctx.args, strings);
      for (const char *string : strings)
        ctx.linkLine.push_back({string});
    }
  }
}

//===--- parsing ----------------------------------------------------------------------------------------------------===//

Context::Context(int argc, char **argv) {
  programName = argv[0];
  asNvcc = isNameOfNvcc(programName);
  static int anchor;
  programPath = sys::fs::getMainExecutable(argv[0], &anchor);
}

/// Reads an option of true or false, if it is there.
static void parseBool(Context &ctx, opt::OptSpecifier id, bool &value) {
  const Arg *arg = ctx.args.getLastArg(id);
  if (!arg)
    return;
  StringRef text = arg->getValue();
  if (text != "true" && text != "false")
    Error(ctx) << arg->getAsString(ctx.args) << ": neither true nor false";
  value = text == "true";
}

/// As in nvcc, -use_fast_math stands for others, and those beside it win.
static FloatOptions parseFloatOptions(Context &ctx) {
  FloatOptions floats;
  floats.fastMath = floats.ftz = ctx.args.hasArg(OPT_use_fast_math);
  parseBool(ctx, OPT_fmad_EQ, floats.fmad);
  parseBool(ctx, OPT_ftz_EQ, floats.ftz);
  parseBool(ctx, OPT_prec_div_EQ, floats.precDiv);
  parseBool(ctx, OPT_prec_sqrt_EQ, floats.precSqrt);
  return floats;
}

/// --num-warps and its kin: what kernels are compiled with that do not say it themselves, as [[tt::num_warps]] in a source.
static void readKernelAttributes(Context &ctx) {
  auto read = [&](opt::OptSpecifier id, unsigned most, bool isPowerOfTwo, std::optional<unsigned> &value) {
    const Arg *arg = ctx.args.getLastArg(id);
    if (!arg)
      return;
    unsigned number = 0;
    if (StringRef(arg->getValue()).getAsInteger(10, number) || number < 1 || number > most ||
        (isPowerOfTwo && !isPowerOf2_32(number)))
      Error(ctx) << arg->getAsString(ctx.args) << ": not a " << (isPowerOfTwo ? "power of two" : "number") << " from 1 to "
                 << most;
    value = number;
    for (const Input &input : ctx.inputs)
      if (input.kind == InputKind::TileSource && id == OPT_num_ctas_EQ)
        Error(ctx) << arg->getSpelling() << " is for inputs of IR; " << input.path << " says it with [[tt::num_ctas("
                   << arg->getValue() << ")]]";
      else if (input.kind == InputKind::TTGIR)
        Error(ctx) << arg->getSpelling() << ": the layouts of " << input.path << " have been made for what it says itself";
  };
  read(OPT_num_warps_EQ, 32, /*isPowerOfTwo=*/true, ctx.numWarps);
  read(OPT_num_stages_EQ, 64, /*isPowerOfTwo=*/false, ctx.numStages);
  read(OPT_num_ctas_EQ, 16, /*isPowerOfTwo=*/true, ctx.numCtas);
}

void parseCommandLine(Context &ctx, int argc, char **argv) {
  // Response files, as in GNU tools: @file stands for the arguments in it.
  static BumpPtrAllocator allocator;
  SmallVector<const char *, 64> expanded(argv + 1, argv + argc);
  cl::ExpansionContext expansion(allocator, cl::TokenizeGNUCommandLine);
  if (llvm::Error error = expansion.expandResponseFiles(expanded)) {
    Error(ctx) << toString(std::move(error));
    return;
  }
  if (ctx.asNvcc)
    translateNvccArguments(ctx, expanded);

  unsigned missingIndex, missingCount;
  ctx.args = table().ParseArgs(expanded, missingIndex, missingCount);
  if (missingCount)
    Error(ctx) << ctx.args.getArgString(missingIndex) << " needs " << (missingCount == 1 ? "an argument" : "arguments");
  for (const Arg *arg : ctx.args.filtered(OPT_UNKNOWN)) {
    if (ctx.args.hasArg(OPT_forward_unknown_to_host_compiler)) {
      ctx.hostArgs.push_back(arg->getAsString(ctx.args));
      continue;
    }
    std::string spelling = arg->getAsString(ctx.args), nearest;
    if (table().findNearest(spelling, nearest) <= 2)
      Error(ctx) << "unknown option '" << spelling << "'; did you mean '" << nearest << "'?";
    else
      Error(ctx) << "unknown option '" << spelling << "'; host compiler options that tcc does not know go through "
                 << "-Xcompiler";
  }

  sortArguments(ctx);
  selectStage(ctx);
  ctx.output = ctx.args.getLastArgValue(OPT_o).str();
  ctx.kernelFilter = ctx.args.getLastArgValue(OPT_kernel_EQ).str();
  ctx.variantFilter = ctx.args.getLastArgValue(OPT_variant_EQ).str();
  if (!ctx.variantFilter.empty() && !is_contained({"a16", "p16", "generic", "all"}, ctx.variantFilter))
    Error(ctx) << "--variant: '" << ctx.variantFilter << "' is not a variant; it is a16, p16, generic or all";
  ctx.dryRun = ctx.args.hasArg(OPT_dryrun);
  ctx.verbose = ctx.args.hasArg(OPT_v);
  ctx.time = ctx.args.hasArg(OPT_time);
  ctx.keepDir = ctx.args.getLastArgValue(OPT_keep_dir_EQ).str();
  ctx.keep = ctx.args.hasArg(OPT_keep) || !ctx.keepDir.empty();
  if (!ctx.keepDir.empty() && !sys::fs::is_directory(ctx.keepDir))
    Error(ctx) << "--keep-dir: '" << ctx.keepDir << "' is not a folder";
  if (const Arg *arg = ctx.args.getLastArg(OPT_t); arg && StringRef(arg->getValue()).getAsInteger(10, ctx.threads))
    Error(ctx) << arg->getAsString(ctx.args) << ": not a number of threads";
  ctx.floats = parseFloatOptions(ctx);
  ctx.tensorMaps = hasHostCode(ctx.stage);
  parseBool(ctx, OPT_tensor_maps_EQ, ctx.tensorMaps);
  if (ctx.args.hasArg(OPT_dlto))
    Error(ctx) << "-dlto: optimizing across objects when device code is linked is not available";
  ctx.relocatable = ctx.args.hasArg(OPT_dc) || ctx.args.getLastArgValue(OPT_rdc_EQ) == "true";
  if (const Arg *arg = ctx.args.getLastArg(OPT_cudart_EQ);
      arg && !is_contained({"static", "shared", "none"}, StringRef(arg->getValue())))
    Error(ctx) << "--cudart: '" << arg->getValue() << "' is not static, shared or none";
  if (const Arg *arg = ctx.args.getLastArg(OPT_default_stream_EQ);
      arg && !is_contained({"legacy", "null", "per-thread"}, StringRef(arg->getValue())))
    Error(ctx) << "--default-stream: '" << arg->getValue() << "' is not legacy, null or per-thread";
  if (const Arg *arg = ctx.args.getLastArg(OPT_compress_mode_EQ);
      arg && !is_contained({"default", "size", "speed", "balance", "none"}, StringRef(arg->getValue())))
    Error(ctx) << "--compress-mode: '" << arg->getValue() << "' is no mode; it is default, size, speed, balance or none";
  if (const Arg *arg = ctx.args.getLastArg(OPT_cpu_level_EQ);
      arg && !is_contained({"2", "3", "4"}, StringRef(arg->getValue())))
    Error(ctx) << "--cpu-level: '" << arg->getValue() << "' is no level of x86-64; it is 2, 3 or 4";
  else if (arg)
    StringRef(arg->getValue()).getAsInteger(10, ctx.cpuLevel);
  if (const Arg *arg = ctx.args.getLastArg(OPT_reproduce_pass_EQ)) {
    unsigned pass = 0;
    if (StringRef(arg->getValue()).getAsInteger(10, pass))
      Error(ctx) << "--reproduce-pass: '" << arg->getValue() << "' is not the number of a pass";
    ctx.reproducedPass = pass;
  }
  readKernelAttributes(ctx);
  checkTileWarnings(ctx);
}

bool answerQuestions(Context &ctx) {
  if (ctx.asNvcc && answerAsNvcc(ctx))
    return true;
  if (ctx.args.hasArg(OPT_help)) {
    table().printHelp(outs(), "tcc [options] file...",
                      "tcc compiles C++ sources that mix host code, tile kernels (.tt.cpp) and SIMT kernels (.cu), and links them.");
    return true;
  }
  if (ctx.args.hasArg(OPT_version)) {
    outs() << "tcc " TILECC_VERSION "\nLLVM " LLVM_VERSION_STRING "\n";
    if (ctx.cuda.hasPtxas())
      outs() << "CUDA toolkit " << ctx.cuda.version(ctx) << " in " << ctx.cuda.path << "\n";
    else
      outs() << "no CUDA toolkit: kernels are embedded as PTX\n";
    return true;
  }
  return false;
}

} // namespace tilecc
