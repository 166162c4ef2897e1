//===- Build.h - compiles a program from source to code -----------------------------------------------*- C++ -*-===//
//
// The work of libtilecc: from the source of a program to code that can be loaded, without files or processes as far as
// possible.
//
//===-------------------------------------------------------------------------------------------------------------===//
//

#ifndef TILECC_LIBRARY_BUILD_H
#define TILECC_LIBRARY_BUILD_H

#include "compile/Fusion.h"
#include "library/ProgramOptions.h"
#include <map>
#include <string>
#include <vector>

namespace tilecc {

/// What a user wants to compile.
struct ProgramSource {
  std::string name;           ///< the name of the source, for messages
  std::optional<Chain> chain; ///< a chain of kernels to compile instead of `text`
  std::string text;           ///< C++, or bytecode of CUDA Tile IR
  std::map<std::string, std::string> headers; ///< the texts of headers, by the names that #include uses
  std::vector<std::string> nameExpressions;
};

/// A file on disk that was read to compile a program.
struct FileRead {
  std::string path, digest; ///< digest: a hash; empty for files of the installation
  uint64_t size = 0;
  int64_t modified = 0; ///< in nanoseconds
};

enum class BuildStatus { Success, Mistake, BadNameExpression, NotJoinable };

/// The results of a compilation. Results that were not requested are empty.
struct BuildResult {
  BuildStatus status = BuildStatus::Mistake;
  std::string log;
  std::vector<std::string> symbols; ///< the symbol of each name expression
  std::string ttir, ptx, cubin, object, library;
  std::vector<FileRead> files;
};

/// Compiles a program. It needs a thread with a deep stack. It keeps no state and prints nothing.
BuildResult build(const ProgramSource &source, const ProgramOptions &options);

/// Returns the current state of a file, or nothing if it cannot be read. Files that come with the compiler are
/// identified by size and time alone.
std::optional<FileRead> describeFile(const std::string &path, bool isOurs);

} // namespace tilecc

#endif // TILECC_LIBRARY_BUILD_H
