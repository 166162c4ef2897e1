//===- ResourceUsage.cpp - the table of --resource-usage, and warnings ----------------------------------------------===//
//
// What ptxas reported, in the user's words. Called by Images.cpp when ptxas has run for every target.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "driver/ResourceUsage.h"
#include "driver/Options.h"
#include "driver/TileWarnings.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tilecc {

std::optional<nvidia::Occupancy> occupancyOf(const ResourceRow &row) {
  return nvidia::getOccupancy(nvidia::architectureOf(row.target), row.threads, row.used.registers,
                              row.used.sharedBytes + row.launchSharedBytes);
}

static void printTable(ArrayRef<ResourceRow> rows) {
  std::vector<std::vector<std::string>> cells = {
      {"kernel", "target", "variant", "registers", "spill stores", "spill loads", "stack", "shared", "threads",
       "occupancy"}};
  for (const ResourceRow &row : rows) {
    std::optional<nvidia::Occupancy> occupancy = occupancyOf(row);
    cells.push_back({row.name, row.target.name, row.variant.empty() ? "-" : row.variant, std::to_string(row.used.registers),
                     std::to_string(row.used.spillStoreBytes), std::to_string(row.used.spillLoadBytes),
                     std::to_string(row.used.stackBytes), std::to_string(row.used.sharedBytes + row.launchSharedBytes),
                     row.threads ? std::to_string(row.threads) : "-", occupancy ? occupancy->str() : "-"});
  }
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
  for (const ResourceWarning &warning : findResourceWarnings(rows, looksAtAllVariants(ctx)))
    warnOfKernel(ctx, warning.kind == ResourceWarning::Spill ? TileWarning::Spill : TileWarning::Ptxas, warning.kernel, file,
                 warning.text);
  if (ctx.args.hasArg(options::OPT_resource_usage) && !rows.empty())
    printTable(rows);
}

} // namespace tilecc
