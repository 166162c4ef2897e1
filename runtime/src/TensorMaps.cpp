//===-- TensorMaps.cpp - tensor maps that kernels take behind their parameters ---------------------------------===//
//
// What a map depends on are arguments: the distance from row to row and, where the kernel asks for that, how many rows and columns
// there are and where they begin; where tiles lie, the kernel says in coordinates. Making one takes the driver about as long as a look at the arguments takes us, so nothing is kept.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "TensorMaps.h"
#include "Error.h"

#include <string.h>

using namespace tilecc::rt;

// The value of an integer argument; the lowest bytes of it come first.
static int64_t readInteger(const tilecc_param &param, const void *arg) {
  int64_t value = 0;
  memcpy(&value, arg, param.size);
  unsigned unused = 64 - 8 * param.size;
  return static_cast<int64_t>(static_cast<uint64_t>(value) << unused) >> unused;
}

// False if there is no such map: for a tensor without elements, or with rows that lie too far apart, or backwards.
static bool encode(const tilecc_kernel &kernel, const tilecc_tensor_map &described, void *const *args, EncodeTiled encode,
                   TensorMap *map) {
  auto read = [&](uint32_t parameter) { return readInteger(kernel.params[parameter], args[parameter]); };
  uint64_t strides[TILECC_MAP_DIMENSIONS - 1], sizes[TILECC_MAP_DIMENSIONS];
  memcpy(strides, described.strides, sizeof(strides));
  memcpy(sizes, described.sizes, sizeof(sizes));
  if (described.parameter != TILECC_NO_PARAMETER)
    strides[0] *= static_cast<uint64_t>(read(described.parameter));
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
  // CU_TENSOR_MAP_DATA_TYPE_UINT8, UINT16, FLOAT32 (what is added up is floats) and UINT64; CU_TENSOR_MAP_SWIZZLE_NONE, 32B, 64B and 128B; L2 fetches 256 bytes.
  int type = described.element_bytes == 1 ? 0 : described.element_bytes == 2 ? 1 : described.element_bytes == 4 ? 7 : 4;
  int swizzle = described.swizzle == 0 ? 0 : described.swizzle == 32 ? 1 : described.swizzle == 64 ? 2 : 3;
  constexpr int promotion256 = 3;
  unsigned dimensions = sizes[2] ? TILECC_MAP_DIMENSIONS : 2;
  return encode(map, type, dimensions, base, sizes, strides, described.box, steps, /*interleave=*/0, swizzle,
                promotion256, /*outOfBounds=*/0) == 0;
}

bool tilecc::rt::addTensorMaps(const tilecc_kernel &kernel, const tilecc_gpu_entry &entry, void *const *args,
                               EncodeTiled encodeTiled, TensorMap *maps, uint32_t *programs, void **copy) {
  memcpy(copy, args, kernel.param_count * sizeof(void *));
  for (uint32_t i = 0; i < entry.map_count; ++i) {
    copy[kernel.param_count + i] = &maps[i];
    if (!encode(kernel, entry.maps[i], args, encodeTiled, &maps[i]))
      return false;
  }
  copy[kernel.param_count + entry.map_count] = programs; // one whose blocks run one program each has no such parameter
  return true;
}

static uint32_t &along(ttDim3 &grid, const tilecc_gpu_entry &entry) {
  return entry.axis == 0 ? grid.x : entry.axis == 1 ? grid.y : grid.z;
}

uint32_t tilecc::rt::countPrograms(ttDim3 grid, const tilecc_gpu_entry &entry) { return along(grid, entry); }

ttDim3 tilecc::rt::getGridOfBlocks(ttDim3 grid, const tilecc_gpu_entry &entry) {
  uint32_t &programs = along(grid, entry);
  if (entry.programs > 1)
    programs = programs / entry.programs + (programs % entry.programs != 0);
  return grid;
}

uint32_t tilecc::rt::countBlocks(ttDim3 grid, uint32_t most) {
  uint64_t others = static_cast<uint64_t>(grid.y) * grid.z, along = most / others;
  bool keepsBusy = along * others * 10 >= static_cast<uint64_t>(most) * 9;
  return keepsBusy && along < grid.x ? static_cast<uint32_t>(along) : grid.x;
}

ttError_t tilecc::rt::failTensorMaps(const tilecc_kernel &kernel) {
  return fail(ttErrorInvalidValue,
              "kernel '%s': cannot describe its tiles in memory to the tensor memory accelerator; tensors must have elements, and "
              "the distance from row to row must be a multiple of 16 bytes, and less than 2^40",
              kernel.display_name);
}
