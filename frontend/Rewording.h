//===- Rewording.h - rewords Clang's CUDA messages in terms of tiles ---------------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_REWORDING_H
#define TILECC_FRONTEND_REWORDING_H

#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace tilecc {

/// A Clang message that is held back until it is printed.
struct ClangMessage {
  clang::DiagnosticsEngine::Level level;
  unsigned id;
  clang::SourceLocation loc;
  std::string text;
  llvm::SmallVector<clang::CharSourceRange, 4> ranges;
  llvm::SmallVector<clang::FixItHint, 2> fixIts;
  bool ofTiles = false; ///< names a tile of tt, or a location in its headers
  std::string guess; ///< the name, if Clang continues with an unrelated declaration of the same name
  std::string onceKey; ///< only the first of the messages with the same key is printed
  bool explainsRest = false; ///< later errors follow from it
  bool isExplained = false; ///< the text names the user's mistake and what to write instead
};

/// Rewrites tile types in `text` as tile<float, 64, 32>, whatever C++ calls their elements.
std::string spellTiles(llvm::StringRef text);

/// Changes the text of `error` if Clang explains a mistake in terms that the user does not know, and drops the notes
/// that belong to that explanation. `isSimt` means that the source may have SIMT code. `isOurs` recognizes locations in
/// tcc's headers, and `isSystem` locations in any header that is not the user's.
void reword(ClangMessage &error, std::vector<ClangMessage> &notes, bool isSimt,
            llvm::function_ref<bool(clang::SourceLocation)> isOurs,
            llvm::function_ref<bool(clang::SourceLocation)> isSystem);

/// Handles messages about tiles and functions of tt. Returns false if it does not apply.
bool rewordTiles(ClangMessage &error, std::vector<ClangMessage> &notes,
                 llvm::function_ref<bool(clang::SourceLocation)> isOurs);

/// Handles syntax of other languages. Returns false if it does not apply.
bool rewordSyntax(ClangMessage &error, std::vector<ClangMessage> &notes, const clang::SourceManager &sources);

/// Handles habits of Triton, CUDA and plain C++ users. Returns false if it does not apply.
bool rewordHabits(ClangMessage &error, std::vector<ClangMessage> &notes, const clang::SourceManager &sources,
                  bool isSimt);

/// The message about a stream of the host in a kernel.
inline constexpr llvm::StringLiteral noStream =
    "a stream is not available in a tile kernel; kernels have tt::device_print(\"text\", x)";

/// Replaces the message and drops its notes, unless `text` is empty. Returns true if it did so.
bool sayInstead(ClangMessage &error, std::vector<ClangMessage> &notes, const llvm::Twine &text);

/// Returns the n-th quoted name, without its quotes.
llvm::StringRef getQuoted(llvm::StringRef text, unsigned n = 0);

} // namespace tilecc

#endif // TILECC_FRONTEND_REWORDING_H
