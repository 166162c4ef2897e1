//===-- Compiler.h - finds tcc and reads its messages ----------------------------------------------------------===//
#ifndef TILECC_TOOLS_SUPPORT_COMPILER_H
#define TILECC_TOOLS_SUPPORT_COMPILER_H

#include <string>
#include <vector>

namespace tilecc::tools {

// The path of tcc, which is the one beside this program, or else "tcc", for PATH.
std::string findCompiler();

// The place of a message: "a.tt.cpp:7:3: error: ...".
struct MessageLine {
  std::string file; // empty: the line is no such message
  unsigned line = 0, column = 0;
  std::string text; // "error: ..."
};
MessageLine parseMessage(const std::string &line);

std::string readFile(const std::string &path);
std::vector<std::string> splitLines(const std::string &text);

} // namespace tilecc::tools
#endif
