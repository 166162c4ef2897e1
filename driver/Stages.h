//===- Stages.h - the kinds of inputs, the stages, and which reach which -----------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_STAGES_H
#define TILECC_DRIVER_STAGES_H

#include "targets/Backend.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace tilecc {

enum class InputKind {
  TileSource, ///< .tt.cpp: host code and kernels
  HostSource, ///< anything Clang compiles: .cpp .c .s
  TTIR, ///< one kernel, without layouts
  TTGIR, ///< one kernel, with layouts
  TileIR, ///< bytecode of CUDA Tile IR, with any number of kernels
  PTX,
  Cubin,
  Fatbin,
  LinkedTiles, ///< kernels combined by the device link
  Linkable ///< .o .a .so, and anything else that the linker takes
};

/// The stage at which a compilation stops. Stages of kernels come first, then those of the host module, then those of
/// the whole program.
enum class Stage {
  TTIR,
  TTGIR,
  LLVM,
  PTX,
  SPIRV,
  AMDGCN,
  HSACO,
  Loaded, ///< the code of a loaded back end (targets/BackendPlugin.h)
  Cubin,
  SASS,
  Fatbin,
  CLauncher,
  Json,
  Html,
  Annotations,
  CpuLLVM,
  CpuAsm,
  HostLLVM,
  HostAsm,
  Preprocess,
  Dependencies,
  Syntax,
  Object,
  Archive,
  DeviceLink,
  Link
};

/// Returns the stage that --emit=`name` selects. If `name` is the code of a loaded back end, Stage::Loaded stands for
/// that code from then on.
std::optional<Stage> stageCalled(llvm::StringRef name);

/// Returns all values of --emit=, for messages.
std::string stageNames();

/// Returns the option that stops at a stage: "--emit=ttir", "-c". Empty for stages that are selected otherwise.
llvm::StringRef optionFor(Stage stage);

/// Returns the suffix of the stage's output.
llvm::StringRef suffixOf(Stage stage);

/// Returns true if the stage prints to standard output by default.
bool isText(Stage stage);

/// Returns true if the stage makes one output from all inputs.
bool isJoint(Stage stage);

/// Returns the stage to which each source is compiled first: Stage::Object if the stage joins the outputs of several
/// sources, and otherwise the stage itself.
Stage stageOfSources(Stage stage);

/// Returns true if the stage includes host code.
bool hasHostCode(Stage stage);

/// Returns true if the stage's output is PTX or is made from PTX.
bool isOfNvidia(Stage stage);

/// Returns the assembly language of a stage that shows code for another vendor's targets (GpuBackend::getAssemblyName);
/// empty for all other stages.
llvm::StringRef portableAssemblyOf(Stage stage);

/// Returns the form to which compile() takes kernels for this stage, and whether it compiles for the CPU.
std::optional<Form> formOf(Stage stage);
bool isForCpu(Stage stage);

/// Returns the reason why tcc cannot take inputs of this kind to the stage; empty if it can.
std::string whyUnreachable(InputKind kind, Stage stage);

} // namespace tilecc

#endif // TILECC_DRIVER_STAGES_H
