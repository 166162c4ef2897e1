//===- Stages.cpp - the tables of inputs and stages ---------------------------------------------------------------===//
//
// The command line uses these tables to map options to stages. The check of outputs and the lists of steps use them,
// too.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/Stages.h"
#include "targets/Registry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tilecc {

namespace {
struct StageRow {
  Stage stage;
  StringRef name; ///< value of --emit=; empty: none
  StringRef option; ///< the option that selects it
  StringRef suffix;
  bool isText;
};

constexpr StageRow stages[] = {
    {Stage::TTIR, "ttir", "--emit=ttir", ".ttir", true},
    {Stage::TTGIR, "ttgir", "--emit=ttgir", ".ttgir", true},
    {Stage::LLVM, "llvm", "--emit=llvm", ".ll", true},
    {Stage::PTX, "ptx", "--emit=ptx", ".ptx", false},
    {Stage::SPIRV, "spirv", "--emit=spirv", ".spv", false},
    {Stage::AMDGCN, "amdgcn", "--emit=amdgcn", ".s", true},
    {Stage::HSACO, "hsaco", "--emit=hsaco", ".hsaco", false},
    {Stage::Cubin, "cubin", "--emit=cubin", ".cubin", false},
    {Stage::SASS, "sass", "--emit=sass", ".sass", true},
    {Stage::Fatbin, "fatbin", "--emit=fatbin", ".fatbin", false},
    {Stage::CLauncher, "c-launcher", "--emit=c-launcher", ".c", false},
    {Stage::Json, "json", "--emit=json", ".json", true},
    {Stage::Html, "html", "--emit=html", ".html", false},
    {Stage::Annotations, "annotations", "--emit=annotations", ".json", true},
    {Stage::CpuLLVM, "cpu-llvm", "--emit=cpu-llvm", ".ll", true},
    {Stage::CpuAsm, "cpu-asm", "--emit=cpu-asm", ".s", true},
    {Stage::CpuLibrary, "cpu-library", "--emit=cpu-library", ".so", false},
    {Stage::HostLLVM, "host-llvm", "--emit=host-llvm", ".ll", true},
    {Stage::HostAsm, "host-asm", "-S", ".s", false},
    {Stage::Preprocess, "", "-E", ".ii", true},
    {Stage::Dependencies, "", "", ".d", true}, // -M or -MM, which the host compiler also gets
    {Stage::Syntax, "", "-fsyntax-only", "", true},
    {Stage::Object, "obj", "-c", ".o", false},
    {Stage::Archive, "", "-lib", ".a", false},
    {Stage::DeviceLink, "", "-dlink", ".dlink.o", false},
    {Stage::Link, "", "", ".o", false},
};

/// Stage::Loaded, once stageCalled() has been asked for the code of a loaded back end.
StageRow loadedRow = {Stage::Loaded, "", "", "", true};

const StageRow &rowOf(Stage stage) {
  if (stage == Stage::Loaded)
    return loadedRow;
  return *find_if(stages, [&](const StageRow &row) { return row.stage == stage; });
}

struct KindRow {
  InputKind kind;
  StringLiteral what;
  std::initializer_list<Stage> reaches;
};

using enum Stage;
const KindRow kinds[] = {
    {InputKind::TileSource,
     "a source with kernels",
     {TTIR,    TTGIR,      LLVM,         PTX,    SPIRV,  AMDGCN,      HSACO,   Loaded, Cubin,
      SASS,    Fatbin,     CLauncher,    Json,   Html,   Annotations, CpuLLVM, CpuAsm, HostLLVM,
      HostAsm, Preprocess, Dependencies, Syntax, Object, Archive,     Link}},
    {InputKind::HostSource, "a source", {HostLLVM, HostAsm, Preprocess, Dependencies, Syntax, Object, Archive, Link}},
    {InputKind::TTIR,
     "TTIR",
     {TTIR, TTGIR, LLVM, PTX, SPIRV, AMDGCN, HSACO, Loaded, Cubin, SASS, Fatbin, CLauncher, Json, Html, CpuLLVM, CpuAsm,
      CpuLibrary}},
    {InputKind::TileIR,
     "CUDA Tile IR",
     {TTIR, TTGIR, LLVM, PTX, SPIRV, AMDGCN, HSACO, Loaded, Cubin, SASS, Fatbin, CLauncher, Json, CpuLLVM, CpuAsm,
      CpuLibrary}},
    {InputKind::TTGIR, "TTGIR", {TTGIR, LLVM, PTX, AMDGCN, HSACO, Cubin, SASS, Fatbin, CLauncher, Json, Html}},
    {InputKind::PTX, "PTX", {PTX, Cubin, SASS}},
    {InputKind::Cubin, "a cubin", {SASS}},
    {InputKind::Fatbin, "a fatbinary", {SASS}},
    {InputKind::LinkedTiles,
     "linked tile code",
     {TTIR, TTGIR, LLVM, PTX, Cubin, SASS, Fatbin, Json, CpuLLVM, CpuAsm, Object}},
    {InputKind::Linkable, "an input of the linker", {Archive, DeviceLink, Link}},
};
} // namespace

static bool isBuiltIn(StringRef name) {
  return any_of(stages, [&](const StageRow &row) { return row.name == name; });
}

/// Returns the names that --emit= has for the code of loaded back ends.
static std::vector<std::string> loadedNames() {
  std::vector<std::string> names;
  for (const Backend *backend : allBackends())
    if (const GpuBackend *gpu = backend->asGpu(); gpu && !isBuiltIn(gpu->getAssemblyName()))
      names.push_back(gpu->getAssemblyName().str());
  return names;
}

std::optional<Stage> stageCalled(StringRef name) {
  for (const StageRow &row : stages)
    if (!row.name.empty() && row.name == name)
      return row.stage;
  if (!is_contained(loadedNames(), name))
    return std::nullopt;
  static std::string own, option, suffix; // loadedRow refers to them
  own = name.str(), option = "--emit=" + own, suffix = "." + own;
  loadedRow = {Stage::Loaded, own, option, suffix, /*isText=*/true};
  return Stage::Loaded;
}

std::string stageNames() {
  std::vector<std::string> names;
  for (const StageRow &row : stages)
    if (!row.name.empty())
      names.push_back(row.name.str());
  append_range(names, loadedNames());
  return join(names, ", ");
}

StringRef optionFor(Stage stage) { return rowOf(stage).option; }
StringRef suffixOf(Stage stage) { return rowOf(stage).suffix; }
bool isText(Stage stage) { return rowOf(stage).isText; }

bool hasHostCode(Stage stage) { return is_contained({HostLLVM, HostAsm, Object, Archive, DeviceLink, Link}, stage); }

bool isJoint(Stage stage) { return is_contained({Archive, DeviceLink, Link}, stage); }

Stage stageOfSources(Stage stage) { return isJoint(stage) ? Object : stage; }

bool isOfNvidia(Stage stage) { return is_contained({PTX, Cubin, SASS, Fatbin, CLauncher}, stage); }

StringRef portableAssemblyOf(Stage stage) {
  switch (stage) {
  case SPIRV: return "spirv";
  case AMDGCN:
  case HSACO: return "amdgcn";
  case Loaded: return loadedRow.name;
  default: return "";
  }
}

bool isForCpu(Stage stage) { return is_contained({CpuLLVM, CpuAsm, CpuLibrary}, stage); }

std::optional<Form> formOf(Stage stage) {
  switch (stage) {
  case TTIR: return Form::TTIR;
  case TTGIR: return Form::TTGIR;
  case LLVM:
  case CpuLLVM: return Form::LLVM;
  case PTX:
  case SPIRV:
  case AMDGCN:
  case Loaded:
  case CpuAsm: return Form::Assembly;
  case HSACO: return Form::Object;
  default: return std::nullopt;
  }
}

std::string whyUnreachable(InputKind kind, Stage stage) {
  const KindRow &row = *find_if(kinds, [&](const KindRow &row) { return row.kind == kind; });
  if (is_contained(row.reaches, stage))
    return {};
  if (kind == InputKind::HostSource && stage != DeviceLink)
    return "has no kernels; they are in .tt.cpp files";
  auto isNamed = [](Stage stage) { return stage != Loaded || !loadedRow.name.empty(); };
  std::string reached = join(
      map_range(make_filter_range(row.reaches, isNamed), [](Stage stage) { return rowOf(stage).name.str(); }), ", ");
  if (stage == Link || stage == Archive)
    return "has no host code to link; stop at a stage with --emit= (" + reached + ")";
  if (stage == DeviceLink)
    return "is to be compiled first, with -dc; the device link takes objects and libraries";
  if (hasHostCode(stage) || is_contained({Preprocess, Dependencies, Syntax}, stage))
    return "has no host code";
  return ("is " + row.what + ", which tcc takes to " + reached + ", not to " + rowOf(stage).name).str();
}

} // namespace tilecc
