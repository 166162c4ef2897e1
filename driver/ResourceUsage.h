//===- ResourceUsage.h - the table of --resource-usage, and warnings ---------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_RESOURCEUSAGE_H
#define TILECC_DRIVER_RESOURCEUSAGE_H

#include "builder/Resources.h"
#include "compile/Compile.h"
#include "driver/Context.h"
#include "targets/nvidia/Occupancy.h"

namespace tilecc {

/// How many blocks of it a multiprocessor runs at once, if that is known.
std::optional<nvidia::Occupancy> occupancyOf(const ResourceRow &row);

/// Warns at the kernels' lines of spilled registers (tile-spill) and other losses that ptxas found (tile-ptxas), once for each
/// kernel, and with --resource-usage prints all rows. `file` is the input.
void reportResources(Context &ctx, llvm::StringRef file, llvm::ArrayRef<ResourceRow> rows);

/// The same for code objects of AMD's GPUs among `codes`, which are those of all targets that `kernels` were compiled
/// for.
void reportCodeObjects(Context &ctx, llvm::StringRef file, llvm::ArrayRef<Kernel> kernels,
                       llvm::ArrayRef<TargetCode> codes);

} // namespace tilecc

#endif // TILECC_DRIVER_RESOURCEUSAGE_H
