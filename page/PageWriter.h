//===- PageWriter.h - a page as a file of HTML -------------------------------------------------------------*- C++ -*-//

#ifndef TILECC_PAGE_PAGEWRITER_H
#define TILECC_PAGE_PAGEWRITER_H

#include "page/Model.h"

namespace tilecc::page {

/// The page as JSON that any text of a source may be in: it has no '<', and so ends no element of HTML. `readSource`
/// returns what a file has, or nothing if it cannot be read.
std::string writeModel(const Page &page,
                       llvm::function_ref<std::optional<std::string>(llvm::StringRef path)> readSource);

/// One file that needs no other: `model`, which writeModel() has written, and the view of it (page/view).
std::string writePage(llvm::StringRef title, llvm::StringRef model);

} // namespace tilecc::page

#endif // TILECC_PAGE_PAGEWRITER_H
