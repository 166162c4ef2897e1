//===- StepCommands.h - steps of kernels as commands ----------------------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_STEPCOMMANDS_H
#define TILECC_DRIVER_STEPCOMMANDS_H

#include "driver/Actions.h"
#include "driver/Context.h"
#include "driver/Images.h"

namespace tilecc {

/// tcc with the options that make its output what it is: all that speak of code, for kernels and for the host.
/// `withTargets` and `withDependencies` say whether -arch and -gencode, and -MD and its kin, are among them.
std::vector<std::string> tccCommand(const Context &ctx, bool withTargets, bool withDependencies);

/// The input at the end of a command of tcc's.
void addInput(std::vector<std::string> &command, const Input &input);

/// What makes `output` of the input by tcc alone, as the stage says. `images` are options that name what other steps
/// make.
Command stageCommand(const Context &ctx, const Input &input, llvm::StringRef output,
                     llvm::ArrayRef<std::string> images = {});

/// What makes the PTX of `file`: of the tile kernels' variants or, where `variants` is empty, as the options say.
Command ptxCommand(const Context &ctx, const Input &input, const TargetFile &file, llvm::StringRef variants);

/// A file that is there already to where the output goes.
Action copyAction(Context &ctx, const std::string &from, const std::string &to);

/// Disassembles a cubin, or what is in a fatbinary.
Action disassembleAction(Context &ctx, const std::string &image, bool isFatbin, const std::string &output);

/// -src-in-ptx: PTX with each line of the source ahead of its instructions, as a comment.
std::string withSource(llvm::StringRef ptx);

} // namespace tilecc

#endif // TILECC_DRIVER_STEPCOMMANDS_H
