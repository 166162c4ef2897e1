//===-- TensorMaps.cpp - tensor maps that kernels take behind their parameters ---------------------------------===//
//
// What a map depends on is at most one integer argument, the distance from row to row; where tiles lie, the kernel says in
// coordinates. Making one takes the driver about as long as a look at the arguments takes us, so nothing is kept.
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

static int encode(const tilecc_kernel &kernel, const tilecc_tensor_map &described, void *const *args, EncodeTiled encode,
                  TensorMap *map) {
  uint64_t strides[TILECC_MAP_DIMENSIONS - 1];
  memcpy(strides, described.strides, sizeof(strides));
  if (described.parameter != TILECC_NO_PARAMETER)
    strides[0] *= static_cast<uint64_t>(readInteger(kernel.params[described.parameter], args[described.parameter]));
  uint32_t steps[TILECC_MAP_DIMENSIONS] = {1, 1, 1, 1};
  // CU_TENSOR_MAP_DATA_TYPE_UINT8, 16, 32 and 64; CU_TENSOR_MAP_SWIZZLE_NONE, 32B, 64B and 128B; L2 fetches 256 bytes.
  int type = described.element_bytes == 1 ? 0 : described.element_bytes == 2 ? 1 : described.element_bytes == 4 ? 2 : 4;
  int swizzle = described.swizzle == 0 ? 0 : described.swizzle == 32 ? 1 : described.swizzle == 64 ? 2 : 3;
  constexpr int promotion256 = 3;
  return encode(map, type, TILECC_MAP_DIMENSIONS, nullptr, described.sizes, strides, described.box, steps,
                /*interleave=*/0, swizzle, promotion256, /*outOfBounds=*/0);
}

ttError_t tilecc::rt::addTensorMaps(const tilecc_kernel &kernel, const tilecc_gpu_entry &entry, void *const *args,
                                    EncodeTiled encodeTiled, TensorMap *maps, void **copy) {
  memcpy(copy, args, kernel.param_count * sizeof(void *));
  for (uint32_t i = 0; i < entry.map_count; ++i) {
    copy[kernel.param_count + i] = &maps[i];
    if (int code = encode(kernel, entry.maps[i], args, encodeTiled, &maps[i]))
      return fail(ttErrorInvalidValue,
                  "kernel '%s': cannot describe its tiles in memory to the tensor memory accelerator (error %d)%s",
                  kernel.display_name, code,
                  entry.maps[i].parameter == TILECC_NO_PARAMETER
                      ? ""
                      : "; the distance from row to row must be less than 2^40 bytes");
  }
  return ttSuccess;
}
