//===-- TensorMaps.cpp - tensor maps that the runtime passes after a kernel's parameters -----------------------===//
//
// A map depends on the arguments: the row pitch and, if the kernel requests it, the number of rows and columns and
// their origin. The kernel specifies tiles by coordinates. Encoding a map takes the driver about as long as examining
// the arguments would take, so maps are not cached.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "TensorMaps.h"
#include "Error.h"
#include "LaunchCode.h"

#include <string.h>

using namespace tilecc::rt;

// Returns CU_TENSOR_MAP_DATA_TYPE_UINT8, UINT16, FLOAT32 (for reductions, which add floats) or UINT64.
static int typeOf(const tilecc_tensor_map &map) {
  return map.element_bytes == 1 ? 0 : map.element_bytes == 2 ? 1 : map.element_bytes == 4 ? 7 : 4;
}
// Returns CU_TENSOR_MAP_SWIZZLE_NONE, 32B, 64B or 128B.
static int swizzleOf(const tilecc_tensor_map &map) {
  return map.swizzle == 0 ? 0 : map.swizzle == 32 ? 1 : map.swizzle == 64 ? 2 : 3;
}
constexpr int promotion256 = 3; // L2 fetches 256 bytes

// Encodes a map. Returns false if there is none: the tensor has no elements, or its pitch is too large or negative.
static bool encode(const tilecc_kernel &kernel, const tilecc_tensor_map &described, void *const *args,
                   EncodeTiled encode, TensorMap *map) {
  auto read = [&](uint32_t parameter) { return readInteger(kernel.params[parameter], args[parameter]); };
  uint64_t strides[TILECC_MAP_DIMENSIONS - 1], sizes[TILECC_MAP_DIMENSIONS];
  memcpy(strides, described.strides, sizeof(strides));
  memcpy(sizes, described.sizes, sizeof(sizes));
  strides[0] = readPitch(kernel, described, args);
  for (int i = 0; i < 2; ++i)
    if (uint32_t limit = described.limits[i]; limit != TILECC_NO_PARAMETER) {
      int64_t size = read(limit);
      if (size <= 0 || size > INT32_MAX)
        return false;
      sizes[i] = static_cast<uint64_t>(size);
    }
  void *base = nullptr;
  if (described.base != TILECC_NO_PARAMETER) {
    memcpy(&base, args[described.base], sizeof(base));
    if (!base)
      return false;
  }
  uint32_t steps[TILECC_MAP_DIMENSIONS] = {1, 1, 1, 1};
  unsigned dimensions = sizes[2] ? TILECC_MAP_DIMENSIONS : 2;
  return encode(map, typeOf(described), dimensions, base, sizes, strides, described.box, steps, /*interleave=*/0,
                swizzleOf(described), promotion256, /*outOfBounds=*/0) == 0;
}

// Encodes a map of images. Returns false if there is none.
static bool encodeImage(const tilecc_kernel &kernel, const tilecc_tensor_map &described, void *const *args,
                        EncodeIm2col encode, TensorMap *map) {
  constexpr uint32_t most = TILECC_IMAGE_DIMENSIONS;
  uint32_t axes = described.image_dimensions, rank = axes + 2;
  int64_t numbers[64];
  if (runCode(kernel, described.code, described.code_size, args, numbers, sizeof(numbers) / sizeof(*numbers)) !=
      rank + (rank - 1) + 3 * axes)
    return false;
  const int64_t *next = numbers;
  uint64_t sizes[most], strides[most - 1];
  int corners[2][most - 2];
  uint32_t steps[most] = {1, 1, 1, 1, 1};
  auto take = [&](auto *to, uint32_t count, int64_t least, int64_t largest) {
    for (uint32_t i = 0; i < count; ++i, ++next) {
      if (*next < least || *next > largest)
        return false;
      to[i] = *next;
    }
    return true;
  };
  void *base;
  memcpy(&base, args[described.base], sizeof(base));
  return take(sizes, rank, 1, INT64_MAX) && take(strides, rank - 1, 0, INT64_MAX) &&
         take(corners[0], axes, INT32_MIN, INT32_MAX) && take(corners[1], axes, INT32_MIN, INT32_MAX) &&
         take(steps + 1, axes, 1, INT32_MAX) && base &&
         encode(map, typeOf(described), rank, base, sizes, strides, corners[0], corners[1], described.box[0],
                described.box[1], steps,
                /*interleave=*/0, swizzleOf(described), promotion256, /*outOfBounds=*/0) == 0;
}

bool tilecc::rt::addTensorMaps(const tilecc_kernel &kernel, const tilecc_gpu_entry &entry, void *const *args,
                               MapEncoders encoders, TensorMap *maps, ProgramGrid &laidOut, void **copy) {
  memcpy(copy, args, kernel.param_count * sizeof(void *));
  for (uint32_t i = 0; i < entry.map_count; ++i) {
    copy[kernel.param_count + i] = &maps[i];
    const tilecc_tensor_map &map = entry.maps[i];
    bool isMade = map.image_dimensions ? encodeImage(kernel, map, args, encoders.im2col, &maps[i])
                                       : encode(kernel, map, args, encoders.tiled, &maps[i]);
    if (!isMade)
      return false;
  }
  void **next = copy + kernel.param_count + entry.map_count;
  for (uint32_t i = 0; i < countNumbers(entry); ++i)
    *next++ = &laidOut.numbers[i];
  if (entry.cluster_bytes) {
    *next++ = &laidOut.clusters;
    *next++ = &laidOut.memory;
  }
  return true;
}

ttError_t tilecc::rt::failTensorMaps(const tilecc_kernel &kernel) {
  return fail(ttErrorInvalidValue,
              "kernel '%s': cannot describe its tiles in memory to the tensor memory accelerator; tensors must have "
              "elements, and "
              "the distance from row to row must be a multiple of 16 bytes, and less than 2^40",
              kernel.display_name);
}
