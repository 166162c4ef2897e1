//===-- Nvtx.h - ranges for Nsight and other tools ----------------------------------------------------------------===//
//
// NVTX is a protocol between a program and a tool. The tool sets NVTX_INJECTION64_PATH to the path of its library. The
// program opens that library and receives functions to call. This needs no part of CUDA, and does nothing without a
// tool.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_NVTX_H
#define TILECC_RUNTIME_NVTX_H

namespace tilecc::rt {

// Returns true if TILECC_NVTX requests ranges and a tool accepts them. Called once.
bool openNvtx();

// For the calling thread, after openNvtx() has returned true.
void nvtxPush(const char *name);
void nvtxPop();

} // namespace tilecc::rt
#endif
