//===- EntryPoints.cpp - finds functions of the driver by name, and makes tensor maps -----------------------------===//

#include "Missing.h"
#include "State.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <span>
#include <tilecc/emulator.h>

using namespace tilecc::cuda;

/// Returns this library, which the program may have opened without making its symbols global.
static void *thisLibrary() {
  static void *const library = [] {
    Dl_info info;
    dladdr(reinterpret_cast<void *>(thisLibrary), &info);
    return dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  }();
  return library;
}

DRIVER cuGetProcAddress(const char *symbol, void **function, int version, cuuint64_t,
                        CUdriverProcAddressQueryResult *status) {
  if (!symbol || !function)
    return CUDA_ERROR_INVALID_VALUE;
  std::span all(functionNames, functionNameCount);
  auto found =
      std::find_if(all.begin(), all.end(), [&](const FunctionName &row) { return !std::strcmp(row.name, symbol); });
  bool isKnown = found != all.end(), isOldEnough = isKnown && found->since <= version;
  *function = isOldEnough ? dlsym(thisLibrary(), found->newest) : nullptr;
  if (status)
    *status = isOldEnough ? CU_GET_PROC_ADDRESS_SUCCESS
              : isKnown   ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                          : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

//===--- tensor maps ----------------------------------------------------------------------------------------------===//

DRIVER cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
                              const cuuint64_t *dims, const cuuint64_t *strides, const cuuint32_t *box,
                              const cuuint32_t *elementStrides, CUtensorMapInterleave interleave,
                              CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                              CUtensorMapFloatOOBfill fill) {
  return keep(tilecc_emu_tensor_map_encode_tiled(map, type, rank, address, dims, strides, box, elementStrides,
                                                 interleave, swizzle, promotion, fill));
}
DRIVER cuTensorMapEncodeIm2col(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
                               const cuuint64_t *dims, const cuuint64_t *strides, const int *lower, const int *upper,
                               cuuint32_t channels, cuuint32_t pixels, const cuuint32_t *elementStrides,
                               CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                               CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  return keep(tilecc_emu_tensor_map_encode_im2col(map, type, rank, address, dims, strides, lower, upper, channels,
                                                  pixels, elementStrides, interleave, swizzle, promotion, fill));
}
