//===- Build.cpp - a program from its source to its code
//------------------------------------------------------------===//
//
// The driver's way (KernelActions.cpp), from memory to memory:
//
//   source --one parse--> TTIR --compile()--> PTX --ptxas--> cubin --+
//                                        +--> object of the CPU -----+--> shared library with the descriptor
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "library/Build.h"
#include "compile/Compile.h"
#include "compile/CudaTools.h"
#include "compile/Descriptor.h"
#include "compile/PassPipelines.h"
#include "frontend/Frontend.h"
#include "library/Installation.h"
#include "library/Tools.h"
#include "lowering/cpu/CpuLowering.h"
#include "mlir/IR/Diagnostics.h"
#include "runtime/include/tilecc/abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include <set>

using namespace llvm;

namespace tilecc {

/// Where sources in memory seem to lie; nobody sees it, since #line names them.
static constexpr StringLiteral folder = "/tilecc-program/";
static constexpr StringLiteral nameVariable = "__tilecc_name_";

static void initializeTargets() {
  static const bool done = [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    InitializeNativeTargetAsmParser();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)done;
}

static std::string lineDirective(StringRef name) {
  std::string escaped;
  for (char c : name)
    escaped += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c == '\n' ? ' ' : c);
  return "#line 1 \"" + escaped + "\"\n";
}

static std::string labelOf(StringRef expression) { return ("name expression '" + expression + "'").str(); }

namespace {
class Builder {
public:
  Builder(const ProgramSource &source, const ProgramOptions &options)
      : source(source), options(options), floats(options.floats) {}
  BuildResult run();

private:
  bool fail(const Twine &message) {
    result.log += (message + "\n").str();
    return false;
  }
  bool parse();
  bool join();
  bool findSymbols();
  bool compileKernels();
  bool link();
  void describeInstallation();

  const ProgramSource &source;
  const ProgramOptions &options;
  BuildResult result;
  FloatOptions floats; ///< the program's, or those of a chain's kernels
  CudaTools cuda;
  FrontendOptions frontend; ///< with the files that the front end reads
  std::unique_ptr<mlir::MLIRContext> context;
  std::unique_ptr<TranslationUnit> unit;
  std::vector<Kernel> kernels;
  std::vector<TargetCode> codes; ///< of options.targets
};
} // namespace

//===--- the front end
//----------------------------------------------------------------------------------------------===//

void Builder::describeInstallation() {
  frontend.resourceDir = installed("lib/tilecc/clang");
  frontend.headerDirs = {installed("include")};
  frontend.precompiledDir = installed("lib/tilecc/language");
  frontend.clangPath = installed("bin/tcc");
  frontend.print = [this](StringRef text) { result.log += text; };
  std::string text = lineDirective(source.name) + source.text;
  // A variable with a kernel's address instantiates it, and its initializer says the symbol.
  for (auto [i, expression] : enumerate(source.nameExpressions))
    text += "\n" + lineDirective(labelOf(expression)) + "extern \"C\" const auto " + nameVariable.str() +
            std::to_string(i) + " = &" + expression + ";\n";
  frontend.filesInMemory[folder.str() + source.name] = std::move(text);
  for (const auto &[name, text] : source.headers)
    frontend.filesInMemory[folder.str() + name] = lineDirective(name) + text;
}

bool Builder::parse() {
  describeInstallation();
  std::vector<std::string> read;
  frontend.filesRead = &read;
  std::vector<std::string> args = options.clang;
  std::string path = folder.str() + source.name;
  args.insert(args.end(), {"-I" + folder.str(), "-c", path, "-o", path + ".o"});
  SmallVector<const char *> words(map_range(args, [](const std::string &arg) { return arg.c_str(); }));
  unit = compileTranslationUnit(words, frontend, *context);
  if (!unit) {
    if (any_of(source.nameExpressions,
               [&](StringRef name) { return StringRef(result.log).contains(labelOf(name) + ":"); }))
      result.status = BuildStatus::BadNameExpression;
    return false;
  }
  kernels = std::move(unit->kernels());
  for (Kernel &kernel : kernels) {
    kernel.numWarps = kernel.numWarps ? kernel.numWarps : options.numWarps;
    kernel.numStages = kernel.numStages ? kernel.numStages : options.numStages;
    kernel.numCtas = kernel.numCtas == 1 && options.numCtas ? *options.numCtas : kernel.numCtas;
  }
  for (const std::string &file : std::set<std::string>(read.begin(), read.end()))
    if (!frontend.filesInMemory.count(file))
      if (std::optional<FileRead> description =
              describeFile(file, /*isOurs=*/StringRef(file).starts_with(installed(""))))
        result.files.push_back(*description);
  return findSymbols();
}

/// The front end has given each kernel's stub the kernel's symbol.
bool Builder::findSymbols() {
  for (auto [i, expression] : enumerate(source.nameExpressions)) {
    GlobalVariable *variable = unit->hostModule().getGlobalVariable(nameVariable.str() + std::to_string(i));
    auto *stub = variable ? dyn_cast<Function>(variable->getInitializer()->stripPointerCasts()) : nullptr;
    if (!stub || none_of(kernels, [&](const Kernel &kernel) { return kernel.symbol == stub->getName(); })) {
      result.status = BuildStatus::BadNameExpression;
      return fail(labelOf(expression) + ": is no tile kernel");
    }
    result.symbols.push_back(stub->getName().str());
  }
  if (kernels.empty())
    return fail(source.name + ": has no kernels (a template is a kernel where a name expression asks for it)");
  return true;
}

//===--- code
//-------------------------------------------------------------------------------------------------------===//

bool Builder::join() {
  std::string why;
  std::optional<Kernel> kernel = joinChain(*context, *source.chain, floats, why);
  if (!kernel) {
    result.status = BuildStatus::NotJoinable;
    return fail(why);
  }
  kernels.push_back(std::move(*kernel));
  return true;
}

bool Builder::compileKernels() {
  for (Kernel &kernel : kernels) {
    result.ttir += (result.ttir.empty() ? "" : "\n// -----\n\n") + printModule(*kernel.ttir);
    if (options.keepsTTIR)
      kernel.keptTTIR = ttirForFusion(kernel, floats);
  }
  CompileOptions compilation;
  compilation.floats = floats;
  compilation.libdevice = cuda.libdevice;
  compilation.tensorMaps = true; // who loads a library is our runtime
  for (const AskedTarget &asked : options.targets)
    compilation.targets.push_back(asked.target);
  compilation.threads = 1;
  auto compiled = compile(kernels, compilation);
  if (!compiled)
    return false;
  codes = std::move(*compiled);
  bool isForCpuAlone = all_of(codes, [](const TargetCode &code) { return code.target.backend == Target::Cpu; });
  for (const Kernel &kernel : kernels)
    if (!kernel.noCpuCode.empty())
      if (fail(kernel.displayName + ": " + kernel.noCpuCode), isForCpuAlone)
        return false;
  for (const TargetCode &code : codes)
    if (code.target.backend == Target::Cpu)
      result.object = code.code;
    else if (result.ptx.empty())
      result.ptx = code.code;
  return true;
}

bool Builder::link() {
  Temporaries files;
  std::vector<Image> images;
  size_t gpu = 0; // launches are for each of the GPUs
  for (auto [asked, code] : zip_equal(options.targets, codes)) {
    if (code.target.backend == Target::Cpu)
      continue;
    nvidia::Architecture arch = code.target.architecture();
    uint32_t number = arch.number | (arch.suffix == 'a'   ? TILECC_ARCH_SPECIFIC
                                     : arch.suffix == 'f' ? TILECC_ARCH_FAMILY
                                                          : 0);
    images.push_back({TILECC_IMAGE_PTX, number, gpu, code.code});
    if (asked.code && cuda.hasPtxas()) {
      Expected<std::string> cubin = assemble(files, cuda.ptxas, code.code, arch.sm(), options.ptxas);
      if (!cubin)
        return fail(toString(cubin.takeError()));
      images.push_back({TILECC_IMAGE_CUBIN, number, gpu, *cubin});
      if (result.cubin.empty())
        result.cubin = std::move(*cubin);
    }
    ++gpu;
  }

  LLVMContext llvm;
  Module module("library", llvm);
  cpu::CpuOptions machine;
  module.setTargetTriple(Triple(sys::getDefaultTargetTriple()));
  addLibrary(module, source.name, kernels, images);
  SmallString<0> descriptor;
  raw_svector_ostream stream(descriptor);
  if (Error error = cpu::emitObject(module, machine, stream))
    return fail(toString(std::move(error)));
  SmallVector<StringRef> objects = {descriptor};
  if (!result.object.empty())
    objects.push_back(result.object);
  Expected<std::string> library = linkLibrary(files, objects);
  if (!library)
    return fail(toString(library.takeError()));
  result.library = std::move(*library);
  return true;
}

/// What lowering says of a kernel, at its line.
static void appendDiagnostic(std::string &log, mlir::Diagnostic &diagnostic) {
  raw_string_ostream out(log);
  auto print = [&](mlir::Diagnostic &diagnostic) {
    mlir::Location at = diagnostic.getLocation();
    while (auto call = dyn_cast<mlir::CallSiteLoc>(at))
      at = call.getCallee();
    if (auto named = dyn_cast<mlir::NameLoc>(at))
      at = named.getChildLoc();
    if (auto line = dyn_cast<mlir::FileLineColLoc>(at))
      out << line.getFilename().getValue() << ':' << line.getLine() << ':' << line.getColumn() << ": ";
    switch (diagnostic.getSeverity()) {
    case mlir::DiagnosticSeverity::Note:
      out << "note: ";
      break;
    case mlir::DiagnosticSeverity::Warning:
      out << "warning: ";
      break;
    case mlir::DiagnosticSeverity::Error:
      out << "error: ";
      break;
    case mlir::DiagnosticSeverity::Remark:
      out << "remark: ";
      break;
    }
    out << diagnostic.str() << '\n';
  };
  print(diagnostic);
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    print(note);
}

BuildResult Builder::run() {
  initializeTargets();
  std::string mistake;
  cuda = findCudaTools(options.cudaPath, mistake);
  if (!mistake.empty()) {
    fail(mistake);
    return std::move(result);
  }
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  context = std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
  context->printOpOnDiagnostic(false);
  context->getDiagEngine().registerHandler(
      [this](mlir::Diagnostic &diagnostic) { appendDiagnostic(result.log, diagnostic); });
  context->loadAllAvailableDialects();
  loadFrontendDialects(*context);
  if ((source.chain ? join() : parse()) && compileKernels() && link())
    result.status = BuildStatus::Success;
  kernels.clear(); // before their context
  return std::move(result);
}

BuildResult build(const ProgramSource &source, const ProgramOptions &options) { return Builder(source, options).run(); }

} // namespace tilecc
