//===- Context.h - one run of tcc --------------------------------------------------------------------------*- C++ -*-//
//
// The state that the steps of the driver share. The steps that main() lists fill in the members once, in order of
// declaration.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_CONTEXT_H
#define TILECC_DRIVER_CONTEXT_H

#include "builder/CudaTools.h"
#include "driver/Stages.h"
#include "targets/Registry.h"
#include "compile/KernelOptions.h"
#include "lowering/gpu/GpuTarget.h"
#include "llvm/Option/ArgList.h"
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tilecc {

struct Input {
  std::string path;
  InputKind kind;
  std::string language = {}; ///< the argument of -x; empty: deduced from the file name
  bool simt = false; ///< the source may have SIMT code
  std::string source = {}; ///< the file that a preprocessed input was made from; otherwise `path`
  bool isPreprocessed() const { return source != path; }
  std::string stem = {}; ///< base name of intermediate files; unique among the inputs
};

struct Context;

/// A version such as 13.0.88. Numbers that ptxas does not report are 0.
struct ToolkitVersion {
  unsigned major = 0, minor = 0, build = 0;
};

/// An optional CUDA toolkit, which CudaToolkit.cpp finds and queries. Without one, kernels are embedded as PTX.
struct CudaToolkit : CudaTools {
  /// The version as ptxas reports it, for example "13.0".
  std::string version() const;
  ToolkitVersion fullVersion() const;
  /// Returns true if ptxas supports `arch`; an older ptxas does not support the newest GPUs.
  bool assembles(const Target &arch);

  /// Reports an error that says what `stage` needs and how to get it.
  static void reportMissing(Context &ctx, llvm::StringRef tool, llvm::StringRef stage);

  std::string ptxasHelp; ///< cached output of --help
};

/// An architecture to lower kernels for, and the uses of its PTX.
struct TargetArch {
  Target arch;
  bool cubin = false; ///< assembled by ptxas
  bool ptx = false; ///< embedded as text, for newer GPUs
};
using TargetArchs = std::vector<TargetArch>;

/// An item of the linker's command line, in the order of tcc's command line.
struct LinkItem {
  std::string text; ///< an option or a file
  int input = -1; ///< or the index of the input whose object this is; `text` is filled in once the name is known
};

struct Context {
  explicit Context(int argc, char **argv);

  /// Ends the run if there were errors.
  void checkpoint();

  /// Returns true if tile kernels are compiled for any GPU.
  bool hasGpuTargets() const { return !targets.empty() || !portableTargets.empty(); }

  std::string programPath; ///< this executable, resolved
  std::string programName; ///< as the user typed it; printed in the commands of steps
  bool asNvcc = false; ///< called as tcc-nvcc
  bool asTileiras = false; ///< called as tcc-tileiras or tileiras
  llvm::opt::InputArgList args;
  std::vector<Input> inputs;
  std::vector<std::unique_ptr<Input>> madeInputs; ///< inputs that steps create for other steps
  Stage stage = Stage::Link;
  std::string output; ///< -o; empty: each stage's own default
  bool tileOnly = false; ///< --tile-only etc.: stages of GPU code omit SIMT code
  std::string kernelFilter; ///< --kernel
  std::string variantFilter; ///< --variant; empty: the most specialized one
  std::vector<std::string> hostArgs; ///< arguments for Clang's driver, without inputs and output
  std::vector<LinkItem> linkLine;
  CudaToolkit cuda;
  TargetArchs targets; ///< NVIDIA targets
  std::vector<Target> portableTargets; ///< targets whose back end emits the image that is embedded
  TargetArchs simtTargets; ///< `targets` as the user named them (sm_90 is not sm_90a): for SIMT code and -ptx
  bool staticShared = false; ///< kernels define their own shared memory and take only their own parameters
  bool tensorMaps = false; ///< kernels may take tensor maps, which the runtime creates
  FloatOptions floats; ///< of kernels on GPUs; fmad also applies to the CPU
  std::string hostTriple; ///< --target, normalized; empty: the machine is like the one that tcc runs on
  Target cpu = cpuTarget(); ///< of the kernels' CPU code: --target and --cpu-level
  std::optional<unsigned> reproducedPass; ///< --reproduce-pass, see compile/Attempt.h
  KernelOptions kernelOptions; ///< --num-warps etc.: override IR inputs; defaults for sources
  bool relocatable = false; ///< -rdc=true: device and tile code may refer to other objects
  bool cpuChecks = false; ///< -fsanitize=tile: CPU code checks its memory accesses
  bool deviceDebug = false; ///< -G: SIMT and CPU code is not optimized and has debug information
  bool lineInfo = false; ///< -lineinfo: cubins map instructions to source lines
  bool dryRun = false, verbose = false, keep = false;
  std::string keepDir; ///< folder for kept files; empty: the working folder
  std::map<std::string, std::string> remappedFiles; ///< --remap-file: contents by path
  std::string outputDir; ///< -odir: folder for outputs that -o does not name
  std::string timeFile; ///< --time; "-": standard output; empty: off
  unsigned threads = 0; ///< -t; 0: one per core of the machine

  std::atomic<unsigned> errors = 0;

  /// Names an intermediate file of `input`: in the temporary folder (mode 0700, removed at exit) or, with --keep, a
  /// kept file.
  std::string intermediate(const Input &input, llvm::StringRef suffix);
  /// Returns the temporary folder; creates it on first use.
  const std::string &temporaryDir();
  /// Names a file that is always in the temporary folder.
  std::string temporaryFile(llvm::StringRef name);

private:
  std::string tempDir;
  std::mutex tempMutex;
};

} // namespace tilecc

#endif // TILECC_DRIVER_CONTEXT_H
