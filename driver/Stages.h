//===- Stages.h - the kinds of inputs, the stages, and which reach which -----------------------------------*- C++ -*-//
//
// The stage at which tcc stops determines the output; the kind of an input determines the stage at which it starts.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_STAGES_H
#define TILECC_DRIVER_STAGES_H

#include "targets/Backend.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace tilecc {

enum class InputKind {
  TileSource, ///< a .tt.cpp file, with host code and kernels
  HostSource, ///< anything Clang compiles: .cpp .c .s
  TTIR, ///< one kernel, without layouts
  TTGIR, ///< one kernel, with layouts
  TileIR, ///< bytecode of CUDA Tile IR, with any number of kernels
  PTX,
  Cubin,
  Fatbin,
  LinkedTiles, ///< kernels that the device link has combined
  Linkable ///< .o .a .so, and anything else that the linker takes
};

/// The stage at which a compilation stops. The stages of kernels come first, then those of the host module, then those
/// of the whole program.
enum class Stage {
  TTIR,
  TTGIR,
  LLVM,
  PTX,
  SPIRV,
  AMDGCN,
  HSACO,
  Loaded, ///< the code of a back end that was loaded (targets/BackendPlugin.h)
  Cubin,
  SASS,
  Fatbin,
  CLauncher,
  Json,
  Html,
  Annotations,
  CpuLLVM,
  CpuAsm,
  CpuLibrary, ///< a shared library with tables, which the runtime loads
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

/// Returns the stage that --emit=`name` selects. If `name` is the code of a back end that was loaded, Stage::Loaded
/// stands for this code from then on.
std::optional<Stage> stageCalled(llvm::StringRef name);

/// Returns all values of --emit=, for messages.
std::string stageNames();

/// Returns the option that stops at `stage`: "--emit=ttir", "-c". Returns an empty string if no single option does.
llvm::StringRef optionFor(Stage stage);

/// Returns the suffix of the files that the stage writes.
llvm::StringRef suffixOf(Stage stage);

/// Returns true if the stage prints to standard output by default.
bool isText(Stage stage);

/// Returns true if the stage makes one output from all inputs together.
bool isJoint(Stage stage);

/// Returns the stage up to which each source is compiled on its own. If `stage` joins the outputs of several sources,
/// this is Stage::Object; otherwise it is `stage` itself.
Stage stageOfSources(Stage stage);

/// Returns true if the output of the stage contains host code.
bool hasHostCode(Stage stage);

/// Returns true if the stage's output is PTX or is made from PTX.
bool isOfNvidia(Stage stage);

/// If the stage shows assembly code for targets of another vendor, returns the name of the assembly language
/// (GpuBackend::getAssemblyName); otherwise returns an empty string.
llvm::StringRef portableAssemblyOf(Stage stage);

/// Return the form to which compile() takes kernels for this stage, and whether it compiles them for the CPU.
std::optional<Form> formOf(Stage stage);
bool isForCpu(Stage stage);

/// Returns the reason why tcc cannot compile inputs of this kind up to `stage`, or an empty string if it can.
std::string whyUnreachable(InputKind kind, Stage stage);

} // namespace tilecc

#endif // TILECC_DRIVER_STAGES_H
