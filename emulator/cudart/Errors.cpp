//===- Errors.cpp - error codes and their names -------------------------------------------------------------------===//

#include "Missing.h"
#include "State.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>

namespace tilecc::cudart {

static thread_local cudaError_t lastError = cudaSuccess;

cudaError_t keep(cudaError_t error) { return error ? lastError = error : error; }

int reportMissing(const char *function) {
  std::fprintf(stderr, "emulated cudart: %s is not emulated\n", function);
  return keep(cudaErrorNotSupported);
}

} // namespace tilecc::cudart

using namespace tilecc::cudart;

CUDART cudaError_t cudaGetLastError() { return std::exchange(lastError, cudaSuccess); }
CUDART cudaError_t cudaPeekAtLastError() { return lastError; }

namespace {
struct Text {
  cudaError_t error;
  const char *name, *words;
};
#define ERROR(NAME, WORDS) {NAME, #NAME, WORDS}
constexpr Text texts[] = {
    ERROR(cudaSuccess, "no error"),
    ERROR(cudaErrorInvalidValue, "invalid argument"),
    ERROR(cudaErrorMemoryAllocation, "out of memory"),
    ERROR(cudaErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped"),
    ERROR(cudaErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region"),
    ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    ERROR(cudaErrorMissingConfiguration, "__global__ function call is not configured"),
    ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    ERROR(cudaErrorNoKernelImageForDevice, "no kernel image is available for execution on the device"),
    ERROR(cudaErrorInvalidPtx, "a PTX JIT compilation failed"),
    ERROR(cudaErrorIllegalState, "the operation cannot be performed in the present state"),
    ERROR(cudaErrorSymbolNotFound, "named symbol not found"),
    ERROR(cudaErrorNotReady, "device not ready"),
    ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    ERROR(cudaErrorAssert, "device-side assert triggered"),
    ERROR(cudaErrorMisalignedAddress, "misaligned address"),
    ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    ERROR(cudaErrorNotSupported, "operation not supported"),
    ERROR(cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
    ERROR(cudaErrorUnknown, "unknown error"),
};
#undef ERROR
} // namespace

static const Text *textOf(cudaError_t error) {
  const Text *found = std::find_if(std::begin(texts), std::end(texts), [&](const Text &t) { return t.error == error; });
  return found == std::end(texts) ? nullptr : found;
}
CUDART const char *cudaGetErrorString(cudaError_t error) {
  const Text *text = textOf(error);
  return text ? text->words : "unrecognized error code";
}
CUDART const char *cudaGetErrorName(cudaError_t error) {
  const Text *text = textOf(error);
  return text ? text->name : "unrecognized error code";
}
