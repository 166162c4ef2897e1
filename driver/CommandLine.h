//===- CommandLine.h - parses the command line with the option table ---------------------------------------*- C++ -*-//

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

/// Returns the manual page, made from the same texts as --help.
std::string manPage();

/// Parses the arguments after the program's name, and those in the environment and in response files. Reports an error
/// for an argument that it cannot parse.
llvm::opt::InputArgList readArguments(Context &ctx, llvm::ArrayRef<const char *> words);

/// Converts an argument back to words of a command line, from which Clang would parse the same argument.
void render(const llvm::opt::ArgList &args, const llvm::opt::Arg &arg, llvm::opt::ArgStringList &words);

/// Splits a list as nvcc does: at commas that are neither quoted nor escaped by a backslash.
std::vector<std::string> splitList(llvm::StringRef text);

/// Returns the option as the user spelled it, for messages.
std::string asWritten(const llvm::opt::ArgList &args, const llvm::opt::Arg &arg);

} // namespace tilecc

#endif // TILECC_DRIVER_COMMANDLINE_H
