//===- Collector.cpp - collects the stages of a page during compilation -------------------------------------------===//
//
// The driver passes a Collector to compile() as its observer (driver/PageJob.cpp).
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "page/Collector.h"
#include "page/Work.h"
#include "lowering/dialects/tt/GlobalAccess.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/IR/AsmState.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/AssemblyAnnotationWriter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/FormattedStream.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace tilecc::page {

Seen &Collector::lockedGet(const Target &target, StringRef symbol) {
  std::lock_guard lock(mutex); // elements of a map do not move
  return get(target, symbol);
}

static Text splitLines(StringRef text) {
  Text lines;
  for (StringRef line : split(text.rtrim('\n'), '\n'))
    lines.push_back({line.str(), {}});
  return lines;
}

//===--- MLIR -----------------------------------------------------------------------------------------------------===//

void Collector::addChains(mlir::Location loc, Line &line) {
  for (const std::vector<Remark::Position> &positions : findChains(loc)) {
    Chain chain;
    for (const Remark::Position &position : positions)
      chain.push_back({chains.getFile(position.file), position.line});
    if (unsigned number = chains.getNumber(chain); !is_contained(line.chains, number))
      line.chains.push_back(number);
  }
}

static std::optional<Access> describeAccess(mlir::Operation *op, unsigned line) {
  std::optional<tt::GlobalAccess> access = tt::getGlobalAccess(op);
  uint64_t bytes = countBytes(op);
  if (!access || !bytes)
    return std::nullopt;
  return Access{line, access->isRead, access->isWrite, bytes};
}

Text Collector::printModule(mlir::ModuleOp module, Seen &into, std::optional<Form> form) {
  std::string text;
  raw_string_ostream stream(text);
  mlir::AsmState::LocationMap lines; // starting at 1
  mlir::AsmState state(module, mlir::OpPrintingFlags().printNameLocAsPrefix(), &lines);
  module.print(stream, state);
  Text result = splitLines(text);
  std::vector<Access> accesses;
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    auto it = lines.find(op);
    if (it == lines.end() || it->second.first > result.size() || op == module)
      return;
    unsigned line = it->second.first - 1;
    addChains(op->getLoc(), result[line]);
    if (form == Form::TTIR)
      if (std::optional<Access> access = describeAccess(op, line))
        accesses.push_back(*access);
  });
  if (form == Form::TTIR) {
    into.accesses = std::move(accesses);
    into.work.clear();
    for (const OpWork &part : countWork(module)) {
      auto it = part.loop ? lines.find(part.loop) : lines.end();
      std::optional<unsigned> line;
      if (it != lines.end())
        line = it->second.first - 1;
      into.work.push_back({line, part.matrixFlops, part.otherFlops, part.bytes});
    }
  }
  if (form == Form::TTGIR)
    into.layouts = findLayouts(module, state, lines);
  return result;
}

void Collector::sawState(const ObservedVariant &variant, const ObservedState &state) {
  RemarkCollector::sawState(variant, state);
  Seen &seen = lockedGet(variant.target, variant.variant.symbol);
  PassText pass{state.pass.str(), std::chrono::duration<double, std::milli>(state.time).count(), true, {}};
  // Do not print IR that a pass has not changed: printing would take most of the time.
  Text text = printModule(state.module, seen, state.form);
  auto isSame = [](const Line &a, const Line &b) { return a.text == b.text; };
  auto last = find_if(reverse(seen.passes), [](const PassText &pass) { return pass.isChanged; });
  pass.isChanged =
      last == seen.passes.rend() || !std::equal(text.begin(), text.end(), last->text.begin(), last->text.end(), isSame);
  if (state.form)
    seen.stages.push_back({*state.form == Form::TTIR ? "ttir" : "ttgir", text, {}});
  if (pass.isChanged)
    pass.text = std::move(text);
  seen.passes.push_back(std::move(pass));
}

//===--- LLVM IR --------------------------------------------------------------------------------------------------===//

static std::optional<Chain> chainOf(const DILocation *location, Chains &chains) {
  Chain chain;
  for (; location; location = location->getInlinedAt()) {
    SmallString<128> path(location->getDirectory());
    sys::path::append(path, location->getFilename());
    if (location->getLine())
      chain.push_back({chains.getFile(path), location->getLine()});
  }
  return chain.empty() ? std::nullopt : std::optional(chain);
}

namespace {
/// Records the text line on which each instruction is printed.
struct LineNotes final : AssemblyAnnotationWriter {
  void emitInstructionAnnot(const Instruction *instruction, formatted_raw_ostream &stream) override {
    lines.push_back({stream.getLine(), instruction});
  }
  std::vector<std::pair<unsigned, const Instruction *>> lines;
};
} // namespace

/// Removes references to metadata that is not shown: ", !dbg !12".
static std::string withoutDebugInfo(StringRef line) {
  std::string result;
  for (size_t at; (at = line.find("!dbg !")) != StringRef::npos;) {
    result += line.take_front(at).rtrim(", ");
    line = line.drop_front(at + 6).drop_while(isDigit);
  }
  return result + line.str();
}

static Text printFunction(const Function &function, Chains &chains) {
  LineNotes notes;
  std::string text;
  raw_string_ostream stream(text);
  function.print(stream, &notes);
  Text result = splitLines(text);
  for (Line &line : result)
    line.text = withoutDebugInfo(line.text);
  for (auto &[line, instruction] : notes.lines)
    if (std::optional<Chain> chain = chainOf(instruction->getDebugLoc().get(), chains); chain && line < result.size())
      result[line].chains.push_back(chains.getNumber(*chain));
  while (!result.empty() && result.front().text.empty())
    result.erase(result.begin());
  return result;
}

/// Replaces each location by the number of its chain, encoded as a line of chainFile.
static void numberLines(Function &function, Chains &chains) {
  DISubprogram *subprogram = function.getSubprogram();
  if (!subprogram)
    return;
  LLVMContext &context = function.getContext();
  auto *scope = DILexicalBlockFile::get(context, subprogram, DIFile::get(context, chainFile, ""), 0);
  for (Instruction &instruction : instructions(function)) {
    std::optional<Chain> chain = chainOf(instruction.getDebugLoc().get(), chains);
    if (instruction.getDebugLoc())
      instruction.setDebugLoc(DILocation::get(context, chain ? chains.getNumber(*chain) + 1 : 0, 0, scope));
  }
}

void Collector::sawLLVM(Module &module, const Target &target) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    Text text = printFunction(function, chains);
    numberLines(function, chains);
    lockedGet(target, function.getName()).stages.push_back({"llvm", std::move(text), {}});
  }
}

} // namespace tilecc::page
