// The runtime itself declares the part of NVTX that it uses. This file compares it with the toolkit's headers.
//
// REQUIRES: nvtx
// RUN: %clangxx -std=c++20 -fsyntax-only -I%source_dir -isystem %cuda/include %s
#include <nvtx3/nvToolsExt.h>
#include <stddef.h>

#include "runtime/src/NvtxTypes.h"

namespace rt = tilecc::rt;

#define SAME(name) static_assert(static_cast<int>(rt::name) == static_cast<int>(::name), #name)
SAME(NVTX_CB_MODULE_CORE);
SAME(NVTX_CBID_CORE_RangePushA);
SAME(NVTX_CBID_CORE_RangePop);
SAME(NVTX_CBID_CORE_SIZE);
SAME(NVTX_ETID_CALLBACKS);
SAME(NVTX_ETID_VERSIONINFO);
static_assert(rt::nvtxVersion == NVTX_VERSION);
static_assert(sizeof(rt::NvtxExportTableCallbacks) == sizeof(::NvtxExportTableCallbacks));
static_assert(offsetof(rt::NvtxExportTableCallbacks, GetModuleFunctionTable) ==
              offsetof(::NvtxExportTableCallbacks, GetModuleFunctionTable));
static_assert(sizeof(rt::NvtxExportTableVersionInfo) == sizeof(::NvtxExportTableVersionInfo));
static_assert(offsetof(rt::NvtxExportTableVersionInfo, version) == offsetof(::NvtxExportTableVersionInfo, version));
