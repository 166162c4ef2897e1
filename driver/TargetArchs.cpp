//===- TargetArchs.cpp - -arch and -gencode -----------------------------------------------------------------------===//
//
// Selects the targets of a run; main() calls this code as one of its first steps. The back ends define the set of
// architectures.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/TargetArchs.h"
#include "driver/Context.h"
#include "driver/Diagnostics.h"
#include "driver/OptionIds.h"
#include "targets/Registry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <dlfcn.h>

using namespace llvm;

namespace tilecc {

const GpuBackend &cudaBackend() {
  static const GpuBackend &backend = *Target::parse("sm_80")->backend->asGpu();
  return backend;
}

std::string getPtxName(const Target &arch) { return "compute_" + arch.name.substr(strlen("sm_")); }

static Target archOf(unsigned number) { return {&cudaBackend(), "sm_" + std::to_string(number)}; }
static unsigned numberOf(const Target &arch) { return cudaBackend().getRank(arch).generation; }
static bool isPortable(const Target &arch) { return cudaBackend().getPortableTarget(arch) == arch; }
/// Returns true if code for `arch` without its suffix is compiled for `arch`, as code for sm_90 is compiled for sm_90a.
static bool isForSameCode(const Target &arch) {
  return cudaBackend().getCodeTarget(cudaBackend().getPortableTarget(arch)) == arch;
}
static bool isOlder(const TargetArch &a, const TargetArch &b) {
  return cudaBackend().getRank(a.arch) < cudaBackend().getRank(b.arch);
}

static const Target &oldest() {
  static const Target oldest = cudaBackend().listTargets().front();
  return oldest;
}
static bool isTooOld(const Target &arch) { return numberOf(arch) < numberOf(oldest()); }

/// Returns true for the only architecture that the toolkit supports for SIMT code and tcc does not support for tile
/// kernels.
static bool isOfSimtAlone(const Target &arch) { return arch == archOf(75); }

/// Returns true if every input is SIMT code or already has GPU code. There may then be no tile kernels, which need
/// newer GPUs.
static bool mayBeSimtAlone(const Context &ctx) {
  return all_of(ctx.inputs, [](const Input &input) {
    return input.simt || is_contained({InputKind::HostSource, InputKind::Linkable}, input.kind);
  });
}

/// Parses "sm_90a" or "compute_90a" with the given prefix. Reports an error for anything else.
static std::optional<Target> parseArch(Context &ctx, StringRef option, StringRef text, StringRef prefix) {
  StringRef suffix = text;
  unsigned number = 0;
  if (!suffix.consume_front(prefix) || suffix.consumeInteger(10, number) || !is_contained({"", "a", "f"}, suffix)) {
    Error(ctx) << option << ": '" << text << "' is not an architecture; write " << prefix << "80, " << prefix
               << "90, ...";
    return {};
  }
  Target arch = archOf(number);
  arch.name += suffix;
  if (isOfSimtAlone(arch) && mayBeSimtAlone(ctx))
    return arch;
  if (isTooOld(arch)) {
    Error(ctx) << option << ": tile kernels need " << oldest().name << " or newer, not " << text;
    return {};
  }
  if (!cudaBackend().hasTarget(arch.name)) {
    Error(ctx) << option << ": '" << text << "' is not an architecture this tcc knows ("
               << cudaBackend().describeTargets() << ")";
    return {};
  }
  return arch;
}

/// -arch=native: asks the CUDA driver for the GPUs of this machine.
static std::vector<Target> nativeArchs() {
  std::vector<Target> archs;
  void *lib = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!lib)
    return archs;
  auto init = reinterpret_cast<int (*)(unsigned)>(dlsym(lib, "cuInit"));
  auto count = reinterpret_cast<int (*)(int *)>(dlsym(lib, "cuDeviceGetCount"));
  auto attribute = reinterpret_cast<int (*)(int *, int, int)>(dlsym(lib, "cuDeviceGetAttribute"));
  constexpr int computeCapabilityMajor = 75, computeCapabilityMinor = 76;
  int devices = 0;
  if (!init || !count || !attribute || init(0) || count(&devices))
    return archs;
  for (int device = 0; device < devices; ++device) {
    int major = 0, minor = 0;
    if (!attribute(&major, computeCapabilityMajor, device) && !attribute(&minor, computeCapabilityMinor, device))
      archs.push_back(archOf(major * 10 + minor));
  }
  return archs;
}

static TargetArch &findOrAdd(TargetArchs &targets, const Target &arch) {
  auto it = find_if(targets, [&](const TargetArch &t) { return t.arch == arch; });
  return it == targets.end() ? targets.emplace_back(TargetArch{arch}) : *it;
}

static void addCode(TargetArchs &targets, const Target &arch) {
  findOrAdd(targets, cudaBackend().getCodeTarget(arch)).cubin = true;
}

static void addPtx(TargetArchs &targets, const Target &arch) { findOrAdd(targets, arch).ptx = true; }

/// Adds the targets of -gencode arch=compute_80,code=[sm_80,compute_80].
static void addGencode(Context &ctx, TargetArchs &targets, StringRef text) {
  StringRef rest = text, compute, code;
  if (!rest.consume_front("arch=")) {
    Error(ctx) << "-gencode: write arch=compute_XX,code=sm_XX, not '" << text << "'";
    return;
  }
  std::tie(compute, rest) = rest.split(',');
  code = rest;
  if (code.empty())
    code = compute;
  else if (!code.consume_front("code=")) {
    Error(ctx) << "-gencode: expected code= after arch=" << compute << ", not '" << rest << "'";
    return;
  }
  auto virtualArch = parseArch(ctx, "-gencode", compute, "compute_");
  if (!virtualArch)
    return;
  if (code.consume_front("[") && !code.consume_back("]")) {
    Error(ctx) << "-gencode: '[' without ']' in '" << text << "'";
    return;
  }
  SmallVector<StringRef> codes;
  code.split(codes, ',');
  for (StringRef item : codes) {
    item = item.trim("\"'");
    bool isPtx = item.starts_with("compute_");
    auto arch = parseArch(ctx, "-gencode", item, isPtx ? "compute_" : "sm_");
    if (!arch)
      continue;
    if (numberOf(*arch) < numberOf(*virtualArch))
      Error(ctx) << "-gencode: " << item << " cannot run code for " << compute;
    // Kernels are lowered separately for each target, so code is made for the named GPU and never for an older arch=.
    isPtx ? addPtx(targets, *arch) : addCode(targets, *arch);
  }
}

/// Adds the targets of -arch=all and all-major: code for every architecture, or for the first of each generation, and
/// PTX for the newest.
static void addAll(Context &ctx, TargetArchs &targets, StringRef text) {
  Target newest = oldest();
  std::vector<std::string> unknown;
  if (mayBeSimtAlone(ctx))
    addCode(targets, archOf(75));
  for (const Target &arch : cudaBackend().listTargets()) {
    if (!isPortable(arch) || (text == "all-major" && numberOf(arch) % 10 != 0))
      continue;
    if (ctx.cuda.hasPtxas() && !ctx.cuda.assembles(arch))
      unknown.push_back(arch.name);
    else
      addCode(targets, newest = arch);
  }
  addPtx(targets, newest);
  if (!unknown.empty())
    Warning(ctx) << "-arch=" << text << ": omits " << join(unknown, ", ") << ", because " << ctx.cuda.ptxas
                 << " is too old for them; install a newer CUDA toolkit";
}

/// Returns the back end of another vendor whose targets begin with the same letters as `text`; null if there is none.
static const GpuBackend *findOtherBackend(StringRef text) {
  auto letters = [](StringRef name) { return name.take_while(isAlpha); };
  for (const Backend *backend : allBackends())
    if (const GpuBackend *gpu = backend->asGpu(); gpu && gpu != &cudaBackend())
      if (letters(gpu->listTargets().front().name) == letters(text))
        return gpu;
  return nullptr;
}

static void addArch(Context &ctx, TargetArchs &targets, StringRef text) {
  if (text == "all" || text == "all-major") {
    addAll(ctx, targets, text);
  } else if (text == "native") {
    auto archs = nativeArchs();
    if (archs.empty())
      Warning(ctx) << "-arch=native: no GPU was found on this machine; compiling for the default architectures";
    for (const Target &arch : archs)
      if (!isTooOld(arch) || (isOfSimtAlone(arch) && mayBeSimtAlone(ctx)))
        addCode(targets, arch);
      else
        Error(ctx) << "-arch=native: tile kernels need " << oldest().name << " or newer, not this machine's "
                   << arch.name;
  } else if (std::optional<Target> target = Target::parse(text);
             target && target->isGpu() && !text.starts_with("sm_")) {
    if (!is_contained(ctx.portableTargets, *target))
      ctx.portableTargets.push_back(*target);
  } else if (text.starts_with("compute_")) {
    if (auto arch = parseArch(ctx, "-arch", text, "compute_"))
      addPtx(targets, *arch);
  } else if (text.starts_with("cpu")) {
    Error(ctx) << "-arch: '" << text << "' is not a GPU; every object has code for CPUs, and --cpu-level=<level> "
               << "selects one level of it";
  } else if (const GpuBackend *other = findOtherBackend(text)) {
    Error(ctx) << "-arch: '" << text << "' is not a GPU that this tcc knows (" << other->describeTargets() << ")";
  } else if (auto arch = parseArch(ctx, "-arch", text, "sm_")) {
    addCode(targets, *arch);
    // Here sm_90a means the same as sm_90. PTX for compute_90a would run only where the code already runs.
    addPtx(targets, isForSameCode(*arch) ? cudaBackend().getPortableTarget(*arch) : *arch);
  }
}

/// Returns the targets of SIMT code, derived from those of tile kernels: sm_90 if tile kernels have replaced it by
/// sm_90a.
static TargetArchs targetsOfSimtCode(Context &ctx, const TargetArchs &tileTargets) {
  auto isNamed = [&](const Target &arch) {
    return any_of(ctx.args, [&](const opt::Arg *arg) {
      return arg->getOption().matches(options::OPT_TargetGroup) && StringRef(arg->getValue()).contains(arch.name);
    });
  };
  TargetArchs targets;
  for (const TargetArch &target : tileTargets) {
    bool isStandIn = target.cubin && !isNamed(target.arch) && isForSameCode(target.arch);
    TargetArch &own = findOrAdd(targets, isStandIn ? cudaBackend().getPortableTarget(target.arch) : target.arch);
    own.cubin |= target.cubin;
    own.ptx |= target.ptx;
  }
  llvm::sort(targets, isOlder);
  return targets;
}

void selectTargetArchs(Context &ctx) {
  TargetArchs &targets = ctx.targets;
  for (const std::string &text : ctx.args.getAllArgValues(options::OPT_gencode_EQ))
    addGencode(ctx, targets, text);
  for (const std::string &text : ctx.args.getAllArgValues(options::OPT_offload_arch_EQ))
    for (StringRef arch : split(text, ','))
      addArch(ctx, targets, arch.trim());
  const opt::Arg *arch = ctx.args.getLastArg(options::OPT_arch_EQ);
  if (const opt::Arg *code = ctx.args.getLastArg(options::OPT_gpu_code_EQ)) {
    if (arch && StringRef(arch->getValue()).starts_with("compute_"))
      addGencode(ctx, targets, (Twine("arch=") + arch->getValue() + ",code=[" + code->getValue() + "]").str());
    else
      Error(ctx) << "-code needs -arch=compute_XX, which names the PTX that the code is made from";
  } else if (arch) {
    for (StringRef name : split(arch->getValue(), ','))
      addArch(ctx, targets, name.trim());
  }
  if (!ctx.hasGpuTargets() && !ctx.errors) {
    addCode(targets, archOf(80));
    addCode(targets, archOf(90));
    addPtx(targets, archOf(90));
  }
  llvm::sort(targets, isOlder);

  for (const TargetArch &target : targets)
    if (target.cubin && ctx.cuda.hasPtxas() && !ctx.cuda.assembles(target.arch))
      Error(ctx) << ctx.cuda.ptxas << " is too old for " << target.arch.name
                 << "; install a newer CUDA toolkit, or ask for PTX alone with -arch=" << getPtxName(target.arch);

  // Without ptxas there is only PTX, which the CUDA driver compiles when a program loads it. Each target then needs its
  // own PTX.
  if (!ctx.cuda.hasPtxas())
    for (TargetArch &target : targets)
      target.ptx |= std::exchange(target.cubin, false);
  ctx.simtTargets = targetsOfSimtCode(ctx, targets);
  if (ctx.simtTargets.empty() && !ctx.errors && any_of(ctx.inputs, [](const Input &input) { return input.simt; }))
    Error(ctx) << "-arch: SIMT code cannot be compiled for " << ctx.portableTargets.front().str()
               << "; also name a GPU of NVIDIA";
  if (ctx.targets.empty() && !ctx.portableTargets.empty() && isOfNvidia(ctx.stage))
    Error(ctx) << optionFor(ctx.stage) << ": there is none for " << ctx.portableTargets.front().str()
               << "; --emit=" << ctx.portableTargets.front().backend->asGpu()->getAssemblyName() << " writes its code";
  StringRef assembly = portableAssemblyOf(ctx.stage);
  bool hasAssembly = any_of(ctx.portableTargets, [&](const Target &target) {
    return target.backend->asGpu()->getAssemblyName() == assembly;
  });
  if (!assembly.empty() && !hasAssembly && !ctx.errors) {
    auto makes = [&](const Backend *backend) {
      return backend->asGpu() && backend->asGpu()->getAssemblyName() == assembly;
    };
    Error(ctx) << optionFor(ctx.stage) << ": needs -arch= with one of "
               << (*find_if(allBackends(), makes))->describeTargets();
  }
  llvm::erase_if(targets, [](const TargetArch &target) { return isTooOld(target.arch); });
}

std::string nameOfOwnCode(StringRef name) {
  std::string own = name.str() + "a";
  return name.starts_with("sm_") && cudaBackend().hasTarget(own) ? own : name.str();
}

void reportTooOldForTiles(Context &ctx, const Input &input) {
  Error(ctx) << input.path << ": its tile kernels need " << oldest().name << " or newer beside "
             << ctx.simtTargets.front().arch.name;
}

} // namespace tilecc
