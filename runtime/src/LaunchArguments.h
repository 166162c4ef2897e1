//===-- LaunchArguments.h - the variant and the arguments of a launch on a GPU or the emulator -----------------===//
#ifndef TILECC_RUNTIME_LAUNCHARGUMENTS_H
#define TILECC_RUNTIME_LAUNCHARGUMENTS_H

#include "TensorMaps.h"
#include "Variant.h"

namespace tilecc::rt {

// The arguments of a launch, with room on the stack of the function that uses this.
#define TILECC_ROOM_FOR_ARGUMENTS(kernel, entry, args, maps)                                                           \
  auto **args = static_cast<void **>(                                                                                  \
      __builtin_alloca(((kernel).param_count + (entry).map_count + countNumbers(entry)) * sizeof(void *)));            \
  auto *maps = static_cast<TensorMap *>(                                                                               \
      __builtin_alloca_with_align((entry).map_count * sizeof(TensorMap), 8 * alignof(TensorMap)))

// Launches the last programs of a grid, from `first` on, by a variant for few programs. Returns false, and launches
// nothing, if its tensor maps cannot be encoded.
template <class Use>
inline bool launchTail(const tilecc_kernel &kernel, ttDim3 grid, uint32_t first, void **args, MapEncoders encoders,
                       uint32_t variant, const tilecc_gpu_entry &entry, Use use, ttError_t *error) {
  const uint32_t parts = countParts(kernel.variants[variant]);
  TILECC_ROOM_FOR_ARGUMENTS(kernel, entry, all, maps);
  ProgramGrid laidOut;
  if (!layOutPrograms(grid, kernel.variants[variant], entry, &laidOut) ||
      !addTensorMaps(kernel, entry, args, encoders, maps, laidOut.numbers, all))
    return false;
  laidOut.numbers[entry.numbered] = first * parts;
  const uint64_t tail = countAll(grid) - first;
  *error = use(variant, ttDim3{static_cast<uint32_t>(tail * parts), 1, 1}, all, /*overlaps=*/true);
  return true;
}

// Chooses the variant of a launch and calls use(variant, blocks, args, overlaps): the variant's number, the blocks
// that run the programs, and the kernel's arguments. If the variant has tensor maps, `args` is a copy with them, which
// lives until `use` returns. `entryOf(v)` returns the entry of a variant, and `blocksAtOnce(v)` is as for
// chooseVariant.
//
// If programs at the end of the launch would leave multiprocessors idle, and mayHaveTail() is true, these programs are
// launched by another variant. `use` is then called twice, the second time with `overlaps`: that launch need not wait
// for the first.
template <class EntryOf, class Blocks, class MayHaveTail, class Use>
inline ttError_t withVariant(const tilecc_kernel &kernel, ttDim3 grid, void **args, MapEncoders encoders,
                             EntryOf entryOf, Blocks blocksAtOnce, MayHaveTail mayHaveTail, Use use) {
  uint32_t variant = chooseVariant(kernel, args, grid, blocksAtOnce);
  for (;;) {
    const tilecc_gpu_entry &entry = entryOf(variant);
    ProgramGrid laidOut;
    const bool isLaidOut = layOutPrograms(grid, kernel.variants[variant], entry, &laidOut);
    if (!entry.map_count)
      return use(variant, laidOut.blocks, args, /*overlaps=*/false);
    TILECC_ROOM_FOR_ARGUMENTS(kernel, entry, all, maps);
    if (isLaidOut && addTensorMaps(kernel, entry, args, encoders, maps, laidOut.numbers, all)) {
      const Tail tail = numbersAll(entry, grid) ? chooseTail(kernel, args, variant, grid, blocksAtOnce) : Tail();
      if (!tail.programs || !mayHaveTail())
        return use(variant, laidOut.blocks, all, /*overlaps=*/false);
      const auto first = static_cast<uint32_t>(countAll(grid)) - tail.programs;
      ttError_t error = use(variant, ttDim3{first, 1, 1}, all, /*overlaps=*/false);
      if (error || launchTail(kernel, grid, first, args, encoders, tail.variant, entryOf(tail.variant), use, &error))
        return error;
      laidOut.numbers[entry.numbered] = first;
      return use(variant, ttDim3{tail.programs, 1, 1}, all, /*overlaps=*/true);
    }
    if (variant == kernel.variant_count - 1)
      return failTensorMaps(kernel);
    variant = chooseAnother(kernel, args, variant, grid, blocksAtOnce);
  }
}

} // namespace tilecc::rt
#endif
