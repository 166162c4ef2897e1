//===- CpuBackend.cpp - the CPU back end and its targets ---------------------------------------------------------===//
//
// Registers this back end. Its targets are "cpu", one function per level of the machine that tcc compiles for, and
// "cpu:3", a single level. Isa.h has the table of levels.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/CpuBackend.h"
#include "targets/cpu/CpuCodeGenerator.h"
#include "targets/cpu/Isa.h"
#include "targets/Registry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;

namespace tilecc {

static ArrayRef<cpu::Isa> levelsOfHost() { return cpu::isaLevels(Triple(sys::getDefaultTargetTriple())); }

/// Returns null if the machine that tcc runs on has no such level; code for others is not generated.
static const cpu::Isa *findIsa(unsigned level) {
  const cpu::Isa *isa = find_if(levelsOfHost(), [&](const cpu::Isa &isa) { return isa.level == level; });
  return level && isa != levelsOfHost().end() ? isa : nullptr;
}

namespace {
class CpuBackend final : public Backend {
public:
  bool hasTarget(StringRef name) const override {
    if (!name.consume_front("cpu"))
      return false;
    unsigned level = 0;
    return name.empty() || (name.consume_front(":") && !name.getAsInteger(10, level) && findIsa(level));
  }
  SmallVector<Target> listTargets() const override {
    return map_to_vector(reverse(levelsOfHost()), [](const cpu::Isa &isa) { return cpuTarget(isa.level); });
  }
  std::string describe(const Target &target) const override {
    unsigned level = cpuLevelOf(target);
    return std::to_string(level) + " (" + findIsa(level)->name + ")";
  }
  bool usesVariants() const override { return false; }
  Rank getRank(const Target &target) const override { return {cpuLevelOf(target), 0}; }

  std::string commandForIR(const Target &target) const override {
    unsigned level = cpuLevelOf(target);
    return "tcc --emit=cpu-asm" + (level ? " --cpu-level=" + std::to_string(level) : std::string());
  }
  std::string commandForLLVM(const Target &) const override { return "tcc-translate --llvm-to-cpu-asm"; }

  void initializeLLVM() const override {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    InitializeNativeTargetAsmParser();
  }
  void registerDialects(mlir::DialectRegistry &) const override {} // TTIR is lowered to LLVM IR directly
  void registerPasses() const override {}
  std::unique_ptr<CodeGenerator> createCodeGenerator(const CodeOptions &options) const override {
    return createCpuCodeGenerator(options);
  }
};
} // namespace

const Backend &cpuBackend() {
  static const CpuBackend backend;
  return backend;
}

unsigned cpuLevelOf(const Target &target) {
  StringRef name = target.name;
  unsigned level = 0;
  return name.consume_front("cpu:") && !name.getAsInteger(10, level) ? level : 0;
}

} // namespace tilecc
