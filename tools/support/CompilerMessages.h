//===-- CompilerMessages.h - finds tcc and reads its messages --------------------------------------------------===//
#ifndef TILECC_TOOLS_SUPPORT_COMPILERMESSAGES_H
#define TILECC_TOOLS_SUPPORT_COMPILERMESSAGES_H

#include <string>
#include <vector>

namespace tilecc::tools {

// Returns the path of the tcc beside this program or, if there is none, "tcc", to be found in PATH.
std::string findCompiler();

// The place of a message: "a.tt.cpp:7:3: error: ...".
struct MessageLine {
  std::string file; // empty if the line is not a message of this form
  unsigned line = 0, column = 0;
  std::string text; // "error: ..."
};
MessageLine parseMessage(const std::string &line);

std::string readFile(const std::string &path);
std::vector<std::string> splitLines(const std::string &text);

} // namespace tilecc::tools
#endif
