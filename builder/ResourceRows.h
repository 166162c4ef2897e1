//===- ResourceRows.h - the resources that kernels use on a GPU --------------------------------------*- C++ -*-===//

#ifndef TILECC_BUILDER_RESOURCEROWS_H
#define TILECC_BUILDER_RESOURCEROWS_H

#include "compile/Kernel.h"
#include "targets/Assembler.h"
#include "targets/Target.h"

namespace tilecc {

/// The assembler's report about all kernels for one target.
struct TargetReport {
  Target target;
  AssemblerReport report;
};

/// One variant of one kernel, assembled for one target.
struct ResourceRow {
  const Kernel *kernel; ///< null if there is only assembly
  std::string name, variant;
  Target target;
  KernelResources used;
  unsigned launchSharedBytes, threads; ///< of a program; 0 if only the launch knows
};

/// Returns a row for each kernel, variant and target; if `kernels` is empty, a row for each function of the assembly.
/// The reports must be in the order of the kernels' launches.
std::vector<ResourceRow> resourceRows(llvm::ArrayRef<Kernel> kernels, llvm::ArrayRef<TargetReport> reports);

/// A performance problem in a kernel's use of resources that would otherwise go unnoticed.
struct ResourceWarning {
  enum Kind { Spill, Remark } kind; ///< spilled registers, or a remark of the assembler
  const Kernel *kernel;             ///< null if there is only assembly
  std::string text;
};

/// Returns one warning for each kernel that spills, about the target where it spills most, and one for each remark of
/// the assembler. Only the variant that a launch prefers is checked for spills, unless `ofAllVariants`.
std::vector<ResourceWarning> findResourceWarnings(llvm::ArrayRef<ResourceRow> rows, bool ofAllVariants);

} // namespace tilecc

#endif // TILECC_BUILDER_RESOURCEROWS_H
