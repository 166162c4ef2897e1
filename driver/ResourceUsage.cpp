//===- ResourceUsage.cpp - the table of --resource-usage, and warnings --------------------------------------------===//
//
// Translates ptxas's reports into the user's terms. Images.cpp calls it after ptxas has run for every target.
// KernelJob.cpp calls it for AMD GPUs, whose code objects contain the numbers.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/ResourceUsage.h"
#include "driver/Options.h"
#include "driver/TileWarnings.h"
#include "runtime/include/tilecc/abi.h"
#include "targets/amd/Resources.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tilecc {

std::optional<nvidia::Occupancy> occupancyOf(const ResourceRow &row) {
  return nvidia::getOccupancy(nvidia::architectureOf(row.target), row.threads, row.used.registers,
                              row.used.sharedBytes + row.launchSharedBytes);
}

/// A table as rows of cells; the first row is the header.
using Cells = std::vector<std::vector<std::string>>;

static void printTable(const Cells &cells) {
  std::vector<size_t> widths(cells.front().size(), 0);
  for (const auto &row : cells)
    for (auto [width, cell] : zip_equal(widths, row))
      width = std::max(width, cell.size());
  constexpr unsigned textColumns = 3; // names are left-aligned, numbers right-aligned
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

static void printTable(ArrayRef<ResourceRow> rows) {
  Cells cells = {{"kernel", "target", "variant", "registers", "spill stores", "spill loads", "stack", "shared",
                  "threads", "occupancy"}};
  for (const ResourceRow &row : rows) {
    std::optional<nvidia::Occupancy> occupancy = occupancyOf(row);
    cells.push_back({row.name, row.target.name, row.variant.empty() ? "-" : row.variant,
                     std::to_string(row.used.registers), std::to_string(row.used.spillStoreBytes),
                     std::to_string(row.used.spillLoadBytes), std::to_string(row.used.stackBytes),
                     std::to_string(row.used.sharedBytes + row.launchSharedBytes),
                     row.threads ? std::to_string(row.threads) : "-", occupancy ? occupancy->str() : "-"});
  }
  printTable(cells);
}

void reportResources(Context &ctx, StringRef file, ArrayRef<ResourceRow> rows) {
  for (const ResourceWarning &warning : findResourceWarnings(rows, looksAtAllVariants(ctx)))
    warnOfKernel(ctx, warning.kind == ResourceWarning::Spill ? TileWarning::Spill : TileWarning::Ptxas, warning.kernel,
                 file, warning.text);
  if (ctx.args.hasArg(options::OPT_resource_usage) && !rows.empty())
    printTable(rows);
}

namespace {
/// One variant of a kernel in one code object.
struct AmdRow {
  const KernelVariant *variant;
  const Target *target;
  unsigned threads;
  amd::Resources used;
};
} // namespace

/// Emits -Wtile-spill for the row with the most spills.
static void warnOfSpills(Context &ctx, StringRef file, const Kernel &kernel, ArrayRef<AmdRow> rows) {
  const AmdRow *worst = nullptr;
  for (const AmdRow &row : rows)
    if (row.variant == &kernel.variants.front() || looksAtAllVariants(ctx))
      if (row.used.spilledVgprs > (worst ? worst->used.spilledVgprs : 0))
        worst = &row;
  if (worst)
    warnOfKernel(ctx, TileWarning::Spill, &kernel, file,
                 kernel.displayName + " does not fit into registers for " + worst->target->name + ": it uses " +
                     Twine(worst->used.vgprs) + " VGPRs and spills " + Twine(worst->used.spilledVgprs) +
                     " to scratch memory; smaller tiles or more warps need fewer");
}

void reportCodeObjects(Context &ctx, StringRef file, ArrayRef<Kernel> kernels, ArrayRef<TargetCode> codes) {
  Cells cells = {
      {"kernel", "target", "variant", "VGPRs", "SGPRs", "spilled VGPRs", "spilled SGPRs", "scratch", "LDS", "threads"}};
  std::vector<std::vector<amd::Resources>> objects(codes.size());
  for (auto [t, code] : enumerate(codes))
    if (code.target.isGpu() && code.target.backend->asGpu()->getEmbeddedImage(code.target).kind == TILECC_IMAGE_HSACO)
      objects[t] = amd::readResources(code.code);
  for (const Kernel &kernel : kernels) {
    std::vector<AmdRow> rows;
    for (auto [t, code] : enumerate(codes))
      for (const KernelVariant &variant : kernel.variants)
        for (const amd::Resources &used : objects[t])
          if (used.symbol == variant.symbol)
            rows.push_back({&variant, &code.target, variant.launches[t].threads, used});
    warnOfSpills(ctx, file, kernel, rows);
    for (const AmdRow &row : rows) {
      std::vector<std::string> &texts = cells.emplace_back();
      texts = {kernel.displayName, row.target->name, row.variant->name};
      for (unsigned number : {row.used.vgprs, row.used.sgprs, row.used.spilledVgprs, row.used.spilledSgprs,
                              row.used.scratchBytes, row.used.ldsBytes, row.threads})
        texts.push_back(std::to_string(number));
    }
  }
  if (ctx.args.hasArg(options::OPT_resource_usage) && cells.size() > 1)
    printTable(cells);
}

} // namespace tilecc
