//===- CpuBackend.cpp - the CPU back end and its targets ---------------------------------------------------------===//
//
// This file defines the back end. For the target "cpu", a kernel has one function per instruction set level of the
// machine for which tcc compiles; for "cpu:3", it has a single level. If that machine differs from the one on which tcc
// runs, "@" and a triple follow. Isa.h has the table of levels.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/CpuBackend.h"
#include "targets/cpu/CpuCodeGenerator.h"
#include "targets/cpu/CpuLowering.h"
#include "targets/cpu/Isa.h"
#include "targets/Registry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;

namespace tilecc {

static ArrayRef<cpu::Isa> levelsFor(const CpuTarget &target) {
  return cpu::isaLevels(Triple(target.triple.empty() ? sys::getDefaultTargetTriple() : target.triple));
}

/// Returns the level with the number or name `text`; null if `levels` does not contain it.
static const cpu::Isa *findIsa(ArrayRef<cpu::Isa> levels, StringRef text) {
  const cpu::Isa *isa =
      find_if(levels, [&](const cpu::Isa &isa) { return text == std::to_string(isa.level) || text == isa.suffix; });
  return isa != levels.end() ? isa : nullptr;
}

/// Returns the user's name of a level, which is its number on x86-64.
static std::string nameOf(const cpu::Isa &isa) { return isa.isX86() ? std::to_string(isa.level) : isa.suffix; }

static std::string describe(const cpu::Isa &isa) { return nameOf(isa) + " (" + isa.name + ")"; }

std::optional<CpuTarget> parseCpuTarget(StringRef name, std::string &error) {
  CpuTarget target;
  auto [own, triple] = name.split('@');
  target.triple = triple.empty() ? std::string() : Triple::normalize(triple);
  ArrayRef<cpu::Isa> levels = levelsFor(target);
  if (levels.empty()) {
    error = "there is no CPU code for '" + triple.str() + "', only for x86_64, aarch64 and riscv64";
    return std::nullopt;
  }
  if (own == "cpu")
    return target;
  if (!own.consume_front("cpu:"))
    return std::nullopt;
  if (const cpu::Isa *isa = findIsa(levels, own)) {
    target.level = isa->level;
    return target;
  }
  std::string all = join(map_range(reverse(levels), describe), ", ");
  if (const cpu::Isa *other = findIsa(cpu::allIsas, own))
    error = ("'" + own + "' is a level of " + other->architectureName() + " (" + other->name +
             "), and code is compiled for " + levels.front().architectureName() + "; there are " + all)
                .str();
  else
    error = "'" + own.str() + "' is no level of this architecture; there are " + all;
  return std::nullopt;
}

namespace {
class CpuBackend final : public Backend {
public:
  bool hasTarget(StringRef name) const override {
    std::string error;
    return parseCpuTarget(name, error).has_value();
  }
  SmallVector<Target> listTargets() const override {
    return map_to_vector(reverse(levelsFor({})), [](const cpu::Isa &isa) { return cpuTarget(nameOf(isa)); });
  }
  bool usesVariants() const override { return false; }
  Rank getRank(const Target &target) const override { return {partsOf(target).level, 0}; }

  std::string commandForIR(const Target &target) const override {
    CpuTarget parts = partsOf(target);
    std::string command = "tcc --emit=cpu-asm";
    if (parts.level)
      command += " --cpu-level=" + StringRef(target.name).split('@').first.split(':').second.str();
    return parts.triple.empty() ? command : command + " --target=" + parts.triple;
  }
  std::string commandForLLVM(const Target &) const override { return "tcc-translate --llvm-to-cpu-asm"; }

  void initializeLLVM() const override { cpu::initializeLLVM(); }
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

CpuTarget partsOf(const Target &target) {
  std::string error;
  return *parseCpuTarget(target.name, error);
}

Target cpuTarget(StringRef level, StringRef triple) {
  return {&cpuBackend(), ("cpu" + (level.empty() ? "" : ":" + level) + (triple.empty() ? "" : "@" + triple)).str()};
}

std::string nameOfCpuLevel(unsigned level) {
  const cpu::Isa *isa = findIsa(cpu::allIsas, std::to_string(level));
  return (isa->isX86() ? "x86-64-" : "") + std::string(isa->suffix);
}

std::optional<Target> findCpuTarget(StringRef level, StringRef triple, std::string &error) {
  Target target = cpuTarget(level, triple);
  return parseCpuTarget(target.name, error) ? std::optional(target) : std::nullopt;
}

} // namespace tilecc
