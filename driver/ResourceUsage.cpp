//===- ResourceUsage.cpp - the table of --resource-usage, and warnings ----------------------------------------------===//
//
// What ptxas reported, in the user's words. Called by Images.cpp when ptxas has run for every target.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "driver/ResourceUsage.h"
#include "driver/Options.h"
#include "driver/TileWarnings.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tilecc {

/// "sm_90", "sm_90 (variant p16)"
static std::string describe(const ResourceRow &row) {
  return row.variant.empty() ? row.sm : row.sm + " (variant " + row.variant + ")";
}

/// One warning for the targets of a kernel, about the worst of them: of the variant that launches take if they can, or of
/// all variants.
static void warnOfSpills(Context &ctx, StringRef file, ArrayRef<const ResourceRow *> all) {
  auto spilled = [](const ResourceRow *row) { return row->used.spillStoreBytes + row->used.spillLoadBytes; };
  SmallVector<const ResourceRow *> rows;
  for (const ResourceRow *row : all)
    if (row->variant == all.front()->variant || looksAtAllVariants(ctx))
      rows.push_back(row);
  const ResourceRow *worst = rows.front();
  SetVector<StringRef> targets;
  for (const ResourceRow *row : rows) {
    if (spilled(row))
      targets.insert(row->sm);
    if (spilled(row) > spilled(worst))
      worst = row;
  }
  if (targets.empty())
    return;
  std::string text;
  raw_string_ostream stream(text);
  stream << worst->name << " does not fit into registers for " << join(targets, ", ") << ": " << describe(*worst)
         << " uses " << worst->used.registers << " and spills " << worst->used.spillStoreBytes << " bytes of stores and "
         << worst->used.spillLoadBytes << " of loads a thread; smaller tiles or more warps need fewer";
  warnOfKernel(ctx, TileWarning::Spill, worst->kernel, file, text);
}

static void warnOfRemarks(Context &ctx, StringRef file, ArrayRef<const ResourceRow *> rows) {
  StringSet<> said;
  for (const ResourceRow *row : rows)
    for (const std::string &remark : row->used.remarks)
      if (said.insert(remark).second)
        warnOfKernel(ctx, TileWarning::Ptxas, row->kernel, file, row->name + " for " + describe(*row) + ": " + remark);
}

static void printTable(ArrayRef<ResourceRow> rows) {
  std::vector<std::vector<std::string>> cells = {
      {"kernel", "target", "variant", "registers", "spill stores", "spill loads", "stack", "shared", "threads"}};
  for (const ResourceRow &row : rows)
    cells.push_back({row.name, row.sm, row.variant.empty() ? "-" : row.variant, std::to_string(row.used.registers),
                     std::to_string(row.used.spillStoreBytes), std::to_string(row.used.spillLoadBytes),
                     std::to_string(row.used.stackBytes), std::to_string(row.used.sharedBytes + row.launchSharedBytes),
                     row.threads ? std::to_string(row.threads) : "-"});
  std::vector<size_t> widths(cells.front().size(), 0);
  for (const auto &row : cells)
    for (auto [width, cell] : zip_equal(widths, row))
      width = std::max(width, cell.size());
  constexpr unsigned textColumns = 3; // names to the left, numbers to the right
  std::string text;
  raw_string_ostream stream(text);
  for (const auto &row : cells) {
    for (auto [i, cell] : enumerate(row)) {
      std::string padding(widths[i] - cell.size(), ' ');
      stream << (i ? "  " : "") << (i < textColumns ? cell + padding : padding + cell);
    }
    stream << '\n';
  }
  printWhole(text);
}

void reportResources(Context &ctx, StringRef file, ArrayRef<ResourceRow> rows) {
  MapVector<StringRef, SmallVector<const ResourceRow *>> byKernel;
  for (const ResourceRow &row : rows)
    byKernel[row.name].push_back(&row);
  for (auto &[name, ofKernel] : byKernel) {
    warnOfSpills(ctx, file, ofKernel);
    warnOfRemarks(ctx, file, ofKernel);
  }
  if (ctx.args.hasArg(options::OPT_resource_usage) && !rows.empty())
    printTable(rows);
}

} // namespace tilecc
