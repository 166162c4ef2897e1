//===-- ErrorPage.h - the page of a source that does not compile -----------------------------------------------===//
#ifndef TILECC_TOOLS_EXPLORE_ERRORPAGE_H
#define TILECC_TOOLS_EXPLORE_ERRORPAGE_H

#include <string>

namespace tilecc::explore {

// Shows the compiler's messages below the lines that they are about, in the source and in other files that they name,
// and those without a line above.
std::string makeErrorPage(const std::string &source, const std::string &messages);

} // namespace tilecc::explore
#endif
