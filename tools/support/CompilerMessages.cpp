//===-- CompilerMessages.cpp - finds tcc and reads its messages ------------------------------------------------===//
//
// Used by the tools that run tcc as a program: tcc-explore and tcc-lsp.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "CompilerMessages.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <unistd.h>

using namespace tilecc::tools;

std::string tilecc::tools::findCompiler() {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
  std::string beside(path, length > 0 ? length : 0);
  beside = beside.substr(0, beside.rfind('/') + 1) + "tcc";
  return access(beside.c_str(), X_OK) == 0 ? beside : "tcc";
}

std::string tilecc::tools::readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::vector<std::string> tilecc::tools::splitLines(const std::string &text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

MessageLine tilecc::tools::parseMessage(const std::string &line) {
  for (const char *severity : {": fatal error: ", ": error: ", ": warning: ", ": remark: ", ": note: "}) {
    size_t at = line.find(severity);
    if (at == std::string::npos)
      continue;
    MessageLine message;
    message.text = line.substr(at + 2);
    std::string place = line.substr(0, at); // file:line:column or file:line
    unsigned numbers[2] = {0, 0}, count = 0;
    while (count < 2) {
      size_t colon = place.rfind(':');
      if (colon == std::string::npos || colon + 1 == place.size() ||
          place.find_first_not_of("0123456789", colon + 1) != std::string::npos)
        break;
      numbers[count++] = strtoul(place.c_str() + colon + 1, nullptr, 10);
      place.resize(colon);
    }
    if (!count)
      continue;
    message.file = place;
    message.line = numbers[count - 1];
    message.column = count == 2 ? numbers[0] : 0;
    return message;
  }
  return {};
}
