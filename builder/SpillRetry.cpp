//===- SpillRetry.cpp - more warps and registers for kernels that do not fit
//------------------------------------------===//
//
// How many warps a kernel needs is estimated from its tiles (compile/Warps.h); what it needs, ptxas knows. Where it
// spills, twice as many warps are tried, once, if they are ours to choose. And ptxas, which weighs registers against
// programs that run at a time, is told that one program is enough: it otherwise gives some kernels that do not fit into
// 255 registers no more than 32, and tens of kilobytes of memory. The driver and libtilecc both assemble through this
// function, so that both make the same code of a kernel.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "builder/SpillRetry.h"
#include "compile/Warps.h"
#include "targets/Backend.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace tilecc {

/// A few registers that wait in memory cost less than what twice the warps may; and beyond 8 warps a thread has fewer
/// registers than it could use.
static constexpr unsigned toleratedBytes = 64;
static constexpr int mostWarps = 8;

namespace {
/// A kernel, and what its threads spilled at first.
struct SpilledKernel {
  Kernel *kernel;
  unsigned worst;
};
} // namespace

/// The assembler gave a thread all that one program can have.
static bool hasAllRegisters(const ResourceRow &row) {
  const GpuBackend &backend = *row.target.backend->asGpu();
  std::string error;
  return row.used.registers >= backend.findFacts(backend.spell(row.target), error)->getThreadRegisters(row.threads);
}

/// The bytes that a program spills of the variant that launches take if they can, on the target where it spills most.
static std::pair<unsigned, unsigned> worstOf(const Kernel &kernel, ArrayRef<ResourceRow> rows) {
  unsigned ofThread = 0, ofProgram = 0;
  for (const ResourceRow &row : rows)
    if (row.kernel == &kernel && row.variant == kernel.variants.front().name &&
        row.used.spillStoreBytes * row.threads > ofProgram) {
      ofThread = row.used.spillStoreBytes;
      ofProgram = ofThread * row.threads;
    }
  return {ofThread, ofProgram};
}

/// Marks the kernels that spill registers, so that they get all there are, and more warps. Whose source, hints or
/// command line name a number of warps keep it.
static std::vector<SpilledKernel> markSpilled(std::vector<Kernel> &kernels, ArrayRef<TargetReport> reports) {
  std::vector<ResourceRow> rows = resourceRows(kernels, reports);
  std::vector<SpilledKernel> spilled;
  for (Kernel &kernel : kernels) {
    auto [ofThread, ofProgram] = worstOf(kernel, rows);
    if (ofThread <= toleratedBytes)
      continue;
    bool isChosen = !kernel.numWarps && none_of(reports, [&](const TargetReport &each) {
      return hintFor(kernel, each.target, TargetHint::Warps);
    });
    kernel.wantsMoreWarps = isChosen && 2 * chooseWarps(kernel).warps <= mostWarps;
    if (!kernel.wantsMoreWarps && all_of(rows, [&](const ResourceRow &row) {
          return row.kernel != &kernel || row.used.spillStoreBytes <= toleratedBytes || hasAllRegisters(row);
        }))
      continue; // nothing is left to try
    kernel.wantsAllRegisters = true;
    spilled.push_back({&kernel, ofProgram});
  }
  return spilled;
}

bool assembleWithRetries(std::vector<Kernel> &kernels, const AssemblySteps &steps) {
  auto reports = steps.assemble();
  if (!reports)
    return false;
  std::vector<SpilledKernel> spilled = markSpilled(kernels, *reports);
  if (spilled.empty())
    return true;
  if (!steps.compileAgain() || !(reports = steps.assemble()))
    return false;
  std::vector<ResourceRow> rows = resourceRows(kernels, *reports);
  bool isBack = false;
  for (auto &[kernel, before] : spilled) {
    if (worstOf(*kernel, rows).second < before) {
      if (kernel->wantsMoreWarps)
        steps.gotMoreWarps(*kernel);
      continue;
    }
    kernel->wantsMoreWarps = kernel->wantsAllRegisters = false;
    isBack = true;
  }
  return !isBack || (steps.compileAgain() && steps.assemble());
}

} // namespace tilecc
