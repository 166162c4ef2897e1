//===- SimtActions.h - compiles SIMT code to a fat binary --------------------------------------------------*- C++ -*-//
//
// A source with SIMT code is compiled in two ways. Its tile kernels take the path of every source (KernelActions.cpp).
// Its SIMT code is compiled by Clang, once for each architecture:
//
//   source --Clang--> PTX --ptxas--> cubin --fatbinary--> fatbin
//
// The host module embeds both fat binaries.
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

/// The messages of one source, which is parsed for the host and for each architecture. Every parse finds the same
/// mistakes, so each message is printed once.
class ParseMessages {
public:
  void print(llvm::StringRef message);

private:
  std::mutex mutex;
  llvm::StringSet<> printed;
};

/// The state that the steps of a source's SIMT code share.
struct SimtJob {
  SimtJob(Context &ctx, const Input &input) : ctx(ctx), input(input) {}

  /// Compiles the source for the architecture of each of `files`, to PTX or LLVM IR. `beside` runs in parallel. Reports
  /// an error and returns false on failure.
  bool compile(const std::function<void()> &beside, TranslationUnit::Output kind);

  /// Compiles the source for each architecture of the command line in order to print its messages, and discards the
  /// code.
  void check(const std::function<void()> &beside);

  /// Returns the bitcode of the functions that tile kernels call, for their target. Compiles it if compile() has not
  /// done so. Reports an error and returns nothing on failure.
  std::optional<std::string> getCodeForTiles(const Target &target);

  Context &ctx;
  const Input &input;
  ParseMessages messages;
  std::vector<TargetFile> files;
  std::shared_ptr<DependencyRule> rule; ///< of the parses in compile()
  std::string fatbin; ///< the output file

private:
  /// Parses the source for each of `files` and returns the code. On failure, reports an error and returns nothing for
  /// that file.
  std::vector<std::optional<std::string>> parse(const std::function<void()> &beside, TranslationUnit::Output kind);

  std::map<std::string, std::string> codeForTiles; ///< by the name of the portable target
};

/// Reports an error for sources with SIMT code if no toolkit provides the files that they need.
void checkSimtInputs(Context &ctx);

/// Precompiles CUDA's headers, for the host and all architectures. Does nothing without a toolkit.
void precompileSimtHeaders(Context &ctx);

/// Implements -E, -M and -MM, which are in the arguments. Reports an error and returns false on failure.
bool preprocessSimt(Context &ctx, const Input &input, llvm::ArrayRef<const char *> hostArgs,
                    llvm::ArrayRef<const char *> deviceArgs, llvm::StringRef output);

/// Adds the steps that make `job.fatbin`. `beside` runs on its own thread, in parallel with the first step.
void addSimtFatbin(std::shared_ptr<SimtJob> job, std::vector<Action> &actions, std::function<void()> beside = {});

/// Returns true if the stage, which outputs GPU code alone, shows an input's SIMT code instead of its tile kernels.
bool showsSimtCode(const Context &ctx, const Input &input);

/// Returns the steps that compile a source's SIMT code up to ctx.stage. Reports an error and returns no steps on
/// failure.
std::vector<Action> planSimtStage(Context &ctx, const Input &input, const std::string &output);

} // namespace tilecc

#endif // TILECC_DRIVER_SIMTACTIONS_H
