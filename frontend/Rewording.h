//===- Rewording.h - rewords Clang's CUDA messages in terms of tiles ---------------------------------------*- C++ -*-//
//
// tcc parses kernels as CUDA, so Clang's messages speak of device code and of the classes behind tiles. These functions
// replace such messages.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_REWORDING_H
#define TILECC_FRONTEND_REWORDING_H

#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace tilecc {

/// A message from Clang that has not been printed yet.
struct ClangMessage {
  clang::DiagnosticsEngine::Level level;
  unsigned id;
  clang::SourceLocation loc;
  std::string text;
  llvm::SmallVector<clang::CharSourceRange, 4> ranges;
  llvm::SmallVector<clang::FixItHint, 2> fixIts;
  bool ofTiles = false; ///< it names a tile of tt, or a location in the headers of tt
  std::string guess; ///< a name for which Clang continues with an unrelated declaration
  std::string onceKey; ///< of several messages with the same key, only the first is printed
  bool explainsRest = false; ///< later errors follow from this one
  bool isExplained = false; ///< the text says what the user's mistake is and what to write instead
};

/// Rewrites tile types in `text` in the form tile<float, 64, 32>, with the names that the language has for element
/// types.
std::string spellTiles(llvm::StringRef text);

/// Changes the text of `error` if Clang explains a mistake in terms that the user does not know, and removes the notes
/// that belong to this explanation. `isSimt` is true if the source may contain SIMT code. `isOurs` returns true for
/// locations in tcc's headers, and `isSystem` for locations in any header that is not the user's.
void reword(ClangMessage &error, std::vector<ClangMessage> &notes, bool isSimt,
            llvm::function_ref<bool(clang::SourceLocation)> isOurs,
            llvm::function_ref<bool(clang::SourceLocation)> isSystem);

/// Rewords messages about tiles and functions of tt. Returns false if the message is of another kind.
bool rewordTiles(ClangMessage &error, std::vector<ClangMessage> &notes,
                 llvm::function_ref<bool(clang::SourceLocation)> isOurs);

/// Rewords messages about syntax of other languages. Returns false if the message is of another kind.
bool rewordSyntax(ClangMessage &error, std::vector<ClangMessage> &notes, const clang::SourceManager &sources);

/// Rewords messages about code that users write out of habit from Triton, CUDA or plain C++, such as tl.arange and
/// threadIdx. Returns false if the message is of another kind.
bool rewordHabits(ClangMessage &error, std::vector<ClangMessage> &notes, const clang::SourceManager &sources,
                  bool isSimt);

/// The message about the use of a host stream (std::cout) in a kernel.
inline constexpr llvm::StringLiteral noStream =
    "a stream is not available in a tile kernel; kernels have tt::device_print(\"text\", x)";

/// Unless `text` is empty, replaces the text of the message by it, removes the notes, and returns true.
bool sayInstead(ClangMessage &error, std::vector<ClangMessage> &notes, const llvm::Twine &text);

/// Returns the n-th quoted name in `text`, without its quotes.
llvm::StringRef getQuoted(llvm::StringRef text, unsigned n = 0);

} // namespace tilecc

#endif // TILECC_FRONTEND_REWORDING_H
