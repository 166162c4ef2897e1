//===- Warps.h - chooses the number of warps if the source does not -------------------------------------*- C++ -*-===//

#ifndef TILECC_COMPILE_WARPS_H
#define TILECC_COMPILE_WARPS_H

#include "compile/Variants.h"
#include "targets/Target.h"
#include "lowering/gpu/GpuTarget.h"

namespace tilecc {

/// How one kernel is compiled for one GPU. The options numWarps, numStages and numCtas have values.
struct GpuOptions : KernelOptions {
  std::string target; ///< as the module attribute ttg.target spells it
  bool checkReplicas = false; ///< the emulator compares copies that several threads hold
  bool tensorMaps = false; ///< the kernel may copy tiles by tensor maps, which the launcher creates
  bool makesTensorMaps = false; ///< the kernel creates them instead, because the launcher passes only its own arguments
  std::optional<int> programsPerBlock; ///< the number of programs in a thread block, if tcc and not the source chose it
  bool callsThreads = false; ///< the kernel calls device functions, and so its blocks run one program each
  GpuLibrary library;

  /// Returns true if the source lets the compiler choose the order in which blocks run programs.
  bool choosesOrder() const { return !saysWhatBlocksRun() && !programsPerBlock && hasVariants; }
  /// Returns true if the source lets the compiler choose what a block runs: one program, several, or a part of one.
  bool choosesBlocks() const { return choosesOrder() && !callsThreads && tensorMaps && !makesTensorMaps; }
};

/// A number of warps, and the reason for the choice.
struct WarpChoice {
  int warps = 4;
  std::string reason;
};

/// Chooses enough warps to hold a kernel's tiles in registers, and no more.
WarpChoice chooseWarps(const Kernel &kernel);

/// Returns true if the threads of twice as many warps would hold clearly fewer elements each. A thread holds at least
/// one element of each tile, so further threads only hold copies of tiles that have no more elements than threads.
bool hasElementsForMoreWarps(const Kernel &kernel, int warps);

/// Returns how `kernel` is compiled for `target`: as its source specifies, otherwise as a hint for the target does,
/// otherwise as chosen here.
GpuOptions gpuOptions(const Kernel &kernel, const Target &target, GpuLibrary library = {});
/// Returns how one variant of it is compiled.
GpuOptions gpuOptions(const Kernel &kernel, const Variant &variant, const Target &target, GpuLibrary library = {});

/// Returns the value of a hint for `target`. Hints for its architecture take precedence over those for all; of several,
/// the largest counts.
std::optional<int> hintFor(const Kernel &kernel, const Target &target, TargetHint::Kind kind);

} // namespace tilecc

#endif // TILECC_COMPILE_WARPS_H
