//===-- LaunchArguments.h - the variant and the arguments of a launch on a GPU or the emulator -----------------===//
//
// All devices with GPU code launch kernels in the same way: they choose a variant, add the arguments that its code
// needs, and possibly split the launch in two.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_LAUNCHARGUMENTS_H
#define TILECC_RUNTIME_LAUNCHARGUMENTS_H

#include "TensorMaps.h"
#include "Variant.h"

namespace tilecc::rt {

// Declares arrays for the arguments and the tensor maps of a launch, on the stack of the function that uses this macro.
#define TILECC_ROOM_FOR_ARGUMENTS(kernel, entry, args, maps)                                                           \
  auto **args = static_cast<void **>(                                                                                  \
      __builtin_alloca(((kernel).param_count + (entry).map_count + countOwnArguments(entry)) * sizeof(void *)));       \
  auto *maps = static_cast<TensorMap *>(                                                                               \
      __builtin_alloca_with_align((entry).map_count * sizeof(TensorMap), 8 * alignof(TensorMap)))

// How a variant is to be launched.
struct LaunchForm {
  bool overlaps; // it begins before the previous launch in its stream has ended
  bool isOrdered; // it does not begin before that, although its code could wait
  bool isInPairs; // clusters of two blocks should share copies, if numbers permit it
  uint32_t maxBlocks; // a cluster that runs a program should not have more blocks
};

// Calls launchFirst(), and then launches the last programs of a grid, from program `first` on, with a variant for few
// programs. Returns false, and launches nothing, if the tensor maps of that variant cannot be encoded.
template <class LaunchFirst, class Use>
inline bool launchWithTail(const tilecc_kernel &kernel, ttDim3 grid, uint32_t first, void **args, MapEncoders encoders,
                           uint32_t variant, const tilecc_gpu_entry &entry, LaunchFirst launchFirst, Use use,
                           ttError_t *error) {
  const uint32_t parts = countParts(kernel.variants[variant]);
  TILECC_ROOM_FOR_ARGUMENTS(kernel, entry, all, maps);
  ProgramGrid laidOut;
  if (!layOutPrograms(grid, kernel.variants[variant], entry, &laidOut) ||
      !addTensorMaps(kernel, entry, args, encoders, maps, laidOut, all))
    return false;
  laidOut.numbers[entry.numbered] = first * parts;
  const uint64_t tail = countAll(grid) - first;
  *error = launchFirst();
  if (!*error)
    *error = use(variant, ttDim3{static_cast<uint32_t>(tail * parts), 1, 1}, all,
                 LaunchForm{/*overlaps=*/true, /*isOrdered=*/false, /*isInPairs=*/false,
                            countUsefulBlocks(kernel, kernel.variants[variant], entry, args)});
  return true;
}

// If the grid has few programs, launches several clusters for each of them: calls launch(blocks, maxBlocks) once
// `laidOut` describes the clusters and their memory; `maxBlocks` is a limit on the size of a cluster. Returns false,
// and launches nothing, if one cluster per program is better, or if there is no memory.
template <class Means, class Launch>
inline bool launchClusters(uint64_t programs, uint32_t variant, const tilecc_gpu_entry &entry, ProgramGrid &laidOut,
                           uint32_t usefulBlocks, Means &means, Launch launch, ttError_t *error) {
  constexpr uint64_t alignment = 4096; // so that nearly all launches need the same number of zeros
  const uint32_t clusters = means.countClusters(variant, programs, usefulBlocks);
  if (clusters <= 1 || !means.exist()) // exist() asks the driver
    return false;
  const uint64_t counters = (programs * sizeof(uint32_t) + alignment - 1) / alignment * alignment;
  void *memory = means.allocate(counters + programs * clusters * entry.cluster_bytes, counters);
  if (!memory)
    return false;
  laidOut.clusters = clusters;
  laidOut.memory = static_cast<char *>(memory) + counters;
  *error = launch(ttDim3{static_cast<uint32_t>(programs * clusters), 1, 1}, usefulBlocks / clusters);
  means.free(memory);
  return true;
}

// Chooses the variant of a launch, and calls use(variant, blocks, args, form) with the number of the variant, the
// blocks that run the programs, the arguments, and a LaunchForm. If the variant has tensor maps, `args` is a copy that
// includes them and lives until `use` returns. `entryOf(v)` returns the entry of variant v, and `blocksAtOnce(v)` is as
// for chooseVariant.
//
// If the last programs of the launch would leave multiprocessors idle, another variant launches these programs: `use`
// is then called twice, the second time with a form that overlaps. If the launch has few programs, several clusters may
// run each of them. `means` says whether the device can do such launches:
//   exist()                            returns false if it cannot
//   countClusters(variant, programs, usefulBlocks)
//                                      returns how many clusters should run each program, of which at most
//                                      `usefulBlocks` blocks have something to do
//   allocate(bytes, zeros)             returns memory for the launch, whose first `zeros` bytes are 0, or null
//   free(memory)                       frees it when the launch has ended
template <class EntryOf, class Blocks, class Means, class Use>
inline ttError_t withVariant(const tilecc_kernel &kernel, ttDim3 grid, void **args, MapEncoders encoders,
                             EntryOf entryOf, Blocks blocksAtOnce, Means means, Use use) {
  uint32_t variant = chooseVariant(kernel, args, grid, blocksAtOnce);
  for (;;) {
    const tilecc_gpu_entry &entry = entryOf(variant);
    ProgramGrid laidOut;
    const bool isLaidOut = layOutPrograms(grid, kernel.variants[variant], entry, &laidOut);
    const uint32_t usefulBlocks = countUsefulBlocks(kernel, kernel.variants[variant], entry, args);
    if (!entry.map_count)
      return use(variant, laidOut.blocks, args, LaunchForm{false, false, false, usefulBlocks});
    TILECC_ROOM_FOR_ARGUMENTS(kernel, entry, all, maps);
    if (isLaidOut && addTensorMaps(kernel, entry, args, encoders, maps, laidOut, all)) {
      ttError_t error;
      const bool numbers = numbersAll(entry, grid);
      const Tail tail = numbers ? chooseTail(kernel, args, variant, grid, blocksAtOnce) : Tail();
      // Copies that do not begin at a cache line are limited by the L2 cache, and shared copies need half of its
      // bandwidth.
      const bool isInPairs = entry.persistent && entry.max_blocks > 1 && copiesCrossLines(kernel, entry, args);
      auto launch = [&](ttDim3 blocks, uint32_t maxBlocks, bool isOrdered = false) {
        return use(variant, blocks, all, LaunchForm{false, isOrdered, isInPairs, maxBlocks});
      };
      if (tail.programs && means.exist()) {
        const auto first = static_cast<uint32_t>(countAll(grid)) - tail.programs;
        auto launchFirst = [&] {
          if (entry.persistent)
            laidOut.numbers[entry.numbered] = first;
          return launch(ttDim3{first, 1, 1}, usefulBlocks, /*isOrdered=*/true);
        };
        if (launchWithTail(kernel, grid, first, args, encoders, tail.variant, entryOf(tail.variant), launchFirst, use,
                           &error))
          return error;
      } else if (numbers && entry.cluster_bytes &&
                 launchClusters(countAll(laidOut.blocks), variant, entry, laidOut, usefulBlocks, means, launch,
                                &error)) {
        return error;
      }
      return launch(laidOut.blocks, usefulBlocks);
    }
    if (variant == kernel.variant_count - 1)
      return failTensorMaps(kernel);
    variant = chooseAnother(kernel, args, variant, grid, blocksAtOnce);
  }
}

} // namespace tilecc::rt
#endif
