//===- GpuCode.h - kernels for GPUs: variants, images, fatbinaries ---------------------------------------------------*- C++ -*-//
//
// Each kernel is lowered for every target in up to three variants, which assume more or less about its arguments (see
// tilecc/abi.h); variants that come out equal are one. The kernels of an input make one PTX module per target.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_GPUCODE_H
#define TILECC_DRIVER_GPUCODE_H

#include "driver/Context.h"
#include "driver/Descriptor.h"
#include "driver/Kernels.h"
#include "driver/PtxasReport.h"

namespace tilecc {

struct GpuCode {
  std::vector<std::vector<VariantEntry>> variants; ///< of each kernel, most demanding first
  std::vector<ImageEntry> images;
  std::string fatbin; ///< empty where `fatbinary` is missing
};

/// Everything an object needs. Errors are counted in `ctx`.
GpuCode compileForGpus(Context &ctx, const Input &input, std::vector<Kernel> &kernels);

/// The kernels at one of the stages that are text: TTIR, TTGIR, LLVM, PTX. Nothing after an Error.
std::optional<std::string> printGpuCode(Context &ctx, const Input &input, std::vector<Kernel> &kernels);

/// The kernels as a cubin, its disassembly, or a fatbinary, as the stage says. False after an Error.
bool writeGpuImage(Context &ctx, const Input &input, std::vector<Kernel> &kernels, llvm::StringRef output);

/// The same from .ptx, .cubin and .fatbin files.
bool assembleInput(Context &ctx, const Input &input, llvm::StringRef output);

//===--- images, also for printed steps -----------------------------------------------------------------------------===//

/// One target's PTX in a file, the cubin that ptxas makes of it, and what it says of it.
struct TargetFile {
  TargetArch target;
  std::string ptx, cubin;
  PtxasReport report;
};

/// Runs ptxas. False after an Error.
bool assemble(Context &ctx, TargetFile &file, llvm::StringRef cubin);

/// Runs ptxas for each target that asks for code, then fatbinary on all. False after an Error.
bool assembleFatbin(Context &ctx, std::vector<TargetFile> &files, llvm::StringRef fatbin);

} // namespace tilecc

#endif // TILECC_DRIVER_GPUCODE_H
