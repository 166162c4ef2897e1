//===- MoreWarps.cpp - compiles kernels that spill again with more warps ------------------------------------------===//
//
// This implements the function that the header describes.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "compile/MoreWarps.h"
#include "compile/Warps.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace llvm;

namespace tilecc {

namespace {

/// The resources that the code for one target records.
struct RecordedResources {
  Target target;
  size_t launch; ///< the number of the target among the GPUs
  std::vector<CodeResources> kernels;

  unsigned getArch() const { return target.backend->asGpu()->getHintedArch(target); }
};

/// A kernel that has got more warps for a target.
struct SpilledKernel {
  Kernel *kernel;
  size_t target; ///< an index of RecordedResources
  unsigned before; ///< the registers that a program spilled at first
};

bool recordsResources(const Target &target) {
  const GpuBackend *gpu = target.backend->asGpu();
  return gpu && gpu->recordsResources();
}

std::vector<RecordedResources> readResources(ArrayRef<TargetCode> codes) {
  std::vector<RecordedResources> all;
  size_t launch = 0;
  for (const TargetCode &each : codes) {
    if (recordsResources(each.target))
      all.push_back({each.target, launch, each.target.backend->asGpu()->readResources(each.code)});
    launch += each.target.isGpu();
  }
  return all;
}

/// Returns the registers that a thread of the usual variant spills.
unsigned countSpills(const Kernel &kernel, const RecordedResources &recorded) {
  auto used = find_if(recorded.kernels, [symbol = getUsualVariant(kernel).symbol](const CodeResources &each) {
    return each.symbol == symbol;
  });
  return used == recorded.kernels.end() ? 0 : used->spilledRegisters;
}

/// Returns the registers that a program of the usual variant spills.
unsigned countProgramSpills(const Kernel &kernel, const RecordedResources &recorded) {
  return countSpills(kernel, recorded) * getUsualVariant(kernel).launches[recorded.launch].threads;
}

/// Gives more warps to the kernels that spill, if these have a number of warps that may be changed.
std::vector<SpilledKernel> addWarps(std::vector<Kernel> &kernels, ArrayRef<RecordedResources> targets) {
  constexpr unsigned registerBytes = 4;
  std::vector<SpilledKernel> spilled;
  for (auto [t, recorded] : enumerate(targets))
    for (Kernel &kernel : kernels) {
      const int warps = chooseWarps(kernel, /*isAssembled=*/false).warps;
      if (countSpills(kernel, recorded) * registerBytes <= toleratedSpillBytes || kernel.numWarps ||
          hintFor(kernel, recorded.target, TargetHint::Warps) || 2 * warps > maxWarpsAfterSpills ||
          !hasElementsForMoreWarps(kernel, warps))
        continue;
      spilled.push_back({&kernel, t, countProgramSpills(kernel, recorded)});
      kernel.hints.push_back({recorded.getArch(), TargetHint::Warps, 2 * warps});
    }
  return spilled;
}

} // namespace

std::optional<std::vector<TargetCode>>
compileWithMoreWarps(std::vector<Kernel> &kernels, const CompileOptions &options,
                     function_ref<std::optional<std::vector<TargetCode>>(const CompileOptions &)> compileOnce) {
  if (options.form != Form::Object || none_of(options.targets, recordsResources))
    return compileOnce(options);
  CompileOptions unobserved = options; // an observer sees only the code that is kept
  unobserved.observer = nullptr;
  auto codes = compileOnce(unobserved);
  if (!codes)
    return std::nullopt;
  std::vector<SpilledKernel> spilled = addWarps(kernels, readResources(*codes));
  if (!spilled.empty()) {
    std::vector<std::pair<std::vector<KernelVariant>, uint64_t>> first;
    for (Kernel &kernel : kernels)
      first.emplace_back(std::move(kernel.variants), kernel.codeHash);
    auto again = compileOnce(unobserved);
    if (!again)
      return std::nullopt;
    std::vector<RecordedResources> targets = readResources(*again);
    size_t worse = 0;
    for (const SpilledKernel &each : spilled)
      if (countProgramSpills(*each.kernel, targets[each.target]) >= each.before) {
        erase_if(each.kernel->hints, [arch = targets[each.target].getArch()](const TargetHint &hint) {
          return hint.arch == arch && hint.kind == TargetHint::Warps;
        });
        ++worse;
      }
    if (worse == 0)
      codes = std::move(again);
    else if (worse < spilled.size())
      codes = compileOnce(unobserved);
    else
      for (auto [kernel, result] : zip_equal(kernels, first))
        std::tie(kernel.variants, kernel.codeHash) = std::move(result);
  }
  return options.observer && codes ? compileOnce(options) : std::move(codes);
}

} // namespace tilecc
