//===- Images.h - cubins and fatbinaries, by ptxas and fatbinary -------------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_IMAGES_H
#define TILECC_DRIVER_IMAGES_H

#include "compile/Kernel.h"
#include "driver/Context.h"
#include "driver/Programs.h"
#include "driver/ResourceUsage.h"
#include "targets/nvidia/Ptxas.h"

namespace tilecc {

/// One target's PTX in a file, the cubin that ptxas makes of it, and what it says of it.
struct TargetFile {
  TargetArch target;
  std::string ptx, cubin;
  std::vector<std::string> ptxas; ///< the command; empty where no cubin is asked for
  AssemblerReport report = {};
  std::shared_ptr<EarlyProgram> early = {}; ///< ptxas, where it waits for its input or has been given it
  bool isSimt = false; ///< it is SIMT code's
  bool isRelocatable = false; ///< its cubin is for nvlink, though it is not
};

/// Returns true for -ptx. As nvcc's, it writes a file for the GPU that was named and newer ones; --emit=ptx shows what the cubin
/// is made from.
bool isForPtxFile(const Context &ctx);

/// The target that stages of one architecture show: the newest, of those with code where the stage is code.
TargetArch shownTarget(const Context &ctx);

/// Returns true if any GPU that the stage is for copies tensors: kernels take descriptors as tensor maps.
bool mayCopyTensors(const Context &ctx);

/// The command that makes `file.cubin`.
std::vector<std::string> ptxasCommand(const Context &ctx, const TargetFile &file);

/// The command that makes `fatbin` of all cubins and PTX that are asked for.
std::vector<std::string> fatbinaryCommand(const Context &ctx, llvm::ArrayRef<TargetFile> files, llvm::StringRef fatbin);

/// Starts ptxas for files that are not there yet, beside what makes their PTX, where there are cores for that.
void startPtxasEarly(const Context &ctx, llvm::MutableArrayRef<TargetFile> files);

/// Runs the ptxas commands of all files, side by side. False after an Error.
bool assembleFiles(Context &ctx, std::vector<TargetFile> &files);

/// What ptxas reported of each.
std::vector<TargetReport> reportsOf(llvm::ArrayRef<TargetFile> files);

/// Warns of what ptxas found, and prints the table of --resource-usage. `kernels` is empty for an input of PTX. False after
/// an Error, which a warning may be.
bool reportFiles(Context &ctx, const Input &input, llvm::ArrayRef<Kernel> kernels, llvm::ArrayRef<TargetFile> files);

/// Characters that end a file's name on fatbinary's command line, however they are quoted.
inline constexpr llvm::StringLiteral notInImageNames = ",\"";

} // namespace tilecc

#endif // TILECC_DRIVER_IMAGES_H
