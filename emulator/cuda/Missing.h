//===- Missing.h - functions of CUDA's driver that are not emulated -------------------------------------*- C++ -*-===//
//
// CMakeLists.txt generates a source with MISSING(name) for each function of cuda.h. The generated source does not
// include CUDA's header, because it defines the functions without parameters.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_EMULATOR_CUDA_MISSING_H
#define TILECC_EMULATOR_CUDA_MISSING_H

namespace tilecc::cuda {

/// Prints that the function is not emulated, and returns CUDA_ERROR_NOT_SUPPORTED.
int reportMissing(const char *function);

/// A function of the header. Its newest form has another symbol if it has changed: cuMemAlloc is cuMemAlloc_v2.
struct FunctionName {
  const char *name, *newest;
  int since; ///< the version of CUDA that introduced it: 12000
};
extern const FunctionName functionNames[];
extern const unsigned long functionNameCount;

} // namespace tilecc::cuda

#define MISSING(NAME)                                                                                                  \
  extern "C" __attribute__((weak, visibility("default"))) int NAME() { return tilecc::cuda::reportMissing(#NAME); }

#endif // TILECC_EMULATOR_CUDA_MISSING_H
