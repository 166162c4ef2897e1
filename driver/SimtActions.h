//===- SimtActions.h - compiles SIMT code to a fat binary --------------------------------------------------*- C++ -*-//
//
// A source with SIMT code is compiled in two ways. Its tile kernels are compiled like those of any other source
// (KernelActions.cpp). Its SIMT code is compiled by Clang, once for each architecture:
//
//   source --Clang--> PTX --ptxas--> cubin --fatbinary--> fatbin
//
// The host module embeds the fat binaries of both.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_SIMTACTIONS_H
#define TILECC_DRIVER_SIMTACTIONS_H

#include "driver/Actions.h"
#include "driver/Cubins.h"
#include "frontend/Frontend.h"
#include "llvm/ADT/StringSet.h"
#include <mutex>

namespace tilecc {

/// The messages about one source, which is parsed for the host and for each architecture. Each parse finds the same
/// mistakes, so this class prints each message only once.
class ParseMessages {
public:
  void print(llvm::StringRef message);

private:
  std::mutex mutex;
  llvm::StringSet<> printed;
};

/// The state that all steps for the SIMT code of one source share.
struct SimtJob {
  SimtJob(Context &ctx, const Input &input) : ctx(ctx), input(input) {}

  /// Compiles the source to PTX or LLVM IR, for the architecture of each of `files`. `beside` is executed in parallel.
  /// Returns false after it has reported an error.
  bool compile(const std::function<void()> &beside, TranslationUnit::Output kind);

  /// Compiles the source for each architecture of the command line only to print its messages; the code is discarded.
  void check(const std::function<void()> &beside);

  /// Returns the bitcode of the functions that tile kernels call, for `target`. If compile() has not compiled this
  /// code, compiles it. Returns nothing after it has reported an error.
  std::optional<std::string> getCodeForTiles(const Target &target);

  Context &ctx;
  const Input &input;
  ParseMessages messages;
  std::vector<TargetFile> files;
  std::shared_ptr<DependencyRule> rule; ///< the dependency rule for the parses in compile()
  std::string fatbin; ///< the output file

private:
  /// Parses the source for each of `files`, and returns the code for each. If a parse fails, reports an error and
  /// returns nothing for that file.
  std::vector<std::optional<std::string>> parse(const std::function<void()> &beside, TranslationUnit::Output kind);

  std::map<std::string, std::string> codeForTiles; ///< by the name of the portable target
};

/// Reports an error if a source contains SIMT code and no toolkit provides the files that it needs.
void checkSimtInputs(Context &ctx);

/// Precompiles CUDA's headers for the host and for all architectures. Does nothing if there is no toolkit.
void precompileSimtHeaders(Context &ctx);

/// Implements -E, -M and -MM, which are among the arguments. Returns false after it has reported an error.
bool preprocessSimt(Context &ctx, const Input &input, llvm::ArrayRef<const char *> hostArgs,
                    llvm::ArrayRef<const char *> deviceArgs, llvm::StringRef output);

/// Adds the steps that make the fat binary `job.fatbin`. `beside` runs on its own thread, in parallel with the first
/// step.
void addSimtFatbin(std::shared_ptr<SimtJob> job, std::vector<Action> &actions, std::function<void()> beside = {});

/// Returns true if ctx.stage outputs only GPU code, and shows the SIMT code of the input instead of its tile kernels.
bool showsSimtCode(const Context &ctx, const Input &input);

/// Returns the steps that compile a source's SIMT code up to ctx.stage. Reports an error and returns no steps on
/// failure.
std::vector<Action> planSimtStage(Context &ctx, const Input &input, const std::string &output);

} // namespace tilecc

#endif // TILECC_DRIVER_SIMTACTIONS_H
