//===- Remarks.h - describes the compiler's decisions about accesses, dots and loops -----------------------*- C++ -*-//
//
// Provides the data of -Rtile=accesses, conversions, dots and pipelines, of pages and of annotations. It is read from
// the IR that is compiled, with the analyses that the lowering uses, so it describes the code that runs.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_PAGE_REMARKS_H
#define TILECC_PAGE_REMARKS_H

#include "page/Model.h"
#include "targets/Observer.h"
#include <map>
#include <mutex>

namespace tilecc::page {

/// A decision about an operation of a kernel.
struct OperationRemark {
  llvm::StringLiteral kind; ///< one of remarkKinds
  mlir::Location loc;
  std::string text;
  bool isMissed; ///< faster code would have been possible with more knowledge, other types or another loop
  bool operator==(const OperationRemark &other) const {
    return kind == other.kind && loc == other.loc && text == other.text;
  }
};

/// A kind of remarks, as in -Rtile=, and the pass that makes the decision.
struct RemarkKind {
  llvm::StringLiteral name, pass;
};
inline constexpr RemarkKind remarkKinds[] = {{"accesses", "tritongpu-coalesce"},
                                             {"conversions", "tritongpu-remove-layout-conversions"},
                                             {"dots", "tritongpu-accelerate-matmul"},
                                             {"pipelines", "tritongpu-pipeline"}};

/// Returns the call chains in `loc`, from the innermost to the outermost call. A fused location has several.
std::vector<std::vector<Remark::Position>> findChains(mlir::Location loc);

/// Collects the remarks on each variant during compilation.
class RemarkCollector : public CompileObserver {
public:
  void sawState(const ObservedVariant &variant, const ObservedState &state) override;
  void sawLLVM(llvm::Module &, const Target &) override {}

  /// Drops everything before kernels are compiled again.
  virtual void clear() { remarks.clear(); }
  /// Returns the remarks on the function `symbol` for `target`. Valid after compilation.
  std::vector<OperationRemark> getRemarks(const Target &target, llvm::StringRef symbol) const;

private:
  struct OfVariant {
    std::vector<OperationRemark> pipelines; ///< of the last attempt to pipeline the loops
    std::vector<OperationRemark> operations;
  };

  std::mutex mutex;
  std::map<std::pair<std::string, std::string>, OfVariant> remarks; ///< by target and symbol
};

} // namespace tilecc::page

#endif // TILECC_PAGE_REMARKS_H
