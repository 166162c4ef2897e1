//===- StepCommands.h - shell commands for the steps of kernels --------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_STEPCOMMANDS_H
#define TILECC_DRIVER_STEPCOMMANDS_H

#include "driver/Actions.h"
#include "driver/Context.h"
#include "driver/Images.h"

namespace tilecc {

/// A tcc command with all options that affect its output, for kernels and for the host. `withTargets` adds -arch and
/// -gencode; `withDependencies` adds -MD and related options.
std::vector<std::string> tccCommand(const Context &ctx, bool withTargets, bool withDependencies);

/// Appends the input to a tcc command.
void addInput(std::vector<std::string> &command, const Input &input);

/// A tcc command that makes `output` from the input, up to ctx.stage. `images` are options that name the outputs of
/// other steps.
Command stageCommand(const Context &ctx, const Input &input, llvm::StringRef output,
                     llvm::ArrayRef<std::string> images = {});

/// The command that makes the PTX of `file`: for the tile kernels' `variants` or, if that is empty, as the options
/// select.
Command ptxCommand(const Context &ctx, const Input &input, const TargetFile &file, llvm::StringRef variants);

/// Copies an existing file to the output.
Action copyAction(Context &ctx, const std::string &from, const std::string &to);

/// Disassembles a cubin, or the contents of a fat binary.
Action disassembleAction(Context &ctx, const std::string &image, bool isFatbin, const std::string &output);

/// -src-in-ptx: inserts each source line, as a comment, before its instructions.
std::string withSource(llvm::StringRef ptx);

} // namespace tilecc

#endif // TILECC_DRIVER_STEPCOMMANDS_H
