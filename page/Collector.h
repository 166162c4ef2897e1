//===- Collector.h - collects the stages of a page during compilation --------------------------------------*- C++ -*-//

#ifndef TILECC_PAGE_COLLECTOR_H
#define TILECC_PAGE_COLLECTOR_H

#include "page/TileLayouts.h"
#include "page/Model.h"
#include "page/Remarks.h"

namespace tilecc::page {

/// The file name in the line tables of code that a Collector has observed. Line n of this file stands for chain n - 1.
/// Line tables cannot represent call chains, or lose them (LLVM's tables for PTX), but they can hold any number as a
/// line.
inline constexpr llvm::StringLiteral chainFile = "tilecc.chains";

/// The data collected for one variant, or for one function of CPU code.
struct Seen {
  std::vector<StageText> stages; ///< ttir, ttgir and llvm, up to the stage that was reached
  std::vector<PassText> passes;
  LayoutsAndMovements layouts;
  std::vector<Access> accesses;
  std::vector<Work> work;
};

class Collector final : public RemarkCollector {
public:
  explicit Collector(Chains &chains) : chains(chains) {}

  void sawState(const ObservedVariant &variant, const ObservedState &state) override;
  void sawLLVM(llvm::Module &module, const Target &target) override;

  void clear() override {
    RemarkCollector::clear();
    seen.clear();
  }
  /// Returns the data collected for the function `symbol` and `target`. Valid after compilation.
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
