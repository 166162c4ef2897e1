//===- NcuProfile.cpp - reads the source metrics of Nsight Compute ------------------------------------------------===//
//
// Called by PageProfile.cpp for CSV. A table begins with lines such as "Kernel Name","add" and "File Path","add.cu".
// Its header is "Address","Source",... for SASS, or "Line No","Source",... for source lines; a table of source lines
// may have SASS between its lines. The instructions, or the lines of the source, must be those of the page.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "page/NcuProfile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace tilecc::page {

using CsvRow = std::vector<std::string>;

/// Splits CSV (RFC 4180) into rows; empty lines are skipped.
static std::vector<CsvRow> readCsv(StringRef text) {
  std::vector<CsvRow> rows;
  CsvRow row;
  std::string field;
  bool isQuoted = false;
  text.consume_front("\xef\xbb\xbf");
  auto endRow = [&] {
    if (!row.empty() || !field.empty()) {
      row.push_back(std::move(field));
      rows.push_back(std::move(row));
    }
    row.clear();
    field.clear();
  };
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (isQuoted && c == '"' && text.substr(i + 1).starts_with("\"")) {
      field += text[++i];
    } else if (c == '"') {
      isQuoted = !isQuoted;
    } else if (isQuoted || (c != ',' && c != '\n' && c != '\r')) {
      field += c;
    } else if (c == ',') {
      row.push_back(std::move(field));
      field.clear();
    } else {
      endRow();
    }
  }
  endRow();
  return rows;
}

namespace {
struct Table {
  std::string kernel, file;
  CsvRow header;
  std::vector<CsvRow> rows;
  bool hasLines() const { return header[0] == "Line No"; }
};

/// Maps a metric of the page to the title of a column of ncu.
struct Column {
  StringRef metric, title;
} constexpr columns[] = {
    {"executed", "Instructions Executed"},
    {"threads", "Thread Instructions Executed"},
    {"divergent", "Divergent Branches"},
    {"sectors", "L2 Theoretical Sectors Global"},
    {"wavefronts", "L1 Wavefronts Shared"},
    {"conflicts", "L1 Wavefronts Shared Excessive"},
    {"samples", "Warp Stall Sampling (All Samples)"},
    {"barrier-samples", "stall_barrier"},
};
} // namespace

static std::vector<Table> findTables(ArrayRef<CsvRow> rows) {
  std::vector<Table> tables;
  std::string kernel, file;
  for (const CsvRow &row : rows) {
    StringRef first = row[0];
    if (first == "Kernel Name" || first == "Function Name")
      kernel = row.size() > 1 ? row[1] : "";
    else if (first == "File Path" || first == "File Name")
      file = row.size() > 1 ? row[1] : "";
    else if (first == "Address" || first == "Line No")
      tables.push_back({kernel, file, row, {}});
    else if (!tables.empty() && row.size() == tables.back().header.size())
      tables.back().rows.push_back(row);
  }
  return tables;
}

/// Returns the opcode of an instruction, without its predicate. Only opcodes are compared, because ncu and nvdisasm
/// spell operands differently.
static StringRef opcodeOf(StringRef text) {
  text = text.trim();
  if (text.consume_front("/*"))
    text = text.split("*/").second.trim();
  if (text.starts_with("@"))
    text = text.split(' ').second.trim();
  return text.take_until([](char c) { return c == ' ' || c == ';'; });
}

/// Returns the rows of a variant's SASS that are instructions.
static std::vector<unsigned> instructionsOf(const Text &sass) {
  std::vector<unsigned> rows;
  for (auto [i, line] : enumerate(sass))
    if (StringRef(line.text).ltrim().starts_with("/*") && !opcodeOf(line.text).empty())
      rows.push_back(i);
  return rows;
}

static Run makeRun(const Table &table, StringRef stage) {
  Run run;
  run.maker = "ncu";
  run.stage = stage.str();
  run.launch = table.kernel;
  for (const Column &column : columns)
    if (is_contained(table.header, column.title))
      run.metrics.push_back(column.metric.str());
  return run;
}

/// Returns the counts of a row, in the order of makeRun()'s metrics.
static std::vector<uint64_t> countsOf(const Table &table, const CsvRow &row) {
  std::vector<uint64_t> counts;
  for (const Column &column : columns)
    if (auto at = find(table.header, column.title); at != table.header.end()) {
      std::string digits = row[at - table.header.begin()];
      erase(digits, ',');
      double value = 0;
      StringRef(digits).getAsDouble(value); // "-" and empty fields count as 0
      counts.push_back(value > 0 ? static_cast<uint64_t>(value) : 0);
    }
  return counts;
}

static size_t sourceColumn(const Table &table) { return find(table.header, "Source") - table.header.begin(); }

/// Returns true if ncu's name, which may be mangled or have parameters, is that of a kernel.
static bool isNamed(StringRef name, const KernelPage &kernel) {
  return name == kernel.symbol || name == kernel.name || name.starts_with(kernel.name + "(") ||
         any_of(kernel.variants, [&](const VariantPage &variant) { return variant.symbol == name; });
}

/// Adds a table of SASS to the variant with the same instructions.
static void addSass(Page &page, const Table &table) {
  size_t source = sourceColumn(table);
  std::string whyNone;
  bool hasCode = false;
  for (KernelPage &kernel : page.kernels)
    for (VariantPage &variant : kernel.variants)
      for (const StageText &stage : variant.stages) {
        if (stage.name != "sass")
          continue;
        hasCode |= stage.missing.empty();
        if (!stage.missing.empty()) {
          whyNone = stage.missing;
          continue;
        }
        std::vector<unsigned> rows = instructionsOf(stage.text);
        bool isSame = equal(rows, table.rows, [&](unsigned row, const CsvRow &measured) {
          return opcodeOf(stage.text[row].text) == opcodeOf(measured[source]);
        });
        if (!isSame)
          continue;
        Run run = makeRun(table, "sass");
        for (auto [row, measured] : zip_equal(rows, table.rows))
          run.rows.push_back({row, countsOf(table, measured)});
        variant.runs.push_back(std::move(run));
        return;
      }
  if (hasCode)
    page.notes.push_back(
        "no machine code of the page matches '" + table.kernel +
        "' in the profile: name the GPU with -arch, and use the same source, options and ptxas for both");
  else
    page.notes.push_back("the metrics of '" + table.kernel +
                         "' in the profile are for machine code, and the page has none: " + whyNone);
}

/// Adds a table of source lines to the variants of its kernel.
static void addLines(Page &page, const Table &table, function_ref<std::optional<std::string>(StringRef)> readSource) {
  const std::vector<std::string> &files = page.chains.getFiles();
  auto file = find_if(files, [&](StringRef path) { return path == table.file; });
  if (file == files.end())
    file = find_if(files, [&](StringRef path) { return sys::path::filename(path) == sys::path::filename(table.file); });
  if (file == files.end())
    return; // the page does not show anything about this header
  std::optional<std::string> text = readSource(*file);
  SmallVector<StringRef> lines;
  StringRef(text ? *text : "").split(lines, '\n');
  Run run = makeRun(table, "source");
  run.file = file - files.begin();
  size_t source = sourceColumn(table);
  for (const CsvRow &row : table.rows) {
    unsigned line;
    if (StringRef(row[0]).getAsInteger(10, line)) // the row is SASS of the line above
      continue;
    if (line == 0 || line > lines.size() || lines[line - 1].trim() != StringRef(row[source]).trim()) {
      page.notes.push_back(formatv("{0}:{1}: the profile is for another version, which has '{2}'", *file, line,
                                   StringRef(row[source]).trim()));
      return;
    }
    run.rows.push_back({line, countsOf(table, row)});
  }
  for (KernelPage &kernel : page.kernels)
    for (VariantPage &variant : kernel.variants)
      if (isNamed(table.kernel, kernel) &&
          (variant.symbol == table.kernel || table.kernel.find('$') == table.kernel.npos))
        variant.runs.push_back(run);
}

Error addNcuProfile(Page &page, StringRef text, function_ref<std::optional<std::string>(StringRef)> readSource) {
  std::vector<Table> tables = findTables(readCsv(text));
  if (tables.empty())
    return createStringError("it is neither a profile of the emulator nor CSV of `ncu --csv --page source`: no line "
                             "begins with \"Address\" or \"Line No\"");
  bool isUsed = false;
  std::string names;
  for (const Table &table : tables) {
    if (sourceColumn(table) == table.header.size())
      return createStringError("a table has no column \"Source\"");
    if (makeRun(table, "").metrics.empty())
      return createStringError("a table has no column that the page shows, such as \"Instructions Executed\"; profile "
                               "with `--set full` or `--section SourceCounters`, and print with `--print-source sass` "
                               "or `cuda,sass`");
    names += (names.empty() ? "" : ", ") + table.kernel;
    if (none_of(page.kernels, [&](const KernelPage &kernel) { return isNamed(table.kernel, kernel); }))
      continue;
    isUsed = true;
    table.hasLines() ? addLines(page, table, readSource) : addSass(page, table);
  }
  return isUsed ? Error::success() : createStringError("none of its kernels is in the page: " + names);
}

} // namespace tilecc::page
