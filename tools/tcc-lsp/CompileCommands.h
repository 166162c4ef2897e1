//===-- CompileCommands.h - finds the options that a project compiles a source with -------------------*- C++ -*-===//
#ifndef TILECC_TOOLS_LSP_COMPILECOMMANDS_H
#define TILECC_TOOLS_LSP_COMPILECOMMANDS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Chrono.h"
#include <string>
#include <vector>

namespace tilecc::lsp {

/// The command with which a project compiles a source.
struct CompileCommand {
  std::string directory; ///< in which the compiler runs
  std::vector<std::string> options; ///< without those that choose inputs and outputs
  bool isOfNvcc = false; ///< the options are nvcc's
  std::string problem; ///< about an unreadable file of commands; empty if there is none
};

/// Finds commands in files named compile_commands.json, and reads such a file again when it has changed.
class CompileCommands {
public:
  /// Sets a folder or file of the client's choice. If it is empty, the nearest parent folder of a source is used that
  /// contains the file or has a folder `build` that does.
  void setLocation(std::string path) { location = std::move(path); }
  /// Returns the command of a source. A source without an entry is compiled in its folder, without options.
  CompileCommand find(llvm::StringRef source);

private:
  struct Database {
    bool isRead = false;
    llvm::sys::TimePoint<> time; ///< of the file's last change
    std::string problem;
    llvm::StringMap<CompileCommand> commands; ///< by path
  };
  std::string locate(llvm::StringRef source) const;
  const Database &read(const std::string &path);

  std::string location;
  llvm::StringMap<Database> databases;
};

/// Returns the options in a compiler's command line that matter to an editor: without the compiler, `source`, outputs,
/// dependency files and the stage.
std::vector<std::string> selectOptions(llvm::ArrayRef<std::string> command, llvm::StringRef source);

/// Removes the options that choose GPUs.
void removeArchitectures(std::vector<std::string> &options);

} // namespace tilecc::lsp
#endif
