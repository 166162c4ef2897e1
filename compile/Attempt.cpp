//===- Attempt.cpp - records what a thread compiles ---------------------------------------------------------------===//
//
// compile() creates an attempt for each variant that it lowers, and the back ends create an attempt for each module for
// which they generate code. If the compiler crashes, the driver's handlers of signals and fatal errors read the attempt
// of the current thread.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "compile/Attempt.h"
#include "compile/Warps.h"
#include "targets/Backend.h"
#include "lowering/dialects/ttg/TTG.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tilecc {

static thread_local Attempt *currentAttempt = nullptr;

static std::string asFileName(StringRef name) {
  std::string result = name.take_front(100).str();
  for (char &c : result)
    if (!isAlnum(c))
      c = '_';
  return result;
}

Attempt::Attempt(const Kernel &kernel, const Target &target) : Attempt(kernel, *kernel.ttir, target, nullptr) {}

Attempt::Attempt(const Kernel &kernel, const Variant &variant, const Target &target)
    : Attempt(kernel, *variant.module, target, &variant) {}

Attempt::Attempt(const Kernel &kernel, mlir::ModuleOp module, const Target &target, const Variant *variant)
    : name(asFileName(kernel.displayName)), comment("//"), ir(printModule(module)), takesCodeOptions(true) {
  command = target.backend->commandForIR(target);
  bool hasLayouts = ttg::hasLayouts(module);
  extension = hasLayouts ? ".ttgir" : ".ttir";
  if (!hasLayouts && target.isGpu()) {
    GpuOptions options = variant ? gpuOptions(kernel, *variant, target) : gpuOptions(kernel, target);
    for (const KernelAttribute &attribute : kernelAttributes)
      if (const std::optional<int> &value = options.*attribute.member)
        command += " " + attribute.getOption() + (attribute.most ? "=" + std::to_string(*value) : std::string());
  }
  currentAttempt = this;
}

Attempt::Attempt(const Module &module, const Target &target) : extension(".bc"), takesCodeOptions(false) {
  for (const Function &function : module)
    if (!function.isDeclaration()) {
      name = asFileName(function.getName());
      break;
    }
  raw_string_ostream stream(ir);
  WriteBitcodeToFile(module, stream); // writing text takes four times as long, a thirtieth of the total time
  command = target.backend->commandForLLVM(target);
  currentAttempt = this;
}

Attempt::~Attempt() { currentAttempt = nullptr; }

Attempt *Attempt::current() { return currentAttempt; }

} // namespace tilecc
