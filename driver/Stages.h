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

/// Where to stop. Stages of kernels come first, then those of the host module, then those of the whole program.
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

/// Returns the stage that --emit=`name` selects. Back ends may be loaded by then; if `name` is the code of one, it is
/// what Stage::Loaded means from now on.
std::optional<Stage> stageCalled(llvm::StringRef name);

/// All values of --emit=, for messages.
std::string stageNames();

/// The option that stops at a stage: "--emit=ttir", "-c". Empty for stages that are selected otherwise.
llvm::StringRef optionFor(Stage stage);

/// The suffix of the stage's output.
llvm::StringRef suffixOf(Stage stage);

/// Returns true if the stage prints to standard output by default.
bool isText(Stage stage);

/// Returns true if the stage makes one output from all inputs.
bool isJoint(Stage stage);

/// If the stage joins outputs of several sources, the stage to which each source is compiled first.
Stage stageOfSources(Stage stage);

/// Returns true if the stage includes host code.
bool hasHostCode(Stage stage);

/// Returns true if the stage's output is PTX or is made from PTX.
bool isOfNvidia(Stage stage);

/// The assembly language of a stage that shows code for another vendor's targets (GpuBackend::getAssemblyName); empty
/// for all other stages.
llvm::StringRef portableAssemblyOf(Stage stage);

/// The form to which compile() takes kernels for this stage, and whether it compiles for the CPU.
std::optional<Form> formOf(Stage stage);
bool isForCpu(Stage stage);

/// Empty if tcc can take inputs of this kind to the stage; otherwise the reason why not.
std::string whyUnreachable(InputKind kind, Stage stage);

} // namespace tilecc

#endif // TILECC_DRIVER_STAGES_H
