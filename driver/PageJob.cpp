//===- PageJob.cpp - --emit=html and --emit=annotations -----------------------------------------------------------===//
//
// Implements the steps of KernelActions.cpp that write an HTML page, or only the annotations that an editor shows
// beside the source. The steps compile the kernels as for an object, with a collector of page/ as the observer,
// assemble the GPU code, and pass the results to page/. A page also contains the text of all stages and the code for
// the CPU.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "builder/SpillRetry.h"
#include "driver/Diagnostics.h"
#include "driver/KernelJob.h"
#include "driver/OptionIds.h"
#include "driver/Programs.h"
#include "driver/StepCommands.h"
#include "driver/TileWarnings.h"
#include "page/Annotations.h"
#include "page/Assembly.h"
#include "page/Collector.h"
#include "page/PageWriter.h"
#include "page/PageProfile.h"
#include "runtime/include/tilecc/abi.h"
#include "targets/Registry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace tilecc {

/// Returns the GPUs whose machine code was requested or, if there are none, those whose PTX was.
static TargetArchs targetsOfPage(const Context &ctx) {
  TargetArchs targets;
  copy_if(ctx.targets, std::back_inserter(targets), [](const TargetArch &target) { return target.cubin; });
  return targets.empty() ? ctx.targets : targets;
}

static std::string assumptionOf(const Kernel &kernel, const KernelVariant &variant) {
  std::string text;
  if (variant.demands & TILECC_POINTERS_DIVISIBLE_BY_16)
    text = "pointers are multiples of 16 bytes";
  if (unsigned divisor = getIntegersDivisor(variant.demands); divisor > 1)
    text += (text.empty() ? "" : ", ") + ("integers are multiples of " + std::to_string(divisor)) + " and not negative";
  for (auto [i, param] : enumerate(kernel.params))
    if (variant.isUnit(i))
      text += ", " + param.name + " is 1";
    else if (variant.isFree(i))
      text += ", " + param.name + " is any integer";
    else if (param.assumedPositive && variant.demands & TILECC_FLOATS_POSITIVE)
      text += ", " + param.name + " is positive";
  for (auto [i, param] : enumerate(kernel.params))
    if (variant.isSmallStride(i))
      text += ", " + param.name + " is at most " + std::to_string(TILECC_MAX_STRIDE);
  if (variant.demands & TILECC_FEW_ROWS)
    text += ", " + kernel.params[variant.rows].name + " is at most " + std::to_string(variant.maxRows);
  if (variant.demands & TILECC_SHORT_LOOPS)
    text += ", a program has at most " + std::to_string(variant.maxIterations) + " iterations for each of its blocks";
  if (variant.parts > 1)
    text += "; " + std::to_string(variant.parts) + " programs run each program of the grid";
  return text.empty() ? "nothing is assumed of arguments" : text;
}

static page::StageText stageOf(StringRef name, page::Text text, std::string missing) {
  page::StageText stage{name.str(), std::move(text), {}};
  if (stage.text.empty())
    stage.missing = missing.empty() ? "there is none" : std::move(missing);
  return stage;
}

/// Returns the reason why a target has no machine code; empty if it has.
static std::string whyNoCubin(const Context &ctx, const TargetFile &file) {
  if (!ctx.cuda.hasPtxas())
    return "SASS needs ptxas, which is part of the CUDA toolkit (12.8 or later): install it, or name its folder with "
           "--cuda-path";
  if (!file.target.cubin)
    return "only PTX was requested, which the driver assembles when the program runs: name " + file.target.arch.name +
           " with -arch for machine code";
  return {};
}

/// Reads nvdisasm's output for a cubin into `sass`; if there is no nvdisasm or no cubin, `missing` says why. Reports an
/// error and returns false if nvdisasm fails.
static bool disassemble(Context &ctx, const TargetFile &file, std::string &sass, std::string &missing) {
  missing = whyNoCubin(ctx, file);
  if (missing.empty() && ctx.cuda.nvdisasm.empty())
    missing = "SASS needs nvdisasm, which is part of the CUDA toolkit and of the PyPI package nvidia-cuda-nvdisasm: "
              "install it, or add its folder to PATH";
  return !missing.empty() || runProgram(ctx, {ctx.cuda.nvdisasm, "-c", "-gi", file.cubin}, &sass);
}

static page::VariantPage describeVariant(const Target &target, const Kernel &kernel, const KernelVariant &variant,
                                         const page::RemarkCollector &collector) {
  page::VariantPage result;
  result.target = target.str();
  result.name = variant.name;
  result.symbol = variant.symbol;
  result.assumption = assumptionOf(kernel, variant);
  result.isUsual = &variant == &getUsualVariant(kernel);
  for (const page::OperationRemark &remark : collector.getRemarks(target, variant.symbol))
    result.remarks.push_back({remark.kind.str(), remark.text, page::findChains(remark.loc)});
  return result;
}

static void addTexts(page::VariantPage &variant, page::Seen &seen) {
  variant.stages = std::move(seen.stages);
  variant.passes = std::move(seen.passes);
  variant.layouts = std::move(seen.layouts.layouts);
  variant.movements = std::move(seen.layouts.movements);
  variant.accesses = std::move(seen.accesses);
  variant.work = std::move(seen.work);
}

static page::Costs describeCosts(const ResourceRow &row) {
  page::Costs costs{row.used.registers,
                    row.used.spillStoreBytes,
                    row.used.spillLoadBytes,
                    row.used.stackBytes,
                    row.used.sharedBytes + row.launchSharedBytes,
                    row.threads};
  if (std::optional<Occupancy> occupancy = occupancyOf(row)) {
    costs.blocks = occupancy->blocks;
    costs.warps = occupancy->warps;
    costs.maxWarps = occupancy->maxWarps;
    costs.limit = occupancy->limit.str();
  }
  costs.remarks = row.used.remarks;
  return costs;
}

static void describeCpu(const Kernel &kernel, page::Collector &collector, const TargetCode &code,
                        page::KernelPage &result) {
  result.noCpuCode = kernel.noCpuCode;
  page::Seen &shared = collector.get(code.target, kernel.symbol);
  for (const CpuFunction &function : kernel.cpuFunctions) {
    page::CpuPage &cpu = result.cpu.emplace_back();
    cpu.level = nameOfCpuLevel(function.level);
    if (function.programs > 1)
      cpu.level += ", " + std::to_string(function.programs) + " programs";
    cpu.symbol = function.symbol;
    cpu.stages = shared.stages;
    page::Seen &own = collector.get(code.target, function.symbol);
    std::move(own.stages.begin(), own.stages.end(), std::back_inserter(cpu.stages));
    cpu.stages.push_back(stageOf("asm", page::readCpuAssembly(code.code, function.symbol), {}));
  }
}

/// Reads a source for a page, which shows sources as they are on disk, or as they were before preprocessing.
static std::optional<std::string> readSource(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path);
  return buffer ? std::optional((*buffer)->getBuffer().str()) : std::nullopt;
}

/// Adds the profiles of --profile to a page. Reports an error and returns false on failure.
static bool addProfiles(Context &ctx, page::Page &page) {
  for (const std::string &path : ctx.args.getAllArgValues(options::OPT_profile_EQ)) {
    size_t notes = page.notes.size();
    auto buffer = MemoryBuffer::getFile(path);
    if (!buffer)
      Error(ctx) << path << ": " << buffer.getError().message();
    else if (llvm::Error error = page::addProfile(page, (*buffer)->getBuffer(), readSource))
      Error(ctx) << path << ": " << toString(std::move(error));
    for (const std::string &note : ArrayRef(page.notes).drop_front(notes))
      Warning(ctx) << path << ": " << note;
  }
  return !ctx.errors;
}

/// Assembles the PTX in `codes`, where the entries for `files` come first. `compileAgain` updates them.
bool KernelJob::assemblePage(std::vector<TargetCode> &codes, function_ref<bool()> compileAgain) {
  if (none_of(files, [](const TargetFile &file) { return !file.ptxas.empty(); }))
    return true;
  std::vector<Kernel> &kernels = unit()->kernels;
  AssemblySteps steps{[&]() -> std::optional<std::vector<TargetReport>> {
                        bool isAssembled =
                            writePtx(ArrayRef(codes).take_front(files.size())) && assembleFiles(ctx, files);
                        return isAssembled ? std::optional(reportsOf(files)) : std::nullopt;
                      },
                      compileAgain, [&](const Kernel &kernel) { remarkOnWarps(ctx, kernel); }};
  return assembleWithRetries(kernels, steps) && reportFiles(ctx, input, kernels, files);
}

std::optional<std::vector<TargetCode>> KernelJob::fillPage(page::Page &page, page::RemarkCollector &collector,
                                                           bool withCpu) {
  if (!unit())
    return std::nullopt;
  for (const TargetArch &target : targetsOfPage(ctx)) {
    std::string stem = "." + target.arch.name;
    files.push_back({target, ctx.intermediate(input, stem + ".ptx"), ctx.intermediate(input, stem + ".cubin"), {}});
    if (whyNoCubin(ctx, files.back()).empty())
      files.back().ptxas = ptxasCommand(ctx, files.back());
  }
  std::vector<Target> targets = targetsOfFiles();
  append_range(targets, ctx.portableTargets);
  const size_t gpus = targets.size();
  if (withCpu)
    targets.push_back(ctx.cpu);

  page.source = input.path;
  page.version = TILECC_VERSION;
  page.variables = unit()->variables;
  observer = &collector;
  std::vector<TargetCode> code;
  auto compileKernels = [&] {
    collector.clear();
    auto compiled = compileFor(targets, Form::Assembly, ctx.variantFilter.empty() ? "all" : ctx.variantFilter);
    if (compiled)
      code = std::move(*compiled);
    return compiled.has_value();
  };
  bool succeeded = compileKernels() && assemblePage(code, compileKernels);
  observer = nullptr;
  if (!succeeded)
    return std::nullopt;

  // All code is final at this point.
  std::vector<ResourceRow> rows = resourceRows(unit()->kernels, reportsOf(files));
  for (const Kernel &kernel : unit()->kernels) {
    page::KernelPage &result = page.kernels.emplace_back();
    result.name = kernel.displayName;
    result.symbol = kernel.symbol;
    result.file = kernel.file;
    result.line = kernel.line;
    for (auto [t, target] : enumerate(ArrayRef(targets).take_front(gpus)))
      for (const KernelVariant &variant : kernel.variants) {
        page::VariantPage &shown = result.variants.emplace_back(describeVariant(target, kernel, variant, collector));
        if (t >= files.size()) {
          shown.noCosts = target.backend->asGpu()->recordsResources()
                              ? "--resource-usage prints the kernel's resources"
                              : "the kernel's resources are known when a device's driver has compiled it";
          continue;
        }
        auto row = find_if(rows, [&](const ResourceRow &row) {
          return row.used.symbol == variant.symbol && row.target.name == target.name;
        });
        if (row != rows.end())
          shown.costs = describeCosts(*row);
        else
          shown.noCosts = whyNoCubin(ctx, files[t]);
      }
  }
  return code;
}

bool KernelJob::writePage() {
  page::Page page;
  page::Collector collector(page.chains);
  std::optional<std::vector<TargetCode>> code = fillPage(page, collector, /*withCpu=*/true);
  if (!code)
    return false;
  std::vector<std::string> sass(files.size()), noSass(files.size());
  for (auto [f, file] : enumerate(files))
    if (!disassemble(ctx, file, sass[f], noSass[f]))
      return false;
  for (auto [kernel, result] : zip_equal(unit()->kernels, page.kernels)) {
    page.chains.getFile(kernel.file);
    for (auto [v, shown] : enumerate(result.variants)) {
      size_t t = v / kernel.variants.size();
      addTexts(shown, collector.get((*code)[t].target, shown.symbol));
      if (t >= files.size())
        continue;
      shown.stages.push_back(stageOf("ptx", page::readPtx((*code)[t].code, shown.symbol), {}));
      shown.stages.push_back(stageOf("sass", page::readSass(sass[t], shown.symbol), noSass[t]));
    }
    describeCpu(kernel, collector, code->back(), result);
  }
  std::string title = sys::path::filename(input.path).str();
  return !ctx.errors && addProfiles(ctx, page) &&
         writeOutput(ctx, output, page::writePage(title, page::writeModel(page, readSource)));
}

bool KernelJob::writeAnnotations() {
  page::Page page;
  page::RemarkCollector collector;
  if (!unit())
    return false;
  if (unit()->kernels.empty()) {
    page.version = TILECC_VERSION;
    return !ctx.errors && writeOutput(ctx, output, page::writeAnnotations(page));
  }
  return fillPage(page, collector, /*withCpu=*/false) && !ctx.errors &&
         writeOutput(ctx, output, page::writeAnnotations(page));
}

} // namespace tilecc
