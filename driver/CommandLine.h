//===- CommandLine.h - words to arguments of the table --------------------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_COMMANDLINE_H
#define TILECC_DRIVER_COMMANDLINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"

namespace tilecc {

struct Context;

/// The table in Options.td.
const llvm::opt::OptTable &optionTable();

/// The manual page, of the same texts as --help.
std::string manPage();

/// Reads the words behind the program's name, and those in the environment and in the files that they name. What cannot
/// be read is an Error.
llvm::opt::InputArgList readArguments(Context &ctx, llvm::ArrayRef<const char *> words);

/// An argument as words that read as it again.
void render(const llvm::opt::ArgList &args, const llvm::opt::Arg &arg, llvm::opt::ArgStringList &words);

/// A list as nvcc reads it: commas separate, but for those in quotes and behind a backslash.
std::vector<std::string> splitList(llvm::StringRef text);

/// An option as the user spelled it, for messages.
std::string asWritten(const llvm::opt::ArgList &args, const llvm::opt::Arg &arg);

} // namespace tilecc

#endif // TILECC_DRIVER_COMMANDLINE_H
