//===- Launcher.cpp - --emit=c-launcher --------------------------------------------------------------------------===//
//
// Writes a header with one function per kernel, and the source file. KernelActions.cpp calls this code for
// --emit=c-launcher. The generated code keeps no state between calls, so any number of threads and contexts can use it.
// The CUDA driver selects the image of the fat binary for a GPU; the generated code finds the launch parameters by the
// same rules.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/Launcher.h"
#include "driver/TargetArchs.h"
#include "targets/Backend.h"
#include "lowering/dialects/tt/TT.h"
#include "runtime/include/tilecc/abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tilecc {

/// Turns a name into a C identifier of letters, digits and single underscores.
static std::string asIdentifier(StringRef text) {
  std::string name;
  for (char c : text) {
    bool isWord = isAlnum(c);
    if (!isWord && (name.empty() || name.back() == '_'))
      continue;
    name += isWord ? c : '_';
  }
  while (!name.empty() && name.back() == '_')
    name.pop_back();
  return name.empty() || isDigit(name[0]) ? "k" + name : name;
}

namespace {

/// A parameter in C. It is passed by address if C has no type for it.
struct CParam {
  const KernelParam *param;
  std::string type, name;
  bool byAddress = false;
};

struct CFunction {
  const Kernel *kernel;
  std::string name;
  unsigned firstVariant; ///< index of its first CUfunction
  std::vector<CParam> params;
};

class Writer {
public:
  Writer(const LauncherInput &input, StringRef name);
  Launcher write(StringRef fatbin);

private:
  std::vector<CParam> paramsOf(const Kernel &kernel) const;
  std::string signature(const CFunction &function) const;
  std::string images() const;
  void writeTables(raw_ostream &out, StringRef fatbin) const;
  void writeLoad(raw_ostream &out) const;
  void writeFunction(raw_ostream &out, const CFunction &function) const;
  std::string condition(const CFunction &function, const KernelVariant &variant) const;

  const LauncherInput &input;
  std::string file, prefix;
  std::vector<CFunction> functions;
  unsigned variantCount = 0;
};

} // namespace

static CParam describe(const KernelParam &param, mlir::Type type, unsigned index) {
  CParam result{&param, "", param.name.empty() ? "arg" + utostr(index) : asIdentifier(param.name)};
  if (is_contained({"module", "stream", "gridX", "gridY", "gridZ", "args", "variant"}, result.name))
    result.name += "_";
  if (param.kind == KernelParam::Pointer)
    result.type = "CUdeviceptr";
  else if (param.kind == KernelParam::Integer)
    result.type = "int" + utostr(8 * param.size) + "_t";
  else if (type.isF32())
    result.type = "float";
  else if (type.isF64())
    result.type = "double";
  else if (type.isIntOrFloat() && (param.size == 1 || param.size == 2))
    result.type = "uint" + utostr(8 * param.size) + "_t"; // the bits of a type that C lacks
  else {
    result.type = "const void *";
    result.byAddress = true;
  }
  return result;
}

std::vector<CParam> Writer::paramsOf(const Kernel &kernel) const {
  std::vector<CParam> params;
  StringSet<> names;
  tt::FuncOp func;
  for (tt::FuncOp candidate : kernel.ttir.get().getOps<tt::FuncOp>())
    if (candidate.isKernel())
      func = candidate;
  for (auto [i, param] : enumerate(kernel.params)) {
    params.push_back(describe(param, func.getArgumentTypes()[i], i));
    while (!names.insert(params.back().name).second)
      params.back().name += "_";
  }
  return params;
}

Writer::Writer(const LauncherInput &input, StringRef name)
    : input(input), file(sys::path::filename(name)), prefix(asIdentifier(file)) {
  StringSet<> names;
  names.insert(prefix + "_load");
  names.insert(prefix + "_unload");
  names.insert(prefix + "_module");
  for (const Kernel &kernel : input.kernels) {
    std::string base = prefix + "_" + asIdentifier(kernel.displayName), unique = base;
    for (unsigned number = 2; !names.insert(unique).second; ++number)
      unique = base + "_" + utostr(number);
    functions.push_back({&kernel, unique, variantCount, paramsOf(kernel)});
    variantCount += kernel.variants.size();
  }
}

std::string Writer::signature(const CFunction &function) const {
  std::string text = formatv("CUresult {0}(const {1}_module *module, CUstream stream, unsigned gridX, unsigned gridY, "
                             "unsigned gridZ",
                             function.name, prefix);
  for (const CParam &param : function.params)
    text += ", " + param.type + (StringRef(param.type).ends_with("*") ? "" : " ") + param.name;
  return text + ")";
}

std::string Writer::images() const {
  SmallVector<std::string> names;
  for (const TargetArch &target : input.targets) {
    if (target.cubin)
      names.push_back(target.arch.name);
    if (target.ptx)
      names.push_back("PTX for " + getPtxName(target.arch));
  }
  return join(names, ", ");
}

void Writer::writeTables(raw_ostream &out, StringRef fatbin) const {
  out << "/* A fatbinary of all images. */\nstatic const uint64_t image[] = {";
  std::string padded = fatbin.str();
  padded.resize(alignTo(padded.size(), 8));
  for (size_t i = 0; i < padded.size(); i += 8)
    out << (i % 48 ? " " : "\n  ")
        << format("0x%llx,", (unsigned long long)support::endian::read64le(padded.data() + i));
  out << "\n};\n\n/* The images: machine code or PTX, for which architecture, with what other minor versions it runs "
         "on. */\n"
         "enum { isCode, isPtx };\nenum { thisAndLater, thisAlone, thisFamily };\n"
         "static const struct { int kind, arch, runsOn, target; } images[] = {\n";
  for (auto [t, target] : enumerate(input.targets)) {
    const uint32_t arch = target.arch.backend->asGpu()->getEmbeddedImage(target.arch).arch;
    StringRef runsOn = arch & TILECC_ARCH_SPECIFIC ? "thisAlone"
                       : arch & TILECC_ARCH_FAMILY ? "thisFamily"
                                                   : "thisAndLater";
    for (StringRef kind : {"isCode", "isPtx"})
      if (kind == "isCode" ? target.cubin : target.ptx)
        out << formatv("  {{{0}, {1}, {2}, {3}},\n", kind, arch & ~(TILECC_ARCH_SPECIFIC | TILECC_ARCH_FAMILY), runsOn,
                       t);
  }
  out << "};\n\nstatic const char *const symbols[] = {\n";
  for (const CFunction &function : functions)
    for (const KernelVariant &variant : function.kernel->variants)
      out << "  \"" << variant.symbol << "\",\n";
  out << "};\n\n"
      << formatv("/* Threads of a block, bytes of shared memory, blocks of a cluster. */\n"
                 "static const struct {{ unsigned threads, sharedBytes, cluster; } launches[][{0}] = {{\n",
                 variantCount);
  for (size_t t = 0; t < input.targets.size(); ++t) {
    out << "  {";
    ListSeparator comma;
    for (const CFunction &function : functions)
      for (const KernelVariant &variant : function.kernel->variants) {
        const Launch &launch = variant.launches[t];
        out << comma << formatv("{{{0}, {1}, {2}}", launch.threads, launch.sharedBytes, launch.cluster);
      }
    out << "},\n";
  }
  out << "};\n\n";
}

// The generated code chooses an image by the same rules as tilecc's runtime (in the runtime's Images.cpp) and the CUDA
// driver.
static constexpr StringLiteral loadText =
    R"(/* The image for a GPU of this architecture, or -1: code of its own major version, the newest; else the newest PTX. */
static int chooseImage(int arch) {
  int best = -1, i;
  for (i = 0; i < (int)(sizeof(images) / sizeof(images[0])); ++i) {
    int sameMajor = images[i].arch / 10 == arch / 10;
    int fits = images[i].arch <= arch;
    if (images[i].runsOn == thisAlone)
      fits = images[i].arch == arch;
    else if (images[i].kind == isCode || images[i].runsOn == thisFamily)
      fits = fits && sameMajor;
    if (fits && (best < 0 || images[i].kind < images[best].kind ||
                 (images[i].kind == images[best].kind && images[i].arch >= images[best].arch)))
      best = i;
  }
  return best;
}

CUresult PREFIX_load(PREFIX_module *module) {
  CUdevice device;
  CUresult result;
  int major = 0, minor = 0, chosen;
  unsigned i;
  if ((result = cuCtxGetDevice(&device)) ||
      (result = cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device)) ||
      (result = cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device)))
    return result;
  if ((chosen = chooseImage(10 * major + minor)) < 0)
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  module->target = images[chosen].target;
  if ((result = cuModuleLoadDataEx(&module->module, image, 0, 0, 0)))
    return result;
  for (i = 0; i < sizeof(symbols) / sizeof(symbols[0]) && !result; ++i) {
    result = cuModuleGetFunction(&module->functions[i], module->module, symbols[i]);
    if (!result && launches[module->target][i].sharedBytes > 48 * 1024)
      result = cuFuncSetAttribute(module->functions[i], CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                  (int)launches[module->target][i].sharedBytes);
    if (!result && launches[module->target][i].cluster > 8)
      result = cuFuncSetAttribute(module->functions[i], CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
  }
  if (result)
    cuModuleUnload(module->module);
  return result;
}

CUresult PREFIX_unload(PREFIX_module *module) { return cuModuleUnload(module->module); }

/* A program is a cluster of blocks, side by side along x. */
static CUresult launch(const PREFIX_module *module, unsigned function, CUstream stream, unsigned gridX, unsigned gridY,
                       unsigned gridZ, void **args) {
  unsigned threads = launches[module->target][function].threads, cluster = launches[module->target][function].cluster;
  CUlaunchAttribute attribute;
  CUlaunchConfig config;
  if (gridX == 0 || gridY == 0 || gridZ == 0)
    return CUDA_SUCCESS;
  if (gridX > 0x7fffffffu / cluster)
    return CUDA_ERROR_INVALID_VALUE;
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim.x = cluster;
  attribute.value.clusterDim.y = attribute.value.clusterDim.z = 1;
  config.gridDimX = gridX * cluster;
  config.gridDimY = gridY;
  config.gridDimZ = gridZ;
  config.blockDimX = threads;
  config.blockDimY = config.blockDimZ = 1;
  config.sharedMemBytes = launches[module->target][function].sharedBytes;
  config.hStream = stream;
  config.attrs = &attribute;
  config.numAttrs = cluster > 1;
  return cuLaunchKernelEx(&config, module->functions[function], args, 0);
}
)";

void Writer::writeLoad(raw_ostream &out) const {
  StringRef rest = loadText;
  while (!rest.empty()) {
    auto [before, after] = rest.split("PREFIX");
    out << before << (before.size() < rest.size() ? prefix : "");
    rest = after;
  }
}

/// Returns a C expression that is true if the arguments meet a variant's demands.
std::string Writer::condition(const CFunction &function, const KernelVariant &variant) const {
  SmallVector<std::string> pointers, integers, units, conditions;
  for (auto [i, param] : enumerate(function.params)) {
    if (param.param->noSpecialize)
      continue;
    if (param.param->assumedPositive && variant.demands & TILECC_FLOATS_POSITIVE)
      conditions.push_back(formatv("{0} > 0 && {0} <= {1}", param.name,
                                   param.param->size == 4 ? "3.40282347e+38f" : "1.7976931348623157e+308"));
    if (param.param->kind == KernelParam::Pointer)
      pointers.push_back(param.name);
    if (param.param->kind == KernelParam::Integer && !variant.isFree(i))
      (variant.isUnit(i) ? units : integers).push_back(param.name);
    if (variant.isSmallStride(i))
      conditions.push_back(formatv("{0} >= 0 && {0} <= {1}", param.name, int(TILECC_MAX_STRIDE)));
  }
  if ((variant.demands & TILECC_POINTERS_DIVISIBLE_BY_16) && !pointers.empty())
    conditions.push_back("((" + join(pointers, " | ") + ") & 15) == 0");
  if (unsigned divisor = getIntegersDivisor(variant.demands); divisor > 1)
    for (const std::string &name : integers)
      conditions.push_back(formatv("{0} % {1} == 0 && {0} >= 0", name, divisor));
  for (const std::string &name : units)
    conditions.push_back(name + " == 1");
  return conditions.empty() ? "1" : join(conditions, " && ");
}

void Writer::writeFunction(raw_ostream &out, const CFunction &function) const {
  out << "\n" << signature(function) << " {\n  void *args[] = {";
  for (const CParam &param : function.params)
    out << (param.byAddress ? "(void *)" : "&") << param.name << ", ";
  out << "0};\n  unsigned variant = " << function.firstVariant + function.kernel->variants.size() - 1 << ";\n";
  StringRef word = "  if";
  for (auto [i, variant] : enumerate(ArrayRef(function.kernel->variants).drop_back())) {
    out << word << " (" << condition(function, variant) << ")\n    variant = " << function.firstVariant + i << "; /* "
        << variant.name << " */\n";
    word = "  else if";
  }
  out << "  return launch(module, variant, stream, gridX, gridY, gridZ, args);\n}\n";
}

Launcher Writer::write(StringRef fatbin) {
  Launcher launcher;
  std::string guard = StringRef(prefix).upper() + "_LAUNCHER_H";
  raw_string_ostream header(launcher.header), code(launcher.code);
  StringRef source = sys::path::filename(input.source);
  header << formatv(R"(/* {0}.h - the kernels of {1} for the CUDA driver API. Made by tcc --emit=c-launcher. */
#ifndef {2}
#define {2}

#include <cuda.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {{
#endif

/* The kernels in one context, for any number of threads. */
typedef struct {3}_module {{
  CUmodule module;
  int target;
  CUfunction functions[{4}];
} {3}_module;

/* Loads the code that fits the current context's device, of {5};
 * CUDA_ERROR_NO_BINARY_FOR_GPU if none does. The other functions are for that context. */
CUresult {3}_load({3}_module *module);
CUresult {3}_unload({3}_module *module);

/* Launches, of gridX x gridY x gridZ programs. */
)",
                    file, source, guard, prefix, variantCount, images());
  for (const CFunction &function : functions)
    header << "/* " << function.kernel->displayName << " */\n" << signature(function) << ";\n";
  header << "\n#ifdef __cplusplus\n} /* extern \"C\" */\n#endif\n#endif /* " << guard << " */\n";

  code << formatv("/* {0}.c - the kernels of {1} for the CUDA driver API. Made by tcc --emit=c-launcher. */\n"
                  "#include \"{0}.h\"\n\n",
                  file, source);
  writeTables(code, fatbin);
  writeLoad(code);
  for (const CFunction &function : functions)
    writeFunction(code, function);
  return launcher;
}

Launcher writeLauncher(const LauncherInput &input, StringRef name, StringRef fatbin) {
  return Writer(input, name).write(fatbin);
}

} // namespace tilecc
