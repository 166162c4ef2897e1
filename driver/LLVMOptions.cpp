//===- LLVMOptions.cpp - -mllvm ---------------------------------------------------------------------------------===//
//
// Clang's own main program passes these options to LLVM, whose options are global. tcc does it once for all its parses.
//
//===----------------------------------------------------------------------------------------------------------===//

#include "driver/Context.h"
#include "driver/Diagnostics.h"
#include "driver/OptionIds.h"
#include "driver/Options.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tilecc {

void setLLVMOptions(Context &ctx) {
  std::vector<const char *> arguments = {"-mllvm"}; // messages begin with it, like those of a program
  bool isValue = false;
  for (StringRef word : ctx.hostArgs) {
    if (word == "-Xclang") // nvcc's users write -Xclang -mllvm -Xclang <option>
      continue;
    if (isValue)
      arguments.push_back(word.data());
    isValue = !isValue && word == "-mllvm";
    if (word.consume_front("-mllvm="))
      arguments.push_back(word.data());
  }
  if (arguments.size() == 1)
    return;
  std::string text;
  raw_string_ostream messages(text);
  if (!cl::ParseCommandLineOptions(arguments.size(), arguments.data(), /*Overview=*/"", &messages))
    Error(ctx) << StringRef(text).trim();
}

} // namespace tilecc
