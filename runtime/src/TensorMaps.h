//===-- TensorMaps.h - tensor maps that the runtime passes after a kernel's parameters -------------------------===//
//
// Kernels may take tensor maps after their own parameters (tilecc/abi.h). The runtime creates them at each launch.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_TENSORMAPS_H
#define TILECC_RUNTIME_TENSORMAPS_H

#include "ProgramGrid.h"

namespace tilecc::rt {

struct alignas(64) TensorMap {
  unsigned char bytes[128];
};

// cuTensorMapEncodeTiled, or the emulator's function of this name. Returns an error code, 0 for success.
using EncodeTiled = int (*)(void *map, int type, uint32_t rank, void *address, const uint64_t *dims,
                            const uint64_t *strides, const uint32_t *box, const uint32_t *elementStrides,
                            int interleave, int swizzle, int l2Promotion, int outOfBounds);

// cuTensorMapEncodeIm2col, or the emulator's function of this name.
using EncodeIm2col = int (*)(void *map, int type, uint32_t rank, void *address, const uint64_t *dims,
                             const uint64_t *strides, const int *lowerCorner, const int *upperCorner, uint32_t channels,
                             uint32_t pixels, const uint32_t *elementStrides, int interleave, int swizzle,
                             int l2Promotion, int outOfBounds);
struct MapEncoders {
  EncodeTiled tiled;
  EncodeIm2col im2col;
};

// Builds the arguments of a launch in `copy`: the kernel's own, then the tensor maps, and then the numbers that the
// entry requires, which must live as long as `copy`. The caller provides `copy`, with room for param_count + map_count
// + countOwnArguments() elements, and `maps`, with room for map_count. Returns false if there is no tensor map for
// these arguments; another variant must then be launched.
bool addTensorMaps(const tilecc_kernel &kernel, const tilecc_gpu_entry &entry, void *const *args, MapEncoders encoders,
                   TensorMap *maps, ProgramGrid &laidOut, void **copy);
// Fails because there is no tensor map for the arguments, and no other variant.
ttError_t failTensorMaps(const tilecc_kernel &kernel);

} // namespace tilecc::rt
#endif
