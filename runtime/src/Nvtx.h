//===-- Nvtx.h - ranges for Nsight and other tools ----------------------------------------------------------------===//
//
// NVTX is a protocol between a program and a tool. The tool sets NVTX_INJECTION64_PATH to the path of its library. The
// program opens this library, and receives functions from it that it calls for each range. This needs no part of CUDA,
// and does nothing without a tool.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_NVTX_H
#define TILECC_RUNTIME_NVTX_H

namespace tilecc::rt {

// Returns true if TILECC_NVTX requests ranges, and a tool accepts them. Called once.
bool openNvtx();

// Begin and end a range in the calling thread. Called after openNvtx() has returned true.
void nvtxPush(const char *name);
void nvtxPop();

} // namespace tilecc::rt
#endif
