//===- StepCommands.h - shell commands for the steps of kernels --------------------------------------------*- C++ -*-//
//
// --dryrun and -v print steps that run in this process as commands. These functions create the commands.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_STEPCOMMANDS_H
#define TILECC_DRIVER_STEPCOMMANDS_H

#include "driver/Actions.h"
#include "driver/Context.h"
#include "driver/Cubins.h"

namespace tilecc {

/// Returns a tcc command with all options that affect its output, for kernels and for host code. `withTargets` adds
/// -arch and -gencode, and `withDependencies` adds -MD and related options.
std::vector<std::string> tccCommand(const Context &ctx, bool withTargets, bool withDependencies);

/// Appends `input` to a tcc command.
void addInput(std::vector<std::string> &command, const Input &input);

/// Returns a tcc command that compiles `input` to `output`, up to ctx.stage. `images` are options that name the outputs
/// of other steps.
Command stageCommand(const Context &ctx, const Input &input, llvm::StringRef output,
                     llvm::ArrayRef<std::string> images = {});

/// Returns the command that makes the PTX of `file`. If `variants` is not empty, it is the PTX of these variants of the
/// tile kernels; otherwise the options select the code.
Command ptxCommand(const Context &ctx, const Input &input, const TargetFile &file, llvm::StringRef variants);

/// Returns a step that copies the file `from` to the output `to`.
Action copyAction(Context &ctx, const std::string &from, const std::string &to);

/// Returns a step that disassembles a cubin, or all images in a fat binary.
Action disassembleAction(Context &ctx, const std::string &image, bool isFatbin, const std::string &output);

/// Implements -src-in-ptx: inserts source lines, as comments, before the instructions that come from them.
std::string withSource(llvm::StringRef ptx);

} // namespace tilecc

#endif // TILECC_DRIVER_STEPCOMMANDS_H
