//===- Compile.cpp - lowers variants in parallel, folds them, and emits code --------------------------------------===//
//
// This is the only path from TTIR to code. The driver uses it for every stage at which it can stop.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "compile/Compile.h"
#include "compile/Attempt.h"
#include "compile/CodeHash.h"
#include "compile/MoreWarps.h"
#include "lowering/analysis/Allocation.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Jobserver.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <atomic>
#include <fcntl.h>
#include <map>
#include <pthread.h>
#include <set>

using namespace llvm;

namespace tilecc {

const KernelVariant &getUsualVariant(const Kernel &kernel) {
  auto usual = find_if(kernel.variants, [](const KernelVariant &variant) {
    return !(variant.demands & (TILECC_FEW_ROWS | TILECC_SHORTER_ROUNDS)) && variant.parts == 1;
  });
  return usual == kernel.variants.end() ? kernel.variants.front() : *usual;
}

mlir::Location locationOf(const Kernel &kernel) {
  mlir::ModuleOp module = kernel.ttir.get();
  for (auto func : module.getOps<tt::FuncOp>())
    if (func.isKernel())
      return func.getLoc();
  return module.getLoc();
}

std::vector<KernelParam> packedParams(mlir::TypeRange types) {
  std::vector<KernelParam> params;
  uint32_t offset = 0;
  for (mlir::Type type : types) {
    KernelParam param;
    if (isa<tt::PointerType>(type)) {
      param.kind = KernelParam::Pointer;
      param.size = 8;
    } else {
      param.kind = isa<mlir::IntegerType>(type) && !type.isInteger(1) ? KernelParam::Integer : KernelParam::Other;
      param.isFloat = isa<mlir::FloatType>(type);
      param.size = type.isIntOrFloat() ? divideCeil(type.getIntOrFloatBitWidth(), 8) : 0;
    }
    param.align = std::max(param.size, 1u);
    param.offset = offset = alignTo(offset, param.align);
    offset += param.size;
    params.push_back(param);
  }
  return params;
}

std::string printModule(mlir::ModuleOp module) {
  std::string text;
  raw_string_ostream stream(text);
  // If a value has a name in the source, print it under this name, as Triton does.
  module.print(stream, mlir::OpPrintingFlags().enableDebugInfo(true).printNameLocAsPrefix());
  return text;
}

Jobserver findJobserver() {
  std::string flags = sys::Process::GetEnv("MAKEFLAGS").value_or("");
  StringRef rest = StringRef(flags).split("--jobserver-").second; // auth=, or fds= in old versions
  StringRef place = rest.split('=').second.split(' ').first;
  if (place.empty())
    return Jobserver::None;
  if (place.consume_front("fifo:"))
    return sys::fs::exists(place) ? Jobserver::Answers : Jobserver::IsClosed;
  int read, write;
  auto [first, second] = place.split(',');
  bool areOpen = !first.getAsInteger(10, read) && !second.getAsInteger(10, write) && fcntl(read, F_GETFD) >= 0 &&
                 fcntl(write, F_GETFD) >= 0;
  return areOpen ? Jobserver::Answers : Jobserver::IsClosed;
}

void runSideBySide(unsigned threads, size_t count, function_ref<void(size_t)> task) {
  struct Work {
    size_t count;
    function_ref<void(size_t)> task;
    bool traced; // true with -ftime-trace, which each thread must enable for itself
    std::atomic<size_t> next = 0;
    void run() {
      for (size_t i = next++; i < count; i = next++)
        task(i);
    }
  } work{count, task, timeTraceProfilerEnabled()};
  auto help = [](void *pointer) -> void * {
    auto &work = *static_cast<Work *>(pointer);
    if (work.traced)
      timeTraceProfilerInitialize(/*TimeTraceGranularity=*/500, "tcc");
    work.run();
    if (work.traced)
      timeTraceProfilerFinishThread();
    return nullptr;
  };

  // There are fewer helper threads if the jobserver has no more tokens, or if the system cannot start a thread. This
  // thread itself already has a token.
  bool asks = threads == 0 && findJobserver() == Jobserver::Answers;
  JobserverClient *jobserver = asks ? JobserverClient::getInstance() : nullptr;
  JobSlot own = jobserver ? jobserver->tryAcquire() : JobSlot();
  size_t most = std::min<size_t>(count, threads ? threads : hardware_concurrency().compute_thread_count());
  std::vector<std::pair<pthread_t, JobSlot>> helpers;
  while (helpers.size() + 1 < most) {
    JobSlot slot = jobserver ? jobserver->tryAcquire() : JobSlot();
    pthread_t thread;
    if ((jobserver && !slot.isValid()) || pthread_create(&thread, nullptr, help, &work)) {
      if (slot.isValid())
        jobserver->release(std::move(slot));
      break;
    }
    helpers.emplace_back(thread, std::move(slot));
  }
  work.run();
  for (auto &[thread, slot] : helpers) {
    pthread_join(thread, nullptr);
    if (slot.isValid())
      jobserver->release(std::move(slot));
  }
  if (own.isValid())
    jobserver->release(std::move(own));
}

SideTask::SideTask(unsigned threads, std::function<void()> givenTask) : task(std::move(givenTask)) {
  auto run = [](void *task) -> void * {
    (*static_cast<std::function<void()> *>(task))();
    return nullptr;
  };
  bool isAlone =
      (threads ? threads : hardware_concurrency().compute_thread_count()) == 1 || findJobserver() != Jobserver::None;
  pthread_t started;
  if (isAlone || pthread_create(&started, nullptr, run, &task))
    task();
  else
    thread = started;
}

void SideTask::wait() {
  if (thread)
    pthread_join(*thread, nullptr);
  thread.reset();
}

//===--- one call of compile() ------------------------------------------------------------------------------------===//

namespace {
/// The kernels for one target. Each variant has its own LLVM context, so that all variants are compiled in parallel.
struct TargetWork {
  Target target;
  CodeGenerator *generator;
  Backend::Rank getRank() const { return target.backend->getRank(target); }
  std::vector<std::unique_ptr<LLVMContext>> contexts;
  std::vector<std::vector<LoweredVariant>> kernels; ///< the variants of each kernel
  std::vector<std::vector<Variant>> variants; ///< their names and assumptions
  TargetWork *twin = nullptr; ///< a target whose code is the same
  std::atomic<bool> failed = false;
  std::string code;
};

/// Handles LLVM's errors about a kernel, such as constraints of inline assembly that no register satisfies. They are
/// mistakes of the user, so they are reported at the line of the source that causes them.
void reportFromLLVM(const DiagnosticInfo *info, void *kernels) {
  if (info->getSeverity() != DS_Error)
    return;
  std::string text;
  raw_string_ostream stream(text);
  DiagnosticPrinterRawOStream printer(stream);
  info->print(printer);
  mlir::Location loc = locationOf(static_cast<std::vector<Kernel> *>(kernels)->front());
  auto *assembly = dyn_cast<DiagnosticInfoInlineAsm>(info);
  if (const Instruction *at = assembly ? assembly->getInstruction() : nullptr)
    if (const DILocation *line = at->getDebugLoc())
      loc = mlir::FileLineColLoc::get(loc->getContext(), line->getFilename(), line->getLine(), line->getColumn());
  mlir::emitError(loc) << text;
}

/// Reports each mistake only once, even if it is found for several targets and variants.
class OneMessageAPlace : public mlir::ScopedDiagnosticHandler {
public:
  explicit OneMessageAPlace(mlir::MLIRContext *context) : ScopedDiagnosticHandler(context) {
    setHandler([this](mlir::Diagnostic &diagnostic) {
      bool hasPlace = !isa<mlir::UnknownLoc>(diagnostic.getLocation());
      std::string key = hasPlace ? std::string() : diagnostic.str();
      bool isNew =
          told.insert({diagnostic.getLocation().getAsOpaquePointer(), int(diagnostic.getSeverity()), key}).second;
      return mlir::failure(isNew); // if it is new, the next handler prints it
    });
  }

private:
  std::set<std::tuple<const void *, int, std::string>> told;
};

/// Returns the largest amount of shared memory that any of the targets has.
int64_t findMaxSharedBytes(ArrayRef<Target> targets) {
  int64_t most = 0;
  for (const Target &target : targets)
    if (const GpuBackend *backend = target.backend->asGpu()) {
      std::string error;
      most = std::max<int64_t>(most, backend->findFacts(backend->spell(target), error)->getMostSharedBytes());
    }
  return most;
}

/// Erases the records of tt::profile_scopes.
void dropRecords(mlir::ModuleOp module) {
  module.walk([](tt::RecordOp record) { record.erase(); });
}

class Compilation {
public:
  Compilation(std::vector<Kernel> &kernels, const CompileOptions &options) : kernels(kernels), options(options) {
    for (const Target &target : options.targets) {
      works.push_back(std::make_unique<TargetWork>());
      works.back()->target = target;
      std::unique_ptr<CodeGenerator> &generator = generators[target.backend];
      if (!generator)
        generator = target.backend->createCodeGenerator(options);
      works.back()->generator = generator.get();
    }
  }

  std::optional<std::vector<TargetCode>> run();

private:
  std::vector<Variant> variantsOf(const Kernel &kernel);
  std::vector<Variant> variantsFor(size_t kernel, const TargetWork &work);
  bool makeAllVariants();
  void print(TargetWork &work);
  std::unique_ptr<LLVMContext> createContext();
  bool lower(ArrayRef<TargetWork *> leads);
  bool lowerAll();
  bool servesToo(const TargetWork &work, const Target &other);
  void foldVariants();
  bool emitAll();
  void describeKernels();

  /// Processes tasks in parallel, with messages in the order of the tasks.
  bool forAll(size_t count, function_ref<void(size_t)> task) {
    mlir::ParallelDiagnosticHandler ordered(kernels.front().ttir->getContext());
    runSideBySide(options.threads, count, [&](size_t i) {
      ordered.setOrderIDForThread(i);
      task(i);
      ordered.eraseOrderIDForThread();
    });
    return none_of(works, [](const auto &work) { return work->failed.load(); });
  }

  template <typename Task> void timed(const Twine &what, Task task) {
    auto start = std::chrono::steady_clock::now();
    task();
    if (options.timing)
      options.timing(what.str(), std::chrono::steady_clock::now() - start);
  }

  std::vector<Kernel> &kernels;
  const CompileOptions &options;
  std::map<const Backend *, std::unique_ptr<CodeGenerator>> generators;
  std::vector<std::unique_ptr<TargetWork>> works;
  std::vector<std::vector<Variant>> variants; ///< for each kernel
};
} // namespace

/// Returns the variants of the kernel that options.variant selects, without redundant variants.
std::vector<Variant> Compilation::variantsOf(const Kernel &kernel) {
  std::vector<Variant> variants;
  for (Variant &variant : makeVariants(*kernel.ttir))
    if (options.variant == "all" || (options.variant.empty() ? variants.empty() : options.variant == variant.name))
      variants.push_back(std::move(variant));
  if (variants.empty())
    mlir::emitError(locationOf(kernel)) << kernel.displayName << " has no variant " << options.variant
                                        << ", because no access follows from parameters of that kind";
  else if (options.variant == "all")
    dropVariantsOfSameAccesses(variants);
  if (any_of(works, [](const auto &work) { return work->target.backend->assumesSmallStrides(); }))
    assumeSmallStrides(kernel, variants);
  if (options.variant == "all" && !variants.empty() && options.tensorMaps && !options.launchedByDevice) {
    addVariantsOfSmallLaunches(kernel, variants); // the runtime knows the number of blocks of a launch
    addVariantsWithoutImages(variants);
    addVariantsOfSharedBlocks(kernel, variants);
    addVariantsOfDenseBlocks(kernel, variants);
  }
  return variants;
}

/// Returns the variants of a kernel that `work` lowers.
std::vector<Variant> Compilation::variantsFor(size_t kernel, const TargetWork &work) {
  std::vector<Variant> result;
  if (kernels[kernel].hasVariants && work.target.backend->usesVariants())
    for (Variant &variant : variants[kernel])
      result.push_back(variant.copy());
  else
    result.push_back(
        {{}, "generic", kernels[kernel].symbol, cast<mlir::ModuleOp>(kernels[kernel].ttir.get()->clone())});
  return result;
}

/// Creates the variants of every kernel, once for all targets.
bool Compilation::makeAllVariants() {
  variants.resize(kernels.size());
  auto work = find_if(works, [](const auto &work) { return work->target.backend->usesVariants(); });
  if (work == works.end())
    return true;
  std::atomic<bool> failed = false;
  forAll(kernels.size(), [&](size_t k) {
    Kernel &kernel = kernels[k];
    if (!kernel.hasVariants)
      return;
    Attempt attempt(kernel, (*work)->target);
    chooseAssumptions(kernel);
    variants[k] = variantsOf(kernel);
    if (variants[k].empty())
      failed = true;
  });
  return !failed;
}

/// Prints each variant as MLIR text.
void Compilation::print(TargetWork &work) {
  raw_string_ostream stream(work.code);
  for (auto [k, kernel] : enumerate(kernels)) {
    std::vector<Variant> variants = variantsFor(k, work);
    for (Variant &variant : variants) {
      Attempt attempt(kernel, variant, work.target);
      if (failed(work.generator->transform(kernel, variant, work.target, options.form))) {
        work.failed = true;
        break; // all variants have the same mistake; other kernels may have other mistakes
      }
      stream << (work.code.empty() ? "" : "\n// -----\n\n") << printModule(*variant.module);
    }
  }
}

std::unique_ptr<LLVMContext> Compilation::createContext() {
  auto context = std::make_unique<LLVMContext>();
  context->setDiagnosticHandlerCallBack(reportFromLLVM, &kernels);
  context->setDiscardValueNames(options.form >= Form::Assembly && !options.observer); // they are never printed
  return context;
}

/// Lowers all variants of all kernels for some targets.
bool Compilation::lower(ArrayRef<TargetWork *> leads) {
  struct Task {
    TargetWork *work;
    size_t kernel, variant;
    LLVMContext *context;
    std::optional<LoweredVariant> result;
  };
  std::vector<Task> tasks;
  for (TargetWork *work : leads)
    for (size_t k = 0; k < kernels.size(); ++k) {
      work->variants.push_back(variantsFor(k, *work));
      for (size_t v = 0; v < work->variants.back().size(); ++v) {
        work->contexts.push_back(createContext());
        tasks.push_back({work, k, v, work->contexts.back().get(), {}});
      }
    }
  auto lowerOne = [&](size_t i) {
    auto &[work, k, v, context, result] = tasks[i];
    Variant &variant = work->variants[k][v];
    Attempt attempt(kernels[k], variant, work->target);
    timed(work->target.str() + " code of " + variant.symbol, [&] {
      mlir::FailureOr<LoweredVariant> lowered = work->generator->lower(kernels[k], variant, work->target, *context);
      if (failed(lowered))
        work->failed = true;
      else
        result = std::move(*lowered);
    });
  };
  if (!forAll(tasks.size(), lowerOne))
    return false;
  for (TargetWork *work : leads)
    work->kernels.resize(kernels.size());
  for (Task &task : tasks)
    task.work->kernels[task.kernel].push_back(std::move(*task.result));
  return true;
}

/// Lowers for every target. If lowering for a target would give the same code as for another target, the target becomes
/// a twin of that one and is not lowered. The targets are visited in this order: the oldest target of each back end,
/// then one target of each remaining architecture, then the others.
bool Compilation::lowerAll() {
  std::vector<TargetWork *> pending;
  for (auto &work : works)
    pending.push_back(work.get());
  llvm::stable_sort(pending, [](TargetWork *a, TargetWork *b) { return a->getRank() < b->getRank(); });
  for (unsigned round = 0; !pending.empty(); ++round) {
    auto isInFamily = [round](const TargetWork *a, const TargetWork *b) {
      return a->target.backend == b->target.backend &&
             (round == 0 || a->getRank().generation == b->getRank().generation);
    };
    std::vector<TargetWork *> leads, others;
    for (TargetWork *work : pending)
      (any_of(leads, [&](TargetWork *lead) { return isInFamily(lead, work); }) ? others : leads).push_back(work);
    if (!lower(leads))
      return false;
    pending.clear();
    for (TargetWork *work : others) {
      auto lead =
          find_if(leads, [&](TargetWork *lead) { return isInFamily(lead, work) && servesToo(*lead, work->target); });
      if (lead == leads.end())
        pending.push_back(work);
      else
        work->twin = *lead;
    }
  }
  return true;
}

bool Compilation::servesToo(const TargetWork &work, const Target &other) {
  if (options.observer)
    return false; // the observer must be notified for every target
  return options.form >= Form::Assembly && all_of(work.kernels, [&](const std::vector<LoweredVariant> &variants) {
           return all_of(variants,
                         [&](const LoweredVariant &variant) { return variant.isFor && variant.isFor(other); });
         });
}

/// Returns true if two modules have the same code, except for the names of kernels and the source lines.
static bool isSameCode(const Module &lhs, const Module &rhs) {
  if (lhs.getInstructionCount() != rhs.getInstructionCount())
    return false;
  auto print = [](const Module &module) {
    std::unique_ptr<Module> copy = CloneModule(module);
    StripDebugInfo(*copy);
    unsigned number = 0;
    for (Function &function : *copy)
      if (!function.isDeclaration())
        function.setName("kernel" + std::to_string(number++));
    std::string text;
    raw_string_ostream stream(text);
    copy->print(stream, nullptr);
    return text;
  };
  return print(lhs) == print(rhs);
}

/// Removes a variant if, for every target, its code is the same as that of the next, less demanding variant. Removes
/// variants for thread blocks that programs share if no target has such blocks.
void Compilation::foldVariants() {
  std::vector<TargetWork *> lowered;
  for (auto &work : works)
    if (!work->twin && work->target.backend->usesVariants())
      lowered.push_back(work.get());
  if (lowered.empty() || options.variant != "all")
    return;
  for (size_t k = 0; k < kernels.size(); ++k)
    for (size_t v = lowered.front()->kernels[k].size() - 1; v-- > 0;) {
      bool same = all_of(lowered, [&](TargetWork *work) {
        const LoweredVariant &variant = work->kernels[k][v], &next = work->kernels[k][v + 1];
        return variant.launch == next.launch && isSameCode(*variant.module, *next.module);
      });
      bool isUseless = lowered.front()->variants[k][v].programsPerBlock &&
                       all_of(lowered, [&](TargetWork *work) { return work->kernels[k][v].launch.programs <= 1; });
      if (same || isUseless)
        for (TargetWork *work : lowered) {
          work->kernels[k].erase(work->kernels[k].begin() + v);
          work->variants[k].erase(work->variants[k].begin() + v);
        }
    }
}

/// Moves all modules to the context of the first module.
static void gather(MutableArrayRef<std::unique_ptr<Module>> modules) {
  LLVMContext &context = modules.front()->getContext();
  for (std::unique_ptr<Module> &module : modules.drop_front()) {
    SmallString<0> bitcode;
    raw_svector_ostream stream(bitcode);
    WriteBitcodeToFile(*module, stream, /*ShouldPreserveUseListOrder=*/true);
    module = cantFail(parseBitcodeFile(MemoryBufferRef(bitcode, "kernels"), context));
  }
}

/// Generates the code for all targets. If the variants of a target can be compiled separately, each is one part of this
/// work; otherwise all variants for a target are one part.
bool Compilation::emitAll() {
  struct Part {
    TargetWork *work;
    std::vector<std::unique_ptr<Module>> modules;
    std::string what, code;
  };
  std::vector<Part> parts;
  for (auto &work : works) {
    if (work->twin)
      continue;
    const bool isSeparable = work->generator->isSeparable(work->target, options.form);
    const std::string what = work->target.str() + " code generation";
    bool isFirst = true;
    for (auto [k, variants] : enumerate(work->kernels))
      for (auto [v, variant] : enumerate(variants)) {
        if (!variant.module)
          continue;
        const std::string &symbol = work->variants[k][v].symbol;
        if (v > 0)
          variant.module->getFunction(symbol)->addFnAttr(fallbackAttr);
        if (isSeparable)
          parts.push_back({work.get(), {}, what + " of " + symbol, {}});
        else if (isFirst)
          parts.push_back({work.get(), {}, what, {}});
        parts.back().modules.push_back(std::move(variant.module));
        isFirst = false;
      }
  }
  auto emitPart = [&](size_t i) {
    auto &[work, modules, what, code] = parts[i];
    timed(what, [&, &work = work, &modules = modules, &code = code] {
      gather(modules);
      Expected<std::string> emitted = work->generator->emit(std::move(modules), work->target, options.form);
      if (emitted) {
        code = std::move(*emitted);
      } else {
        mlir::emitError(locationOf(kernels.front())) << work->target.str() << ": " << toString(emitted.takeError());
        work->failed = true;
      }
    });
  };
  if (!forAll(parts.size(), emitPart))
    return false;
  for (auto &work : works) {
    std::vector<std::string> codes;
    for (Part &part : parts)
      if (part.work == work.get())
        codes.push_back(std::move(part.code));
    if (!codes.empty())
      work->code = codes.size() == 1 ? std::move(codes.front()) : work->generator->join(codes);
  }
  return true;
}

/// Records the results in the kernels.
void Compilation::describeKernels() {
  for (auto [k, kernel] : enumerate(kernels)) {
    kernel.variants.clear();
    kernel.codeHash = hashCode(kernel, options);
    for (auto &work : works) {
      TargetWork &source = work->twin ? *work->twin : *work;
      if (!work->target.isGpu()) {
        LoweredVariant &lowered = source.kernels[k].front();
        kernel.cpuFunctions = lowered.cpuFunctions;
        kernel.noCpuCode = lowered.why;
        continue;
      }
      for (auto [v, lowered] : enumerate(source.kernels[k])) {
        if (kernel.variants.size() <= v) {
          const Variant &variant = source.variants[k][v];
          kernel.variants.push_back({variant, variant.name, variant.symbol, {}});
        }
        kernel.variants[v].launches.push_back(lowered.launch);
      }
    }
  }
}

std::optional<std::vector<TargetCode>> Compilation::run() {
  if (!options.profile)
    for (const Kernel &kernel : kernels)
      dropRecords(*kernel.ttir);
  if (options.form > Form::TTGIR) { // before the variants are copied
    const int64_t maxShared = findMaxSharedBytes(options.targets);
    for (Kernel &kernel : kernels)
      (*kernel.ttir)->setAttr(maxSharedAttr, mlir::Builder((*kernel.ttir)->getContext()).getI64IntegerAttr(maxShared));
  }
  if (!makeAllVariants())
    return std::nullopt;
  if (options.form <= Form::TTGIR) {
    if (!forAll(works.size(), [&](size_t i) { print(*works[i]); }))
      return std::nullopt;
  } else {
    if (!lowerAll())
      return std::nullopt;
    for (Kernel &kernel : kernels)
      (*kernel.ttir)->removeAttr(maxSharedAttr);
    // From here on, every kernel is LLVM IR for every target.
    foldVariants();
    describeKernels();
    // Each variant that is left differs from the next one for some target.
    if (!emitAll())
      return std::nullopt;
    for (auto &work : works)
      if (work->twin)
        work->code = work->generator->retarget(work->twin->code, work->target);
  }
  std::vector<TargetCode> result;
  for (auto &work : works)
    result.push_back({work->target, std::move(work->code)});
  return result;
}

std::optional<std::vector<TargetCode>> compile(std::vector<Kernel> &kernels, const CompileOptions &options) {
  assert(!kernels.empty() && "code of no kernel");
  OneMessageAPlace messages(kernels.front().ttir->getContext());
  return compileWithMoreWarps(kernels, options,
                              [&](const CompileOptions &attempt) { return Compilation(kernels, attempt).run(); });
}

} // namespace tilecc
