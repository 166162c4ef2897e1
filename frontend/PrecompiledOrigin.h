//===- PrecompiledOrigin.h - what the kinds of precompiled headers share ----------------------------------*- C++ -*-===//

#ifndef TILECC_FRONTEND_PRECOMPILEDORIGIN_H
#define TILECC_FRONTEND_PRECOMPILEDORIGIN_H

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Serialization/ASTReader.h"
#include <string>
#include <vector>

namespace tilecc {

/// What a precompiled header was made with and of.
struct PrecompiledOrigin : clang::ASTReaderListener {
  clang::LangOptions language;
  clang::CodeGenOptions codeGen;
  clang::TargetOptions target;
  clang::PreprocessorOptions preprocessor;
  clang::HeaderSearchOptions search;
  std::vector<std::string> headers;

  /// False: it is no precompiled header of this Clang's.
  bool read(clang::CompilerInstance &compiler, llvm::StringRef precompiled);

  /// Clang knows of options that a precompiled header may differ in (-O, -fPIC), but lets only modules do so. Takes what
  /// this header was made with for those of `compiler`'s, and `adjust` may take more of it. Whether Clang then finds that
  /// the header may be used.
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

/// From now on `compiler` begins with the header, which is known to fit.
void usePrecompiled(clang::CompilerInstance &compiler, llvm::StringRef precompiled);

/// Parses `source`, the lines that include the headers, and writes their precompiled form to `output`. `names` gets each
/// name that they mention, if it is given. False: a message was printed.
bool writePrecompiled(clang::CompilerInstance &compiler, llvm::StringRef source, llvm::StringRef output,
                      std::vector<std::string> *names = nullptr);

/// Small files beside a precompiled header say what Clang does not keep in it.
bool writeBeside(llvm::StringRef precompiled, llvm::StringRef extension, llvm::StringRef text);
/// Empty if it is not there.
std::string readBeside(llvm::StringRef precompiled, llvm::StringRef extension);

} // namespace tilecc

#endif // TILECC_FRONTEND_PRECOMPILEDORIGIN_H
