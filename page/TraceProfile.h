//===- TraceProfile.h - reads a trace with times inside kernels --------------------------------------------*- C++ -*-//

#ifndef TILECC_PAGE_TRACEPROFILE_H
#define TILECC_PAGE_TRACEPROFILE_H

#include "page/Model.h"
#include "llvm/Support/Error.h"

namespace tilecc::page {

/// Adds to a page the scopes of the first launch of each kernel in a file of TILECC_PROFILE.
llvm::Error addTraceProfile(Page &page, llvm::StringRef trace);

} // namespace tilecc::page

#endif // TILECC_PAGE_TRACEPROFILE_H
