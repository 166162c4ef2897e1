//===- Build.cpp - compiles a program from source to code --------------------------------------------------------===//
//
// The same path as in the driver (KernelActions.cpp), but in memory:
//
//   source --one parse--> TTIR --compile()--> PTX --ptxas--> cubin --+
//                                        +--> object of the CPU -----+--> shared library with the descriptor
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "library/Build.h"
#include "builder/CudaTools.h"
#include "builder/SpillRetry.h"
#include "compile/Compile.h"
#include "compile/Descriptor.h"
#include "targets/Registry.h"
#include "frontend/Frontend.h"
#include "frontend/tileir/TileIR.h"
#include "library/Installation.h"
#include "library/Tools.h"
#include "mlir/IR/Diagnostics.h"
#include "runtime/include/tilecc/abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/SHA256.h"
#include "llvm/TargetParser/Host.h"
#include <set>
#include <tuple>

using namespace llvm;

namespace tilecc {

/// The virtual folder of the sources in memory. Users do not see its name, because #line names the sources.
static constexpr StringLiteral folder = "/tilecc-program/";
static constexpr StringLiteral nameVariable = "__tilecc_name_";

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
  bool readBytecode();
  bool join();
  bool findSymbols();
  bool compileKernels();
  CompileOptions compileOptions() const;
  bool assembleKernels();
  std::optional<std::vector<TargetReport>> assembleAll();
  bool compileAgain();
  bool link();
  void describeInstallation();

  const ProgramSource &source;
  const ProgramOptions &options;
  BuildResult result;
  FloatOptions floats; ///< the program's, or those of the kernels in a chain
  CudaTools cuda;
  FrontendOptions frontend; ///< with the files that the front end reads
  std::unique_ptr<mlir::MLIRContext> context;
  std::unique_ptr<TranslationUnit> unit;
  std::vector<Kernel> kernels;
  std::vector<TargetCode> codes; ///< one for each of options.targets
  std::vector<std::string> cubins; ///< the same; empty if none is made
  Temporaries files;
};
} // namespace

//===--- the front end -------------------------------------------------------------------------------------------===//

void Builder::describeInstallation() {
  frontend.resourceDir = installed("lib/tilecc/clang");
  frontend.headerDirs = {installed("include")};
  frontend.precompiledDir = installed("lib/tilecc/language");
  frontend.clangPath = installed("bin/tcc");
  frontend.print = [this](StringRef text) { result.log += text; };
  std::string text = lineDirective(source.name) + source.text;
  // A variable initialized with the kernel instantiates the kernel, and the initializer contains its symbol. The
  // expression has a line of its own, so that excerpts of errors show only what the user wrote.
  for (auto [i, expression] : enumerate(source.nameExpressions)) {
    const std::string line = lineDirective(labelOf(expression));
    text += "\n" + line + "extern \"C\" const auto " + nameVariable.str() + std::to_string(i) + " =\n" + line +
            expression + "\n;\n";
  }
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
    for (const KernelAttribute &attribute : kernelAttributes)
      if (!(kernel.*attribute.member))
        kernel.*attribute.member = options.kernel.*attribute.member;
  }
  for (const std::string &file : std::set<std::string>(read.begin(), read.end()))
    if (!frontend.filesInMemory.count(file))
      if (std::optional<FileRead> description =
              describeFile(file, /*isOurs=*/StringRef(file).starts_with(installed(""))))
        result.files.push_back(*description);
  return findSymbols();
}

/// Kernels of CUDA Tile IR have no C++ names: a name expression is a symbol.
bool Builder::readBytecode() {
  auto read = readTileIR(source.text, source.name, *context);
  if (failed(read))
    return false;
  kernels = std::move(*read);
  for (Kernel &kernel : kernels)
    for (const KernelAttribute &attribute : kernelAttributes)
      if (const std::optional<int> &asked = options.kernel.*attribute.member)
        kernel.*attribute.member = asked;
  for (const std::string &name : source.nameExpressions) {
    if (none_of(kernels, [&](const Kernel &kernel) { return kernel.symbol == name; })) {
      result.status = BuildStatus::BadNameExpression;
      return fail(source.name + ": has no kernel '" + name + "'");
    }
    result.symbols.push_back(name);
  }
  return !kernels.empty() || fail(source.name + ": has no kernels");
}

/// The front end has given each kernel's stub the kernel's symbol.
bool Builder::findSymbols() {
  for (auto [i, expression] : enumerate(source.nameExpressions)) {
    GlobalVariable *variable = unit->hostModule().getGlobalVariable(nameVariable.str() + std::to_string(i));
    auto *stub = variable ? dyn_cast<Function>(variable->getInitializer()->stripPointerCasts()) : nullptr;
    if (!stub || none_of(kernels, [&](const Kernel &kernel) { return kernel.symbol == stub->getName(); })) {
      result.status = BuildStatus::BadNameExpression;
      return fail(labelOf(expression) + ": is not a tile kernel");
    }
    result.symbols.push_back(stub->getName().str());
  }
  if (kernels.empty())
    return fail(source.name + ": has no kernels (a template is a kernel where a name expression asks for it)");
  return true;
}

//===--- code ----------------------------------------------------------------------------------------------------===//

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

CompileOptions Builder::compileOptions() const {
  CompileOptions compilation;
  compilation.floats = floats;
  compilation.profile = options.profile;
  compilation.libdevice = cuda.libdevice;
  compilation.tensorMaps = true; // our runtime loads the library
  compilation.threads = 1;
  return compilation;
}

bool Builder::compileKernels() {
  for (Kernel &kernel : kernels) {
    result.ttir += (result.ttir.empty() ? "" : "\n// -----\n\n") + printModule(*kernel.ttir);
    if (options.keepsTTIR)
      kernel.keptTTIR = ttirForFusion(kernel, floats);
  }
  CompileOptions compilation = compileOptions();
  for (const AskedTarget &asked : options.targets)
    compilation.targets.push_back(asked.target);
  auto compiled = compile(kernels, compilation);
  if (!compiled)
    return false;
  codes = std::move(*compiled);
  bool isForCpuAlone = all_of(codes, [](const TargetCode &code) { return !code.target.isGpu(); });
  for (const Kernel &kernel : kernels)
    if (!kernel.noCpuCode.empty())
      if (fail(kernel.displayName + ": " + kernel.noCpuCode), isForCpuAlone)
        return false;
  for (const TargetCode &code : codes)
    if (!code.target.isGpu())
      result.object = code.code;
  return true;
}

static EmbeddedImage imageOf(const TargetCode &code) {
  return code.target.backend->asGpu()->getEmbeddedImage(code.target);
}

std::optional<std::vector<TargetReport>> Builder::assembleAll() {
  std::vector<TargetReport> reports;
  cubins.assign(codes.size(), {});
  for (auto [asked, code, cubin] : zip_equal(options.targets, codes, cubins)) {
    if (!code.target.isGpu())
      continue;
    TargetReport &each = reports.emplace_back(TargetReport{code.target, {}});
    if (!asked.code || !cuda.hasPtxas() || !code.target.backend->asGpu()->getAssembler())
      continue;
    AssemblerOptions assembler = options.assembler;
    assembler.threads = 1; // a library starts no threads
    assembler.path = cuda.ptxas;
    Expected<Cubin> assembled = assemble(files, assembler, code.target, code.code);
    if (!assembled) {
      fail(toString(assembled.takeError()));
      return std::nullopt;
    }
    cubin = std::move(assembled->bytes);
    each.report = std::move(assembled->report);
  }
  return reports;
}

/// Recompiles for GPUs only, because the changed options do not affect CPU code.
bool Builder::compileAgain() {
  CompileOptions compilation = compileOptions();
  for (const TargetCode &code : codes)
    if (code.target.isGpu())
      compilation.targets.push_back(code.target);
  auto compiled = compile(kernels, compilation);
  if (!compiled)
    return false;
  auto next = compiled->begin();
  for (TargetCode &code : codes)
    if (code.target.isGpu())
      code = std::move(*next++);
  return true;
}

bool Builder::assembleKernels() {
  std::vector<TargetReport> reports;
  AssemblySteps steps{[&] {
                        auto all = assembleAll();
                        reports = all.value_or(std::vector<TargetReport>());
                        return all;
                      },
                      [&] { return compileAgain(); }, [](const Kernel &) {},
                      [&] {
                        return [this, &reports, kept = std::tuple(codes, cubins, reports)] {
                          std::tie(codes, cubins, reports) = kept;
                          return true;
                        };
                      }};
  if (!assembleWithRetries(kernels, steps))
    return false;
  for (const ResourceWarning &warning : findResourceWarnings(resourceRows(kernels, reports), /*ofAllVariants=*/false))
    mlir::emitWarning(locationOf(*warning.kernel)) << warning.text;
  for (auto [code, cubin] : zip_equal(codes, cubins)) {
    if (code.target.isGpu() && imageOf(code).kind == TILECC_IMAGE_PTX && result.ptx.empty())
      result.ptx = code.code;
    if (result.cubin.empty())
      result.cubin = cubin;
  }
  return true;
}

bool Builder::link() {
  std::vector<Image> images;
  size_t gpu = 0; // index among the GPUs' launches
  for (auto [code, cubin] : zip_equal(codes, cubins)) {
    if (!code.target.isGpu())
      continue;
    EmbeddedImage image = imageOf(code);
    images.push_back({image.kind, image.arch, gpu, image.bundleSection, image.bundleEntry, code.code});
    if (!cubin.empty())
      images.push_back({TILECC_IMAGE_CUBIN, image.arch, gpu, {}, {}, cubin});
    ++gpu;
  }

  LLVMContext llvm;
  auto module = std::make_unique<Module>("library", llvm);
  module->setTargetTriple(Triple(sys::getDefaultTargetTriple()));
  addLibrary(*module, source.name, kernels, images);
  Expected<std::string> descriptor = emitHostObject(std::move(module));
  if (!descriptor)
    return fail(toString(descriptor.takeError()));
  SmallVector<StringRef> objects = {*descriptor};
  if (!result.object.empty())
    objects.push_back(result.object);
  Expected<std::string> library = linkLibrary(files, objects);
  if (!library)
    return fail(toString(library.takeError()));
  result.library = std::move(*library);
  return true;
}

/// Appends a diagnostic from lowering, at the kernel's line.
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
    case mlir::DiagnosticSeverity::Note: out << "note: "; break;
    case mlir::DiagnosticSeverity::Warning: out << "warning: "; break;
    case mlir::DiagnosticSeverity::Error: out << "error: "; break;
    case mlir::DiagnosticSeverity::Remark: out << "remark: "; break;
    }
    out << diagnostic.str() << '\n';
  };
  print(diagnostic);
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    print(note);
}

BuildResult Builder::run() {
  initializeLLVMTargets();
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
  const bool isRead = source.chain ? join() : isTileIR(source.text) ? readBytecode() : parse();
  if (isRead && compileKernels() && assembleKernels() && link())
    result.status = BuildStatus::Success;
  kernels.clear(); // destroy them before their context
  return std::move(result);
}

BuildResult build(const ProgramSource &source, const ProgramOptions &options) { return Builder(source, options).run(); }

} // namespace tilecc
