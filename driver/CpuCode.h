//===- CpuCode.h - kernels for the CPU device -----------------------------------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_CPUCODE_H
#define TILECC_DRIVER_CPUCODE_H

#include "driver/Context.h"
#include "driver/Descriptor.h"
#include "driver/Kernels.h"

namespace tilecc {

struct CpuCode {
  std::vector<std::vector<CpuEntry>> entries; ///< of each kernel
  std::string object;
};

/// Compiles every kernel for the CPU into one object. Errors are counted in `ctx`.
CpuCode compileForCpu(Context &ctx, std::vector<Kernel> &kernels);

/// The kernels' LLVM IR or assembly, as the stage says. Nothing after an Error.
std::optional<std::string> printCpuCode(Context &ctx, std::vector<Kernel> &kernels);

} // namespace tilecc

#endif // TILECC_DRIVER_CPUCODE_H
