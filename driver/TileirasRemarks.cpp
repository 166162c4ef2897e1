//===- TileirasRemarks.cpp - remarks in the format of tileiras ----------------------------------------------------===//
//
// The remarks are those of -Rtile= on operations. Tileiras has two categories of them: remarks on memory and remarks on
// tensor cores. Front ends keep them as YAML documents, which have the form of LLVM's remarks.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/TileirasRemarks.h"
#include "driver/Diagnostics.h"
#include "driver/Programs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tilecc {

bool wantsTileirasRemarks(const Context &ctx) {
  const auto &wanted = ctx.tileirasRemarks;
  auto isSet = [](bool set) { return set; };
  return any_of(wanted.passed, isSet) || any_of(wanted.missed, isSet);
}

static unsigned categoryOf(const page::OperationRemark &remark) {
  return remark.kind == "dots" ? Context::TileirasRemarks::TensorCore : Context::TileirasRemarks::Memory;
}

static bool isWanted(const Context &ctx, const page::OperationRemark &remark) {
  const auto &wanted = ctx.tileirasRemarks;
  return (remark.isMissed ? wanted.missed : wanted.passed)[categoryOf(remark)];
}

/// Returns the text as a scalar of YAML.
static std::string quote(StringRef text) {
  std::string quoted = "'";
  for (char c : text)
    quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return quoted + "'";
}

static constexpr StringLiteral passes[] = {"Memory", "Tensor-core"};

/// Returns the line of the user's source where a remark belongs; null if it is unknown.
static std::optional<page::Remark::Position> placeOf(const page::OperationRemark &remark) {
  auto chains = page::findChains(remark.loc);
  return chains.empty() ? std::nullopt : std::optional(chains.front().front());
}

static void writeYaml(raw_ostream &out, const Kernel &kernel, const page::OperationRemark &remark) {
  out << "--- !" << (remark.isMissed ? "Missed" : "Passed") << "\nPass:            " << passes[categoryOf(remark)]
      << "\nName:            " << remark.kind << "\n";
  if (auto place = placeOf(remark))
    out << "DebugLoc:        { File: " << quote(place->file) << ", Line: " << place->line
        << ", Column: " << place->column << " }\n";
  out << "Function:        " << kernel.displayName << "\nArgs:\n  - Remark:      " << quote(remark.text) << "\n...\n";
}

static void print(raw_ostream &out, const page::OperationRemark &remark) {
  out << "    remark[" << (remark.isMissed ? "missed" : "passed") << "]: " << remark.text << "\n";
  if (auto place = placeOf(remark))
    out << "      --> \"" << place->file << "\":" << place->line << ":" << place->column << "\n       |\n";
  out << "       = name: " << remark.kind << "\n\n";
}

bool writeTileirasRemarks(Context &ctx, ArrayRef<Kernel> kernels, ArrayRef<Target> targets,
                          const page::RemarkCollector &collector) {
  const bool isYaml = ctx.tileirasRemarks.isYaml;
  std::string text;
  raw_string_ostream out(text);
  for (const Target &target : targets)
    for (const Kernel &kernel : kernels) {
      std::vector<page::OperationRemark> remarks;
      for (const KernelVariant &variant : kernel.variants)
        for (const page::OperationRemark &remark : collector.getRemarks(target, variant.symbol))
          if (isWanted(ctx, remark) && !is_contained(remarks, remark))
            remarks.push_back(remark);
      if (!isYaml && !remarks.empty())
        out << "in function: " << kernel.displayName << ":\n\n";
      for (auto [category, pass] : enumerate(passes)) {
        bool isFirst = true;
        for (const page::OperationRemark &remark : remarks) {
          if (categoryOf(remark) != category)
            continue;
          if (isYaml) {
            writeYaml(out, kernel, remark);
            continue;
          }
          if (std::exchange(isFirst, false))
            out << "  category: " << pass << "\n";
          print(out, remark);
        }
      }
    }
  if (isYaml)
    return writeOutput(ctx, ctx.tileirasRemarks.file, text);
  outs() << text;
  return true;
}

} // namespace tilecc
