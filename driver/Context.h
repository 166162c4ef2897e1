//===- Context.h - one run of tcc ---------------------------------------------------------------------------*- C++ -*-//
//
// What the steps of the driver share. Filled in once, in the order of the members, by the steps that main() lists.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_CONTEXT_H
#define TILECC_DRIVER_CONTEXT_H

#include "driver/CudaToolkit.h"
#include "driver/Diagnostics.h"
#include "driver/TargetArchs.h"
#include "lowering/gpu/GpuTarget.h"
#include "llvm/Option/ArgList.h"
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tilecc {

enum class InputKind {
  TileSource, ///< .tt.cpp: host code and kernels
  HostSource, ///< anything Clang compiles: .cpp .c .s
  TTIR,       ///< one kernel, before or ...
  TTGIR,      ///< ... after it has layouts
  PTX,
  Cubin,
  Fatbin,
  Linkable ///< .o .a .so, and what else the linker takes
};

struct Input {
  std::string path;
  InputKind kind;
  std::string language; ///< what -x said, for Clang; empty: by the file's name
};

/// Where to stop. Stages of kernels first, then of the host's half, then of the whole.
enum class Stage { TTIR, TTGIR, LLVM, PTX, Cubin, SASS, Fatbin, CpuLLVM, CpuAsm, HostLLVM, HostAsm, Preprocess,
                   Dependencies, Syntax, Object, Link };

struct Context {
  explicit Context(int argc, char **argv);

  /// Ends the run if there were errors.
  void checkpoint();

  std::string programPath;          ///< this executable, resolved
  std::string programName;          ///< as the user typed it: steps are printed with it
  llvm::opt::InputArgList args;
  std::vector<Input> inputs;
  Stage stage = Stage::Link;
  std::string output;               ///< -o; empty: each stage's own default
  std::string kernelFilter;         ///< --kernel
  std::string variantFilter;        ///< --variant; empty: the most specialised
  std::vector<std::string> hostArgs; ///< for Clang's driver, without inputs and output
  std::vector<std::string> linkArgs;
  std::vector<std::string> linkOrder; ///< inputs of the link, in order: objects, libraries
  CudaToolkit cuda;
  TargetArchs targets;
  FloatOptions floats;              ///< of kernels on GPUs; of fmad, on the CPU too
  bool dryRun = false, verbose = false, keep = false, time = false;
  std::string keepDir;
  unsigned threads = 0;

  std::atomic<unsigned> errors = 0;

  /// A file for an intermediate result: in the temporary folder (mode 0700, removed at exit) or, with --keep, kept.
  std::string intermediate(llvm::StringRef stem, llvm::StringRef suffix);

private:
  std::string tempDir;
  std::mutex tempMutex;
};

} // namespace tilecc

#endif // TILECC_DRIVER_CONTEXT_H
