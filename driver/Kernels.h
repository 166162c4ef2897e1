//===- Kernels.h - the kernels of one input, as TTIR or TTGIR ----------------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_KERNELS_H
#define TILECC_DRIVER_KERNELS_H

#include "compile/Compile.h"
#include "driver/Context.h"
#include "frontend/Frontend.h"
#include "mlir/IR/MLIRContext.h"

namespace tilecc {

/// What reading an input gave: its kernels, and for a source the host's half.
struct KernelUnit {
  explicit KernelUnit(Context &ctx);
  ~KernelUnit();

  mlir::MLIRContext context; ///< of every kernel's IR; safe for one thread per module
  std::unique_ptr<TranslationUnit> host; ///< null for inputs of IR
  std::vector<Kernel> kernels;
  FloatOptions floats;                       ///< of these
  std::optional<std::string> cpuDebugFolder; ///< CodeOptions::cpuDebugFolder
  /// Of a source compiled with -rdc=true: kernels that call functions of other sources, and functions for others.
  TileUnit relocatable;
  /// Of linked tile code: what it is of.
  std::optional<TileUnit> linked;

private:
  struct Diagnostics;
  std::unique_ptr<Diagnostics> diagnostics;

public:
  SideTask dialects; ///< loads them, which is no business of threads that share the context: to be waited for before it is used
};

/// Compiles a source, whose messages `print` gets, parses a .ttir or .ttgir, or reads linked tile code. `rule` is that of
/// a source with SIMT code that is parsed for devices, too. False after an Error.
bool readKernels(Context &ctx, const Input &input, llvm::StringRef output, std::function<void(llvm::StringRef)> print,
                 std::shared_ptr<DependencyRule> rule, KernelUnit &unit);

/// For the front end: this installation's folders and, for a source with SIMT code, the toolkit.
FrontendOptions frontendOptions(const Context &ctx, const Input *input = nullptr);

/// Whether a source may have tile kernels or functions.
bool mayHaveTileCode(const Input &input);

/// A source's arguments in the style of Clang's driver. A dialect below C++20 is replaced if the source may have tile code.
std::vector<std::string> sourceArguments(const Context &ctx, const Input &input);

/// Leaves the kernels that --kernel names. An Error if there is none.
bool selectKernels(Context &ctx, const Input &input, KernelUnit &unit);

/// -E, -M and -MM of a source with kernels.
bool preprocess(Context &ctx, const Input &input, llvm::StringRef output);

/// --precompile-headers.
void precompileHeaders(Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_KERNELS_H
