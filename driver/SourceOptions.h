//===- SourceOptions.h - how the front end and Clang read a source --------------------------------------*- C++ -*-===//

#ifndef TILECC_DRIVER_SOURCEOPTIONS_H
#define TILECC_DRIVER_SOURCEOPTIONS_H

#include "driver/Context.h"
#include "frontend/Frontend.h"

namespace tilecc {

/// Returns the name of a file as objects record it, after -ffile-prefix-map has removed the build directory.
std::string nameInObject(const Context &ctx, llvm::StringRef path);

/// Returns options for the front end: the folders of this installation and, for a source with SIMT code, the toolkit.
FrontendOptions frontendOptions(const Context &ctx, const Input *input = nullptr);

/// Returns true if a source may have tile kernels or functions.
bool mayHaveTileCode(const Context &ctx, const Input &input);

/// Returns the arguments for a source, in the style of Clang's driver. If the source may have tile code, raises a
/// dialect below C++20.
std::vector<std::string> sourceArguments(const Context &ctx, const Input &input);

/// Notes that a source is compiled with a newer dialect than requested. Called once per source.
void noteDialect(Context &ctx, const Input &input);

/// Returns Clang's arguments for the host code of a source.
std::vector<std::string> sourceOptions(const Context &ctx, const Input &input);

/// Returns the C++ dialect of a source if -std= does not select one. nvcc uses g++'s default; tile code, even in a
/// source with SIMT code, needs C++20.
llvm::StringRef defaultDialect(const Context &ctx, const Input &input);

/// Returns an id for symbols that are private to a source but shared between its host and device sides, or with the
/// device link.
std::string unitId(const Context &ctx, const Input &input);

/// The options that all parses of the source share; without a source, those that parses of all sources share.
SimtOptions simtOptions(const Context &ctx, const Input &input);
SimtOptions simtOptions(const Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_SOURCEOPTIONS_H
