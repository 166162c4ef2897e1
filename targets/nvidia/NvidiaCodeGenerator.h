//===- NvidiaCodeGenerator.h - kernels to PTX --------------------------------------------------------------*- C++ -*-//

#ifndef TILECC_TARGETS_NVIDIA_NVIDIACODEGENERATOR_H
#define TILECC_TARGETS_NVIDIA_NVIDIACODEGENERATOR_H

#include "targets/Backend.h"

namespace tilecc {

std::unique_ptr<CodeGenerator> createNvidiaCodeGenerator(const CodeOptions &options);

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_NVIDIACODEGENERATOR_H
