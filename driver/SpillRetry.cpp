//===- SpillRetry.cpp - more warps and registers for kernels that do not fit ------------------------------------------===//
//
// How many warps a kernel needs is estimated from its tiles (compile/Warps.h); what it needs, ptxas knows. Where it spills,
// twice as many warps are tried, once, if they are ours to choose. And ptxas, which weighs registers against programs that run
// at a time, is told that one program is enough: it otherwise gives some kernels that do not fit into 255 registers no more
// than 32, and tens of kilobytes of memory. Called by KernelJob.cpp between two runs of ptxas.
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
static constexpr unsigned registersOfProcessor = 65536, mostRegisters = 255;

/// ptxas gave a thread all that one program can have.
static bool hasAllRegisters(const ResourceRow &row) {
  unsigned all = registersOfProcessor / std::max(row.threads, 1u) / 8 * 8; // given by eights
  return row.used.registers >= std::min(all, mostRegisters);
}

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

std::vector<SpilledKernel> markSpilled(std::vector<Kernel> &kernels, ArrayRef<TargetFile> files) {
  std::vector<ResourceRow> rows = resourceRows(kernels, files);
  std::vector<SpilledKernel> spilled;
  for (Kernel &kernel : kernels) {
    ResourceRow worst = worstOf(kernel, rows);
    if (worst.used.spillStoreBytes <= toleratedBytes)
      continue;
    kernel.wantsMoreWarps = isChosen(kernel, files) && 2 * chooseWarps(kernel).warps <= mostWarps;
    if (!kernel.wantsMoreWarps && all_of(rows, [&](const ResourceRow &row) {
          return row.kernel != &kernel || row.used.spillStoreBytes <= toleratedBytes || hasAllRegisters(row);
        }))
      continue; // nothing is left to try
    kernel.wantsAllRegisters = true;
    spilled.push_back({&kernel, worst});
  }
  return spilled;
}

bool unmarkUnhelped(Context &ctx, ArrayRef<SpilledKernel> spilled, ArrayRef<Kernel> kernels, ArrayRef<TargetFile> files) {
  std::vector<ResourceRow> rows = resourceRows(kernels, files);
  bool isBack = false;
  for (const auto &[kernel, before] : spilled) {
    ResourceRow now = worstOf(*kernel, rows);
    if (now.used.spillStoreBytes * now.threads < before.used.spillStoreBytes * before.threads) {
      if (kernel->wantsMoreWarps)
        remarkOnWarps(ctx, *kernel);
      continue;
    }
    kernel->wantsMoreWarps = kernel->wantsAllRegisters = false;
    isBack = true;
  }
  return isBack;
}

} // namespace tilecc
