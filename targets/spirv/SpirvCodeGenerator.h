//===- SpirvCodeGenerator.h - kernels to SPIR-V ------------------------------------------------------------*- C++ -*-//
//
// The back end for OpenCL devices (SpirvBackend.cpp) creates this code generator.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_SPIRV_SPIRVCODEGENERATOR_H
#define TILECC_TARGETS_SPIRV_SPIRVCODEGENERATOR_H

#include "targets/Backend.h"

namespace tilecc::spirv {

std::unique_ptr<CodeGenerator> createCodeGenerator(const CodeOptions &options);

} // namespace tilecc::spirv

#endif // TILECC_TARGETS_SPIRV_SPIRVCODEGENERATOR_H
