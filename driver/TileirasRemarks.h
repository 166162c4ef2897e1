//===- TileirasRemarks.h - remarks in the format of tileiras -----------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_TILEIRASREMARKS_H
#define TILECC_DRIVER_TILEIRASREMARKS_H

#include "compile/Compile.h"
#include "driver/Context.h"
#include "page/Remarks.h"

namespace tilecc {

/// Returns true if a remark option of tileiras asks for remarks.
bool wantsTileirasRemarks(const Context &ctx);

/// Prints the remarks on the kernels, or writes them to a file, as the options of tileiras ask. Returns false after
/// it has reported an error.
bool writeTileirasRemarks(Context &ctx, llvm::ArrayRef<Kernel> kernels, llvm::ArrayRef<Target> targets,
                          const page::RemarkCollector &collector);

} // namespace tilecc

#endif // TILECC_DRIVER_TILEIRASREMARKS_H
