//===- Missing.h - functions of CUDA's runtime that are not emulated ------------------------------------*- C++ -*-===//
//
// CMakeLists.txt generates a source with MISSING(name) for each function of cuda_runtime_api.h. The generated source
// does not include CUDA's header, because it defines the functions without parameters.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_EMULATOR_CUDART_MISSING_H
#define TILECC_EMULATOR_CUDART_MISSING_H

namespace tilecc::cudart {

/// Prints that the function is not emulated, and returns and records cudaErrorNotSupported.
int reportMissing(const char *function);

} // namespace tilecc::cudart

#define MISSING(NAME)                                                                                                  \
  extern "C" __attribute__((weak, visibility("default"))) int NAME() { return tilecc::cudart::reportMissing(#NAME); }

#endif // TILECC_EMULATOR_CUDART_MISSING_H
