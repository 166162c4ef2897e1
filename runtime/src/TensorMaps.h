//===-- TensorMaps.h - tensor maps that kernels take behind their parameters -----------------------------------===//
#ifndef TILECC_RUNTIME_TENSORMAPS_H
#define TILECC_RUNTIME_TENSORMAPS_H

#include "Support.h"

namespace tilecc::rt {

struct alignas(64) TensorMap {
  unsigned char bytes[128];
};

// cuTensorMapEncodeTiled, or the emulator's. Returns a code of its own, 0 for success.
using EncodeTiled = int (*)(void *map, int type, uint32_t rank, void *address, const uint64_t *dims,
                            const uint64_t *strides, const uint32_t *box, const uint32_t *elementStrides, int interleave,
                            int swizzle, int l2Promotion, int outOfBounds);

// cuTensorMapEncodeIm2col, likewise.
using EncodeIm2col = int (*)(void *map, int type, uint32_t rank, void *address, const uint64_t *dims,
                             const uint64_t *strides, const int *lowerCorner, const int *upperCorner, uint32_t channels,
                             uint32_t pixels, const uint32_t *elementStrides, int interleave, int swizzle,
                             int l2Promotion, int outOfBounds);
struct MapEncoders {
  EncodeTiled tiled;
  EncodeIm2col im2col;
};

// The arguments of a launch: the kernel's own and, behind them, its entry's tensor maps and, where blocks run several programs, `programs`, which
// lives as long as `copy`. `copy` and `maps` are the caller's, for param_count + map_count + 1 and map_count. False where these arguments have none: another variant is to be launched.
bool addTensorMaps(const tilecc_kernel &kernel, const tilecc_gpu_entry &entry, void *const *args, MapEncoders encoders,
                   TensorMap *maps, uint32_t *programs, void **copy);
// The blocks along x of a persistent kernel of which `most` run at once: where the other axes leave no number that keeps all of them
// busy, each program has a block.
uint32_t countBlocks(ttDim3 grid, uint32_t most);
// The programs along the axis of which blocks run several, and the grid of blocks where these are as many as share one.
uint32_t countPrograms(ttDim3 grid, const tilecc_gpu_entry &entry);
ttDim3 getGridOfBlocks(ttDim3 grid, const tilecc_gpu_entry &entry);
// That there is no other variant.
ttError_t failTensorMaps(const tilecc_kernel &kernel);

} // namespace tilecc::rt
#endif
