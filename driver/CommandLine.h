//===- CommandLine.h - parses the command line with the option table ---------------------------------------*- C++ -*-//
//
// The options are declared in Options.td. These functions parse words into options, and print options as words.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_COMMANDLINE_H
#define TILECC_DRIVER_COMMANDLINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"

namespace tilecc {

struct Context;

/// Returns the option table that Options.td defines.
const llvm::opt::OptTable &optionTable();

/// Returns the values that Options.td lists for an option.
std::vector<std::string> valuesOf(unsigned option);

/// Returns the text of the manual page, which has the same source as that of --help.
std::string manPage();

/// Parses the arguments that follow the program's name, including those in the environment and in response files.
/// Reports an error for each argument that cannot be parsed.
llvm::opt::InputArgList readArguments(Context &ctx, llvm::ArrayRef<const char *> words);

/// Converts an argument back to the words of a command line from which Clang would parse it.
void render(const llvm::opt::ArgList &args, const llvm::opt::Arg &arg, llvm::opt::ArgStringList &words);

/// Splits a list at commas, except quoted ones and those that follow a backslash, as nvcc does.
std::vector<std::string> splitList(llvm::StringRef text);

/// Returns the spelling of the option in the command line, for messages.
std::string asWritten(const llvm::opt::ArgList &args, const llvm::opt::Arg &arg);

} // namespace tilecc

#endif // TILECC_DRIVER_COMMANDLINE_H
