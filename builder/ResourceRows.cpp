//===- ResourceRows.cpp - the resources that kernels use on a GPU ---------===//
//
// Joins the assembler's reports about symbols with the kernels that they belong to, for warnings, tables and
// SpillRetry.cpp.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "builder/ResourceRows.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tilecc {

std::vector<ResourceRow> resourceRows(ArrayRef<Kernel> kernels, ArrayRef<TargetReport> reports) {
  std::vector<ResourceRow> rows;
  for (auto [t, each] : enumerate(reports)) {
    if (kernels.empty())
      for (const KernelResources &used : each.report.kernels)
        rows.push_back({nullptr, used.symbol, "", each.target, used, 0, 0});
    for (const Kernel &kernel : kernels)
      for (const KernelVariant &variant : kernel.variants)
        for (const KernelResources &used : each.report.kernels)
          if (used.symbol == variant.symbol)
            rows.push_back({&kernel, kernel.displayName, variant.name, each.target, used,
                            variant.launches[t].sharedBytes, variant.launches[t].threads});
  }
  return rows;
}

/// Returns, for example, "sm_90" or "sm_90 (variant p16)".
static std::string describe(const ResourceRow &row) {
  return row.variant.empty() ? row.target.name : row.target.name + " (variant " + row.variant + ")";
}

static std::optional<std::string> describeSpills(ArrayRef<const ResourceRow *> all, bool ofAllVariants) {
  const Kernel *kernel = all.front()->kernel;
  StringRef usual =
      kernel && !kernel->variants.empty() ? StringRef(getUsualVariant(*kernel).name) : StringRef(all.front()->variant);
  auto spilled = [](const ResourceRow *row) { return row->used.spillStoreBytes + row->used.spillLoadBytes; };
  SmallVector<const ResourceRow *> rows;
  for (const ResourceRow *row : all)
    if (row->variant == usual || ofAllVariants)
      rows.push_back(row);
  const ResourceRow *worst = rows.front();
  SetVector<StringRef> targets;
  for (const ResourceRow *row : rows) {
    if (spilled(row))
      targets.insert(row->target.name);
    if (spilled(row) > spilled(worst))
      worst = row;
  }
  if (targets.empty())
    return std::nullopt;
  std::string text;
  raw_string_ostream(text) << worst->name << " does not fit into registers for " << join(targets, ", ") << ": "
                           << describe(*worst) << " uses " << worst->used.registers << " and spills "
                           << worst->used.spillStoreBytes << " bytes of stores and " << worst->used.spillLoadBytes
                           << " of loads a thread; smaller tiles or more warps need fewer";
  return text;
}

std::vector<ResourceWarning> findResourceWarnings(ArrayRef<ResourceRow> rows, bool ofAllVariants) {
  MapVector<StringRef, SmallVector<const ResourceRow *>> byKernel;
  for (const ResourceRow &row : rows)
    byKernel[row.name].push_back(&row);
  std::vector<ResourceWarning> warnings;
  for (auto &[name, ofKernel] : byKernel) {
    if (auto text = describeSpills(ofKernel, ofAllVariants))
      warnings.push_back({ResourceWarning::Spill, ofKernel.front()->kernel, std::move(*text)});
    StringSet<> said;
    for (const ResourceRow *row : ofKernel)
      for (const std::string &remark : row->used.remarks)
        if (said.insert(remark).second)
          warnings.push_back(
              {ResourceWarning::Remark, row->kernel, row->name + " for " + describe(*row) + ": " + remark});
  }
  return warnings;
}

} // namespace tilecc
