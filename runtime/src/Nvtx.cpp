//===-- Nvtx.cpp - ranges for Nsight and other tools --------------------------------------------------------------===//
//
// The part of NVTX 3 that ranges need, based on its public headers (nvtx3/nvtxDetail/nvtxTypes.h and nvtxInit.h).
// test/runtime/nvtx-header.cpp compares the numbers with these headers.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Nvtx.h"
#include "NvtxTypes.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

using namespace tilecc::rt;

// The tool sets these pointers.
static NvtxFunctionPointer functions[NVTX_CBID_CORE_SIZE] = {};

static int getModuleFunctionTable(int module, NvtxFunctionTable *table, unsigned *size) {
  static NvtxFunctionPointer *slots[NVTX_CBID_CORE_SIZE + 1] = {}; // the first is unused; null-terminated
  if (module != NVTX_CB_MODULE_CORE)
    return 0;
  for (int i = 1; i < NVTX_CBID_CORE_SIZE; ++i)
    slots[i] = &functions[i];
  *table = slots;
  *size = NVTX_CBID_CORE_SIZE;
  return 1;
}

static void setInjectionVersion(uint32_t) {}

static const void *getExportTable(uint32_t id) {
  static const NvtxExportTableCallbacks callbacks = {sizeof(callbacks), getModuleFunctionTable};
  static const NvtxExportTableVersionInfo version = {sizeof(version), nvtxVersion, 0, setInjectionVersion};
  switch (id) {
  case NVTX_ETID_CALLBACKS: return &callbacks;
  case NVTX_ETID_VERSIONINFO: return &version;
  default: return nullptr;
  }
}

bool tilecc::rt::openNvtx() {
  const char *wanted = secure_getenv("TILECC_NVTX"), *path = secure_getenv("NVTX_INJECTION64_PATH");
  if (!wanted || strcmp(wanted, "1") || !path || !*path)
    return false;
  void *library = dlopen(path, RTLD_LAZY);
  auto *initialize =
      reinterpret_cast<NvtxInitializeInjection *>(library ? dlsym(library, "InitializeInjectionNvtx2") : nullptr);
  if (initialize && initialize(getExportTable) && functions[NVTX_CBID_CORE_RangePushA] &&
      functions[NVTX_CBID_CORE_RangePop])
    return true;
  fprintf(stderr, "tilecc: NVTX_INJECTION64_PATH=%s: is not a tool that accepts ranges\n", path);
  return false;
}

void tilecc::rt::nvtxPush(const char *name) {
  reinterpret_cast<int (*)(const char *)>(functions[NVTX_CBID_CORE_RangePushA])(name);
}
void tilecc::rt::nvtxPop() { reinterpret_cast<int (*)()>(functions[NVTX_CBID_CORE_RangePop])(); }
