//===- NvidiaCodeGenerator.h - kernels to PTX --------------------------------------------------------------*- C++ -*-//
//
// The back end for NVIDIA's GPUs (NvidiaBackend.cpp) creates this code generator.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_NVIDIA_NVIDIACODEGENERATOR_H
#define TILECC_TARGETS_NVIDIA_NVIDIACODEGENERATOR_H

#include "targets/Backend.h"

namespace tilecc {

std::unique_ptr<CodeGenerator> createNvidiaCodeGenerator(const CodeOptions &options);

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_NVIDIACODEGENERATOR_H
