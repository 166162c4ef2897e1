//===- Cubins.h - makes cubins and fat binaries with ptxas and fatbinary -----------------------------------*- C++ -*-//
//
// An image is PTX or machine code for one target. A fat binary contains several images, of which the CUDA driver loads
// one.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_CUBINS_H
#define TILECC_DRIVER_CUBINS_H

#include "compile/Kernel.h"
#include "driver/Context.h"
#include "driver/Programs.h"
#include "driver/ResourceUsage.h"

namespace tilecc {

/// The PTX file for one target, the cubin that ptxas makes from it, and what ptxas reports.
struct TargetFile {
  TargetArch target;
  std::string ptx, cubin;
  std::vector<std::string> ptxas; ///< the command; empty if no cubin is needed
  AssemblerReport report = {};
  std::shared_ptr<EarlyProgram> early = {}; ///< a ptxas that was started before its input existed
  bool isSimt = false; ///< contains SIMT code
  bool isRelocatable = false; ///< compiled for nvlink even without -rdc=true
};

/// Returns true for -ptx. Like with nvcc, -ptx writes a file that runs on the given GPU and on newer ones. In contrast,
/// --emit=ptx prints the PTX from which the cubin is made.
bool isForPtxFile(const Context &ctx);

/// Returns the target whose code a stage with one architecture outputs: the newest target or, if the stage outputs
/// machine code, the newest target for which there is machine code.
TargetArch shownTarget(const Context &ctx);

/// Returns true if some GPU among the targets of this stage copies tensors in hardware. Kernels then take descriptors
/// as tensor maps.
bool mayCopyTensors(const Context &ctx);

/// Returns the ptxas command that writes `file.cubin`.
std::vector<std::string> ptxasCommand(const Context &ctx, const TargetFile &file);

/// Returns the command that combines all requested cubins and PTX into the file `fatbin`.
std::vector<std::string> fatbinaryCommand(const Context &ctx, llvm::ArrayRef<TargetFile> files, llvm::StringRef fatbin);

/// Starts ptxas on PTX files that do not exist yet, to overlap its start with the code generator, if there are enough
/// cores.
void startPtxasEarly(const Context &ctx, llvm::MutableArrayRef<TargetFile> files);

/// Runs the ptxas commands of all files in parallel. Returns false after it has reported an error.
bool assembleFiles(Context &ctx, std::vector<TargetFile> &files);

/// Returns what ptxas reported for each file.
std::vector<TargetReport> reportsOf(llvm::ArrayRef<TargetFile> files);

/// Warns about what ptxas has found, and prints the table of --resource-usage. `kernels` is empty if the input is PTX.
/// Returns false if it reports an error, such as a warning that options have turned into an error.
bool reportFiles(Context &ctx, const Input &input, llvm::ArrayRef<Kernel> kernels, llvm::ArrayRef<TargetFile> files);

/// Characters that end a file name on the command line of fatbinary, even if they are quoted.
inline constexpr llvm::StringLiteral notInImageNames = ",\"";

} // namespace tilecc

#endif // TILECC_DRIVER_CUBINS_H
