//===- Facts.h - properties of the emulated device ---------------------------------------------------------*- C++ -*-//
//
// The device has few multiprocessors, because libraries size their grids to fill them.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_EMULATOR_CUDA_FACTS_H
#define TILECC_EMULATOR_CUDA_FACTS_H

#include <cuda.h>

namespace tilecc::cuda::facts {

constexpr int multiprocessors = 4, threadsOfOne = 2048, threadsOfBlock = 1024, blocksOfOne = 32;
constexpr int sharedOfOne = 228 * 1024, sharedOfBlock = 227 * 1024, sharedUnasked = 48 * 1024;
constexpr int registersOfOne = 65536, registersOfThread = 32;

/// Returns an attribute of a device with an architecture, 90 for sm_90. Attributes that are not listed are 0: the
/// device lacks what they describe.
constexpr int attribute(CUdevice_attribute attribute, unsigned arch) {
  switch (attribute) {
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: return static_cast<int>(arch / 10);
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: return static_cast<int>(arch % 10);
  case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: return multiprocessors;
  case CU_DEVICE_ATTRIBUTE_WARP_SIZE: return 32;
  case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X:
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y: return threadsOfBlock;
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z: return 64;
  case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR: return threadsOfOne;
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR: return blocksOfOne;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: return sharedUnasked;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: return sharedOfBlock;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR: return sharedOfOne;
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X: return 0x7fffffff;
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z: return 65535;
  case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK:
  case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR: return registersOfOne;
  case CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY: return 65536;
  case CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH:
  case CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY:
  case CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS:
  case CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY:
  case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING:
  case CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED: return 1;
  default: return 0;
  }
}

} // namespace tilecc::cuda::facts

#endif // TILECC_EMULATOR_CUDA_FACTS_H
