//===-- ErrorPage.h - makes the page of a source that does not compile -----------------------------------------===//
#ifndef TILECC_TOOLS_EXPLORE_ERRORPAGE_H
#define TILECC_TOOLS_EXPLORE_ERRORPAGE_H

#include <string>

namespace tilecc::explore {

// Returns a page that shows the compiler's messages below the lines that they are about, in the source and in other
// files that they name. Messages without a line are shown at the top.
std::string makeErrorPage(const std::string &source, const std::string &messages);

} // namespace tilecc::explore
#endif
