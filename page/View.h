//===- View.h - the files of page/view, as the build embeds them -------------------------------------------*- C++ -*-//

#ifndef TILECC_PAGE_VIEW_H
#define TILECC_PAGE_VIEW_H

#include "llvm/ADT/StringRef.h"

namespace tilecc::page {

extern const llvm::StringRef viewHtml, viewStyle, viewScript;

} // namespace tilecc::page

#endif // TILECC_PAGE_VIEW_H
