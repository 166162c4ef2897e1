//===- Assembly.cpp - reads assembly with the call chains of its lines --------------------------------------------===//
//
// driver/PageJob.cpp calls these functions for each variant and each CPU function on an HTML page (--emit=html).
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "page/Assembly.h"
#include "page/Collector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tilecc::page {

namespace {
/// Collects the lines of one function.
class Reader {
public:
  /// Sets the chain of the following lines; 0: unknown.
  void setChain(unsigned lineInChainFile) { chain = lineInChainFile; }
  void add(StringRef line) {
    Line &added = text.emplace_back();
    added.text = line.rtrim().str();
    if (chain)
      added.chains.push_back(chain - 1);
  }
  Text take() {
    while (!text.empty() && text.back().text.empty())
      text.pop_back();
    return std::move(text);
  }

private:
  Text text;
  unsigned chain = 0;
};
} // namespace

/// Returns the number that ".file 3 "tilecc.chains"" assigns to chainFile. The directive may follow its uses.
static std::optional<unsigned> numberOfChainFile(StringRef code) {
  std::string quoted = ("\"" + chainFile + "\"").str();
  for (StringRef line : split(code, '\n')) {
    StringRef rest = line.trim();
    unsigned number;
    if (rest.consume_front(".file") && rest.rtrim().ends_with(quoted) && !rest.ltrim().consumeInteger(10, number))
      if (rest = rest.ltrim(); !rest.consumeInteger(10, number))
        return number;
  }
  return std::nullopt;
}

/// If `line` is a ".loc", returns the line of chainFile that it refers to, or 0.
static std::optional<unsigned> readLoc(StringRef line, std::optional<unsigned> chainFile) {
  StringRef rest = line.ltrim();
  if (!rest.consume_front(".loc") || rest.empty() || !isSpace(rest.front()))
    return std::nullopt;
  unsigned file = 0, number = 0;
  rest = rest.ltrim();
  bool isRead = !rest.consumeInteger(10, file) && !(rest = rest.ltrim()).consumeInteger(10, number);
  return isRead && file == chainFile ? number : 0;
}

static bool startsWithAny(StringRef line, ArrayRef<StringRef> prefixes) {
  return any_of(prefixes, [&](StringRef prefix) { return line.starts_with(prefix); });
}

Text readPtx(StringRef code, StringRef symbol) {
  std::optional<unsigned> file = numberOfChainFile(code);
  Reader reader;
  bool isInside = false;
  std::string entry = (".entry " + symbol + "(").str();
  for (StringRef line : split(code, '\n')) {
    isInside |= line.contains(entry);
    if (!isInside)
      continue;
    StringRef word = line.ltrim();
    if (std::optional<unsigned> chain = readLoc(line, file))
      reader.setChain(*chain);
    else if (!startsWithAny(word, {"$L__tmp", "$L__func_begin", "$L__func_end"}) && word != "// begin inline asm" &&
             word != "// end inline asm" && !word.empty())
      reader.add(line);
    if (line.starts_with("}")) {
      break;
    }
  }
  return reader.take();
}

Text readCpuAssembly(StringRef code, StringRef symbol) {
  std::optional<unsigned> file = numberOfChainFile(code);
  Reader reader;
  bool isInside = false;
  std::string label = (symbol + ":").str();
  for (StringRef line : split(code, '\n')) {
    isInside |= line.starts_with(label);
    if (!isInside)
      continue;
    StringRef word = line.ltrim();
    if (word.starts_with(".Lfunc_end"))
      break;
    if (std::optional<unsigned> chain = readLoc(line, file))
      reader.setChain(*chain);
    else if (!startsWithAny(word, {".file", ".cfi_", ".Ltmp", ".Lfunc_begin"}) && !word.empty())
      reader.add(line);
  }
  return reader.take();
}

Text readSass(StringRef code, StringRef symbol) {
  // .text.add:
  //     //## File "tilecc.chains", line 7
  //         /*0010*/      S2R R0, SR_TID.X ;
  // //--------------------- .text.sub ------
  Reader reader;
  bool isInside = false;
  std::string label = (".text." + symbol + ":").str(), place = ("\"" + chainFile + "\", line ").str();
  for (StringRef line : split(code, '\n')) {
    StringRef word = line.trim();
    if (!isInside) {
      isInside = word == label;
      continue;
    }
    if (word.starts_with("//---"))
      break;
    if (word.starts_with("//##")) {
      size_t at = word.find(place);
      unsigned chain = 0;
      if (at != StringRef::npos)
        word.drop_front(at + place.size()).consumeInteger(10, chain);
      reader.setChain(chain);
    } else if (!word.empty() && !word.starts_with(".")) {
      reader.add(line.starts_with("        /*") ? line.drop_front(4) : line);
    } else if (word.starts_with(".L_x_")) {
      reader.add(word);
    }
  }
  return reader.take();
}

} // namespace tilecc::page
