//===- Profile.h - adds what runs of the kernels did to a page ---------------------------------------------*- C++ -*-//

#ifndef TILECC_PAGE_PROFILE_H
#define TILECC_PAGE_PROFILE_H

#include "page/Model.h"
#include "llvm/Support/Error.h"

namespace tilecc::page {

/// Adds the runs in `profile`, the contents of a file, to the variants whose code has run. It is a profile of the
/// emulator (docs/emulator.md) or the CSV of `ncu --page source`. Kernels that are not in the page are ignored, but it
/// is an error if none is in it. If the code of a kernel differs from the page's, its run is omitted, and Page::notes
/// says so: a source may have been edited since it ran. `readSource` returns the contents of a file.
llvm::Error addProfile(Page &page, llvm::StringRef profile,
                       llvm::function_ref<std::optional<std::string>(llvm::StringRef path)> readSource);

} // namespace tilecc::page

#endif // TILECC_PAGE_PROFILE_H
