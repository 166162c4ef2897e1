//===- TargetArchs.h - which GPUs to compile for ---------------------------------------------------------------*- C++ -*-//
//
// -arch and -gencode, with nvcc's meaning: code=sm_XX asks for a cubin, code=compute_XX for PTX.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_TARGETARCHS_H
#define TILECC_DRIVER_TARGETARCHS_H

#include "llvm/Option/ArgList.h"
#include <optional>
#include <string>
#include <vector>

namespace tilecc {

struct Context;

/// A GPU architecture: sm_90, or with a suffix sm_90a (exactly that chip) or sm_100f (its family).
struct GpuArch {
  unsigned number = 0;
  char suffix = 0; ///< 0, 'a' or 'f'

  std::string str() const { return std::to_string(number) + (suffix ? std::string(1, suffix) : std::string()); }
  std::string sm() const { return "sm_" + str(); }
  std::string compute() const { return "compute_" + str(); }
  bool operator==(const GpuArch &) const = default;
  auto operator<=>(const GpuArch &) const = default;

  static std::optional<GpuArch> parse(llvm::StringRef digits);
};

/// One architecture kernels are lowered for, and what becomes of its PTX.
struct TargetArch {
  GpuArch arch;
  bool cubin = false; ///< assembled by ptxas
  bool ptx = false;   ///< embedded as text, for newer GPUs
};

using TargetArchs = std::vector<TargetArch>;

/// Reads -arch and -gencode; by default sm_80 and sm_90 code, and compute_90 PTX. Sorted by architecture.
TargetArchs selectTargetArchs(Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_TARGETARCHS_H
