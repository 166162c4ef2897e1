//===- PTX.cpp - compiles the LLVM dialect to PTX -----------------------------------------------------------------===//
//
// This is the last stage for NVIDIA GPUs. The NVIDIA back end and tcc-translate call it.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/PTX.h"
#include "targets/Backend.h"
#include "targets/GpuPipeline.h"
#include "targets/nvidia/Libdevice.h"
#include "targets/nvidia/NvidiaAccess.h"
#include "targets/nvidia/ThreadCode.h"
#include "targets/nvidia/ampere/WideProducts.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include <mutex>
#include <set>

using namespace mlir;
using namespace tilecc;

extern "C" void LLVMInitializeNVPTXTarget();
extern "C" void LLVMInitializeNVPTXTargetInfo();
extern "C" void LLVMInitializeNVPTXTargetMC();
extern "C" void LLVMInitializeNVPTXAsmPrinter();

/// Marks assembly that all threads of a warp execute together, or that the emulator reads, as convergent, so that LLVM
/// does not move it into or out of control flow. The LLVM dialect cannot express that.
static void keepConvergent(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = dyn_cast<llvm::CallInst>(&instruction); call && call->isInlineAsm())
        if (StringRef text = cast<llvm::InlineAsm>(call->getCalledOperand())->getAsmString();
            text.starts_with(emulatorMark) || text.contains(".aligned"))
          call->setConvergent();
}

namespace {
/// The oldest PTX version that supports the instructions of a module, or 0 if any version does.
struct NeededPTX {
  unsigned version = 0;
  const char *what = "";
  void add(unsigned other, const char *whatElse) {
    if (other > version)
      *this = {other, whatElse};
  }
};
} // namespace

static NeededPTX getNeededPTX(const llvm::Module &module) {
  NeededPTX needed;
  needed.add(getPTXVersionOfThreadCode(module), "functions that were compiled for a newer version");
  for (const llvm::Function &function : module) {
    if (function.isIntrinsic() && (function.getName().contains("e4m3") || function.getName().contains("e5m2")))
      needed.add(84, "8-bit floats");
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = dyn_cast<llvm::CallInst>(&instruction))
        if (auto *assembly = dyn_cast<llvm::InlineAsm>(call->getCalledOperand())) {
          StringRef text = assembly->getAsmString();
          if (text.contains("multimem."))
            needed.add(82, "sums of multicast memory");
          if (text.contains("tensormap.replace")) // older versions of ptxas take strides in units of 16 bytes
            needed.add(85, "tensor maps that a kernel makes");
          if (text.contains("block_scale")) // the block sizes (.block32) are newer than the instruction
            needed.add(88, "dots of scaled numbers");
          if (text.contains("mbarrier.arrive.relaxed"))
            needed.add(86, "programs of several thread blocks that have partitions");
        }
  }
  return needed;
}

llvm::Error tilecc::checkTarget(const nvidia::Architecture &target, unsigned ptxVersion) {
  const nvidia::Facts *facts = nvidia::findFacts(target);
  if (!facts)
    return llvm::createStringError("%s is not a target that kernels can be compiled for", target.sm().c_str());
  unsigned oldest = facts->ptxVersion;
  // LLVM 22 knows PTX up to 9.0, and there is no 8.9. It would abort on other versions.
  if (ptxVersion && (ptxVersion < oldest || ptxVersion > 90 || ptxVersion == 89))
    return llvm::createStringError("there is no PTX %u.%u for %s: it takes %u.%u to 9.0", ptxVersion / 10,
                                   ptxVersion % 10, target.sm().c_str(), oldest / 10, oldest % 10);
  return llvm::Error::success();
}

static constexpr StringLiteral tripleOfGPUs = "nvptx64-nvidia-cuda";

void tilecc::initializeNVPTX() {
  static std::once_flag initialized;
  std::call_once(initialized, [] {
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createTargetMachine(const nvidia::Architecture &target,
                                                                                unsigned ptxVersion = 0) {
  initializeNVPTX();
  if (llvm::Error error = checkTarget(target, ptxVersion))
    return std::move(error);
  llvm::Triple triple(tripleOfGPUs);
  std::string error;
  const llvm::Target *backend = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!backend)
    return llvm::createStringError("%s", error.c_str());
  llvm::TargetOptions options;
  std::string features = "+ptx" + std::to_string(ptxVersion ? ptxVersion : nvidia::findFacts(target)->ptxVersion);
  return std::unique_ptr<llvm::TargetMachine>(backend->createTargetMachine(
      triple, target.sm(), features, options, llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

/// Adds the name of the kernel to the names of local functions and variables, because a joined file (joinPTX()) must
/// not define a name twice.
static void nameLocals(llvm::Module &module) {
  auto isKernel = [](const llvm::Function &function) {
    return function.getCallingConv() == llvm::CallingConv::PTX_Kernel;
  };
  auto kernel = llvm::find_if(module, isKernel);
  if (kernel == module.end())
    return;
  const std::string suffix = ("$" + kernel->getName()).str();
  for (llvm::GlobalValue &value : module.global_values())
    if (value.hasLocalLinkage() && !value.getName().contains(kernel->getName()))
      value.setName(value.getName() + suffix);
}

llvm::Expected<std::unique_ptr<llvm::Module>>
tilecc::linkKernels(llvm::MutableArrayRef<std::unique_ptr<llvm::Module>> kernels, const nvidia::Architecture &target,
                    const GpuLibrary &library, StringRef threadCode) {
  std::unique_ptr<llvm::Module> module = linkModules(kernels);
  if (llvm::Error error = checkTarget(target, /*ptxVersion=*/0))
    return std::move(error);
  keepConvergent(*module);
  llvm::Triple triple(tripleOfGPUs);
  module->setTargetTriple(triple);
  module->setDataLayout(triple.computeDataLayout());
  if (llvm::Error error = linkThreadCode(*module, threadCode))
    return std::move(error);
  if (llvm::Error error = linkLibdevice(*module, library))
    return std::move(error);
  nameLocals(*module);
  return module;
}

/// Returns true if `ir`, which a pass is about to visit, is a fallback variant or a part of a fallback variant. A
/// fallback variant is launched if no other variant can be.
static bool isInFallback(const llvm::Any &ir) {
  const llvm::Function *function = nullptr;
  if (auto *whole = llvm::any_cast<const llvm::Function *>(&ir))
    function = *whole;
  else if (auto *loop = llvm::any_cast<const llvm::Loop *>(&ir))
    function = (*loop)->getHeader()->getParent();
  return function && function->hasFnAttribute(fallbackAttr);
}

/// The passes that run on fallback variants after inlining. These variants are most of a source's code, because they
/// access each element separately. They get only the few passes that matter for a loop of straight-line code. The usual
/// passes, some of which run seven times, would take three times as long, and would leave more instructions.
static constexpr StringLiteral fallbackPasses =
    "sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,loop-mssa(loop-rotate,licm),"
    "loop(indvars,loop-deletion,loop-unroll-full),early-cse<memssa>,instcombine<no-verify-fixpoint>,adce,simplifycfg";

/// Returns true if the source requests to unroll a loop of `function`, as SIMT code that kernels call does.
static bool hasUnrollRequest(const llvm::Function &function) {
  return llvm::any_of(function, [](const llvm::BasicBlock &block) {
    const llvm::MDNode *loop = block.getTerminator()->getMetadata(llvm::LLVMContext::MD_loop);
    return loop && llvm::any_of(loop->operands(), [](const llvm::MDOperand &operand) {
             auto *node = dyn_cast_or_null<llvm::MDNode>(operand.get());
             auto *name = node && node->getNumOperands() ? dyn_cast<llvm::MDString>(node->getOperand(0)) : nullptr;
             return name && name->getString().starts_with("llvm.loop.unroll.");
           });
  });
}

/// Returns true if `pass` would unroll a loop of `ir` in part. This is left to ptxas, which unrolls short loops, too,
/// and knows the registers. LLVM's copies multiply with those of ptxas: a loop over one scalar would become sixty
/// loads. Loops with few iterations are unrolled completely, by another pass.
static bool unrollsInPart(StringRef pass, const llvm::Any &ir) {
  auto *function = llvm::any_cast<const llvm::Function *>(&ir);
  return pass == "LoopUnrollPass" && function && !hasUnrollRequest(**function);
}

static void optimizeWith(llvm::TargetMachine &machine, llvm::Module &module) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  tuning.LoopInterleaving = false;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassInstrumentationCallbacks callbacks;
  bool skipsFallbacks = true;
  callbacks.registerShouldRunOptionalPassCallback(
      [&](StringRef pass, llvm::Any ir) { return !(skipsFallbacks && isInFallback(ir)) && !unrollsInPart(pass, ir); });
  llvm::PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
  skipsFallbacks = false;
  llvm::FunctionPassManager passes;
  llvm::cantFail(builder.parsePassPipeline(passes, fallbackPasses));
  for (llvm::Function &function : module)
    if (function.hasFnAttribute(fallbackAttr))
      passes.run(function, functions);
}

llvm::Error tilecc::optimize(llvm::Module &module, const nvidia::Architecture &target) {
  auto machine = createTargetMachine(target);
  if (!machine)
    return machine.takeError();
  optimizeWith(**machine, module);
  return llvm::Error::success();
}

namespace {
/// Disables straight-line strength reduction, which compares every pair of addresses in a block. It takes most of the
/// time of code generation if each element has its own address, which is so without assumptions about alignment. It
/// does not improve such code: the 18 dots of bench/compile-time have 1 % more instructions with it.
class NoStrengthReduction final : public llvm::OptPassGate {
public:
  explicit NoStrengthReduction(const llvm::Module &module) {
    for (const llvm::Function &function : module)
      if (function.hasFnAttribute(fallbackAttr))
        fallbacks.insert(("function (" + function.getName() + ")").str());
  }
  bool shouldRunPass(StringRef pass, StringRef place) const override {
    return pass != "slsr" || !fallbacks.contains(place);
  }
  bool isEnabled() const override { return !fallbacks.empty(); }

private:
  llvm::StringSet<> fallbacks;
};
} // namespace

llvm::Expected<std::string> tilecc::emitPTX(llvm::Module &module, const nvidia::Architecture &target,
                                            unsigned ptxVersion, llvm::function_ref<void(llvm::Module &)> optimized) {
  if (llvm::Error error = checkTarget(target, ptxVersion))
    return std::move(error);
  auto [needed, what] = getNeededPTX(module);
  if (ptxVersion && ptxVersion < needed)
    return llvm::createStringError("%s need PTX %u.%u", what, needed / 10, needed % 10);
  auto machine =
      createTargetMachine(target, ptxVersion ? ptxVersion : std::max(needed, nvidia::findFacts(target)->ptxVersion));
  if (!machine)
    return machine.takeError();
  optimizeWith(**machine, module);
  formWideProducts(module);
  if (optimized)
    optimized(module);
  llvm::SmallVector<char, 0> text;
  llvm::raw_svector_ostream os(text);
  NoStrengthReduction gate(module);
  llvm::OptPassGate &before = module.getContext().getOptPassGate();
  module.getContext().setOptPassGate(gate);
  llvm::scope_exit restore([&] { module.getContext().setOptPassGate(before); });
  llvm::legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, os, nullptr, llvm::CodeGenFileType::AssemblyFile))
    llvm::reportFatalInternalError("LLVM's NVPTX backend cannot write PTX");
  passes.run(module);
  return std::string(text.begin(), text.end());
}

/// Returns a version of PTX times ten: 78 for "7.8".
static unsigned parseVersion(StringRef version) {
  unsigned major = 0, minor = 0;
  version.split('.').first.getAsInteger(10, major);
  version.split('.').second.getAsInteger(10, minor);
  return major * 10 + minor;
}

namespace {
/// Joins PTX files line by line. Declarations appear once, and source files get new numbers.
class PTXJoiner {
public:
  explicit PTXJoiner(llvm::raw_ostream &os) : os(os) {}

  /// Adds the code of a file, which is what follows the header.
  void add(StringRef code) {
    // 	.file	1 "/home/me/a.tt.cpp"
    llvm::DenseMap<unsigned, unsigned> numbers;
    for (StringRef line : llvm::split(code, '\n'))
      if (line.consume_front("\t.file\t")) {
        auto [number, name] = line.split(' ');
        numbers[parse(number)] = files.insert({name, files.size() + 1}).first->second;
      }
    bool isDeclaration = false;
    std::string declaration;
    for (StringRef line : llvm::split(code, '\n')) {
      if (line.starts_with("\t.file\t") || line.starts_with("\t.section\t"))
        continue; // written by finish()
      isDeclaration |= line.starts_with(".extern ");
      if (isDeclaration) {
        (declaration += line) += '\n';
        if (line.ends_with(";")) {
          if (declarations.insert(declaration).second)
            os << declaration;
          declaration.clear();
          isDeclaration = false;
        }
      } else if (line.consume_front("\t.loc\t")) {
        auto [number, position] = line.split(' ');
        os << "\t.loc\t" << numbers.lookup(parse(number)) << ' ' << position << '\n';
      } else {
        os << line << '\n';
      }
    }
  }

  void finish() {
    os << "\t.section\t.debug_macinfo\t{\t}\n";
    for (const auto &[name, number] : files)
      os << "\t.file\t" << number << ' ' << name << '\n';
  }

private:
  static unsigned parse(StringRef number) {
    unsigned value = 0;
    number.getAsInteger(10, value);
    return value;
  }

  llvm::raw_ostream &os;
  llvm::MapVector<StringRef, unsigned> files; ///< by their quoted names
  std::set<std::string> declarations;
};
} // namespace

std::string tilecc::joinPTX(llvm::ArrayRef<std::string> files) {
  // The header of a file ends with the line of the address size. The PTX version of the result is the newest version
  // that a file needs.
  constexpr StringRef last = ".address_size 64\n";
  auto getHeader = [&](StringRef file) { return file.take_front(file.find(last) + last.size()); };
  auto getVersion = [](StringRef file) { return parseVersion(file.split(".version ").second.split('\n').first); };
  auto newest = std::max_element(files.begin(), files.end(), [&](const std::string &a, const std::string &b) {
    return getVersion(a) < getVersion(b);
  });
  std::string text;
  llvm::raw_string_ostream os(text);
  os << getHeader(*newest);
  PTXJoiner joiner(os);
  for (const std::string &file : files)
    joiner.add(StringRef(file).drop_front(getHeader(file).size()).rtrim('\n'));
  joiner.finish();
  return text;
}

std::string tilecc::retargetPTX(StringRef ptx, const nvidia::Architecture &target) {
  // .version 7.8
  // .target sm_90
  auto [beforeVersion, fromVersion] = ptx.split(".version ");
  auto [version, afterVersion] = fromVersion.split('\n');
  auto [beforeTarget, fromTarget] = afterVersion.split(".target sm_");
  auto [arch, rest] = fromTarget.split('\n');
  unsigned written = parseVersion(version), needed = nvidia::findFacts(target)->ptxVersion;
  const nvidia::Facts *before = nvidia::findFacts(*nvidia::Architecture::parse(arch));
  if (written > before->ptxVersion) // because of the features that the code uses
    needed = std::max(needed, written);
  return (beforeVersion + ".version " + std::to_string(needed / 10) + "." + std::to_string(needed % 10) + "\n" +
          beforeTarget + ".target " + target.sm() + "\n" + rest)
      .str();
}
