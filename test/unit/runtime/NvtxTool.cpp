// This is a tool for NVTX that prints the ranges that it receives.
#include "runtime/src/NvtxTypes.h"

#include <stdio.h>

using namespace tilecc::rt;

static int push(const char *name) { return printf("push %s\n", name) > 0 ? fflush(stdout) : -1; }
static int pop() { return printf("pop\n") > 0 ? fflush(stdout) : -1; }

extern "C" int InitializeInjectionNvtx2(const void *(*getExportTable)(uint32_t id)) {
  auto *version = static_cast<const NvtxExportTableVersionInfo *>(getExportTable(NVTX_ETID_VERSIONINFO));
  auto *callbacks = static_cast<const NvtxExportTableCallbacks *>(getExportTable(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table;
  unsigned size;
  if (!version || version->version < 3 || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &table, &size))
    return 0;
  for (unsigned i = 1; i < size; ++i)
    *table[i] = nullptr;
  *table[NVTX_CBID_CORE_RangePushA] = reinterpret_cast<NvtxFunctionPointer>(push);
  *table[NVTX_CBID_CORE_RangePop] = reinterpret_cast<NvtxFunctionPointer>(pop);
  return table[size] == nullptr;
}
