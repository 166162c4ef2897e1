//===- Kernels.h - the kernels of one input, as TTIR or TTGIR ----------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_KERNELS_H
#define TILECC_DRIVER_KERNELS_H

#include "compile/Compile.h"
#include "driver/Context.h"
#include "frontend/Frontend.h"
#include "mlir/IR/MLIRContext.h"

namespace tilecc {

/// The result of reading an input: its kernels and, for a source, the host module.
struct KernelUnit {
  explicit KernelUnit(Context &ctx);
  ~KernelUnit();

  mlir::MLIRContext context; ///< of all kernels' IR; each module may be used by one thread at a time
  std::unique_ptr<TranslationUnit> host; ///< null for inputs of IR
  std::vector<Kernel> kernels;
  std::vector<TileVariable> variables; ///< of a source, for stages that show them
  FloatOptions floats; ///< of the kernels above
  std::optional<std::string> cpuDebugFolder; ///< CodeOptions::cpuDebugFolder
  /// For a source compiled with -rdc=true: kernels that call functions of other sources, and functions that other
  /// sources call.
  TileUnit relocatable;
  /// For linked tile code: the unit that it was linked from.
  std::optional<TileUnit> linked;

private:
  struct Diagnostics;
  std::unique_ptr<Diagnostics> diagnostics;

public:
  SideTask dialects; ///< loads the dialects in the background; to be waited for before threads share `context`
};

/// Compiles a source, parses a .ttir or .ttgir file, or reads linked tile code. `print` receives the messages about a
/// source. `rule` is the dependency rule of a source with SIMT code, which is also parsed for devices. Reports an error
/// and returns false on failure.
bool readKernels(Context &ctx, const Input &input, llvm::StringRef output, std::function<void(llvm::StringRef)> print,
                 std::shared_ptr<DependencyRule> rule, KernelUnit &unit);

/// Drops all kernels but those that --kernel names. Reports an error if none remains.
bool selectKernels(Context &ctx, const Input &input, KernelUnit &unit);

} // namespace tilecc

#endif // TILECC_DRIVER_KERNELS_H
