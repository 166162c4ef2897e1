//===-- Results.h - what is shown about one version of a document -------------------------------------*- C++ -*-===//
#ifndef TILECC_TOOLS_LSP_RESULTS_H
#define TILECC_TOOLS_LSP_RESULTS_H

#include "Builds.h"
#include "Lines.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LSP/Protocol.h"
#include <string>
#include <vector>

namespace tilecc::lsp {

struct Hint {
  llvm::lsp::Position position;
  std::string label, tooltip;
  bool isType = false; ///< about a variable's type; otherwise about a kernel
};

/// A text about a name in the source.
struct Explanation {
  llvm::lsp::Range range;
  std::string text;
};

struct Results {
  std::vector<llvm::lsp::Diagnostic> diagnostics;
  std::vector<Hint> hints; ///< ordered by position
  std::vector<Explanation> explanations;

  /// Returns the text to show for a position: the facts about the name there, or otherwise about all names in its line.
  /// Empty if there are none.
  std::string explain(llvm::lsp::Position position, llvm::lsp::Range &range) const;
};

/// Evaluates tcc's outputs for a document. `warning` is a problem that concerns the whole document; it may be empty.
Results makeResults(const BuildRequest &request, const BuildOutcome &outcome, llvm::StringRef warning);

} // namespace tilecc::lsp
#endif
