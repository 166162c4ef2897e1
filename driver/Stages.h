//===- Stages.h - what inputs there are, where a run can stop, and which reaches which ----------------------*- C++ -*-//

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
  TTIR,       ///< one kernel, before or ...
  TTGIR,      ///< ... after it has layouts
  TileIR,     ///< bytecode of CUDA Tile IR: any number of kernels
  PTX,
  Cubin,
  Fatbin,
  LinkedTiles, ///< kernels that the device link has put together
  Linkable ///< .o .a .so, and what else the linker takes
};

/// Where to stop. Stages of kernels first, then of the host's half, then of the whole.
enum class Stage {
  TTIR, TTGIR, LLVM, PTX, SPIRV, AMDGCN, HSACO, Cubin, SASS, Fatbin, CLauncher, Json, Html, CpuLLVM, CpuAsm, HostLLVM,
  HostAsm, Preprocess, Dependencies, Syntax, Object, Archive, DeviceLink, Link
};

/// The stage that --emit= calls `name`.
std::optional<Stage> stageCalled(llvm::StringRef name);

/// Everything that --emit= takes, for messages.
std::string stageNames();

/// The option that stops at a stage: "--emit=ttir", "-c"; empty for those that something else selects.
llvm::StringRef optionFor(Stage stage);

/// What follows the input's name in that of the output.
llvm::StringRef suffixOf(Stage stage);

/// Printed on standard output where no -o says otherwise.
bool isText(Stage stage);

/// One output is made of all inputs.
bool isJoint(Stage stage);

/// What each source is compiled to, if the stage joins what comes of that.
Stage stageOfSources(Stage stage);

/// Host code comes with it.
bool hasHostCode(Stage stage);

/// It is, or is made of, PTX.
bool isOfNvidia(Stage stage);

/// For the code of another vendor's targets, how their back end calls its assembly (GpuBackend::getAssemblyName); empty
/// for all other stages.
llvm::StringRef portableAssemblyOf(Stage stage);

/// How far compile() takes kernels for this stage, and whether that is for the CPU.
std::optional<Form> formOf(Stage stage);
bool isForCpu(Stage stage);

/// Empty if tcc takes inputs of this kind to the stage; else why it does not.
std::string whyUnreachable(InputKind kind, Stage stage);

} // namespace tilecc

#endif // TILECC_DRIVER_STAGES_H
