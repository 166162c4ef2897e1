//===- Context.h - one run of tcc --------------------------------------------------------------------------*- C++ -*-//
//
// The state that all steps of the driver share. The steps in the list of main() set the members, each of them once, in
// the order of declaration.
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
  std::string language = {}; ///< the argument of -x; empty: the file name determines it
  bool simt = false; ///< the source may contain SIMT code
  std::string source = {}; ///< the file from which a preprocessed input was made; otherwise `path`
  bool isPreprocessed() const { return source != path; }
  std::string stem = {}; ///< the base name of intermediate files; different for each input
};

struct Context;

/// A version such as 13.0.88. Numbers that ptxas does not report are 0.
struct ToolkitVersion {
  unsigned major = 0, minor = 0, build = 0;
};

/// The CUDA toolkit, which CudaToolkit.cpp finds and queries. It is optional: without it, kernels are embedded as PTX.
struct CudaToolkit : CudaTools {
  /// The version as ptxas reports it, for example "13.0".
  std::string version() const;
  ToolkitVersion fullVersion() const;
  /// Returns true if ptxas supports `arch`. An older ptxas does not support the newest GPUs.
  bool assembles(const Target &arch);

  /// Reports an error that says what `stage` needs and how to get it.
  static void reportMissing(Context &ctx, llvm::StringRef tool, llvm::StringRef stage);

  std::string ptxasHelp; ///< the output of ptxas --help, cached
};

/// An architecture for which kernels are compiled, and what is made from its PTX.
struct TargetArch {
  Target arch;
  bool cubin = false; ///< ptxas assembles the PTX to a cubin
  bool ptx = false; ///< the PTX is embedded as text, for newer GPUs
};
using TargetArchs = std::vector<TargetArch>;

/// A word of the linker's command line, in the order of tcc's command line.
struct LinkItem {
  std::string text; ///< an option or a file
  int input = -1; ///< or the index of an input; `text` is then set once the name of its object is known
};

struct Context {
  explicit Context(int argc, char **argv);

  /// Ends the run if there have been errors.
  void checkpoint();

  /// Returns true if tile kernels are compiled for at least one GPU.
  bool hasGpuTargets() const { return !targets.empty() || !portableTargets.empty(); }

  std::string programPath; ///< this executable, resolved
  std::string programName; ///< as the user typed it; used in printed commands
  bool asNvcc = false; ///< called as tcc-nvcc
  bool asTileiras = false; ///< called as tcc-tileiras or tileiras
  /// The remarks that options of tileiras ask for.
  struct TileirasRemarks {
    enum Category { Memory, TensorCore, CategoryCount };
    bool passed[CategoryCount] = {}, missed[CategoryCount] = {};
    bool isYaml = false;
    std::string file = "tileir_remarks.yaml";
  } tileirasRemarks;
  llvm::opt::InputArgList args;
  std::vector<Input> inputs;
  std::vector<std::unique_ptr<Input>> madeInputs; ///< inputs that steps create for later steps
  Stage stage = Stage::Link;
  std::string output; ///< -o; empty: each stage's own default
  bool tileOnly = false; ///< --tile-only and similar options: stages of GPU code omit SIMT code
  std::string kernelFilter; ///< --kernel
  std::string variantFilter; ///< --variant; empty: the most demanding one
  std::vector<std::string> hostArgs; ///< arguments for Clang's driver, without inputs and output
  std::vector<LinkItem> linkLine;
  CudaToolkit cuda;
  TargetArchs targets; ///< NVIDIA targets
  std::vector<Target> portableTargets; ///< targets whose back end emits the image that is embedded
  TargetArchs simtTargets; ///< `targets`, but as the user named them (sm_90, not sm_90a): for SIMT code and -ptx
  bool staticShared = false; ///< kernels define their own shared memory and take only their own parameters
  bool tensorMaps = false; ///< kernels may take tensor maps, which the runtime creates
  FloatOptions floats; ///< of kernels on GPUs; fmad also applies to the CPU
  std::string hostTriple; ///< --target, normalized; empty: a machine like the one that tcc runs on
  Target cpu = cpuTarget(); ///< the target of kernels' CPU code: --target and --cpu-level
  std::optional<unsigned> reproducedPass; ///< --reproduce-pass, see compile/Attempt.h
  KernelOptions kernelOptions; ///< --num-warps etc.; they override IR inputs, and are defaults for sources
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

  /// Returns the name of an intermediate file of `input`. The file is in the temporary folder (mode 0700, removed at
  /// exit) or, with --keep, among the kept files.
  std::string intermediate(const Input &input, llvm::StringRef suffix);
  /// Returns the temporary folder; creates it on first use.
  const std::string &temporaryDir();
  /// Returns the name of a file that is in the temporary folder even with --keep.
  std::string temporaryFile(llvm::StringRef name);

private:
  std::string tempDir;
  std::mutex tempMutex;
};

} // namespace tilecc

#endif // TILECC_DRIVER_CONTEXT_H
