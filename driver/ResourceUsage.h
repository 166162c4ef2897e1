//===- ResourceUsage.h - the table of --resource-usage, and warnings ---------------------------------------*- C++ -*-//
//
// The driver's output about resources. builder/Resources.h collects them.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_RESOURCEUSAGE_H
#define TILECC_DRIVER_RESOURCEUSAGE_H

#include "builder/ResourceRows.h"
#include "compile/Compile.h"
#include "driver/Context.h"
#include "targets/Resources.h"

namespace tilecc {

/// Returns how many blocks of this kernel a multiprocessor runs at the same time, if that is known.
std::optional<Occupancy> occupancyOf(const ResourceRow &row);

/// Prints one warning per kernel, at the kernel's line, about register spills (tile-spill), and about other problems
/// that ptxas reported (tile-ptxas). With --resource-usage, also prints all rows as a table. `file` is the input.
void reportResources(Context &ctx, llvm::StringRef file, llvm::ArrayRef<ResourceRow> rows);

/// Does what reportResources() does, for code that records the resources of its kernels itself. `codes` contains all
/// targets for which `kernels` were compiled.
void reportRecordedResources(Context &ctx, llvm::StringRef file, llvm::ArrayRef<Kernel> kernels,
                             llvm::ArrayRef<TargetCode> codes);

} // namespace tilecc

#endif // TILECC_DRIVER_RESOURCEUSAGE_H
