//===- ResourceUsage.h - the table of --resource-usage, and warnings ---------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_RESOURCEUSAGE_H
#define TILECC_DRIVER_RESOURCEUSAGE_H

#include "builder/ResourceRows.h"
#include "compile/Compile.h"
#include "driver/Context.h"
#include "targets/Resources.h"

namespace tilecc {

/// Returns the number of blocks of this kernel that run on a multiprocessor at the same time, if known.
std::optional<Occupancy> occupancyOf(const ResourceRow &row);

/// Warns at each kernel's line, once per kernel, about register spills (tile-spill) and other problems that ptxas
/// reported (tile-ptxas). With --resource-usage, also prints all rows. `file` is the input.
void reportResources(Context &ctx, llvm::StringRef file, llvm::ArrayRef<ResourceRow> rows);

/// Does what reportResources() does, for code that records the resources of its kernels. `codes` cover all targets that
/// `kernels` were compiled for.
void reportRecordedResources(Context &ctx, llvm::StringRef file, llvm::ArrayRef<Kernel> kernels,
                             llvm::ArrayRef<TargetCode> codes);

} // namespace tilecc

#endif // TILECC_DRIVER_RESOURCEUSAGE_H
