//===- NcuProfile.h - reads the source metrics of Nsight Compute -------------------------------------------*- C++ -*-//

#ifndef TILECC_PAGE_NCUPROFILE_H
#define TILECC_PAGE_NCUPROFILE_H

#include "page/Model.h"
#include "llvm/Support/Error.h"

namespace tilecc::page {

/// Implements addProfile() for the CSV that `ncu --csv --page source --print-source sass` or `=cuda` prints.
llvm::Error addNcuProfile(Page &page, llvm::StringRef text,
                          llvm::function_ref<std::optional<std::string>(llvm::StringRef path)> readSource);

} // namespace tilecc::page

#endif // TILECC_PAGE_NCUPROFILE_H
