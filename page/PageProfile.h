//===- PageProfile.h - adds the recorded runs of kernels to a page -----------------------------------------*- C++ -*-//

#ifndef TILECC_PAGE_PAGEPROFILE_H
#define TILECC_PAGE_PAGEPROFILE_H

#include "page/Model.h"
#include "llvm/Support/Error.h"

namespace tilecc::page {

/// Adds the runs in `profile`, the contents of a file, to the variants whose code has run. The file is a profile of the
/// emulator (docs/emulator.md), the CSV of `ncu --page source`, or a trace of TILECC_PROFILE. Kernels that are not in
/// the page are ignored, but it is an error if none is in it. If the code of a kernel differs from the page's, for
/// example because the source has been edited since it ran, the run is omitted and Page::notes explains it.
/// `readSource` returns the contents of a file.
llvm::Error addProfile(Page &page, llvm::StringRef profile,
                       llvm::function_ref<std::optional<std::string>(llvm::StringRef path)> readSource);

} // namespace tilecc::page

#endif // TILECC_PAGE_PAGEPROFILE_H
