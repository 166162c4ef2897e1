//===- View.h - the files in page/view, embedded by the build ----------------------------------------------*- C++ -*-//

#ifndef TILECC_PAGE_VIEW_H
#define TILECC_PAGE_VIEW_H

#include "llvm/ADT/StringRef.h"

namespace tilecc::page {

extern const llvm::StringRef viewHtml, viewStyle, viewScript;

} // namespace tilecc::page

#endif // TILECC_PAGE_VIEW_H
