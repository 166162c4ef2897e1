//===- ResourceRows.h - the resources that kernels use on a GPU --------------------------------------*- C++ -*-===//
//
// The driver and libtilecc print these resources, and warn about kernels that spill.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_BUILDER_RESOURCEROWS_H
#define TILECC_BUILDER_RESOURCEROWS_H

#include "compile/Kernel.h"
#include "targets/Assembler.h"
#include "targets/Target.h"

namespace tilecc {

/// What the assembler has reported about all kernels for one target.
struct TargetReport {
  Target target;
  AssemblerReport report;
};

/// The resources of one variant of one kernel for one target.
struct ResourceRow {
  const Kernel *kernel; ///< null if the input was assembly, without kernels
  std::string name, variant;
  Target target;
  KernelResources used;
  unsigned launchSharedBytes, threads; ///< per program; 0 if only the launch determines it
};

/// Returns a row for each kernel, variant and target. If `kernels` is empty, returns a row for each function in the
/// reports. The reports must have the order of the kernels' launches.
std::vector<ResourceRow> resourceRows(llvm::ArrayRef<Kernel> kernels, llvm::ArrayRef<TargetReport> reports);

/// A problem in a kernel's use of resources that makes it slow, and that would otherwise go unnoticed.
struct ResourceWarning {
  enum Kind { Spill, Remark } kind; ///< Spill: registers are spilled; Remark: a remark of the assembler
  const Kernel *kernel;             ///< null if the input was assembly, without kernels
  std::string text;
};

/// Returns one warning for each kernel that spills, about the target where it spills most, and one warning for each
/// remark of the assembler. Only the variant that launches prefer is checked for spills, unless `ofAllVariants` is
/// true.
std::vector<ResourceWarning> findResourceWarnings(llvm::ArrayRef<ResourceRow> rows, bool ofAllVariants);

} // namespace tilecc

#endif // TILECC_BUILDER_RESOURCEROWS_H
