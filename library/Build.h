//===- Build.h - a program from its source to its code ------------------------------------------------------*- C++
//-*-//

#ifndef TILECC_LIBRARY_BUILD_H
#define TILECC_LIBRARY_BUILD_H

#include "compile/Fusion.h"
#include "library/Options.h"
#include <map>
#include <string>
#include <vector>

namespace tilecc {

/// What somebody gave us to compile.
struct ProgramSource {
  std::string name;           ///< of the source, in messages
  std::optional<Chain> chain; ///< whose kernels are the source, in place of a text
  std::string text;           ///< C++, or bytecode of CUDA Tile IR
  std::map<std::string, std::string> headers; ///< by what #include calls them
  std::vector<std::string> nameExpressions;
};

/// A file on the disk that a program was made of.
struct FileRead {
  std::string path, digest; ///< the latter empty for files of the installation
  uint64_t size = 0;
  int64_t modified = 0; ///< nanoseconds
};

enum class BuildStatus { Success, Mistake, BadNameExpression, NotJoinable };

/// What became of it; what is not there is empty.
struct BuildResult {
  BuildStatus status = BuildStatus::Mistake;
  std::string log;
  std::vector<std::string> symbols; ///< of each name expression
  std::string ttir, ptx, cubin, object, library;
  std::vector<FileRead> files;
};

/// Compiles. To be called in a thread with a deep stack; keeps nothing, and prints nothing.
BuildResult build(const ProgramSource &source, const ProgramOptions &options);

/// The file as it is now; nothing if it cannot be read. What comes with the compiler is known by size and time alone.
std::optional<FileRead> describeFile(const std::string &path, bool isOurs);

} // namespace tilecc

#endif // TILECC_LIBRARY_BUILD_H
