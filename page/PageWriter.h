//===- PageWriter.h - writes a page as an HTML file --------------------------------------------------------*- C++ -*-//

#ifndef TILECC_PAGE_PAGEWRITER_H
#define TILECC_PAGE_PAGEWRITER_H

#include "page/Model.h"

namespace tilecc::page {

/// Returns the page as JSON. `readSource` returns the contents of a file, or nothing if it cannot be read.
std::string writeModel(const Page &page,
                       llvm::function_ref<std::optional<std::string>(llvm::StringRef path)> readSource);

/// Returns a self-contained file with `model`, the output of writeModel(), and the viewer (page/view). The model is
/// compressed, so no source text can end an HTML element.
std::string writePage(llvm::StringRef title, llvm::StringRef model);

} // namespace tilecc::page

#endif // TILECC_PAGE_PAGEWRITER_H
