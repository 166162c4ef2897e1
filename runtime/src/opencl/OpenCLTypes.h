//===-- OpenCLTypes.h - the part of OpenCL's interface that the runtime uses -------------------------------------===//
//
// These types are declared here so that building the runtime needs no OpenCL headers. Names and numbers are those of
// the OpenCL 3.0 specification and of the extension cl_intel_unified_shared_memory.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_OPENCLTYPES_H
#define TILECC_RUNTIME_OPENCLTYPES_H

#include <stddef.h>
#include <stdint.h>

namespace tilecc::rt {

typedef struct _cl_platform_id *cl_platform_id;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_program *cl_program;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_event *cl_event;
typedef int32_t cl_int;
typedef uint32_t cl_uint, cl_bool;
typedef uint64_t cl_ulong, cl_bitfield;

enum : cl_int {
  CL_SUCCESS = 0,
  CL_DEVICE_NOT_AVAILABLE = -2,
  CL_MEM_OBJECT_ALLOCATION_FAILURE = -4,
  CL_OUT_OF_RESOURCES = -5,
  CL_OUT_OF_HOST_MEMORY = -6,
  CL_BUILD_PROGRAM_FAILURE = -11,
  CL_INVALID_VALUE = -30,
  CL_INVALID_WORK_GROUP_SIZE = -54,
};
enum : cl_bitfield { CL_DEVICE_TYPE_ALL = 0xffffffff };
enum : cl_uint {
  CL_PLATFORM_NAME = 0x0902,
  CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
  CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
  CL_DEVICE_SINGLE_FP_CONFIG = 0x101b,
  CL_DEVICE_GLOBAL_MEM_SIZE = 0x101f,
  CL_DEVICE_LOCAL_MEM_SIZE = 0x1023,
  CL_DEVICE_AVAILABLE = 0x1027,
  CL_DEVICE_NAME = 0x102b,
  CL_DEVICE_EXTENSIONS = 0x1030,
  CL_DEVICE_SVM_CAPABILITIES = 0x1053,
  CL_DEVICE_IL_VERSION = 0x105b,
  CL_DEVICE_SUB_GROUP_SIZES_INTEL = 0x4108,
  CL_QUEUE_PROPERTIES = 0x1093,
  CL_DRIVER_VERSION = 0x102d,
  CL_DEVICE_VERSION = 0x102f,
  CL_PROGRAM_BINARY_SIZES = 0x1165,
  CL_PROGRAM_BINARIES = 0x1166,
  CL_PROGRAM_BUILD_LOG = 0x1183,
  CL_EVENT_COMMAND_EXECUTION_STATUS = 0x11d3,
  CL_PROFILING_COMMAND_END = 0x1283,
  CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL = 0x4200,
  CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL = 0x4201,
  CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL = 0x4202,
};
enum : cl_int { CL_COMPLETE = 0 }; // an execution status
enum : cl_bitfield {
  CL_QUEUE_PROFILING_ENABLE = 1 << 1,
  CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT = 1 << 7,
  CL_MEM_READ_WRITE = 1 << 0,
  CL_DEVICE_SVM_FINE_GRAIN_BUFFER = 1 << 1,
  CL_MEM_SVM_FINE_GRAIN_BUFFER = 1 << 10,
};

} // namespace tilecc::rt
#endif
