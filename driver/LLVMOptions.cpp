//===- LLVMOptions.cpp - -mllvm ---------------------------------------------------------------------------------===//
//
// Clang's own main program passes these options to LLVM, whose options are global. tcc does it once for all its parses.
//
//===----------------------------------------------------------------------------------------------------------===//

#include "driver/Context.h"
#include "driver/Options.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tilecc {

void setLLVMOptions(Context &ctx) {
  std::vector<const char *> arguments = {"-mllvm"}; // messages begin with it, like those of a program
  for (size_t i = 0; i < ctx.hostArgs.size(); ++i) {
    if (StringRef option = ctx.hostArgs[i]; option.consume_front("-mllvm="))
      arguments.push_back(option.data());
    else if (option == "-mllvm" && i + 1 < ctx.hostArgs.size()) // nvcc's users write -Xclang -mllvm -Xclang <option>
      arguments.push_back(
          ctx.hostArgs[i += 1 + (ctx.hostArgs[i + 1] == "-Xclang" && i + 2 < ctx.hostArgs.size())].c_str());
  }
  if (arguments.size() == 1)
    return;
  std::string text;
  raw_string_ostream messages(text);
  if (!cl::ParseCommandLineOptions(arguments.size(), arguments.data(), /*Overview=*/"", &messages))
    Error(ctx) << StringRef(text).trim();
}

} // namespace tilecc
