//===- Warps.h - how many warps run a program, where its source does not say ----------------------------------*- C++ -*-//

#ifndef TILECC_COMPILE_WARPS_H
#define TILECC_COMPILE_WARPS_H

#include "compile/Kernel.h"
#include "targets/Target.h"
#include "lowering/gpu/GpuTarget.h"

namespace tilecc {

/// How one kernel is compiled for one GPU. Of the kernel's options numWarps, numStages and numCtas are decided.
struct GpuOptions : KernelOptions {
  std::string target;         ///< as the module attribute ttg.target spells it
  bool checkReplicas = false; ///< the emulator compares what several threads hold copies of
  bool tensorMaps = false;    ///< who launches it makes tensor maps for it
  GpuLibrary library;

  /// Whether the compiler may have a block run several programs where the source does not ask for it.
  bool mayBePersistent() const { return !saysWhatBlocksRun() && tensorMaps && hasVariants; }
};

/// A number of warps, and what it was chosen for.
struct WarpChoice {
  int warps = 4;
  std::string reason;
};

/// What fits a kernel's tiles: enough threads to hold them in registers, and no more.
WarpChoice chooseWarps(const Kernel &kernel);

/// How `kernel` is compiled for `target`: as its source says, else as a hint for the target says, else as chosen.
GpuOptions gpuOptions(const Kernel &kernel, const Target &target, GpuLibrary library = {});

/// What a hint for `target` says, those that name its architecture before those for all, and of several the largest.
std::optional<int> hintFor(const Kernel &kernel, const Target &target, TargetHint::Kind kind);

} // namespace tilecc

#endif // TILECC_COMPILE_WARPS_H
