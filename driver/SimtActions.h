//===- SimtActions.h - SIMT code from source to a fatbinary ---------------------------------------------------*- C++ -*-//
//
// A source with SIMT code goes two ways: its tile kernels that of every source (KernelActions.cpp), its SIMT code,
// which Clang compiles once for each architecture, this one. The host's half takes both fatbinaries.
//
//   source --Clang--> PTX --ptxas--> cubin --fatbinary--> fatbin
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_SIMTACTIONS_H
#define TILECC_DRIVER_SIMTACTIONS_H

#include "driver/Actions.h"
#include "driver/Images.h"
#include "frontend/Frontend.h"
#include "llvm/ADT/StringSet.h"
#include <mutex>

namespace tilecc {

/// What the parses of one source say. All see the same mistakes, so a message is printed once.
class ParseMessages {
public:
  void print(llvm::StringRef message);

private:
  std::mutex mutex;
  llvm::StringSet<> printed;
};

/// What the steps of a source's SIMT code share.
struct SimtJob {
  SimtJob(Context &ctx, const Input &input) : ctx(ctx), input(input) {}

  /// Each of `files` is one architecture's PTX, or one's LLVM IR. `beside` runs while they are compiled. False after an
  /// Error.
  bool compile(const std::function<void()> &beside, TranslationUnit::Output kind);

  Context &ctx;
  const Input &input;
  ParseMessages messages;
  std::vector<TargetFile> files;
  std::shared_ptr<DependencyRule> rule; ///< of the parses that compile() does
  std::string fatbin;                   ///< the file
};

/// An Error for sources with SIMT code where there is no toolkit that has what they need.
void checkSimtInputs(Context &ctx);

/// Names of what is private to a source and known to both of its sides, or to the device link, are made of it.
std::string unitId(const Context &ctx, const Input &input);

/// What all parses of the source are told.
SimtOptions simtOptions(const Context &ctx, const Input &input);

/// Parses CUDA's headers beforehand, for the host and all architectures; does nothing where there is no toolkit.
void precompileSimtHeaders(Context &ctx);

/// Adds the steps that make `job.fatbin`. `beside` is run with the first, on a thread of its own.
void addSimtFatbin(std::shared_ptr<SimtJob> job, std::vector<Action> &actions, std::function<void()> beside = {});

/// Whether the stage, of the GPU's code alone, shows an input's SIMT code, not its tile kernels.
bool showsSimtCode(const Context &ctx, const Input &input);

/// The actions that take a source's SIMT code to that stage. Empty after an Error.
std::vector<Action> planSimtStage(Context &ctx, const Input &input, const std::string &output);

} // namespace tilecc

#endif // TILECC_DRIVER_SIMTACTIONS_H
