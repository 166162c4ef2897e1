//===- Kernels.cpp - reads kernels from sources and IR ------------------------------------------------------------===//
//
// Reads kernels from a source, through the front end, or from a file of IR. Called by KernelActions.cpp.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/Kernels.h"
#include "driver/Actions.h"
#include "driver/AsTileiras.h"
#include "driver/Diagnostics.h"
#include "driver/Cubins.h"
#include "driver/OptionIds.h"
#include "driver/Programs.h"
#include "driver/SourceOptions.h"
#include "driver/TileWarnings.h"
#include "frontend/raise/Passes.h"
#include "frontend/tileir/TileIR.h"
#include "lowering/dialects/ttg/TTG.h"
#include "targets/Registry.h"
#include "targets/RunPasses.h"
#include "lowering/passes/Passes.h"
#include "lowering/passes/TTIRPipeline.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include <mutex>

using namespace llvm;

namespace tilecc {

//===--- diagnostics of lowering ----------------------------------------------------------------------------------===//

/// Prints MLIR diagnostics like Clang's, with the line and a caret, from any thread. Counts errors.
struct KernelUnit::Diagnostics : SourceMgr, mlir::SourceMgrDiagnosticHandler {
  Diagnostics(Context &ctx, mlir::MLIRContext &mlir) : SourceMgrDiagnosticHandler(*this, &mlir, errs()) {
    setHandler([this, &ctx](mlir::Diagnostic &diagnostic) {
      std::lock_guard lock(mutex);
      if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
        ++ctx.errors;
      if (ctx.asTileiras)
        printAsTileiras(diagnostic);
      else
        emitDiagnostic(diagnostic);
    });
  }
  std::mutex mutex;
};

static mlir::DialectRegistry allDialects() {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

KernelUnit::KernelUnit(Context &ctx)
    : context(allDialects(),
              ctx.threads == 1 ? mlir::MLIRContext::Threading::DISABLED : mlir::MLIRContext::Threading::ENABLED),
      floats(ctx.floats), diagnostics(std::make_unique<Diagnostics>(ctx, context)),
      dialects(ctx.threads, [this] { context.loadAllAvailableDialects(); }) {
  context.printOpOnDiagnostic(false); // the source line is clearer and shorter
}

KernelUnit::~KernelUnit() = default;

/// Returns true for a stage that embeds the code of all variants; it may have no kernels.
static bool isPartOfObject(const Context &ctx) {
  return ctx.stage == Stage::Fatbin || (ctx.stage == Stage::PTX && ctx.variantFilter == "all");
}

//===--- sources --------------------------------------------------------------------------------------------------===//

static SmallVector<const char *> pointers(const std::vector<std::string> &strings) {
  return SmallVector<const char *>(map_range(strings, [](const std::string &s) { return s.c_str(); }));
}

/// Adds a kernel. One that calls functions of other sources gets its code at the device link and stays TTIR until then.
static void addKernel(Context &ctx, KernelUnit &unit, Kernel kernel) {
  SmallVector<tt::FuncOp> called = declaredFunctions(*kernel.ttir);
  const bool showsTTIR = ctx.stage == Stage::TTIR || ctx.stage == Stage::Syntax;
  const bool isForObject = hasHostCode(ctx.stage) || isPartOfObject(ctx);
  if (ctx.relocatable && isForObject && !unit.host->hostModule().getNamedValue(kernel.symbol)) {
    unit.relocatable.launchable.push_back(std::move(kernel)); // launched by SIMT code only
    return;
  }
  if (called.empty() || showsTTIR) {
    if (called.empty()) {
      remarkOnWarps(ctx, kernel);
      remarkOnLoops(ctx, kernel);
      warnOfSizes(ctx, kernel);
    }
    unit.kernels.push_back(std::move(kernel));
  } else if (isForObject) {
    unit.relocatable.kernels.push_back(std::move(kernel));
  } else {
    mlir::emitError(locationOf(kernel)) << kernel.displayName
                                        << " calls tile functions of other files, so its code is made by "
                                        << "the device link (-dlink)";
  }
}

static bool compileSource(Context &ctx, const Input &input, StringRef output, std::function<void(StringRef)> print,
                          std::shared_ptr<DependencyRule> rule, KernelUnit &unit) {
  noteDialect(ctx, input);
  std::vector<std::string> args = sourceArguments(ctx, input);
  // These arguments set the name and the target of the dependency file, as for an object; the output itself is written
  // later.
  args.insert(args.end(), {"-c", "-o", output.str()});
  Timed timed(ctx, "front end");
  FrontendOptions options = frontendOptions(ctx, &input);
  options.beforeRaise = [&unit] { unit.dialects.wait(); };
  options.print = std::move(print);
  if (ctx.stage == Stage::Annotations)
    options.variables = &unit.variables;
  if (options.simt)
    options.simt->rule = std::move(rule);
  unit.host = compileTranslationUnit(pointers(args), options, unit.context);
  if (!unit.host) {
    ++ctx.errors; // the front end has reported it
    return false;
  }
  if (unit.host->hasDebugInfo() || ctx.deviceDebug)
    unit.cpuDebugFolder = unit.host->debugFolder();
  for (Kernel &kernel : unit.host->kernels()) {
    for (const KernelAttribute &attribute : kernelAttributes)
      if (!(kernel.*attribute.member))
        kernel.*attribute.member = ctx.kernelOptions.*attribute.member;
    warnOfSource(ctx, *kernel.ttir);
    addKernel(ctx, unit, std::move(kernel));
  }
  for (TileFunction &function : unit.host->functions())
    warnOfSource(ctx, *function.ttir);
  unit.relocatable.functions = std::move(unit.host->functions());
  unit.relocatable.launches = std::move(unit.host->launches());
  return true;
}

//===--- IR -------------------------------------------------------------------------------------------------------===//

/// Inlines all functions into the kernel. Afterwards, all memory is reached through the kernel's arguments.
static bool inlineFunctions(mlir::ModuleOp module) {
  mlir::PassManager passes(module.getContext());
  buildInliningPipeline(passes);
  passes.addPass(createTritonGPUGlobalScratchMemoryAllocation());
  if (failed(runPasses(passes, module)))
    return false;
  mlir::WalkResult calls = module.walk([&](tt::CallOp call) {
    auto callee = module.lookupSymbol<tt::FuncOp>(call.getCallee());
    call.emitError() << "'" << call.getCallee() << "' cannot be inlined: it "
                     << (callee && !callee.isExternal() ? "calls itself" : "is not defined here");
    return mlir::WalkResult::interrupt();
  });
  return !calls.wasInterrupted();
}

static bool parseIR(Context &ctx, const Input &input, KernelUnit &unit) {
  mlir::ParserConfig config(&unit.context);
  unsigned errorsBefore = ctx.errors;
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(input.path, config);
  if (!module) {
    if (ctx.errors == errorsBefore)
      Error(ctx) << input.path << ": cannot read it";
    return false;
  }
  mlir::PassManager newer(&unit.context);
  newer.addPass(createTritonRewriteNewerOperations());
  if (failed(runPasses(newer, *module)))
    return false;
  auto functions = module->getOps<tt::FuncOp>();
  SmallVector<tt::FuncOp> kernels(make_filter_range(functions, [](tt::FuncOp f) { return f.isKernel(); }));
  if (kernels.size() != 1) {
    Error(ctx) << input.path << ": an input of IR must have one kernel, but the number is " << kernels.size();
    return false;
  }
  const bool showsTTIR = ctx.stage == Stage::TTIR || ctx.stage == Stage::Syntax;
  if (!showsTTIR && !inlineFunctions(*module))
    return false;
  if (!showsTTIR && !ttg::hasLayouts(*module) && !mayCopyTensors(ctx) && failed(expandDescriptorArguments(*module)))
    return false;
  Kernel kernel;
  kernel.symbol = kernel.displayName = kernels[0].getName().str();
  kernel.file = input.path;
  kernel.params = packedParams(kernels[0].getArgumentTypes());
  kernel.globalScratchBytes = ttg::getModuleInteger(*module, ttg::globalScratchSizeAttr, 0);
  if (kernel.globalScratchBytes)
    kernel.params.back().name = "global_scratch";
  kernel.hasVariants = false;
  if (auto warps = (*module)->getAttrOfType<mlir::IntegerAttr>("ttg.num-warps"))
    kernel.numWarps = warps.getInt();
  kernel.numWarps = kernel.numWarps.value_or(4);
  for (const KernelAttribute &attribute : kernelAttributes)
    if (const std::optional<int> &asked = ctx.kernelOptions.*attribute.member)
      kernel.*attribute.member = asked;
  kernel.ttir = std::move(module);
  unit.kernels.push_back(std::move(kernel));
  return true;
}

static bool readTileIRFile(Context &ctx, const Input &input, KernelUnit &unit) {
  std::string bytes = readFile(ctx, input.path);
  if (ctx.errors)
    return false;
  auto kernels = readTileIR(bytes, input.path, unit.context);
  if (failed(kernels))
    return false;
  for (Kernel &kernel : *kernels) {
    for (const KernelAttribute &attribute : kernelAttributes)
      if (const std::optional<int> &asked = ctx.kernelOptions.*attribute.member)
        kernel.*attribute.member = asked;
    remarkOnWarps(ctx, kernel);
    remarkOnLoops(ctx, kernel);
    unit.kernels.push_back(std::move(kernel));
  }
  return true;
}

static bool readLinkedTiles(Context &ctx, const Input &input, KernelUnit &unit) {
  std::string bytes = readFile(ctx, input.path);
  unit.linked.emplace();
  if (ctx.errors || failed(readTileUnit(bytes, input.path, unit.context, *unit.linked)))
    return false;
  unit.kernels = std::move(unit.linked->kernels);
  unit.floats = unit.linked->floats;
  unit.cpuDebugFolder = unit.linked->debugFolder;
  for (Kernel &kernel : unit.kernels) {
    remarkOnWarps(ctx, kernel);
    remarkOnLoops(ctx, kernel);
    warnOfSizes(ctx, kernel);
  }
  return true;
}

bool readKernels(Context &ctx, const Input &input, StringRef output, std::function<void(StringRef)> print,
                 std::shared_ptr<DependencyRule> rule, KernelUnit &unit) {
  if (input.kind == InputKind::TileSource)
    return compileSource(ctx, input, output, std::move(print), std::move(rule), unit);
  unit.dialects.wait();
  switch (input.kind) {
  case InputKind::LinkedTiles: return readLinkedTiles(ctx, input, unit);
  case InputKind::TileIR: return readTileIRFile(ctx, input, unit);
  default: return parseIR(ctx, input, unit);
  }
}

bool selectKernels(Context &ctx, const Input &input, KernelUnit &unit) {
  if (!ctx.kernelFilter.empty()) {
    std::string names;
    for (const Kernel &kernel : unit.kernels)
      names += (names.empty() ? "" : ", ") + kernel.displayName;
    llvm::erase_if(unit.kernels, [&](const Kernel &kernel) {
      return kernel.symbol != ctx.kernelFilter && kernel.displayName != ctx.kernelFilter;
    });
    if (unit.kernels.empty()) {
      Error(ctx) << input.path << ": has no kernel '" << ctx.kernelFilter << "'; it has "
                 << (names.empty() ? "none" : names);
      return false;
    }
  }
  // Front ends use tileiras to detect the supported bytecode versions. An editor may show a source in any state.
  const bool mayBeEmpty = ctx.asTileiras || ctx.stage == Stage::Annotations;
  if (unit.kernels.empty() && !mayBeEmpty && !hasHostCode(ctx.stage) && !isPartOfObject(ctx) &&
      ctx.stage != Stage::Syntax) {
    Error(ctx) << input.path << ": has no kernels (a template is a kernel where it is launched or instantiated)";
    return false;
  }
  return true;
}

} // namespace tilecc
