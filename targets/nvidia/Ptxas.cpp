//===- Ptxas.cpp - runs ptxas, the assembler for NVIDIA's GPUs ----------------------------------------------------===//
//
// This file builds the command line, and parses the output of `ptxas -v`.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/Ptxas.h"
#include "targets/nvidia/Architectures.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace tilecc::nvidia {

namespace {
class Ptxas final : public Assembler {
public:
  std::vector<std::string> getCommand(const AssemblerOptions &options, const Target &target, StringRef ptx,
                                      StringRef cubin) const override;
  AssemblerReport parseOutput(StringRef text) const override;
  bool recordUsualThreads(MutableArrayRef<char> cubin) const override;
  bool isInAllVersions(const Target &target) const override;
};
} // namespace

const Assembler &getPtxas() {
  static const Ptxas ptxas;
  return ptxas;
}

std::vector<std::string> Ptxas::getCommand(const AssemblerOptions &options, const Target &target, StringRef ptx,
                                           StringRef cubin) const {
  std::vector<std::string> command = {options.path, "-arch=" + target.name, options.isDebug ? "-O0" : "-O3", "-v"};
  if (options.isRelocatable)
    command.push_back("-c");
  command.push_back(options.isDebug ? "-g" : options.lineInfo ? "-lineinfo" : "-suppress-debug-info");
  if (none_of(options.others, [](StringRef other) { return other.ltrim('-').starts_with("split-compile"); }))
    command.push_back("--split-compile=" + std::to_string(options.threads));
  if (!options.maxRegisters.empty())
    command.insert(command.end(), {"-maxrregcount", options.maxRegisters});
  command.insert(command.end(), options.others.begin(), options.others.end());
  command.insert(command.end(), {ptx.str(), "-o", cubin.str()});
  return command;
}

bool Ptxas::recordUsualThreads(MutableArrayRef<char> cubin) const {
  constexpr StringLiteral option = "-split-compile ";
  size_t at = StringRef(cubin.data(), cubin.size()).find(option);
  const char usual = char('0' + AssemblerOptions().threads);
  if (at == StringRef::npos || at + option.size() >= cubin.size() || cubin[at + option.size()] == usual)
    return false;
  cubin[at + option.size()] = usual;
  return true;
}

/// Returns the number before `what`, as in "24 bytes spill stores, ...", or 0 if it is absent.
static unsigned numberBefore(StringRef line, StringRef what) {
  size_t at = line.find(what);
  if (at == StringRef::npos)
    return 0;
  StringRef before = line.take_front(at).rtrim();
  size_t begin = before.find_last_not_of("0123456789");
  unsigned number = 0;
  before.substr(begin == StringRef::npos ? 0 : begin + 1).getAsInteger(10, number);
  return number;
}

bool Ptxas::isInAllVersions(const Target &target) const {
  constexpr unsigned oldestToolkit = 87; // the PTX version of CUDA 12.8
  const Facts *facts = findFacts(architectureOf(target));
  return !facts || facts->ptxVersion <= oldestToolkit; // tile kernels do not support it: an old architecture
}

AssemblerReport Ptxas::parseOutput(StringRef text) const {
  // ptxas info    : Compiling entry function 'add$a16' for 'sm_90'
  // ptxas info    : Function properties for add$a16
  //     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
  // ptxas info    : Used 14 registers, used 1 barriers, 1024 bytes smem
  // ptxas info    : (C7510) Potential Performance Loss: ... in the function 'add$a16'
  static const Regex entry("Compiling entry function '([^']*)'"), remark("Potential Performance Loss: (.*)"),
      inFunction("function '([^']*)'");
  AssemblerReport report;
  SmallVector<StringRef> lines;
  text.split(lines, '\n', -1, /*KeepEmpty=*/false);
  std::vector<std::pair<std::string, std::string>> remarks; // they are printed before or after their function
  for (StringRef line : lines) {
    SmallVector<StringRef> match;
    if (remark.match(line, &match)) {
      std::string what = match[1].str();
      SmallVector<StringRef> function;
      if (inFunction.match(line, &function)) {
        remarks.push_back({function[1].str(), what});
        continue;
      }
      report.rest += (line + "\n").str(); // not about a particular kernel
    } else if (entry.match(line, &match)) {
      report.kernels.push_back({match[1].str()});
    } else if (line.contains("bytes stack frame") && !report.kernels.empty()) {
      KernelResources &kernel = report.kernels.back();
      kernel.stackBytes = numberBefore(line, "bytes stack frame");
      kernel.spillStoreBytes = numberBefore(line, "bytes spill stores");
      kernel.spillLoadBytes = numberBefore(line, "bytes spill loads");
    } else if (line.contains("Used ") && !report.kernels.empty()) {
      report.kernels.back().registers = numberBefore(line, " registers");
      report.kernels.back().sharedBytes = numberBefore(line, " bytes smem");
    } else if (line.contains("Option suppress-debug-info requires")) {
      continue; // PTX without kernels has no line information to omit
    } else if (!line.starts_with("ptxas info") && !line.starts_with("    ")) {
      report.rest += (line + "\n").str();
    }
  }
  for (auto &[symbol, what] : remarks)
    for (KernelResources &kernel : report.kernels)
      if (kernel.symbol == symbol)
        kernel.remarks.push_back(what);
  return report;
}

} // namespace tilecc::nvidia
