//===- SpirvModule.cpp - compiles LLVM IR to SPIR-V ---------------------------------------------------------------===//
//
// The SPIR-V code generator calls these functions once for all kernels of a source.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/spirv/SpirvModule.h"
#include "targets/GpuPipeline.h"
#include "targets/Linker.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/CodeGenTargetMachineImpl.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Target/TargetLoweringObjectFile.h"
#include "llvm/Target/TargetMachine.h"
#include <mutex>

using namespace llvm;

namespace tilecc::spirv {

static constexpr StringLiteral tripleOfDevices = "spirv64v1.3-unknown-unknown";

static bool isOfOne(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector && vector->getNumElements() == 1;
}

/// Replaces vectors of one element, which SPIR-V lacks, by scalars. The packing and unpacking that this adds disappear
/// when the module is optimized.
static void moveAsScalars(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      IRBuilder<> builder(&instruction);
      auto *store = dyn_cast<StoreInst>(&instruction);
      if (store && isOfOne(store->getValueOperand()->getType()))
        store->setOperand(0, builder.CreateExtractElement(store->getValueOperand(), uint64_t(0)));
      auto *cast = dyn_cast<BitCastInst>(&instruction);
      if (cast && isOfOne(cast->getSrcTy()))
        cast->setOperand(0, builder.CreateExtractElement(cast->getOperand(0), uint64_t(0)));
      if (!isa<LoadInst, BitCastInst>(instruction) || !isOfOne(instruction.getType()))
        continue;
      Type *vector = instruction.getType();
      instruction.mutateType(vector->getScalarType());
      builder.SetInsertPoint(instruction.getNextNode());
      Value *placed = builder.CreateInsertElement(PoisonValue::get(vector), &instruction, uint64_t(0));
      instruction.replaceUsesWithIf(placed, [&](Use &use) { return use.getUser() != placed; });
    }
}

std::unique_ptr<Module> linkKernels(MutableArrayRef<std::unique_ptr<Module>> kernels) {
  std::unique_ptr<Module> module = linkModules(kernels);
  Triple triple(tripleOfDevices);
  module->setTargetTriple(triple);
  module->setDataLayout(triple.computeDataLayout());
  StripDebugInfo(*module);
  moveAsScalars(*module);
  return module;
}

/// Contracts a product and the addition that is its only use, if both may be contracted. OpenCL has an option for this,
/// but only for a whole kernel, and some math functions (lowering/math/Formulas.h) depend on each rounding.
static void contractProducts(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      bool isDifference = instruction.getOpcode() == Instruction::FSub;
      if ((!isDifference && instruction.getOpcode() != Instruction::FAdd) || !instruction.hasAllowContract())
        continue;
      for (unsigned side : {0u, 1u}) {
        auto *product = dyn_cast<BinaryOperator>(instruction.getOperand(side));
        if (!product || product->getOpcode() != Instruction::FMul || !product->hasAllowContract() ||
            !product->hasOneUse())
          continue;
        IRBuilder<> builder(&instruction);
        Value *x = product->getOperand(0), *other = instruction.getOperand(1 - side);
        if (isDifference && side == 0)
          other = builder.CreateFNeg(other);
        if (isDifference && side == 1)
          x = builder.CreateFNeg(x);
        instruction.replaceAllUsesWith(
            builder.CreateIntrinsic(instruction.getType(), Intrinsic::fma, {x, product->getOperand(1), other}));
        instruction.eraseFromParent();
        product->eraseFromParent();
        break;
      }
    }
}

/// Expands llvm.maximum and llvm.minimum, which return NaN if an operand is NaN. LLVM's back end would map them to fmax
/// and fmin, which ignore NaNs.
static void expandMaxima(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *call = dyn_cast<IntrinsicInst>(&instruction);
      Intrinsic::ID id = call ? call->getIntrinsicID() : Intrinsic::not_intrinsic;
      if (id != Intrinsic::maximum && id != Intrinsic::minimum)
        continue;
      IRBuilder<> builder(call);
      Value *x = call->getArgOperand(0), *y = call->getArgOperand(1);
      Value *number =
          builder.CreateBinaryIntrinsic(id == Intrinsic::maximum ? Intrinsic::maxnum : Intrinsic::minnum, x, y);
      Value *isNaN = builder.CreateFCmpUNO(x, y);
      call->replaceAllUsesWith(builder.CreateSelect(isNaN, builder.CreateFAdd(x, y), number));
      call->eraseFromParent();
    }
}

/// Expands llvm.bitreverse, which OpenCL lacks. LLVM's passes create it, also for integers of a few bits. The value is
/// reversed in 32 or 64 bits: its halves are swapped, then the halves of these, and so on.
static void expandBitReversals(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *call = dyn_cast<IntrinsicInst>(&instruction);
      if (!call || call->getIntrinsicID() != Intrinsic::bitreverse || !call->getType()->isIntegerTy())
        continue;
      IRBuilder<> builder(call);
      unsigned bits = call->getType()->getIntegerBitWidth(), wide = bits <= 32 ? 32 : 64;
      Type *type = builder.getIntNTy(wide);
      Value *value = builder.CreateZExt(call->getArgOperand(0), type);
      for (unsigned step = wide / 2; step; step /= 2) {
        Value *low = ConstantInt::get(type, APInt::getSplat(wide, APInt::getLowBitsSet(2 * step, step)));
        Value *up = builder.CreateShl(builder.CreateAnd(value, low), step);
        value = builder.CreateOr(up, builder.CreateAnd(builder.CreateLShr(value, step), low));
      }
      call->replaceAllUsesWith(builder.CreateTrunc(builder.CreateLShr(value, wide - bits), call->getType()));
      call->eraseFromParent();
    }
}

static std::unique_ptr<TargetMachine> createTargetMachine() {
  // The set of extensions is a global option, which the target machine copies. lld, which links code for AMD's GPUs in
  // the same process, resets it.
  std::lock_guard lock(getLinkerMutex());
  constexpr StringLiteral name = "spirv-ext";
  auto option = cl::getRegisteredOptions().find(name);
  bool isKnown = option != cl::getRegisteredOptions().end();
  if (!isKnown || (!option->second->getNumOccurrences() && option->second->addOccurrence(0, name, extensions)))
    reportFatalInternalError("LLVM's SPIR-V back end has no option for its extensions");
  Triple triple(tripleOfDevices);
  std::string error;
  const llvm::Target *backend = TargetRegistry::lookupTarget(triple, error);
  if (!backend)
    reportFatalInternalError("LLVM was built without SPIR-V: " + Twine(error));
  // Do not optimize. Loop strength reduction would create addresses in bytes, which the back end would write in units
  // of elements.
  return std::unique_ptr<TargetMachine>(
      backend->createTargetMachine(triple, "", "", TargetOptions(), std::nullopt, std::nullopt, CodeGenOptLevel::None));
}

void optimize(Module &module, bool fmad) {
  std::unique_ptr<TargetMachine> machine = createTargetMachine();
  optimizeForGpu(module, *machine);
  expandMaxima(module);
  expandBitReversals(module);
  if (fmad)
    contractProducts(module);
}

/// Runs LLVM's back end. Calls are serialized, because the back end keeps analysis results of a module in a global
/// variable.
static std::string generateCode(Module &module) {
  static std::mutex oneAtATime;
  std::lock_guard lock(oneAtATime);
  std::unique_ptr<TargetMachine> machine = createTargetMachine();
  auto &generator = static_cast<CodeGenTargetMachineImpl &>(*machine);
  SmallVector<char, 0> binary;
  raw_svector_ostream stream(binary);
  legacy::PassManager passes;
  auto *wrapper = new MachineModuleInfoWrapperPass(machine.get());
  MachineModuleInfo &functions = wrapper->getMMI();
  const_cast<TargetLoweringObjectFile *>(machine->getObjFileLowering())->Initialize(functions.getContext(), *machine);
  TargetPassConfig *config = generator.createPassConfig(passes);
  config->setDisableVerify(true);
  passes.add(config);
  passes.add(wrapper);
  if (config->addISelPasses())
    reportFatalInternalError("LLVM's SPIR-V back end cannot select instructions");
  config->addMachinePasses();
  config->setInitialized();
  if (generator.addAsmPrinter(passes, stream, nullptr, CodeGenFileType::ObjectFile, functions.getContext()))
    reportFatalInternalError("LLVM's SPIR-V back end cannot write modules");
  passes.run(module);
  // LLVM 22 keeps the ids of labels across modules, indexed by the addresses of functions. So these addresses must not
  // be reused, and the functions are never freed. Without its code, a function is small.
  for (Function &function : module)
    if (MachineFunction *code = functions.getMachineFunction(function))
      code->reset();
  new MachineModuleInfo(std::move(functions)); // deliberately never freed
  return std::string(binary.begin(), binary.end());
}

Expected<std::string> writeBinary(Module &module) {
  std::string binary = generateCode(module);
  if (Error problem = checkModule(binary))
    return std::move(problem);
  return binary;
}

} // namespace tilecc::spirv
