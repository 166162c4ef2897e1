//===- Cubins.h - makes cubins and fat binaries with ptxas and fatbinary -----------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_CUBINS_H
#define TILECC_DRIVER_CUBINS_H

#include "compile/Kernel.h"
#include "driver/Context.h"
#include "driver/Programs.h"
#include "driver/ResourceUsage.h"

namespace tilecc {

/// The PTX file of one target, the cubin that ptxas makes from it, and ptxas's report.
struct TargetFile {
  TargetArch target;
  std::string ptx, cubin;
  std::vector<std::string> ptxas; ///< the command; empty if no cubin is needed
  AssemblerReport report = {};
  std::shared_ptr<EarlyProgram> early = {}; ///< a ptxas that was started early; its input may not exist yet
  bool isSimt = false; ///< holds SIMT code
  bool isRelocatable = false; ///< compiled for nvlink even without -rdc=true
};

/// Returns true for -ptx. Like nvcc, -ptx writes a file that runs on the named GPU and newer ones; --emit=ptx shows the
/// PTX from which the cubin is made.
bool isForPtxFile(const Context &ctx);

/// Returns the target that a stage with one architecture outputs: the newest target or, for stages that output machine
/// code, the newest target with machine code.
TargetArch shownTarget(const Context &ctx);

/// Returns true if any GPU of this stage copies tensors in hardware; kernels then take descriptors as tensor maps.
bool mayCopyTensors(const Context &ctx);

/// Returns the ptxas command that makes `file.cubin`.
std::vector<std::string> ptxasCommand(const Context &ctx, const TargetFile &file);

/// Returns the command that combines all requested cubins and PTX into `fatbin`.
std::vector<std::string> fatbinaryCommand(const Context &ctx, llvm::ArrayRef<TargetFile> files, llvm::StringRef fatbin);

/// Starts ptxas for PTX files that do not exist yet, in parallel with the code generator, if there are enough cores.
void startPtxasEarly(const Context &ctx, llvm::MutableArrayRef<TargetFile> files);

/// Runs the ptxas commands of all files in parallel. Reports an error and returns false on failure.
bool assembleFiles(Context &ctx, std::vector<TargetFile> &files);

/// Returns the ptxas report of each file.
std::vector<TargetReport> reportsOf(llvm::ArrayRef<TargetFile> files);

/// Warns about ptxas's findings and prints the table of --resource-usage. `kernels` is empty for an input of PTX.
/// Returns false if it reports an error, such as a warning that options have turned into an error.
bool reportFiles(Context &ctx, const Input &input, llvm::ArrayRef<Kernel> kernels, llvm::ArrayRef<TargetFile> files);

/// Characters that end a file name on fatbinary's command line, even if quoted.
inline constexpr llvm::StringLiteral notInImageNames = ",\"";

} // namespace tilecc

#endif // TILECC_DRIVER_CUBINS_H
