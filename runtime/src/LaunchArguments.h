//===-- LaunchArguments.h - the variant and the arguments of a launch on a GPU or the emulator -----------------===//
#ifndef TILECC_RUNTIME_LAUNCHARGUMENTS_H
#define TILECC_RUNTIME_LAUNCHARGUMENTS_H

#include "TensorMaps.h"
#include "Variant.h"

namespace tilecc::rt {

// Chooses the variant of a launch and calls use(variant, blocks, args): the variant's number, the blocks that run the
// programs, and the kernel's arguments. If the variant has tensor maps, `args` is a copy with them, which lives until
// `use` returns. `entryOf(v)` returns the entry of a variant, and `blocksAtOnce(v)` is as for chooseVariant.
template <class EntryOf, class Blocks, class Use>
inline ttError_t withVariant(const tilecc_kernel &kernel, ttDim3 grid, void **args, MapEncoders encoders,
                             EntryOf entryOf, Blocks blocksAtOnce, Use use) {
  uint32_t variant = chooseVariant(kernel, args, grid, blocksAtOnce);
  for (;;) {
    const tilecc_gpu_entry &entry = entryOf(variant);
    ProgramGrid laidOut;
    const bool isLaidOut = layOutPrograms(grid, kernel.variants[variant], entry, &laidOut);
    if (!entry.map_count)
      return use(variant, laidOut.blocks, args);
    auto **all = static_cast<void **>(
        __builtin_alloca((kernel.param_count + entry.map_count + countNumbers(entry)) * sizeof(void *)));
    auto *maps = static_cast<TensorMap *>(
        __builtin_alloca_with_align(entry.map_count * sizeof(TensorMap), 8 * alignof(TensorMap)));
    if (isLaidOut && addTensorMaps(kernel, entry, args, encoders, maps, laidOut.programs, all))
      return use(variant, laidOut.blocks, all);
    if (variant == kernel.variant_count - 1)
      return failTensorMaps(kernel);
    variant = chooseAnother(kernel, args, variant, grid, blocksAtOnce);
  }
}

} // namespace tilecc::rt
#endif
