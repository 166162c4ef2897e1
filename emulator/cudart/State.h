//===- State.h - CUDA's runtime based on the emulated driver -----------------------------------------------*- C++ -*-//
//
// This is an implementation of libcudart, built from CUDA's public headers. With it, programs with SIMT kernels that
// link the shared CUDA runtime run on the emulator, with all of its checks. It stands on the driver of emulator/cuda,
// which has memory, streams, graphs and modules; handles and errors of both are the same. It implements the functions
// that the tests of this project call; all others return cudaErrorNotSupported (Missing.h).
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_EMULATOR_CUDART_STATE_H
#define TILECC_EMULATOR_CUDART_STATE_H

#include <cuda.h>
#include <cuda_runtime_api.h>

#define CUDART extern "C" __attribute__((visibility("default")))

namespace tilecc::cudart {

/// Records the thread's last error for cudaGetLastError. Errors of the runtime have the numbers of the driver's.
cudaError_t keep(cudaError_t error);
inline cudaError_t keep(CUresult error) { return keep(static_cast<cudaError_t>(error)); }

/// Returns the kernel of a host symbol. Returns null after recording an error.
CUfunction kernelOf(const void *function);

inline CUdeviceptr addressOf(const void *pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

} // namespace tilecc::cudart

#endif // TILECC_EMULATOR_CUDART_STATE_H
