//===- SourceOptions.h - how the front end and Clang read a source --------------------------------------*- C++ -*-===//
//
// The options with which the front end and Clang read a source, derived from tcc's own options.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_SOURCEOPTIONS_H
#define TILECC_DRIVER_SOURCEOPTIONS_H

#include "driver/Context.h"
#include "frontend/Frontend.h"

namespace tilecc {

/// Returns the name by which objects refer to a file: -ffile-prefix-map may have removed the build directory from it.
std::string nameInObject(const Context &ctx, llvm::StringRef path);

/// Returns options for the front end: the folders of this installation and, for a source with SIMT code, of the
/// toolkit.
FrontendOptions frontendOptions(const Context &ctx, const Input *input = nullptr);

/// Returns true if a source may have tile kernels or functions.
bool mayHaveTileCode(const Context &ctx, const Input &input);

/// Returns the arguments for a source, in the style of Clang's driver. If the source may contain tile code, a dialect
/// older than C++20 is replaced by C++20.
std::vector<std::string> sourceArguments(const Context &ctx, const Input &input);

/// Prints a note if a source is compiled with a newer dialect than the options request. Called once for each source.
void noteDialect(Context &ctx, const Input &input);

/// Returns the arguments with which Clang compiles the host code of a source.
std::vector<std::string> sourceOptions(const Context &ctx, const Input &input);

/// Returns the C++ dialect for a source if there is no -std=. nvcc uses the default of g++; tile code needs C++20, even
/// in a source that also contains SIMT code.
llvm::StringRef defaultDialect(const Context &ctx, const Input &input);

/// Returns an id for symbols that are private to a source, but shared by its host side, its device side and the device
/// link.
std::string unitId(const Context &ctx, const Input &input);

/// Return the options that all parses of `input` share, or those that parses of all sources share.
SimtOptions simtOptions(const Context &ctx, const Input &input);
SimtOptions simtOptions(const Context &ctx);

} // namespace tilecc

#endif // TILECC_DRIVER_SOURCEOPTIONS_H
