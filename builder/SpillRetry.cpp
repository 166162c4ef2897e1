//===- SpillRetry.cpp - retries kernels that spill with more warps and registers ----------------------------------===//
//
// The number of warps that a kernel needs is estimated from its tiles (compile/Warps.h), but only ptxas knows the
// registers. If a kernel spills, it is compiled once more with twice as many warps, provided that the user did not
// choose the number and that more threads would divide its tiles between them. ptxas is also told that one program per
// multiprocessor is enough: ptxas weighs registers against occupancy, and otherwise gives some kernels that do not fit
// into 255 registers only 32, and spills tens of kilobytes. The driver and libtilecc both assemble through this
// function, so that they generate the same code.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "builder/SpillRetry.h"
#include "compile/MoreWarps.h"
#include "compile/Warps.h"
#include "targets/Backend.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace llvm;

namespace tilecc {

namespace {
/// A kernel, and the bytes that its program spilled at first.
struct SpilledKernel {
  Kernel *kernel;
  unsigned worst;
};
} // namespace

/// Returns true if the assembler used as many registers per thread as one program per multiprocessor allows.
static bool hasAllRegisters(const ResourceRow &row) {
  const GpuBackend &backend = *row.target.backend->asGpu();
  std::string error;
  return row.used.registers >= backend.findFacts(backend.spell(row.target), error)->getThreadRegisters(row.threads);
}

/// Returns the bytes that a thread and a program spill in the usual variant, on the target where they spill most.
static std::pair<unsigned, unsigned> worstOf(const Kernel &kernel, ArrayRef<ResourceRow> rows) {
  unsigned ofThread = 0, ofProgram = 0;
  for (const ResourceRow &row : rows)
    if (row.kernel == &kernel && row.variant == getUsualVariant(kernel).name &&
        row.used.spillStoreBytes * row.threads > ofProgram) {
      ofThread = row.used.spillStoreBytes;
      ofProgram = ofThread * row.threads;
    }
  return {ofThread, ofProgram};
}

/// Marks the kernels that spill registers, so that they get all registers and more warps. Kernels whose source, hints
/// or command line specify a number of warps keep it.
static std::vector<SpilledKernel> markSpilled(std::vector<Kernel> &kernels, ArrayRef<TargetReport> reports) {
  std::vector<ResourceRow> rows = resourceRows(kernels, reports);
  std::vector<SpilledKernel> spilled;
  for (Kernel &kernel : kernels) {
    auto [ofThread, ofProgram] = worstOf(kernel, rows);
    if (ofThread <= toleratedSpillBytes)
      continue;
    bool isChosen = !kernel.numWarps && none_of(reports, [&](const TargetReport &each) {
      return hintFor(kernel, each.target, TargetHint::Warps);
    });
    const int warps = chooseWarps(kernel).warps;
    kernel.wantsMoreWarps = isChosen && 2 * warps <= maxWarpsAfterSpills && hasElementsForMoreWarps(kernel, warps);
    if (!kernel.wantsMoreWarps && all_of(rows, [&](const ResourceRow &row) {
          return row.kernel != &kernel || row.used.spillStoreBytes <= toleratedSpillBytes || hasAllRegisters(row);
        }))
      continue; // nothing is left to try
    kernel.wantsAllRegisters = true;
    spilled.push_back({&kernel, ofProgram});
  }
  return spilled;
}

namespace {
/// The results of the first compilation for GPUs that are recorded in the kernels, and the code and images that belong
/// to them.
class FirstAttempt {
public:
  FirstAttempt(std::vector<Kernel> &kernels, const AssemblySteps &steps) : kernels(kernels) {
    if (steps.keep)
      restoreCode = steps.keep();
    for (const Kernel &kernel : kernels)
      results.emplace_back(kernel.variants, kernel.codeHash);
  }
  bool isKept() const { return bool(restoreCode); }
  bool restore() {
    for (auto [kernel, result] : zip_equal(kernels, results))
      std::tie(kernel.variants, kernel.codeHash) = std::move(result);
    return restoreCode();
  }

private:
  std::vector<Kernel> &kernels;
  std::vector<std::pair<std::vector<KernelVariant>, uint64_t>> results;
  std::function<bool()> restoreCode;
};
} // namespace

bool assembleWithRetries(std::vector<Kernel> &kernels, const AssemblySteps &steps) {
  auto reports = steps.assemble();
  if (!reports)
    return false;
  std::vector<SpilledKernel> spilled = markSpilled(kernels, *reports);
  if (spilled.empty())
    return true;
  FirstAttempt first(kernels, steps);
  if (!steps.compileAgain() || !(reports = steps.assemble()))
    return false;
  std::vector<ResourceRow> rows = resourceRows(kernels, *reports);
  size_t worse = 0;
  for (auto &[kernel, before] : spilled) {
    if (worstOf(*kernel, rows).second < before) {
      if (kernel->wantsMoreWarps)
        steps.gotMoreWarps(*kernel);
      continue;
    }
    kernel->wantsMoreWarps = kernel->wantsAllRegisters = false;
    ++worse;
  }
  if (worse == spilled.size() && first.isKept())
    return first.restore();
  return worse == 0 || (steps.compileAgain() && steps.assemble());
}

} // namespace tilecc
