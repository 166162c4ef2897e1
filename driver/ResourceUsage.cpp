//===- ResourceUsage.cpp - the table of --resource-usage, and warnings --------------------------------------------===//
//
// Translates ptxas's reports into the user's terms. Cubins.cpp calls it after ptxas has run for every target.
// KernelJob.cpp calls it for code that records its own resource usage, as AMD's code objects do.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/ResourceUsage.h"
#include "driver/Diagnostics.h"
#include "driver/OptionIds.h"
#include "driver/TileWarnings.h"
#include "page/Work.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace tilecc {

std::optional<Occupancy> occupancyOf(const ResourceRow &row) {
  return row.target.backend->asGpu()->getOccupancy(row.target, row.threads, row.used.registers,
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

/// Returns the FLOPs, bytes and arithmetic intensity of one iteration of the loop with the most work, or of a program
/// that has no loops.
static std::vector<std::string> describeWork(const ResourceRow &row) {
  page::OpWork work = row.kernel ? page::getBusiestWork(*row.kernel->ttir) : page::OpWork();
  if (!work.getFlops() && !work.bytes)
    return {"-", "-", "-"};
  std::string intensity = work.bytes ? formatv("{0:F1}", double(work.getFlops()) / work.bytes).str() : std::string("-");
  return {std::to_string(work.getFlops()), std::to_string(work.bytes), intensity};
}

static void printTable(ArrayRef<ResourceRow> rows) {
  Cells cells = {{"kernel", "target", "variant", "registers", "spill stores", "spill loads", "stack", "shared",
                  "threads", "occupancy", "FLOPs", "bytes", "FLOPs/byte"}};
  for (const ResourceRow &row : rows) {
    std::optional<Occupancy> occupancy = occupancyOf(row);
    cells.push_back({row.name, row.target.name, row.variant.empty() ? "-" : row.variant,
                     std::to_string(row.used.registers), std::to_string(row.used.spillStoreBytes),
                     std::to_string(row.used.spillLoadBytes), std::to_string(row.used.stackBytes),
                     std::to_string(row.used.sharedBytes + row.launchSharedBytes),
                     row.threads ? std::to_string(row.threads) : "-", occupancy ? occupancy->str() : "-"});
    append_range(cells.back(), describeWork(row));
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
/// One variant of a kernel in the code for one target.
struct RecordedRow {
  const KernelVariant *variant;
  const Target *target;
  unsigned threads;
  CodeResources used;
};
} // namespace

/// Emits -Wtile-spill for the row with the most spills.
static void warnOfSpills(Context &ctx, StringRef file, const Kernel &kernel, ArrayRef<RecordedRow> rows) {
  const RecordedRow *worst = nullptr;
  for (const RecordedRow &row : rows)
    if (row.variant == &getUsualVariant(kernel) || looksAtAllVariants(ctx))
      if (row.used.spilledRegisters > (worst ? worst->used.spilledRegisters : 0))
        worst = &row;
  if (worst)
    warnOfKernel(ctx, TileWarning::Spill, &kernel, file,
                 kernel.displayName + " does not fit into registers for " + worst->target->name + ": it uses " +
                     Twine(worst->used.registers) + " " + worst->used.registerName + " and spills " +
                     Twine(worst->used.spilledRegisters) +
                     " to scratch memory; smaller tiles or more warps need fewer");
}

void reportRecordedResources(Context &ctx, StringRef file, ArrayRef<Kernel> kernels, ArrayRef<TargetCode> codes) {
  std::vector<std::vector<CodeResources>> recorded(codes.size());
  for (auto [t, code] : enumerate(codes))
    if (const GpuBackend *gpu = code.target.backend->asGpu())
      recorded[t] = gpu->readResources(code.code);
  MapVector<const Backend *, Cells> tables;
  for (const Kernel &kernel : kernels) {
    std::vector<RecordedRow> rows;
    for (auto [t, code] : enumerate(codes))
      for (const KernelVariant &variant : kernel.variants)
        for (const CodeResources &used : recorded[t])
          if (used.symbol == variant.symbol)
            rows.push_back({&variant, &code.target, variant.launches[t].threads, used});
    warnOfSpills(ctx, file, kernel, rows);
    for (const RecordedRow &row : rows) {
      Cells &cells = tables[row.target->backend];
      if (cells.empty()) {
        cells.push_back({"kernel", "target", "variant"});
        for (const CodeResources::Number &number : row.used.numbers)
          cells.front().push_back(number.name.str());
        cells.front().push_back("threads");
      }
      std::vector<std::string> texts = {kernel.displayName, row.target->name, row.variant->name};
      for (const CodeResources::Number &number : row.used.numbers)
        texts.push_back(std::to_string(number.value));
      texts.push_back(std::to_string(row.threads));
      cells.push_back(std::move(texts));
    }
  }
  if (ctx.args.hasArg(options::OPT_resource_usage))
    for (const auto &[backend, cells] : tables)
      printTable(cells);
}

} // namespace tilecc
