//===- CpuCode.cpp - kernels for the CPU device ---------------------------------------------------------------------===//

#include "driver/CpuCode.h"
#include "driver/Options.h"
#include "driver/Steps.h"
#include "driver/TileWarnings.h"
#include "lowering/cpu/CpuLowering.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tilecc {

/// Kernels that two translation units share must not clash when they are linked, and kernels of the same name that
/// differ (in anonymous namespaces) must not be merged. So functions are named after their code and may be merged.
static void nameByContent(Module &module, CpuCode &code) {
  for (auto &kernel : code.entries)
    for (CpuEntry &entry : kernel) {
      Function *function = module.getFunction(entry.symbol);
      std::string text;
      raw_string_ostream(text) << *function;
      std::string digest = toHex(SHA256::hash(arrayRefFromStringRef(text)), /*LowerCase=*/true).substr(0, 16);
      entry.symbol += "." + digest;
      function->setName(entry.symbol);
      function->setLinkage(GlobalValue::WeakODRLinkage);
      function->setVisibility(GlobalValue::HiddenVisibility);
      function->setComdat(module.getOrInsertComdat(entry.symbol));
    }
}

static bool isForGpuAlone(mlir::ModuleOp module) {
  return module.walk([](tt::ElementwiseInlineAsmOp) { return mlir::WalkResult::interrupt(); }).wasInterrupted();
}

static cpu::CpuOptions cpuOptions(Context &ctx) {
  cpu::CpuOptions result;
  result.fmad = ctx.floats.fmad;
  if (unsigned level; !ctx.args.getLastArgValue(options::OPT_cpu_level_EQ).getAsInteger(10, level))
    result.onlyLevel = level;
  return result;
}

static CpuCode lowerAll(Context &ctx, std::vector<Kernel> &kernels, Module &module) {
  CpuCode code;
  for (Kernel &kernel : kernels) {
    Timed timed(ctx, "CPU code of " + kernel.displayName);
    if (isForGpuAlone(*kernel.ttir)) {
      constexpr const char *why = "the kernel has inline assembly, which is for GPUs: there is no code for the CPU";
      if (ctx.stage == Stage::CpuLLVM || ctx.stage == Stage::CpuAsm)
        Error(ctx) << kernel.displayName << ": " << why;
      else
        warnOfKernel(ctx, TileWarning::Cpu, &kernel, kernel.displayName, why);
      code.entries.emplace_back(); // launching it on the CPU is an error of the runtime's
      continue;
    }
    CrashReproducer reproducer(kernel.displayName, printModule(*kernel.ttir));
    auto functions = cpu::lowerToCpu(*kernel.ttir, cpuOptions(ctx), module);
    std::vector<CpuEntry> entries;
    if (failed(functions)) {
      if (!ctx.errors)
        Error(ctx) << kernel.displayName << ": cannot be compiled for the CPU";
    } else {
      for (const cpu::CpuKernel &function : *functions)
        entries.push_back({function.level, function.scratchBytes, function.symbol});
    }
    code.entries.push_back(std::move(entries));
  }
  return code;
}

CpuCode compileForCpu(Context &ctx, std::vector<Kernel> &kernels) {
  LLVMContext llvm;
  Module module("kernels", llvm);
  CpuCode code = lowerAll(ctx, kernels, module);
  if (ctx.errors)
    return code;
  nameByContent(module, code);
  Timed timed(ctx, "CPU code generation");
  SmallString<0> object;
  raw_svector_ostream stream(object);
  if (llvm::Error error = cpu::emitObject(module, cpuOptions(ctx), stream))
    Error(ctx) << toString(std::move(error));
  code.object = object.str().str();
  return code;
}

std::optional<std::string> printCpuCode(Context &ctx, std::vector<Kernel> &kernels) {
  LLVMContext llvm;
  Module module("kernels", llvm);
  lowerAll(ctx, kernels, module);
  if (ctx.errors)
    return std::nullopt;
  if (ctx.stage == Stage::CpuLLVM) {
    std::string text;
    raw_string_ostream(text) << module;
    return text;
  }
  SmallString<0> text;
  raw_svector_ostream stream(text);
  if (llvm::Error error = cpu::emitAssembly(module, cpuOptions(ctx), stream)) {
    Error(ctx) << toString(std::move(error));
    return std::nullopt;
  }
  return text.str().str();
}

} // namespace tilecc
