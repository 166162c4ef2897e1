//===- Build.h - compiles a program from source to code -----------------------------------------------*- C++ -*-===//
//

#ifndef TILECC_LIBRARY_BUILD_H
#define TILECC_LIBRARY_BUILD_H

#include "compile/Fusion.h"
#include "library/ProgramOptions.h"
#include <map>
#include <string>
#include <vector>

namespace tilecc {

/// The source that a user wants to compile.
struct ProgramSource {
  std::string name;           ///< of the source, for messages
  std::optional<Chain> chain; ///< replaces the text: a chain of kernels
  std::string text;           ///< C++, or bytecode of CUDA Tile IR
  std::map<std::string, std::string> headers; ///< by the names that #include uses
  std::vector<std::string> nameExpressions;
};

/// A file on disk that a program was made from.
struct FileRead {
  std::string path, digest; ///< digest: empty for files of the installation
  uint64_t size = 0;
  int64_t modified = 0; ///< in nanoseconds
};

enum class BuildStatus { Success, Mistake, BadNameExpression, NotJoinable };

/// The results of a compilation; missing ones are empty.
struct BuildResult {
  BuildStatus status = BuildStatus::Mistake;
  std::string log;
  std::vector<std::string> symbols; ///< one for each name expression
  std::string ttir, ptx, cubin, object, library;
  std::vector<FileRead> files;
};

/// Compiles a program. Must be called in a thread with a deep stack. Keeps no state and prints nothing.
BuildResult build(const ProgramSource &source, const ProgramOptions &options);

/// Returns the current state of a file, or nothing if it cannot be read. Files that come with the compiler are
/// identified by size and time only.
std::optional<FileRead> describeFile(const std::string &path, bool isOurs);

} // namespace tilecc

#endif // TILECC_LIBRARY_BUILD_H
