//===-- Results.cpp - derives what is shown about a version of a document ----------------------------------------===//
//
// Called by LanguageServer.cpp when a build has ended. Diagnostics and the remarks of -Rtile= come from tcc's messages,
// and everything else from --emit=annotations (page/Annotations.cpp).
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Results.h"
#include "../support/CompilerMessages.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include <map>
#include <set>

using namespace llvm;
using namespace llvm::lsp;

namespace tilecc::lsp {

//===--- messages -------------------------------------------------------------------------------------------------===//

namespace {
/// Collects diagnostics and remarks from tcc's messages.
class MessageReader {
public:
  MessageReader(const BuildRequest &request, const Lines &lines, Results &results)
      : request(request), lines(lines), results(results) {}

  void read(const std::string &messages) {
    for (const std::string &line : tools::splitLines(messages))
      readLine(line);
  }

  void addToTop(DiagnosticSeverity severity, std::string text) {
    Diagnostic &diagnostic = results.diagnostics.emplace_back();
    diagnostic.range = Range(lines.getPosition(0, 0), lines.getEnd(0));
    diagnostic.severity = severity;
    diagnostic.source = "tcc";
    diagnostic.message = std::move(text);
  }

private:
  void readLine(StringRef line) {
    static constexpr StringLiteral own = "tcc: ", includes[] = {"In file included from ", "                 from "};
    for (StringRef include : includes)
      if (line.starts_with(include)) {
        tools::MessageLine from = tools::parseMessage(line.drop_front(include.size()).str() + " note: ");
        if (isDocument(from.file))
          includeLine = from.line;
        return;
      }
    for (auto [severity, name] :
         {std::pair(DiagnosticSeverity::Error, "error: "), std::pair(DiagnosticSeverity::Warning, "warning: ")})
      if (StringRef text = line; text.consume_front(own) && text.consume_front(name)) {
        addToTop(severity, text.str());
        isOpen = false;
        return;
      }
    tools::MessageLine message = tools::parseMessage(line.str());
    if (message.file.empty() || (!isDocument(message.file) && !sys::fs::exists(absolute(message.file))))
      return; // the line is code or carets
    StringRef text = message.text;
    if (text.consume_front("remark: "))
      addRemark(message, text);
    else if (text.consume_front("note: "))
      addNote(message, text);
    else if (text.consume_front("warning: "))
      add(DiagnosticSeverity::Warning, message, text);
    else
      add(DiagnosticSeverity::Error, message, text.drop_front(text.find(": ") + 2));
  }

  std::string absolute(StringRef path) const {
    SmallString<256> result(path);
    sys::path::make_absolute(request.directory, result);
    return result.str().str();
  }
  bool isDocument(StringRef path) const { return !path.empty() && absolute(path) == request.path; }

  Range rangeOf(const tools::MessageLine &message) const {
    return lines.getName(message.line - 1, message.column ? message.column - 1 : 0);
  }

  /// Adds a diagnostic. A message about another file is shown at the line where the document includes the file, unless
  /// a note names a line of the document.
  void add(DiagnosticSeverity severity, const tools::MessageLine &message, StringRef text) {
    Diagnostic &diagnostic = results.diagnostics.emplace_back();
    diagnostic.severity = severity;
    diagnostic.source = "tcc";
    diagnostic.message = text.str();
    isOpen = true;
    isElsewhere = !isDocument(message.file);
    if (!isElsewhere) {
      diagnostic.range = rangeOf(message);
      return;
    }
    diagnostic.message += (" (" + message.file + ":" + Twine(message.line) + ")").str();
    unsigned line = includeLine ? includeLine - 1 : 0;
    diagnostic.range = Range(lines.getPosition(line, 0), lines.getEnd(line));
    addRelated(diagnostic, message, text);
  }

  void addNote(const tools::MessageLine &message, StringRef text) {
    if (!isOpen)
      return;
    Diagnostic &diagnostic = results.diagnostics.back();
    if (isElsewhere && isDocument(message.file)) {
      diagnostic.range = rangeOf(message);
      isElsewhere = false;
    }
    addRelated(diagnostic, message, text);
  }

  void addRelated(Diagnostic &diagnostic, const tools::MessageLine &message, StringRef text) {
    Expected<URIForFile> uri = URIForFile::fromFile(absolute(message.file));
    if (!uri)
      return consumeError(uri.takeError());
    Range range = Range(Position(message.line - 1, message.column ? message.column - 1 : 0));
    if (isDocument(message.file))
      range = rangeOf(message);
    if (!diagnostic.relatedInformation)
      diagnostic.relatedInformation.emplace();
    diagnostic.relatedInformation->push_back({Location(*uri, range), text.str()});
  }

  void addRemark(const tools::MessageLine &message, StringRef text) {
    isOpen = false;
    if (isDocument(message.file))
      results.explanations.push_back({rangeOf(message), text.str()});
  }

  const BuildRequest &request;
  const Lines &lines;
  Results &results;
  unsigned includeLine = 0; ///< of the last include directive that messages name
  bool isOpen = false; ///< notes belong to the last diagnostic
  bool isElsewhere = false; ///< that diagnostic is about another file
};

//===--- annotations ----------------------------------------------------------------------------------------------===//

/// The code that an annotation is about.
struct Origin {
  std::string kernel, target, assumption;
};

/// Maps a text to the code that it is true of, in the order of insertion.
class OriginsByText {
public:
  std::vector<Origin> &operator[](const std::string &text) {
    auto found = find_if(entries, [&](const auto &entry) { return entry.first == text; });
    return (found != entries.end() ? *found : entries.emplace_back(text, std::vector<Origin>())).second;
  }
  size_t size() const { return entries.size(); }
  auto begin() const { return entries.begin(); }
  auto end() const { return entries.end(); }

private:
  std::vector<std::pair<std::string, std::vector<Origin>>> entries;
};

/// Collects hints and explanations from annotations. Missing members count as empty; tcc always writes all of them.
class AnnotationReader {
public:
  AnnotationReader(const BuildRequest &request, const Lines &lines, Results &results)
      : request(request), lines(lines), results(results) {}

  void read(const json::Object &root) {
    readVariables(root);
    if (const json::Array *kernels = root.getArray("kernels"))
      for (const json::Value &kernel : *kernels)
        readKernel(*kernel.getAsObject());
    addKernelHints();
    addRemarks();
    llvm::stable_sort(results.hints, [](const Hint &a, const Hint &b) { return a.position < b.position; });
  }

private:
  static std::string text(const json::Object &object, StringRef name) {
    return object.getString(name).value_or("").str();
  }
  static unsigned number(const json::Object &object, StringRef name) { return object.getInteger(name).value_or(0); }
  /// Returns the name of an architecture as users write it: sm_90a for cuda:90a.
  static std::string spellTarget(StringRef target) {
    auto [kind, name] = target.split(':');
    return kind == "cuda" ? ("sm_" + name).str() : name.empty() ? kind.str() : name.str();
  }

  void readVariables(const json::Object &root) {
    // In a template, a variable can have several types.
    MapVector<std::pair<unsigned, unsigned>, std::vector<std::string>> types;
    std::map<std::pair<unsigned, unsigned>, const json::Object *> variables;
    if (const json::Array *all = root.getArray("variables"))
      for (const json::Value &value : *all)
        if (const json::Object &variable = *value.getAsObject(); variable.getString("file") == request.path) {
          std::pair place(number(variable, "line"), number(variable, "column"));
          types[place].push_back(text(variable, "type"));
          variables[place] = &variable;
        }
    for (const auto &[place, names] : types) {
      auto [line, column] = place;
      const json::Object &variable = *variables[place];
      std::string name = text(variable, "name");
      results.explanations.push_back(
          {Range(lines.getPosition(line - 1, column - 1 - name.size()), lines.getPosition(line - 1, column - 1)),
           "`" + name + "`: `" + join(names, "` or `") + "`"});
      constexpr size_t maxTypes = 2;
      std::string label = ": " + join(ArrayRef(names).take_front(maxTypes), " or ");
      if (names.size() > maxTypes)
        label += " or ...";
      if (variable.getBoolean("deduced").value_or(false))
        results.hints.push_back({lines.getPosition(line - 1, column - 1), label, {}, /*isType=*/true});
    }
  }

  static std::string count(unsigned number, StringRef what) {
    return (Twine(number) + " " + what + (number == 1 ? "" : "s")).str();
  }

  static std::string describeCosts(const json::Object &costs) {
    unsigned stores = number(costs, "spillStores"), loads = number(costs, "spillLoads");
    std::string result = count(number(costs, "registers"), "register");
    result += stores + loads ? ", " + count(stores, "byte") + " spilled and " + std::to_string(loads) + " reloaded"
                             : ", no spills";
    result += ", " + count(number(costs, "shared"), "byte") + " of shared memory";
    if (unsigned most = number(costs, "maxWarps"))
      result +=
          ", occupancy " + std::to_string(number(costs, "warps") * 100 / most) + " % (" + text(costs, "limit") + ")";
    return result;
  }

  void readKernel(const json::Object &kernel) {
    const json::Array *variants = kernel.getArray("variants");
    bool isHere = kernel.getString("file") == request.path;
    std::string name = text(kernel, "name");
    for (const json::Value &value : *variants) {
      const json::Object &variant = *value.getAsObject();
      Origin origin{name, spellTarget(text(variant, "target")), text(variant, "assumption")};
      if (const json::Array *remarks = variant.getArray("remarks"))
        for (const json::Value &remark : *remarks)
          readRemark(*remark.getAsObject(), origin);
      if (!isHere)
        continue;
      const json::Object *costs = variant.getObject("costs");
      std::string description = costs ? describeCosts(*costs) : text(variant, "noCosts");
      KernelLine &line = kernelLines[number(kernel, "line")];
      line.details.push_back("- " + name + ", " + origin.target + ": " + description + " (if " + origin.assumption +
                             ")");
      if (costs && variant.getBoolean("usual").value_or(false))
        line.summary[description].push_back({name, origin.target, {}});
    }
  }

  void readRemark(const json::Object &remark, const Origin &origin) {
    const json::Array *chains = remark.getArray("chains");
    std::string description = text(remark, "text");
    for (const json::Value &chain : *chains)
      for (const json::Value &value : *chain.getAsArray()) {
        const json::Object &position = *value.getAsObject();
        std::pair place(number(position, "line"), number(position, "column"));
        if (position.getString("file") != request.path)
          continue;
        std::vector<Origin> &origins = remarks[place][description];
        if (!is_contained(llvm::map_range(origins, spell), spell(origin)))
          origins.push_back(origin);
        places[place].insert(spell(origin));
      }
  }

  static std::string spell(const Origin &origin) {
    return origin.kernel + ", " + origin.target + ", if " + origin.assumption;
  }

  void addKernelHints() {
    for (const auto &[number, line] : kernelLines) {
      std::string details = join(line.details, "\n");
      std::vector<std::string> parts;
      for (const auto &[description, origins] : line.summary) {
        std::vector<std::string> names;
        for (const Origin &origin : origins)
          names.push_back((line.summary.size() > 1 ? origin.kernel + " " : std::string()) + origin.target);
        parts.push_back(join(names, ", ") + ": " + description);
      }
      if (!parts.empty())
        results.hints.push_back({lines.getEnd(number - 1), join(parts, "; "), details});
      results.explanations.push_back({Range(lines.getPosition(number - 1, 0), lines.getEnd(number - 1)), details});
    }
  }

  void addRemarks() {
    for (const auto &[place, byText] : remarks) {
      size_t all = places[place].size();
      std::string text;
      for (const auto &[description, origins] : byText) {
        text += (text.empty() ? "" : "\n\n") + description;
        if (origins.size() != all)
          for (const Origin &origin : origins)
            text += "\n- " + spell(origin);
      }
      results.explanations.push_back({lines.getName(place.first - 1, place.second ? place.second - 1 : 0), text});
    }
  }

  struct KernelLine {
    std::vector<std::string> details;
    OriginsByText summary;
  };

  const BuildRequest &request;
  const Lines &lines;
  Results &results;
  std::map<unsigned, KernelLine> kernelLines;
  std::map<std::pair<unsigned, unsigned>, OriginsByText> remarks; ///< by place
  std::map<std::pair<unsigned, unsigned>, std::set<std::string>> places; ///< all code for which a place has remarks
};
} // namespace

Results makeResults(const BuildRequest &request, const BuildOutcome &outcome, StringRef warning) {
  Results results;
  Lines lines(request.text);
  MessageReader messages(request, lines, results);
  if (!warning.empty())
    messages.addToTop(DiagnosticSeverity::Warning, warning.str());
  messages.read(outcome.messages);
  bool hasError = any_of(results.diagnostics,
                         [](const Diagnostic &diagnostic) { return diagnostic.severity == DiagnosticSeverity::Error; });
  if (!outcome.failure.empty())
    messages.addToTop(DiagnosticSeverity::Error, outcome.failure + "\n" + outcome.messages);
  else if (outcome.annotations.empty() && !hasError)
    messages.addToTop(DiagnosticSeverity::Error, "tcc has failed\n" + outcome.messages);
  if (outcome.annotations.empty())
    return results;
  Expected<json::Value> annotations = json::parse(outcome.annotations);
  if (!annotations)
    messages.addToTop(DiagnosticSeverity::Error, "tcc's annotations: " + toString(annotations.takeError()));
  else if (const json::Object *root = annotations->getAsObject())
    AnnotationReader(request, lines, results).read(*root);
  return results;
}

std::string Results::explain(Position position, Range &range) const {
  auto collect = [&](function_ref<bool(const Explanation &)> isWanted) {
    std::string text;
    for (const Explanation &each : explanations)
      if (isWanted(each)) {
        if (text.empty())
          range = each.range;
        text += (text.empty() ? "" : "\n\n") + each.text;
      }
    return text;
  };
  std::string here = collect([&](const Explanation &each) { return each.range.contains(position); });
  if (!here.empty())
    return here;
  return collect([&](const Explanation &each) { return each.range.start.line == position.line; });
}

} // namespace tilecc::lsp
