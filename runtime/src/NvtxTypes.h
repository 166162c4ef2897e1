//===-- NvtxTypes.h - NVTX 3's types and numbers ------------------------------------------------------------------===//
//
// The types that ranges need. Names and layouts are those of nvtx3/nvtxDetail/nvtxTypes.h.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_NVTXTYPES_H
#define TILECC_RUNTIME_NVTXTYPES_H

#include <stddef.h>
#include <stdint.h>

namespace tilecc::rt {

enum { NVTX_CB_MODULE_CORE = 1 };
enum { NVTX_CBID_CORE_RangePushA = 9, NVTX_CBID_CORE_RangePop = 11, NVTX_CBID_CORE_SIZE = 16 };
enum { NVTX_ETID_CALLBACKS = 1, NVTX_ETID_VERSIONINFO = 3 };
enum { nvtxVersion = 3 }; // NVTX_VERSION, a macro in the headers

using NvtxFunctionPointer = void (*)();
using NvtxFunctionTable = NvtxFunctionPointer **;
struct NvtxExportTableCallbacks {
  size_t struct_size;
  int (*GetModuleFunctionTable)(int module, NvtxFunctionTable *table, unsigned *size);
};
struct NvtxExportTableVersionInfo {
  size_t struct_size;
  uint32_t version, reserved0;
  void (*SetInjectionNvtxVersion)(uint32_t version);
};
using NvtxInitializeInjection = int(const void *(*getExportTable)(uint32_t id));

} // namespace tilecc::rt
#endif
