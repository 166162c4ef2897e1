//===- AsTileiras.cpp - tcc under the name tcc-tileiras -----------------------------------------------------------===//
//
// Maps the options of tileiras 13.5 to options of tcc. As in LLVM's own tools, a blank or '=' precedes a value, and one
// or two dashes precede a name. Options that only tcc has can be passed in TCC_PREPEND_FLAGS and TCC_APPEND_FLAGS.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/AsTileiras.h"
#include "driver/Context.h"
#include "driver/Diagnostics.h"
#include "driver/TargetArchs.h"
#include "frontend/tileir/TileIR.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;

namespace tilecc {

bool isNameOfTileiras(StringRef program) {
  return is_contained({"tcc-tileiras", "tileiras"}, sys::path::filename(program));
}

//===--- options --------------------------------------------------------------------------------------------------===//

namespace {
enum class Meaning {
  Output,
  Gpu,
  Level,
  Lines,
  Help,
  Version,
  Versions,
  Nothing,
  Remarks,
  RemarkFormat,
  RemarkFile,
  Sanitizer,
  Preview,
  Library,
  Host
};

struct OptionRow {
  StringLiteral name;
  bool hasValue;
  Meaning meaning;
  StringLiteral help; ///< empty: an alias
};

constexpr OptionRow rows[] = {
    {"o", true, Meaning::Output, "<file>  Write the cubin to <file>; by default to elf.o"},
    {"output-file", true, Meaning::Output, ""},
    {"gpu-name", true, Meaning::Gpu, "<sm_XX>  The GPU; there is no default"},
    {"arch", true, Meaning::Gpu, ""},
    {"opt-level", true, Meaning::Level, "<0..3>, -O<0..3>  Accepted without effect: kernels are always optimized"},
    {"O", true, Meaning::Level, ""},
    {"lineinfo", false, Meaning::Lines, "Put line information into the cubin"},
    {"device-debug", false, Meaning::Lines, "The same as --lineinfo: code stays optimized"},
    {"g", false, Meaning::Lines, ""},
    {"remarks", true, Meaning::Remarks, "<what>  Tell of decisions: none, all, memory or tensorcore"},
    {"remarks-passed", true, Meaning::Remarks, "<what>  Only of those that make code faster"},
    {"remarks-missed", true, Meaning::Remarks, "<what>  Only of faster code that was not possible"},
    {"remarks-failed", true, Meaning::Remarks, "<what>  Accepted without effect: there are no such remarks"},
    {"remarks-analysis", true, Meaning::Remarks, "<what>  Accepted without effect: there are no such remarks"},
    {"remark-format", true, Meaning::RemarkFormat, "<format>  command-line (default) or yaml"},
    {"remarks-output-file", true, Meaning::RemarkFile, "<file>  The file for yaml; by default tileir_remarks.yaml"},
    {"apply-controls", true, Meaning::Nothing, "<file>  Accepted without effect"},
    {"host-arch", true, Meaning::Host, "<arch>  x86_64 or aarch64; without effect: cubins have no host code"},
    {"host-os", true, Meaning::Nothing, "<os>  Accepted without effect"},
    {"sanitize", true, Meaning::Sanitizer, "memcheck  Not available: tcc-run checks accesses on the emulator"},
    {"preview", true, Meaning::Preview, "<what>  Not available"},
    {"l", true, Meaning::Library, "<library>  Not available: kernels call no SIMT libraries"},
    {"list-versions", false, Meaning::Versions, "Print the versions of bytecode that can be read"},
    {"version", false, Meaning::Version, "Print the version"},
    {"help", false, Meaning::Help, "Print this text"},
    {"h", false, Meaning::Help, ""},
};

const OptionRow *findRow(StringRef name) {
  auto row = find_if(rows, [&](const OptionRow &row) { return row.name == name; });
  return row == std::end(rows) ? nullptr : row;
}

void printHelp() {
  outs() << "OVERVIEW: tcc " TILECC_VERSION
            " as an assembler of CUDA Tile IR, with the options of NVIDIA's tileiras\n\n"
            "USAGE: tcc-tileiras [options] <bytecode> -o <cubin>\n\nOPTIONS:\n";
  for (const OptionRow &row : rows)
    if (!row.help.empty())
      outs() << "  " << (row.name.size() > 1 ? "--" : "-") << row.name << (row.hasValue ? " " : "  ") << row.help
             << "\n";
  outs() << "\nTCC_APPEND_FLAGS holds options of tcc for the same run: -ptx writes PTX instead of a cubin.\n";
}

/// Front ends include this text in their cache keys.
void printVersion() {
  std::string newest = tileIRVersions().back();
  outs() << "tileiras: assembler of CUDA Tile IR (tcc " TILECC_VERSION ", which answers as it does)\n"
         << formatv("Cuda compilation tools, release {0}, V{0}.0\n", newest);
}

class Translation {
public:
  Translation(Context &ctx, ArrayRef<const char *> words) : ctx(ctx), words(words) {}

  SmallVector<const char *> run() {
    add("-cubin");
    add("--static-shared");
    for (next = 0; next < words.size();) {
      StringRef word = words[next++];
      if (!word.starts_with("-") || word == "-")
        files.push_back(word);
      else
        translate(word);
    }
    if (files.size() != 1)
      Error(ctx) << (files.empty() ? "no input file" : "there is more than one input file");
    else if (!hasGpu)
      Error(ctx) << "no GPU is named; say which with --gpu-name=sm_XX";
    if (!hasOutput) {
      add("-o");
      add("elf.o");
    }
    for (StringRef file : files) {
      add("-x");
      add("tileir");
      add(file);
    }
    return std::move(result);
  }

private:
  void add(const Twine &word) { result.push_back(saver.save(word).data()); }

  void translate(StringRef word) {
    auto [name, value] = word.ltrim('-').split('=');
    const OptionRow *row = findRow(name);
    bool hasValue = word.contains('=');
    if (!row && name.size() == 2 && name[0] == 'O') { // -O3
      row = findRow("O");
      value = name.drop_front();
      hasValue = true;
    }
    if (!row) {
      Error(ctx) << "unknown option '" << word << "'; --help lists the options";
      return;
    }
    if (row->hasValue && !hasValue) {
      if (next == words.size()) {
        Error(ctx) << word << " needs a value";
        return;
      }
      value = words[next++];
    }
    apply(*row, word, value);
  }

  void apply(const OptionRow &row, StringRef word, StringRef value) {
    switch (row.meaning) {
    case Meaning::Output:
      hasOutput = true;
      add("-o");
      return add(value);
    case Meaning::Gpu: hasGpu = true; return add("-arch=" + nameOfOwnCode(value));
    case Meaning::Level:
      if (value.size() != 1 || value[0] < '0' || value[0] > '3')
        Error(ctx) << word << ": '" << value << "' is not an optimization level; it is 0 to 3";
      return;
    case Meaning::Lines: return add("-lineinfo");
    case Meaning::Host:
      if (!is_contained({"x86_64", "aarch64"}, value))
        Error(ctx) << word << ": '" << value << "' is neither x86_64 nor aarch64";
      return;
    case Meaning::Sanitizer:
    case Meaning::Preview:
    case Meaning::Library: Error(ctx) << word << ": " << row.help.split("  ").second; return;
    case Meaning::Help: printHelp(); std::exit(0);
    case Meaning::Version: printVersion(); std::exit(0);
    case Meaning::Versions: outs() << join(tileIRVersions(), "\n") << "\n"; std::exit(0);
    case Meaning::Remarks: return selectRemarks(row, word, value);
    case Meaning::RemarkFormat:
      if (!is_contained({"command-line", "yaml"}, value))
        Error(ctx) << word << ": '" << value << "' is neither command-line nor yaml";
      ctx.tileirasRemarks.isYaml = value == "yaml";
      return;
    case Meaning::RemarkFile: ctx.tileirasRemarks.file = value; return;
    case Meaning::Nothing: return;
    }
  }

  /// Selects remarks of one or both types, of one or both categories.
  void selectRemarks(const OptionRow &row, StringRef word, StringRef value) {
    using Remarks = Context::TileirasRemarks;
    if (!is_contained({"none", "all", "memory", "tensorcore"}, value)) {
      Error(ctx) << word << ": '" << value << "' is none of none, all, memory and tensorcore";
      return;
    }
    auto set = [&](bool (&types)[Remarks::CategoryCount]) {
      types[Remarks::Memory] = value == "all" || value == "memory";
      types[Remarks::TensorCore] = value == "all" || value == "tensorcore";
    };
    if (row.name == "remarks" || row.name == "remarks-passed")
      set(ctx.tileirasRemarks.passed);
    if (row.name == "remarks" || row.name == "remarks-missed")
      set(ctx.tileirasRemarks.missed);
  }

  static inline BumpPtrAllocator allocator; ///< the arguments in the context point to these strings
  StringSaver saver{allocator};
  Context &ctx;
  ArrayRef<const char *> words;
  size_t next = 0;
  SmallVector<const char *> result;
  SmallVector<StringRef> files;
  bool hasOutput = false, hasGpu = false;
};
} // namespace

SmallVector<const char *> translateTileirasOptions(Context &ctx, ArrayRef<const char *> words) {
  SmallVector<const char *> result = Translation(ctx, words).run();
  if (ctx.errors)
    std::exit(exitUserError); // tileiras has another status for errors in the input
  return result;
}

//===--- diagnostics ----------------------------------------------------------------------------------------------===//

static StringRef nameOf(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Note: return "note";
  case mlir::DiagnosticSeverity::Warning: return "warning";
  case mlir::DiagnosticSeverity::Error: return "error";
  case mlir::DiagnosticSeverity::Remark: return "remark";
  }
  llvm_unreachable("unknown severity");
}

/// Returns the user's source line, or null if it is unknown.
static mlir::FileLineColLoc findLine(mlir::Location location) {
  if (auto line = dyn_cast<mlir::FileLineColLoc>(location))
    return line;
  if (auto call = dyn_cast<mlir::CallSiteLoc>(location))
    return findLine(call.getCallee());
  if (auto named = dyn_cast<mlir::NameLoc>(location))
    return findLine(named.getChildLoc());
  if (auto fused = dyn_cast<mlir::FusedLoc>(location))
    for (mlir::Location each : fused.getLocations())
      if (mlir::FileLineColLoc line = findLine(each))
        return line;
  return {};
}

static void print(mlir::Diagnostic &diagnostic, raw_ostream &out) {
  if (mlir::FileLineColLoc line = findLine(diagnostic.getLocation()); line && line.getLine())
    out << "loc(\"" << line.getFilename().getValue() << "\":" << line.getLine() << ":" << line.getColumn() << "): ";
  out << nameOf(diagnostic.getSeverity()) << ": " << diagnostic.str() << "\n";
}

void printAsTileiras(mlir::Diagnostic &diagnostic) {
  std::string text;
  raw_string_ostream out(text);
  print(diagnostic, out);
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    print(note, out);
  printWhole(text);
}

} // namespace tilecc
