//===- Context.h - one run of tcc ---------------------------------------------------------------------------*- C++ -*-//
//
// What the steps of the driver share. Filled in once, in the order of the members, by the steps that main() lists.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_CONTEXT_H
#define TILECC_DRIVER_CONTEXT_H

#include "driver/CudaToolkit.h"
#include "driver/Diagnostics.h"
#include "driver/Stages.h"
#include "driver/TargetArchs.h"
#include "compile/KernelOptions.h"
#include "lowering/gpu/GpuTarget.h"
#include "llvm/Option/ArgList.h"
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tilecc {

struct Input {
  std::string path;
  InputKind kind;
  std::string language = {}; ///< what -x said; empty: by the file's name
  bool simt = false;         ///< a source that may have SIMT code
  std::string source = {};   ///< the file that a preprocessed one was made of; else its own path
  bool isPreprocessed() const { return source != path; }
  std::string stem = {};     ///< of its intermediate files; no other input's
};

/// A file's name as objects tell it: -ffile-prefix-map leaves out where it was compiled.
std::string nameInObject(const Context &ctx, llvm::StringRef path);

/// What the linker gets, in the order of the command line.
struct LinkItem {
  std::string text;   ///< an option or a file
  int input = -1;     ///< or the object of this input, whose name is in `text` once it is known
};

struct Context {
  explicit Context(int argc, char **argv);

  /// Ends the run if there were errors.
  void checkpoint();

  /// Returns true if tile kernels are compiled for any GPU.
  bool hasGpuTargets() const { return !targets.empty() || !portableTargets.empty(); }

  std::string programPath;          ///< this executable, resolved
  std::string programName;          ///< as the user typed it: steps are printed with it
  bool asNvcc = false;              ///< called as tcc-nvcc
  bool asTileiras = false;          ///< called as tcc-tileiras or tileiras
  llvm::opt::InputArgList args;
  std::vector<Input> inputs;
  std::vector<std::unique_ptr<Input>> madeInputs; ///< that steps make for others
  Stage stage = Stage::Link;
  std::string output;               ///< -o; empty: each stage's own default
  bool tileOnly = false;            ///< --tile-only and its kin: stages of the GPU's code show tile kernels, not SIMT code
  std::string kernelFilter;         ///< --kernel
  std::string variantFilter;        ///< --variant; empty: the most specialised
  std::vector<std::string> hostArgs; ///< for Clang's driver, without inputs and output
  std::vector<LinkItem> linkLine;
  CudaToolkit cuda;
  TargetArchs targets;              ///< NVIDIA's
  std::vector<Target> portableTargets; ///< whose code is embedded as their back end emits it
  TargetArchs simtTargets;          ///< the same as they were named, where sm_90 is not sm_90a: for SIMT code and for -ptx
  bool staticShared = false;        ///< kernels define their shared memory, and take their own parameters alone
  bool tensorMaps = false;          ///< kernels may take tensor maps, which the runtime makes
  FloatOptions floats;              ///< of kernels on GPUs; of fmad, on the CPU too
  unsigned cpuLevel = 0;            ///< --cpu-level; 0: all
  std::optional<unsigned> reproducedPass; ///< --reproduce-pass, see compile/Attempt.h
  KernelOptions kernelOptions;      ///< --num-warps and the like: of inputs of IR instead of what the file says, else where a source is silent
  bool relocatable = false;         ///< -rdc=true: code for GPUs and tile code may refer to other objects'
  bool cpuChecks = false;           ///< -fsanitize=tile: CPU code checks its accesses
  bool deviceDebug = false;         ///< -G: SIMT and CPU code is not optimized, and has debug information
  bool lineInfo = false;            ///< -lineinfo: cubins say which line an instruction is of
  bool dryRun = false, verbose = false, keep = false;
  std::string keepDir;              ///< of the files that are kept; empty: the working folder
  std::string outputDir;            ///< -odir: of outputs that -o does not name
  std::string timeFile;             ///< --time; -: standard output; empty: none
  unsigned threads = 0;             ///< -t; 0: as many as the machine has

  std::atomic<unsigned> errors = 0;

  /// A file for an intermediate result of `input`: in the temporary folder (mode 0700, removed at exit) or, with --keep, kept.
  std::string intermediate(const Input &input, llvm::StringRef suffix);
  /// The temporary folder; made if there is none.
  const std::string &temporaryDir();
  /// A file in the temporary folder in any case.
  std::string temporaryFile(llvm::StringRef name);

private:
  std::string tempDir;
  std::mutex tempMutex;
};

} // namespace tilecc

#endif // TILECC_DRIVER_CONTEXT_H
