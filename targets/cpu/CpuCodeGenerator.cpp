//===- CpuCodeGenerator.cpp - kernels to native code --------------------------------------------------------------===//
//
// For compile(), the stages are TTIR -> LLVM -> object. A kernel becomes one function per processor level. The
// functions of all kernels form one object. It is separate from the object of the host code, for which the code
// generator has other settings.
//===-------------------------------------------------------------------------------------------------------------===//

#include "compile/Attempt.h"
#include "targets/cpu/CpuBackend.h"
#include "targets/cpu/CpuCodeGenerator.h"
#include "lowering/passes/TTIRPipeline.h"
#include "targets/Observer.h"
#include "targets/RunPasses.h"
#include "targets/cpu/CpuLowering.h"
#include "lowering/dialects/tt/SignalOps.h"
#include "lowering/dialects/tt/TT.h"
#include "lowering/passes/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tilecc {

/// Prints `value` without its debug metadata, because the numbers of metadata depend on the module.
static void printCode(const GlobalValue &value, raw_ostream &stream) {
  std::string text;
  raw_string_ostream(text) << value;
  static const Regex attachment("(.*[^ ,]),? !dbg ![0-9]+(.*)");
  for (StringRef line : split(text, '\n'))
    if (SmallVector<StringRef, 3> parts; !line.ltrim().starts_with("#dbg_"))
      stream << (attachment.match(line, &parts) ? (parts[1] + parts[2]).str() : line.str()) << '\n';
}

/// Returns the code that defines `function`: its own, and that of the module-private tables and functions that it uses.
static std::string contentOf(Function &function) {
  SmallSetVector<GlobalValue *, 8> globals;
  globals.insert(&function);
  SmallPtrSet<const Value *, 32> seen;
  SmallVector<Value *> queue;
  auto push = [&](User &user) {
    for (Value *operand : user.operands())
      if (isa<Constant>(operand) && seen.insert(operand).second)
        queue.push_back(operand);
  };
  std::string text;
  raw_string_ostream stream(text);
  for (unsigned i = 0; i < globals.size(); ++i) {
    printCode(*globals[i], stream);
    if (auto *body = dyn_cast<Function>(globals[i]))
      for (Instruction &instruction : instructions(*body))
        push(instruction);
    else
      push(*globals[i]);
    while (!queue.empty()) {
      Value *value = queue.pop_back_val();
      if (auto *global = dyn_cast<GlobalValue>(value))
        globals.insert(global);
      else
        push(*cast<User>(value));
    }
  }
  return text;
}

/// Names functions by a hash of their code, so that the linker may merge them. If two translation units share a kernel,
/// its functions must not clash at link time, and different kernels of the same name (in anonymous namespaces) must not
/// be merged.
static void nameByContent(Module &module, CpuFunction &entry) {
  Function *function = module.getFunction(entry.symbol);
  std::string digest = toHex(SHA256::hash(arrayRefFromStringRef(contentOf(*function))), /*LowerCase=*/true);
  entry.symbol += ".h" + digest.substr(0, 16); // demanglers require that a suffix starts with a letter
  function->setName(entry.symbol);
  function->setLinkage(GlobalValue::WeakODRLinkage);
  function->setVisibility(GlobalValue::HiddenVisibility);
  function->setComdat(module.getOrInsertComdat(entry.symbol));
}

/// Returns a description of the parts of a kernel that only GPUs support. Returns an empty string if there are none.
static StringRef findGpuCode(mlir::ModuleOp module) {
  if (tt::usesThreadCode(module))
    return "calls SIMT code";
  StringRef what;
  module.walk([&](mlir::Operation *op) {
    if (mlir::isa<tt::ElementwiseInlineAsmOp>(op))
      what = "has inline assembly";
    else if (mlir::isa<tt::MultimemSumOp, tt::MultimemStoreOp, tt::MultimemAddOp>(op))
      what = "accesses multicast memory";
    return what.empty() ? mlir::WalkResult::advance() : mlir::WalkResult::interrupt();
  });
  return what;
}

namespace {
class CpuCodeGenerator final : public CodeGenerator {
public:
  explicit CpuCodeGenerator(const CodeOptions &options)
      : fmad(options.floats.fmad), debugFolder(options.cpuDebugFolder), unoptimized(options.cpuUnoptimized),
        checksAccesses(options.cpuChecks), profile(options.profile), reproducedPass(options.reproducedPass),
        observer(options.observer) {}

  mlir::LogicalResult transform(const Kernel &, Variant &variant, const Target &, Form) const override {
    mlir::ModuleOp module = *variant.module;
    return module.emitError("code for the CPU has no layouts");
  }

  mlir::FailureOr<LoweredVariant> lower(const Kernel &kernel, Variant &variant, const Target &target,
                                        LLVMContext &context) const override {
    LoweredVariant lowered;
    if (StringRef gpuCode = findGpuCode(*variant.module); !gpuCode.empty()) {
      lowered.why = ("the kernel " + gpuCode + ", which is for GPUs: there is no code for the CPU").str();
      return lowered;
    }
    mlir::PassManager pm(variant.module->getContext());
    if (needsPointerPipeline(*variant.module))
      buildPointerPipeline(pm);
    else {
      pm.addPass(createTritonSqueezeUnitDims());
      pm.addPass(createTritonForwardStores());
    }
    // Masks of rows cost nothing on CPUs, but remainders would split accesses into single elements.
    pm.addPass(createTritonUnwrapIndices());
    if (profile)
      pm.addPass(createTritonInsertRecords());
    PipelineObservation observation(observer, {kernel, variant, target});
    observation.reaches(Form::TTIR, pm);
    if (failed(runPasses(pm, *variant.module, reproducedPass, observation.getListener())))
      return mlir::failure();
    auto module = std::make_unique<Module>("kernels", context);
    auto functions = cpu::lowerToCpu(*variant.module, cpuOptions(target), *module);
    if (failed(functions))
      return mlir::failure();
    for (const cpu::CpuKernel &function : *functions)
      lowered.cpuFunctions.push_back(
          {function.symbol, function.level, function.programs, function.scratchBytes, checksAccesses});
    for (CpuFunction &function : llvm::reverse(lowered.cpuFunctions)) // the code of a caller contains the callee's name
      nameByContent(*module, function);
    lowered.module = std::move(module);
    return lowered;
  }

  Expected<std::string> emit(std::vector<std::unique_ptr<Module>> modules, const Target &target,
                             Form form) const override {
    std::unique_ptr<Module> all = std::move(modules.front());
    for (std::unique_ptr<Module> &module : drop_begin(modules))
      if (Linker::linkModules(*all, std::move(module)))
        reportFatalInternalError("the CPU code of two kernels cannot be linked");
    Attempt attempt(*all, target);
    if (observer)
      observer->sawLLVM(*all, target);
    SmallString<0> bytes;
    raw_svector_ostream stream(bytes);
    if (form == Form::LLVM)
      stream << *all;
    else if (Error error = form == Form::Assembly ? cpu::emitAssembly(*all, cpuOptions(target), stream)
                                                  : cpu::emitObject(*all, cpuOptions(target), stream))
      return std::move(error);
    return bytes.str().str();
  }

  std::string retarget(StringRef, const Target &) const override {
    llvm_unreachable("levels of a CPU are no suffixes");
  }

private:
  cpu::CpuOptions cpuOptions(const Target &target) const {
    cpu::CpuOptions options;
    options.fmad = fmad;
    options.debugFolder = debugFolder;
    options.linesAlone = observer != nullptr;
    options.unoptimized = unoptimized;
    options.checkAccesses = checksAccesses;
    CpuTarget parts = partsOf(target);
    options.triple = parts.triple;
    if (parts.level)
      options.onlyLevel = parts.level;
    return options;
  }

  bool fmad;
  std::optional<std::string> debugFolder;
  bool unoptimized;
  bool checksAccesses, profile;
  std::optional<unsigned> reproducedPass;
  CompileObserver *observer;
};
} // namespace

std::unique_ptr<CodeGenerator> createCpuCodeGenerator(const CodeOptions &options) {
  return std::make_unique<CpuCodeGenerator>(options);
}

} // namespace tilecc
