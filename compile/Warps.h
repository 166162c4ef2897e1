//===- Warps.h - chooses the number of warps if the source does not -------------------------------------*- C++ -*-===//
//
// The number of warps per program is an option of Triton's launches; here, the compiler chooses it if the source does
// not.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_COMPILE_WARPS_H
#define TILECC_COMPILE_WARPS_H

#include "compile/Variants.h"
#include "targets/Target.h"
#include "lowering/gpu/GpuTarget.h"

namespace tilecc {

/// The options with which a kernel is compiled for a GPU. numWarps, numStages and numCtas have values here.
struct GpuOptions : KernelOptions {
  std::string target; ///< the value of the module attribute ttg.target
  bool checkReplicas = false; ///< the code tells the emulator which threads hold copies
  bool tensorMaps = false; ///< the kernel may copy tiles by tensor maps, which the launcher creates
  bool makesTensorMaps = false; ///< the kernel creates them, because its launcher passes only its own arguments
  std::optional<int> programsPerBlock; ///< the number of programs in a thread block, if tcc chose it
  bool callsThreads = false; ///< the kernel calls device functions, so each block runs one program
  GpuLibrary library;

  /// Returns true if the compiler may choose the order in which blocks run programs, because the source does not
  /// specify it.
  bool choosesOrder() const { return !saysWhatBlocksRun() && !programsPerBlock && hasVariants; }
  /// Returns true if the compiler may choose whether a block runs one program, several programs, or a part of a
  /// program.
  bool choosesBlocks() const { return choosesOrder() && !callsThreads && tensorMaps && !makesTensorMaps; }
};

/// A number of warps, and the reason for the choice.
struct WarpChoice {
  int warps = 4;
  std::string reason;
};

/// Returns the number of warps for dots whose accumulators have so many elements at the same time.
int chooseWarpsForAccumulators(int64_t elements);

/// Chooses enough warps to hold a kernel's tiles in registers, and no more. After spills, it doubles their number for
/// targets whose assembler reported the spills (`isAssembled`); other code does not depend on that report.
WarpChoice chooseWarps(const Kernel &kernel, bool isAssembled = true);

/// Returns true if a thread would hold clearly fewer elements if there were twice as many warps. A thread holds at
/// least one element of each tile: if a tile has no more elements than there are threads, additional threads only hold
/// copies.
bool hasElementsForMoreWarps(const Kernel &kernel, int warps);

/// Returns the options with which `kernel` is compiled for `target`. If the source does not specify an option, it comes
/// from a hint for the target; if there is no such hint, it is chosen here.
GpuOptions gpuOptions(const Kernel &kernel, const Target &target, GpuLibrary library = {});
/// Returns the options with which a variant of `kernel` is compiled.
GpuOptions gpuOptions(const Kernel &kernel, const Variant &variant, const Target &target, GpuLibrary library = {});

/// Returns the value of a hint for `target`. Hints for the target's architecture take precedence over hints for all
/// architectures. If several apply, returns the largest value.
std::optional<int> hintFor(const Kernel &kernel, const Target &target, TargetHint::Kind kind);

} // namespace tilecc

#endif // TILECC_COMPILE_WARPS_H
