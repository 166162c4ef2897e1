//===- TargetArchs.cpp - -arch and -gencode --------------------------------------------------------------------------===//

#include "driver/TargetArchs.h"
#include "driver/Context.h"
#include "driver/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <dlfcn.h>

using namespace llvm;

namespace tilecc {

// What LLVM's NVPTX back end and ptxas 13 both take. Tile kernels need sm_80.
static const GpuArch knownArchs[] = {{80, 0},   {86, 0},    {87, 0},    {88, 0},    {89, 0},   {90, 0},    {90, 'a'},
                                     {100, 0},  {100, 'a'}, {100, 'f'}, {103, 0},   {103, 'a'}, {103, 'f'}, {110, 0},
                                     {110, 'a'}, {110, 'f'}, {120, 0},  {120, 'a'}, {120, 'f'}, {121, 0},  {121, 'a'},
                                     {121, 'f'}};

std::optional<GpuArch> GpuArch::parse(StringRef text) {
  GpuArch arch;
  if (text.consumeInteger(10, arch.number))
    return {};
  if (text == "a" || text == "f")
    arch.suffix = text[0];
  else if (!text.empty())
    return {};
  return arch;
}

/// "sm_90a" or "compute_90a" with the given prefix; an error says what was wrong with it.
static std::optional<GpuArch> parseArch(Context &ctx, StringRef option, StringRef text, StringRef prefix) {
  StringRef digits = text;
  auto arch = digits.consume_front(prefix) ? GpuArch::parse(digits) : std::nullopt;
  if (!arch) {
    Error(ctx) << option << ": '" << text << "' is not an architecture; write " << prefix << "80, " << prefix
               << "90, ...";
    return {};
  }
  if (arch->number < 80) {
    Error(ctx) << option << ": tile kernels need sm_80 or newer, not " << text;
    return {};
  }
  if (!is_contained(knownArchs, *arch)) {
    Error(ctx) << option << ": '" << text << "' is not an architecture this tcc knows ("
               << join(map_range(knownArchs, [](const GpuArch &a) { return a.sm(); }), ", ") << ")";
    return {};
  }
  return arch;
}

/// The GPUs of this machine, asked of the driver: -arch=native.
static std::vector<GpuArch> nativeArchs() {
  std::vector<GpuArch> archs;
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
      archs.push_back({unsigned(major * 10 + minor), 0});
  }
  return archs;
}

static void addTarget(TargetArchs &targets, GpuArch arch, bool cubin, bool ptx) {
  auto it = find_if(targets, [&](const TargetArch &t) { return t.arch == arch; });
  if (it == targets.end())
    it = targets.insert(targets.end(), TargetArch{arch});
  it->cubin |= cubin;
  it->ptx |= ptx;
}

/// arch=compute_80,code=[sm_80,compute_80]
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
    if (arch->number < virtualArch->number)
      Error(ctx) << "-gencode: " << item << " cannot run code for " << compute;
    // Kernels are lowered anew for each target, so code is made for the machine itself, never for an older arch=.
    addTarget(targets, *arch, !isPtx, isPtx);
  }
}

static void addArch(Context &ctx, TargetArchs &targets, StringRef text) {
  if (text == "all" || text == "all-major") {
    for (const GpuArch &arch : knownArchs)
      if (!arch.suffix && (text == "all" || arch.number % 10 == 0))
        addTarget(targets, arch, /*cubin=*/true, /*ptx=*/arch.number == 120);
  } else if (text == "native") {
    auto archs = nativeArchs();
    if (archs.empty())
      Error(ctx) << "-arch=native: no GPU answers on this machine; name one, as in -arch=sm_90";
    for (const GpuArch &arch : archs)
      if (arch.number >= 80)
        addTarget(targets, arch, /*cubin=*/true, /*ptx=*/false);
      else
        Error(ctx) << "-arch=native: tile kernels need sm_80 or newer, not this machine's " << arch.sm();
  } else if (text.starts_with("compute_")) {
    if (auto arch = parseArch(ctx, "-arch", text, "compute_"))
      addTarget(targets, *arch, /*cubin=*/false, /*ptx=*/true);
  } else if (auto arch = parseArch(ctx, "-arch", text, "sm_")) {
    addTarget(targets, *arch, /*cubin=*/true, /*ptx=*/true);
  }
}

TargetArchs selectTargetArchs(Context &ctx) {
  TargetArchs targets;
  for (const std::string &text : ctx.args.getAllArgValues(options::OPT_gencode))
    addGencode(ctx, targets, text);
  if (auto *arg = ctx.args.getLastArg(options::OPT_arch_EQ))
    addArch(ctx, targets, arg->getValue());
  if (targets.empty() && !ctx.errors) {
    addTarget(targets, {80, 0}, /*cubin=*/true, /*ptx=*/false);
    addTarget(targets, {90, 0}, /*cubin=*/true, /*ptx=*/true);
  }
  llvm::sort(targets, [](const TargetArch &a, const TargetArch &b) { return a.arch < b.arch; });

  // Without ptxas there is PTX alone, which the driver compiles when a program loads it; then each target needs its own.
  if (!ctx.cuda.hasPtxas())
    for (TargetArch &target : targets)
      target.ptx |= std::exchange(target.cubin, false);
  return targets;
}

} // namespace tilecc
