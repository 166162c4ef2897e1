//===- AmdCodeGenerator.h - compiles kernels to AMD GPU code objects ---------------------------------------*- C++ -*-//
//
// The back end for AMD's GPUs (AmdBackend.cpp) creates this code generator.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_AMD_AMDCODEGENERATOR_H
#define TILECC_TARGETS_AMD_AMDCODEGENERATOR_H

#include "targets/Backend.h"

namespace tilecc::amd {

std::unique_ptr<CodeGenerator> createCodeGenerator(const CodeOptions &options);

} // namespace tilecc::amd

#endif // TILECC_TARGETS_AMD_AMDCODEGENERATOR_H
