//===- Collector.h - collects a page's stages while kernels are compiled -----------------------------------*- C++ -*-//

#ifndef TILECC_PAGE_COLLECTOR_H
#define TILECC_PAGE_COLLECTOR_H

#include "page/Model.h"
#include "targets/Observer.h"

namespace tilecc::page {

/// The name of the file that line tables refer to in code that a Collector has seen: line n is chain n - 1. Line tables
/// have no room for call chains, or drop them (LLVM's for PTX), but any number is a line.
inline constexpr llvm::StringLiteral chainFile = "tilecc.chains";

/// What was seen of one variant, or of one function of CPU code.
struct Seen {
  std::vector<StageText> stages; ///< ttir, ttgir, llvm, as far as they were reached
  std::vector<PassText> passes;
  std::vector<TileLayout> layouts;
  std::vector<Access> accesses;
};

class Collector final : public CompileObserver {
public:
  explicit Collector(Chains &chains) : chains(chains) {}

  void sawState(const ObservedVariant &variant, const ObservedState &state) override;
  void sawLLVM(llvm::Module &module, const Target &target) override;

  /// Forgets everything: kernels are compiled again.
  void clear() { seen.clear(); }
  /// What was seen of the function `symbol` for `target`. Once compilation has ended.
  Seen &get(const Target &target, llvm::StringRef symbol) { return seen[{target.str(), symbol.str()}]; }

private:
  Seen &lockedGet(const Target &target, llvm::StringRef symbol);
  Text printModule(mlir::ModuleOp module, Seen &into, std::optional<Form> form);
  void addChains(mlir::Location loc, Line &line);

  Chains &chains;
  std::mutex mutex;
  std::map<std::pair<std::string, std::string>, Seen> seen;
};

} // namespace tilecc::page

#endif // TILECC_PAGE_COLLECTOR_H
