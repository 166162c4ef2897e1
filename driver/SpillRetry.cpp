//===- SpillRetry.cpp - more warps for kernels that do not fit into registers -----------------------------------------===//
//
// How many warps a kernel needs is estimated from its tiles (compile/Warps.h); what it needs, ptxas knows. Where it spills,
// twice as many warps are tried, once. Called by KernelActions.cpp between two runs of ptxas.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "driver/SpillRetry.h"
#include "compile/Warps.h"
#include "driver/TileWarnings.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace tilecc {

/// A few registers that wait in memory cost less than what twice the warps may; and beyond 8 warps a thread has fewer registers
/// than it could use.
static constexpr unsigned toleratedBytes = 64;
static constexpr int mostWarps = 8;

/// Of the variant that launches take if they can, the target where the program spills most.
static ResourceRow worstOf(const Kernel &kernel, ArrayRef<ResourceRow> rows) {
  ResourceRow worst = {};
  for (const ResourceRow &row : rows)
    if (row.kernel == &kernel && row.variant == kernel.variants.front().name &&
        (!worst.kernel || row.used.spillStoreBytes * row.threads > worst.used.spillStoreBytes * worst.threads))
      worst = row;
  return worst;
}

static bool isChosen(const Kernel &kernel, ArrayRef<TargetFile> files) {
  return !kernel.numWarps && none_of(files, [&](const TargetFile &file) {
    return hintFor(kernel, Target::gpu(file.target.arch), TargetHint::Warps);
  });
}

std::vector<SpilledKernel> giveMoreWarps(std::vector<Kernel> &kernels, ArrayRef<TargetFile> files) {
  std::vector<ResourceRow> rows = resourceRows(kernels, files);
  std::vector<SpilledKernel> spilled;
  for (Kernel &kernel : kernels) {
    ResourceRow worst = worstOf(kernel, rows);
    if (worst.used.spillStoreBytes <= toleratedBytes || !isChosen(kernel, files) ||
        2 * chooseWarps(kernel).warps > mostWarps)
      continue;
    kernel.hasSpilled = true;
    spilled.push_back({&kernel, worst});
  }
  return spilled;
}

bool takeWarpsBack(Context &ctx, ArrayRef<SpilledKernel> spilled, ArrayRef<Kernel> kernels, ArrayRef<TargetFile> files) {
  std::vector<ResourceRow> rows = resourceRows(kernels, files);
  bool isBack = false;
  for (const auto &[kernel, before] : spilled) {
    ResourceRow now = worstOf(*kernel, rows);
    if (now.used.spillStoreBytes * now.threads < before.used.spillStoreBytes * before.threads) {
      remarkOnWarps(ctx, *kernel);
      continue;
    }
    kernel->hasSpilled = false;
    isBack = true;
  }
  return isBack;
}

} // namespace tilecc
