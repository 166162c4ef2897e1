//===- Kernels.h - the kernels of one input, as TTIR or TTGIR ----------------------------------------------*- C++ -*-//
//
// The first step of an input with kernels reads it into a KernelUnit; all later steps start from there.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_KERNELS_H
#define TILECC_DRIVER_KERNELS_H

#include "compile/Compile.h"
#include "driver/Context.h"
#include "frontend/Frontend.h"
#include "mlir/IR/MLIRContext.h"

namespace tilecc {

/// The kernels of an input and, if the input is a source, its host module.
struct KernelUnit {
  explicit KernelUnit(Context &ctx);
  ~KernelUnit();

  mlir::MLIRContext context; ///< the context of all IR; each module may be used by one thread at a time
  std::unique_ptr<TranslationUnit> host; ///< null for inputs of IR
  std::vector<Kernel> kernels;
  std::vector<TileVariable> variables; ///< the source's tile variables, for stages that show them
  FloatOptions floats; ///< options for the kernels above
  std::optional<std::string> cpuDebugFolder; ///< CodeOptions::cpuDebugFolder
  /// For a source compiled with -rdc=true: kernels that call functions of other sources, and functions that other
  /// sources may call.
  TileUnit relocatable;
  /// For linked tile code: the unit from which it was linked.
  std::optional<TileUnit> linked;

private:
  struct Diagnostics;
  std::unique_ptr<Diagnostics> diagnostics;

public:
  SideTask dialects; ///< loads the dialects in the background; to be waited for before threads share `context`
};

/// Reads an input: compiles a source, parses a .ttir or .ttgir file, or reads linked tile code. `print` receives the
/// messages about a source. `rule` is the dependency rule of a source with SIMT code, which is also parsed for devices.
/// Returns false after it has reported an error.
bool readKernels(Context &ctx, const Input &input, llvm::StringRef output, std::function<void(llvm::StringRef)> print,
                 std::shared_ptr<DependencyRule> rule, KernelUnit &unit);

/// Removes all kernels except those that --kernel names. Reports an error if none remains.
bool selectKernels(Context &ctx, const Input &input, KernelUnit &unit);

} // namespace tilecc

#endif // TILECC_DRIVER_KERNELS_H
