//===-- Nvtx.h - ranges for Nsight and other tools ----------------------------------------------------------------===//
//
// NVTX is a protocol between a program and a tool: the tool puts the path of its library in NVTX_INJECTION64_PATH, the
// program opens that and is given functions to call. No part of CUDA is needed for that, and nothing happens without a
// tool.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_NVTX_H
#define TILECC_RUNTIME_NVTX_H

namespace tilecc::rt {

// Whether TILECC_NVTX asks for ranges and a tool takes them. Once.
bool openNvtx();

// Of the calling thread; after openNvtx has said yes.
void nvtxPush(const char *name);
void nvtxPop();

} // namespace tilecc::rt
#endif
