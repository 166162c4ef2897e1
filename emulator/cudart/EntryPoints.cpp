//===- EntryPoints.cpp - finds functions of the driver by name ----------------------------------------------------===//
//
// Programs that create tensor maps ask the runtime for the driver's function, so that they need not link libcuda. The
// emulator has the functions of the table below. Any other function is not found, as with an older driver.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "State.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <iterator>

using namespace tilecc::cudart;

/// Converts an error to the driver's type. The numbers are those of the runtime's errors. The driver does not record
/// errors.
static CUresult resultOf(tilecc_emu_error error) {
  if (error)
    std::fprintf(stderr, "emulated driver: %s\n", tilecc_emu_error_message());
  return static_cast<CUresult>(error);
}

//===--- the functions --------------------------------------------------------------------------------------------===//

static CUresult encodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
                            const cuuint64_t *dims, const cuuint64_t *strides, const cuuint32_t *box,
                            const cuuint32_t *elementStrides, CUtensorMapInterleave interleave,
                            CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                            CUtensorMapFloatOOBfill fill) {
  return resultOf(tilecc_emu_tensor_map_encode_tiled(map, type, rank, address, dims, strides, box, elementStrides,
                                                     interleave, swizzle, promotion, fill));
}

static CUresult encodeIm2col(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
                             const cuuint64_t *dims, const cuuint64_t *strides, const int *lower, const int *upper,
                             cuuint32_t channels, cuuint32_t pixels, const cuuint32_t *elementStrides,
                             CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                             CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  return resultOf(tilecc_emu_tensor_map_encode_im2col(map, type, rank, address, dims, strides, lower, upper, channels,
                                                      pixels, elementStrides, interleave, swizzle, promotion, fill));
}

static CUresult errorString(CUresult error, const char **text) {
  *text = cudaGetErrorString(static_cast<cudaError_t>(error));
  return CUDA_SUCCESS;
}

static CUresult initialize(unsigned flags) {
  if (flags)
    return CUDA_ERROR_INVALID_VALUE;
  return device() ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}

static CUresult driverVersion(int *version) { return static_cast<CUresult>(cudaDriverGetVersion(version)); }

//===--- the table ------------------------------------------------------------------------------------------------===//

namespace {
struct EntryPoint {
  const char *name;
  unsigned since; // the first version of CUDA that has it
  void *function;
};
} // namespace

static CUresult processAddress(const char *symbol, void **function, int version, cuuint64_t flags,
                               CUdriverProcAddressQueryResult *status);

template <class F> static void *addressOf(F *function) { return reinterpret_cast<void *>(function); }

static const EntryPoint *findEntryPoint(const char *name) {
  static const EntryPoint table[] = {
      {"cuDriverGetVersion", 2020, addressOf(driverVersion)},
      {"cuGetErrorString", 6000, addressOf(errorString)},
      {"cuGetProcAddress", 12000, addressOf(processAddress)},
      {"cuInit", 2000, addressOf(initialize)},
      {"cuTensorMapEncodeIm2col", 12000, addressOf(encodeIm2col)},
      {"cuTensorMapEncodeTiled", 12000, addressOf(encodeTiled)},
  };
  const EntryPoint *found = std::find_if(std::begin(table), std::end(table),
                                         [&](const EntryPoint &row) { return !std::strcmp(row.name, name); });
  return found == std::end(table) ? nullptr : found;
}

CUDART cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version,
                                                    unsigned long long, cudaDriverEntryPointQueryResult *status) {
  if (!symbol || !function || version > CUDART_VERSION)
    return keep(cudaErrorInvalidValue);
  const EntryPoint *found = findEntryPoint(symbol);
  bool isOldEnough = found && found->since <= version;
  *function = isOldEnough ? found->function : nullptr;
  if (status)
    *status = isOldEnough ? cudaDriverEntryPointSuccess
              : found     ? cudaDriverEntryPointVersionNotSufficent
                          : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}
CUDART cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                                           cudaDriverEntryPointQueryResult *status) {
  return cudaGetDriverEntryPointByVersion(symbol, function, CUDART_VERSION, flags, status);
}

static CUresult processAddress(const char *symbol, void **function, int version, cuuint64_t flags,
                               CUdriverProcAddressQueryResult *status) {
  cudaDriverEntryPointQueryResult found;
  cudaError_t error = cudaGetDriverEntryPointByVersion(symbol, function, static_cast<unsigned>(version), flags, &found);
  if (!error && status)
    *status = static_cast<CUdriverProcAddressQueryResult>(found);
  return error ? CUDA_ERROR_INVALID_VALUE : *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
