//===- ResourceUsage.h - the table of --resource-usage, and warnings ---------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_RESOURCEUSAGE_H
#define TILECC_DRIVER_RESOURCEUSAGE_H

#include "compile/Kernel.h"
#include "driver/Context.h"
#include "driver/PtxasReport.h"

namespace tilecc {

/// One variant of one kernel, assembled for one target.
struct ResourceRow {
  const Kernel *kernel; ///< null where there is only PTX
  std::string name, variant, sm;
  KernelResources used;
  unsigned launchSharedBytes, threads; ///< of a program; 0 where only the launch knows
};

/// Warns at the kernels' lines of spilled registers (tile-spill) and other losses that ptxas found (tile-ptxas), once for each
/// kernel, and with --resource-usage prints all rows. `file` is the input.
void reportResources(Context &ctx, llvm::StringRef file, llvm::ArrayRef<ResourceRow> rows);

} // namespace tilecc

#endif // TILECC_DRIVER_RESOURCEUSAGE_H
