//===- StepCommands.h - shell commands for the steps of kernels --------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_STEPCOMMANDS_H
#define TILECC_DRIVER_STEPCOMMANDS_H

#include "driver/Actions.h"
#include "driver/Context.h"
#include "driver/Cubins.h"

namespace tilecc {

/// Returns a tcc command with all options that affect its output, for kernels and for the host. `withTargets` adds
/// -arch and -gencode; `withDependencies` adds -MD and related options.
std::vector<std::string> tccCommand(const Context &ctx, bool withTargets, bool withDependencies);

/// Appends the input to a tcc command.
void addInput(std::vector<std::string> &command, const Input &input);

/// Returns a tcc command that makes `output` from the input, up to ctx.stage. `images` are options that name the
/// outputs of other steps.
Command stageCommand(const Context &ctx, const Input &input, llvm::StringRef output,
                     llvm::ArrayRef<std::string> images = {});

/// Returns the command that makes the PTX of `file`. If `variants` is not empty, the PTX is that of these variants of
/// the tile kernels; otherwise the options select the code.
Command ptxCommand(const Context &ctx, const Input &input, const TargetFile &file, llvm::StringRef variants);

/// Returns a step that copies an existing file to the output.
Action copyAction(Context &ctx, const std::string &from, const std::string &to);

/// Returns a step that disassembles a cubin, or the contents of a fat binary.
Action disassembleAction(Context &ctx, const std::string &image, bool isFatbin, const std::string &output);

/// Implements -src-in-ptx: inserts each source line, as a comment, before its instructions.
std::string withSource(llvm::StringRef ptx);

} // namespace tilecc

#endif // TILECC_DRIVER_STEPCOMMANDS_H
