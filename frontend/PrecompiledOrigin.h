//===- PrecompiledOrigin.h - common interface for all kinds of precompiled headers ----------------------*- C++ -*-===//
//
// A precompiled header may be used only if it was made from the same files with options that do not matter or are
// equal.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_PRECOMPILEDORIGIN_H
#define TILECC_FRONTEND_PRECOMPILEDORIGIN_H

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Serialization/ASTReader.h"
#include <string>
#include <vector>

namespace tilecc {

/// The options and files from which a precompiled header was made.
struct PrecompiledOrigin : clang::ASTReaderListener {
  clang::LangOptions language;
  clang::CodeGenOptions codeGen;
  clang::TargetOptions target;
  clang::PreprocessorOptions preprocessor;
  clang::HeaderSearchOptions search;
  std::vector<std::string> headers;

  /// Returns false if the file is not a precompiled header of this version of Clang.
  bool read(clang::CompilerInstance &compiler, llvm::StringRef precompiled);

  /// Clang knows which options may differ from those of a precompiled header (-O, -fPIC), but permits such differences
  /// for modules only. So this function replaces the values of these options in `compiler` by those of the header;
  /// `adjust` may replace more. Returns true if Clang then accepts the header.
  bool isAcceptable(clang::CompilerInstance &compiler, llvm::StringRef precompiled,
                    llvm::function_ref<void(clang::LangOptions &, clang::TargetOptions &)> adjust) const;

private:
  bool ReadLanguageOptions(const clang::LangOptions &options, llvm::StringRef, bool, bool) override;
  bool ReadCodeGenOptions(const clang::CodeGenOptions &options, llvm::StringRef, bool, bool) override;
  bool ReadTargetOptions(const clang::TargetOptions &options, llvm::StringRef, bool, bool) override;
  bool ReadPreprocessorOptions(const clang::PreprocessorOptions &options, llvm::StringRef, bool, bool,
                               std::string &) override;
  bool ReadHeaderSearchPaths(const clang::HeaderSearchOptions &options, bool) override;
  bool needsInputFileVisitation() override { return true; }
  bool needsSystemInputFileVisitation() override { return true; }
  bool visitInputFileAsRequested(llvm::StringRef, llvm::StringRef name, bool, bool, time_t, bool) override;
};

/// Makes `compiler` use a precompiled header that is known to fit.
void usePrecompiled(clang::CompilerInstance &compiler, llvm::StringRef precompiled);

/// Parses `source`, lines that include headers, and writes the precompiled header to `output`. If `names` is given, it
/// receives every name that the headers mention. Returns false after printing a message.
bool writePrecompiled(clang::CompilerInstance &compiler, llvm::StringRef source, llvm::StringRef output,
                      std::vector<std::string> *names = nullptr);

/// The extension of a file next to the precompiled header that contains the predefined macros.
inline constexpr llvm::StringLiteral predefinesExtension = ".predefined";

/// Writes a small file next to a precompiled header, with data that Clang does not store in it.
bool writeBeside(llvm::StringRef precompiled, llvm::StringRef extension, llvm::StringRef text);
/// Reads such a file. Returns an empty string if it does not exist.
std::string readBeside(llvm::StringRef precompiled, llvm::StringRef extension);

} // namespace tilecc

#endif // TILECC_FRONTEND_PRECOMPILEDORIGIN_H
