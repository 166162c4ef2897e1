//===- CodeObjectWriter.cpp - compiles LLVM IR to code objects ----------------------------------------------------===//
//
// The AMD code generator calls these functions with a module that contains all kernels of a source file.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/amd/CodeObjectWriter.h"
#include "targets/GpuPipeline.h"
#include "targets/Linker.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/AMDGPUAddrSpace.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"

using namespace llvm;

namespace tilecc::amd {

static std::unique_ptr<TargetMachine> createTargetMachine(const Facts &facts) {
  Triple triple("amdgcn-amd-amdhsa");
  std::string error;
  const llvm::Target *backend = TargetRegistry::lookupTarget(triple, error);
  if (!backend)
    reportFatalInternalError("LLVM was built without AMDGPU: " + Twine(error));
  return std::unique_ptr<TargetMachine>(backend->createTargetMachine(triple, facts.name, facts.getFeatures(),
                                                                     TargetOptions(), Reloc::PIC_, std::nullopt,
                                                                     CodeGenOptLevel::Aggressive));
}

/// Sets the attributes that describe a kernel's launch. A kernel requests no implicit inputs except its work-group id
/// and, if the kernel uses it, the grid size.
static void describeLaunch(Function &kernel, const FloatOptions &floats) {
  MDNode *size = kernel.getMetadata("reqd_work_group_size");
  std::string threads = std::to_string(mdconst::extract<ConstantInt>(size->getOperand(0))->getZExtValue());
  kernel.addFnAttr("amdgpu-flat-work-group-size", threads + "," + threads);
  kernel.addFnAttr("uniform-work-group-size", "true");
  if (floats.ftz)
    kernel.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
  bool asksForGrid = any_of(instructions(kernel), [](const Instruction &instruction) {
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    return call && call->getIntrinsicID() == Intrinsic::amdgcn_implicitarg_ptr;
  });
  if (!asksForGrid)
    kernel.addFnAttr("amdgpu-no-implicitarg-ptr");
  for (StringRef unused :
       {"dispatch-ptr", "queue-ptr", "dispatch-id", "workitem-id-y", "workitem-id-z", "lds-kernel-id", "hostcall-ptr",
        "heap-ptr", "default-queue", "completion-action", "multigrid-sync-arg"})
    kernel.addFnAttr(("amdgpu-no-" + unused).str());
  kernel.setVisibility(GlobalValue::ProtectedVisibility);
}

/// Adds the metadata that the LLVM dialect cannot express. An f32 division or square root with the flag `afn` may be as
/// inaccurate as NVIDIA's instructions (div.full, sqrt.approx). An atomic addition with a scope below system may assume
/// that the memory belongs to the device, and becomes a single instruction.
static void addMetadata(Module &module) {
  MDBuilder builder(module.getContext());
  auto relax = [&](Instruction &instruction, float ulps) {
    FastMathFlags flags = instruction.getFastMathFlags();
    if (!flags.approxFunc() || !instruction.getType()->getScalarType()->isFloatTy())
      return;
    flags.setApproxFunc(false);
    instruction.copyFastMathFlags(flags);
    instruction.setMetadata(LLVMContext::MD_fpmath, builder.createFPMath(ulps));
  };
  auto number = [&](uint64_t value) { return ConstantInt::get(Type::getInt64Ty(module.getContext()), value); };
  MDNode *yes = MDNode::get(module.getContext(), {});
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      if (instruction.getOpcode() == Instruction::FDiv)
        relax(instruction, 2.5f);
      else if (auto *assembly = dyn_cast<CallInst>(&instruction); assembly && assembly->isInlineAsm()) {
        // Errors of LLVM's assembler contain this number.
        if (const DebugLoc &at = assembly->getDebugLoc()) {
          Metadata *line = ConstantAsMetadata::get(number(at.getLine()));
          assembly->setMetadata("srcloc", MDNode::get(module.getContext(), line));
        }
      } else if (auto *call = dyn_cast<IntrinsicInst>(&instruction); call && call->getIntrinsicID() == Intrinsic::sqrt)
        relax(instruction, 2.0f);
      else if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction);
               atomic && atomic->getOperation() == AtomicRMWInst::FAdd && atomic->getSyncScopeID() != SyncScope::System)
        for (StringRef promise :
             {"amdgpu.no.fine.grained.memory", "amdgpu.no.remote.memory", "amdgpu.ignore.denormal.mode"})
          atomic->setMetadata(promise, yes);
    }
}

std::unique_ptr<Module> linkKernels(MutableArrayRef<std::unique_ptr<Module>> kernels, const Facts &facts,
                                    const FloatOptions &floats) {
  std::unique_ptr<Module> module = linkModules(kernels);
  std::unique_ptr<TargetMachine> machine = createTargetMachine(facts);
  module->setTargetTriple(machine->getTargetTriple());
  module->setDataLayout(machine->createDataLayout());
  // Version 5 requires ROCm 5 or later. Generic targets need version 6, which requires ROCm 6.3.
  constexpr uint32_t codeObjectV5 = 500, codeObjectV6 = 600;
  module->addModuleFlag(Module::Error, "amdhsa_code_object_version", facts.isGeneric ? codeObjectV6 : codeObjectV5);
  for (Function &function : *module)
    if (function.getCallingConv() == CallingConv::AMDGPU_KERNEL && !function.isDeclaration())
      describeLaunch(function, floats);
  addMetadata(*module);
  return module;
}

void optimize(Module &module, const Facts &facts) {
  std::unique_ptr<TargetMachine> machine = createTargetMachine(facts);
  // If VectorCombine knows that memory exists, it widens a load beyond what the kernel reads. In LDS, another wave may
  // be writing there. LLVM assumes nothing about the memory of a variable that may be absent (extern_weak).
  SmallVector<std::string> names;
  for (GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == AMDGPUAS::LOCAL_ADDRESS) {
      names.push_back(variable.getName().str());
      variable.setInitializer(nullptr);
      variable.setLinkage(GlobalValue::ExternalWeakLinkage);
    }
  optimizeForGpu(module, *machine);
  for (Function &function : module)
    packPhis(function);
  for (StringRef name : names)
    if (GlobalVariable *variable = module.getNamedGlobal(name)) { // null if unused
      variable->setLinkage(GlobalValue::InternalLinkage);
      variable->setInitializer(UndefValue::get(variable->getValueType()));
    }
}

/// Collects the errors of LLVM's back end, which would otherwise be printed and end the process.
static void collectErrors(const DiagnosticInfo *diagnostic, void *errors) {
  if (diagnostic->getSeverity() != DS_Error)
    return;
  raw_string_ostream stream(*static_cast<std::string *>(errors));
  if (auto *inAssembly = dyn_cast<DiagnosticInfoSrcMgr>(diagnostic)) {
    const SMDiagnostic &problem = inAssembly->getSMDiag();
    if (inAssembly->getLocCookie())
      stream << "assembly in line " << inAssembly->getLocCookie() << ": ";
    stream << problem.getMessage() << ": " << problem.getLineContents().trim();
    return;
  }
  DiagnosticPrinterRawOStream printer(stream);
  diagnostic->print(printer);
}

static Expected<std::string> generateCode(Module &module, const Facts &facts, CodeGenFileType type) {
  std::unique_ptr<TargetMachine> machine = createTargetMachine(facts);
  SmallVector<char, 0> code;
  raw_svector_ostream stream(code);
  legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, type))
    reportFatalInternalError("LLVM's AMDGPU back end cannot write files");
  std::string errors;
  LLVMContext &context = module.getContext();
  auto before = context.getDiagnosticHandlerCallBack();
  void *contextBefore = context.getDiagnosticContext();
  context.setDiagnosticHandlerCallBack(collectErrors, &errors);
  scope_exit restore([&] { context.setDiagnosticHandlerCallBack(before, contextBefore); });
  passes.run(module);
  if (!errors.empty())
    return createStringError(errors);
  return std::string(code.begin(), code.end());
}

Expected<std::string> writeAssembly(Module &module, const Facts &facts) {
  return generateCode(module, facts, CodeGenFileType::AssemblyFile);
}

/// Links `object`. lld reads files by name and writes a file, so the object goes through a temporary folder.
static Expected<std::string> linkObject(StringRef object) {
  SmallString<128> folder;
  if (std::error_code error = sys::fs::createUniqueDirectory("tilecc", folder))
    return createFileError(folder, error);
  scope_exit remove([&] { sys::fs::remove_directories(folder); });
  std::string input = (folder + "/kernels.o").str(), output = (folder + "/kernels.hsaco").str();
  std::error_code error;
  raw_fd_ostream stream(input, error);
  if (!error) {
    stream << object;
    stream.close();
    error = stream.error();
    stream.clear_error();
  }
  if (error)
    return createFileError(input, error);
  if (Error problem = runElfLinker({"-shared", "--no-undefined", input, "-o", output}))
    return std::move(problem);
  auto linked = MemoryBuffer::getFile(output, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!linked)
    return createFileError(output, linked.getError());
  return (*linked)->getBuffer().str();
}

Expected<std::string> writeCodeObject(Module &module, const Facts &facts) {
  Expected<std::string> object = generateCode(module, facts, CodeGenFileType::ObjectFile);
  return object ? linkObject(*object) : std::move(object);
}

} // namespace tilecc::amd
