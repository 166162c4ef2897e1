//===-- Table.cpp - finds the row of an instruction ------------------------------------------------------------===//
#include "emulator/isa/Table.h"

#include <algorithm>
#include <unordered_map>

using namespace tilecc::emu;

//===-- Named sets of modifiers --------------------------------------------------------------------------------===//

namespace {
struct NamedSet {
  std::string_view name, words;
};
} // namespace

static constexpr NamedSet namedSets[] = {
    {"cmp", "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan"},
    {"bool", "and or xor"},
    {"space", "global shared shared::cta shared::cluster local const param param::entry param::func"},
    {"sem", "weak volatile relaxed acquire release acq_rel"},
    {"scope", "cta cluster gpu sys"},
    {"cache", "ca cg cs lu cv wb wt"},
    {"evict", "L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate"},
    {"evict2", "L2::evict_normal L2::evict_first L2::evict_last"},
    {"hint", "L2::cache_hint"},
    {"prefetch", "L2::64B L2::128B L2::256B"},
    {"vec", "v2 v4 v8"},
    {"dim", "1d 2d 3d 4d 5d"},
    // Shapes of wgmma; for integers there are fewer.
    {"m64k8",
     "m64n8k8 m64n16k8 m64n24k8 m64n32k8 m64n40k8 m64n48k8 m64n56k8 m64n64k8 m64n72k8 m64n80k8 m64n88k8 m64n96k8 "
     "m64n104k8 m64n112k8 m64n120k8 m64n128k8 m64n136k8 m64n144k8 m64n152k8 m64n160k8 m64n168k8 m64n176k8 "
     "m64n184k8 m64n192k8 m64n200k8 m64n208k8 m64n216k8 m64n224k8 m64n232k8 m64n240k8 m64n248k8 m64n256k8"},
    {"m64k16",
     "m64n8k16 m64n16k16 m64n24k16 m64n32k16 m64n40k16 m64n48k16 m64n56k16 m64n64k16 m64n72k16 m64n80k16 "
     "m64n88k16 m64n96k16 m64n104k16 m64n112k16 m64n120k16 m64n128k16 m64n136k16 m64n144k16 m64n152k16 m64n160k16 "
     "m64n168k16 m64n176k16 m64n184k16 m64n192k16 m64n200k16 m64n208k16 m64n216k16 m64n224k16 m64n232k16 "
     "m64n240k16 m64n248k16 m64n256k16"},
    {"m64k32",
     "m64n8k32 m64n16k32 m64n24k32 m64n32k32 m64n40k32 m64n48k32 m64n56k32 m64n64k32 m64n72k32 m64n80k32 "
     "m64n88k32 m64n96k32 m64n104k32 m64n112k32 m64n120k32 m64n128k32 m64n136k32 m64n144k32 m64n152k32 m64n160k32 "
     "m64n168k32 m64n176k32 m64n184k32 m64n192k32 m64n200k32 m64n208k32 m64n216k32 m64n224k32 m64n232k32 "
     "m64n240k32 m64n248k32 m64n256k32"},
    {"m64k32i", "m64n8k32 m64n16k32 m64n24k32 m64n32k32 m64n48k32 m64n64k32 m64n80k32 m64n96k32 m64n112k32 m64n128k32 "
                "m64n144k32 m64n160k32 m64n176k32 m64n192k32 m64n208k32 m64n224k32 m64n240k32 m64n256k32"},
    // Repetitions that a shape of tcgen05.ld and .st allows, by the number of registers per repetition.
    {"x128", "x1 x2 x4 x8 x16 x32 x64 x128"},
    {"x64", "x1 x2 x4 x8 x16 x32 x64"},
    {"x32", "x1 x2 x4 x8 x16 x32"},
    {"collector", "collector::a::fill collector::a::use collector::a::lastuse collector::a::discard"},
    {"rnd", "rn rz rm rp"},
    {"rndi", "rni rzi rmi rpi"},
};

static bool isWordOf(std::string_view words, std::string_view word) {
  for (size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1))
    if ((at == 0 || words[at - 1] == ' ') && (at + word.size() == words.size() || words[at + word.size()] == ' '))
      return true;
  return false;
}

static bool isInSet(std::string_view set, std::string_view word) {
  for (const NamedSet &known : namedSets)
    if (known.name == set)
      return isWordOf(known.words, word);
  throw std::logic_error("the instruction table names an unknown set $" + std::string(set));
}

//===-- Patterns -----------------------------------------------------------------------------------------------===//

namespace {

// The alternatives at one position among the modifiers.
struct Segment {
  bool optional = false;
  bool moves = false; // an order, a scope or a space
  std::vector<std::string_view> alternatives; // "lo", "$cmp", "T"
};

struct Pattern {
  const Row *row;
  std::vector<Segment> segments;
};

using Words = std::vector<std::string_view>;

struct Table {
  Rows rows;
  std::unordered_map<std::string_view, std::vector<Pattern>> byOpcode;
};

} // namespace

// Returns true for orders, scopes and spaces, which ptxas accepts at any position among the modifiers: nvcc's headers
// use both atom.shared.cta.add.u32 and atom.add.acq_rel.gpu.s32.
static bool moves(std::string_view word) {
  if (word.front() == '$')
    return word == "$sem" || word == "$scope" || word == "$space";
  return isInSet("sem", word) || isInSet("scope", word) || isInSet("space", word);
}

// Splits ".lo{.sat|.ftz}(.x|.y).T" into segments.
static std::vector<Segment> parseModifiers(std::string_view text) {
  std::vector<Segment> segments;
  while (!text.empty()) {
    Segment segment;
    char first = text.front();
    size_t end;
    std::string_view words;
    if (first == '{' || first == '(') {
      segment.optional = first == '{';
      end = text.find(first == '{' ? '}' : ')');
      words = text.substr(1, end - 1);
      ++end;
    } else {
      end = std::min(text.find_first_of(".{(", 1), text.size());
      words = text.substr(0, end);
    }
    while (!words.empty()) {
      size_t bar = std::min(words.find('|'), words.size());
      segment.alternatives.push_back(words.substr(1, bar - 1)); // without the dot
      words.remove_prefix(std::min(bar + 1, words.size()));
    }
    segment.moves = std::all_of(segment.alternatives.begin(), segment.alternatives.end(), moves);
    segments.push_back(std::move(segment));
    text.remove_prefix(end);
  }
  return segments;
}

static const Table &table() {
  static const Table theTable = [] {
    Table made;
    for (auto family :
         {integerRows,  logicRows,      floatRows,     halfRows,         compareRows,    conversionRows,
          moveRows,     memoryRows,     atomicRows,    controlRows,      warpRows,       barrierRows,
          mbarrierRows, clusterRows,    asyncRows,     bulkRows,         tensorRows,     tensorMapRows,
          matrixRows,   warpMatrixRows, warpGroupRows, tensorMemoryRows, tensorCoreRows, clusterLaunchRows,
          videoRows,    multimemRows}) {
      Rows rows = family();
      made.rows.insert(made.rows.end(), rows.begin(), rows.end());
    }
    for (const Row &row : made.rows) {
      std::string_view head = syntax::head(row.syntax);
      size_t end = std::min(head.find_first_of(".{("), head.size());
      made.byOpcode[head.substr(0, end)].push_back({&row, parseModifiers(head.substr(end))});
    }
    return made;
  }();
  return theTable;
}

static bool matchType(std::string_view syntax, char variable, std::string_view word, Type &type, size_t &index) {
  Type named = ptx::typeNamed(word);
  if (named == Type::none)
    return false;
  for (size_t i = 0;; ++i) {
    Type listed = syntax::listedType(syntax, variable, i);
    if (listed == Type::none)
      return false;
    if (listed == named) {
      type = named;
      index = i;
      return true;
    }
  }
}

static bool matchWord(std::string_view syntax, std::string_view pattern, std::string_view word, Match &match) {
  if (pattern == "T")
    return matchType(syntax, 'T', word, match.T, match.indexT);
  if (pattern == "U")
    return matchType(syntax, 'U', word, match.U, match.indexU);
  if (pattern == "V")
    return matchType(syntax, 'V', word, match.V, match.indexV);
  if (pattern.front() != '$')
    return pattern == word;
  if (!isInSet(pattern.substr(1), word))
    return false;
  match.choices.push_back({pattern.substr(1), word});
  if (pattern == "$vec")
    match.vector = word[1] - '0';
  if (pattern == "$dim")
    match.vector = word[0] - '0';
  if (pattern.starts_with("$x"))
    match.repeats = std::atoi(word.data() + 1);
  if (pattern.starts_with("$m64"))
    match.columns = std::atoi(word.data() + 4); // m64n
  return true;
}

static bool matchFrom(std::string_view syntax, const std::vector<const Segment *> &segments, size_t segment,
                      const Words &words, size_t word, Match &match) {
  if (segment == segments.size())
    return word == words.size();
  const Segment &here = *segments[segment];
  if (word < words.size())
    for (std::string_view alternative : here.alternatives) {
      Match saved = match;
      if (matchWord(syntax, alternative, words[word], match) &&
          matchFrom(syntax, segments, segment + 1, words, word + 1, match))
        return true;
      match = std::move(saved);
    }
  return here.optional && matchFrom(syntax, segments, segment + 1, words, word, match);
}

static bool matchInOrder(const Pattern &pattern, const Words &words, Match &match) {
  std::vector<const Segment *> segments;
  for (const Segment &segment : pattern.segments)
    segments.push_back(&segment);
  return matchFrom(pattern.row->syntax, segments, 0, words, 0, match);
}

// Matches after removing the movable words from any position.
static bool matchMoved(const Pattern &pattern, const Words &words, Match &match) {
  Words moving, others;
  for (std::string_view word : words)
    (moves(word) ? moving : others).push_back(word);
  std::vector<const Segment *> segments;
  for (const Segment &segment : pattern.segments) {
    if (!segment.moves) {
      segments.push_back(&segment);
      continue;
    }
    auto found = std::find_if(moving.begin(), moving.end(), [&](std::string_view word) {
      return std::any_of(segment.alternatives.begin(), segment.alternatives.end(), [&](std::string_view alternative) {
        return matchWord(pattern.row->syntax, alternative, word, match);
      });
    });
    if (found != moving.end())
      moving.erase(found);
    else if (!segment.optional)
      return false;
  }
  return moving.empty() && matchFrom(pattern.row->syntax, segments, 0, others, 0, match);
}

// [map, {x, y}]
static bool coordinatesFit(const ptx::Operand &operand, unsigned count) {
  if (operand.kind != ptx::Operand::Kind::address || count == 0)
    return operand.elements.size() <= 1 || operand.kind != ptx::Operand::Kind::address;
  return operand.elements.size() == 2 && operand.elements[1].kind == ptx::Operand::Kind::vector &&
         operand.elements[1].elements.size() == count;
}

// Rows with the same modifiers differ in their operands: "d, a", "d, {a*2}" and "d, [a]".
static bool operandsFit(const ptx::Instruction &instruction, const std::vector<ptx::Register> &registers,
                        const Row &row, const Match &match) {
  std::vector<OperandSpec> specs = operandSpecs(row, match);
  size_t least = specs.size();
  while (least && specs[least - 1].optional)
    --least;
  size_t count = instruction.operands.size();
  if (count < least || count > specs.size())
    return false;
  for (size_t i = 0; i < count; ++i)
    if (instruction.operands[i].kind == ptx::Operand::Kind::vector
            ? specs[i].count != instruction.operands[i].elements.size() || !specs[i].vector
            : specs[i].vector && specs[i].count != 1)
      return false;
    else if (specs[i].role == OperandSpec::source && instruction.operands[i].kind == ptx::Operand::Kind::address)
      return false;
    else if (specs[i].role == OperandSpec::address && !coordinatesFit(instruction.operands[i], specs[i].coordinates))
      return false;
    else if (specs[i].role == OperandSpec::number && instruction.operands[i].bits != specs[i].value)
      return false;
    else if (instruction.operands[i].kind == ptx::Operand::Kind::reg && specs[i].role == OperandSpec::source &&
             (registers[instruction.operands[i].index].type == Type::pred) != (specs[i].type == Type::pred))
      return false;
  return true;
}

const Row *tilecc::emu::findRow(const ptx::Instruction &instruction, const std::vector<ptx::Register> &registers,
                                Match &match, std::string &why) {
  auto found = table().byOpcode.find(instruction.opcode);
  if (found == table().byOpcode.end()) {
    why = "unknown instruction '" + instruction.spelling() + "'";
    return nullptr;
  }
  const Row *best = nullptr;
  Words words(instruction.modifiers.begin(), instruction.modifiers.end());
  for (auto matches : {&matchInOrder, &matchMoved}) {
    for (const Pattern &pattern : found->second) {
      Match attempt;
      attempt.syntax = pattern.row->syntax;
      attempt.instruction = &instruction;
      attempt.modifiers = words;
      if (!matches(pattern, words, attempt))
        continue;
      match = std::move(attempt);
      best = pattern.row;
      if (operandsFit(instruction, registers, *best, match))
        return best;
    }
    if (best)
      break;
  }
  if (best) {
    why = "the operands of '" + instruction.spelling() + "' should be: " + std::string(syntax::operands(best->syntax));
    return nullptr;
  }
  why = "'" + instruction.spelling() + "' is not in the instruction table, which has";
  for (const Pattern &pattern : found->second)
    why += "\n  " + std::string(pattern.row->syntax);
  return nullptr;
}

std::vector<OperandSpec> tilecc::emu::operandSpecs(const Row &row, const Match &match) {
  std::vector<OperandSpec> specs;
  for (size_t i = 0; !syntax::operand(row.syntax, i).empty(); ++i) {
    std::string_view text = syntax::operand(row.syntax, i);
    OperandSpec spec;
    if (text.ends_with('?')) {
      spec.optional = true;
      text.remove_suffix(1);
    }
    std::string_view typeName = syntax::operandTypeName(text);
    spec.type = typeName == "T"   ? match.T
                : typeName == "U" ? match.U
                : typeName == "V" ? match.V
                                  : ptx::typeNamed(typeName);
    char name = text.front();
    if (name == '[') {
      spec.role = OperandSpec::address;
      if (text.find('{') != std::string_view::npos)
        spec.coordinates = match.vector;
    } else {
      if (name == '{') {
        spec.vector = true;
        name = text[1];
        size_t star = text.find('*');
        spec.count = star == std::string_view::npos ? match.vector
                     : text[star + 1] == 'N'        ? match.columns / 2
                     : text[star + 1] == 'H'        ? match.columns / 4
                     : text[star + 1] == 'D'        ? std::max(match.vector, 2u) - 2
                     : text[star + 1] == 'R'        ? match.repeats * std::atoi(text.data() + star + 2)
                                                    : std::atoi(text.data() + star + 1);
      }
      spec.role = name == 'd' || name == 'e' ? OperandSpec::dest
                  : name == 'x'              ? OperandSpec::both
                                             : OperandSpec::source;
      if (name >= '0' && name <= '9') {
        spec.role = OperandSpec::number;
        spec.value = std::atoi(text.data());
      }
      if (text == "label")
        spec.role = OperandSpec::label;
      if (text == "symbol")
        spec.role = OperandSpec::symbol;
      spec.pair = text.find("|") != std::string_view::npos;
    }
    specs.push_back(spec);
  }
  return specs;
}

bool tilecc::emu::allowsWideRegisters(const Row &row) { return row.syntax.find("; wide") != std::string_view::npos; }

// Returns the words that an alternative of a segment represents.
static std::vector<std::string> wordsOf(std::string_view syntax, std::string_view alternative) {
  std::vector<std::string> words;
  if (alternative.size() == 1 && alternative.front() >= 'T' && alternative.front() <= 'V') {
    for (size_t i = 0; i < syntax::listedTypes(syntax, alternative.front()); ++i)
      words.emplace_back(ptx::info(syntax::listedType(syntax, alternative.front(), i)).name);
  } else if (alternative.front() == '$') {
    for (const NamedSet &set : namedSets)
      if (set.name == alternative.substr(1))
        for (std::string_view rest = set.words; !rest.empty();) {
          size_t end = std::min(rest.find(' '), rest.size());
          words.emplace_back(rest.substr(0, end));
          rest.remove_prefix(std::min(end + 1, rest.size()));
        }
  } else {
    words.emplace_back(alternative);
  }
  return words;
}

std::vector<std::string> tilecc::emu::spellings(const Row &row) {
  std::string_view head = syntax::head(row.syntax);
  size_t end = std::min(head.find_first_of(".{("), head.size());
  std::vector<std::string> all = {std::string(head.substr(0, end))};
  for (const Segment &segment : parseModifiers(head.substr(end))) {
    std::vector<std::string> words, longer;
    for (std::string_view alternative : segment.alternatives)
      for (std::string &word : wordsOf(row.syntax, alternative))
        words.push_back(std::move(word));
    for (const std::string &prefix : all) {
      if (segment.optional)
        longer.push_back(prefix);
      for (const std::string &word : words)
        longer.push_back(prefix + "." + word);
    }
    all = std::move(longer);
  }
  return all;
}

size_t tilecc::emu::rowCount() { return table().rows.size(); }
const Row &tilecc::emu::rowNumber(size_t n) { return table().rows[n]; }

Modifiers tilecc::emu::fpModifiers(const Match &match) {
  Modifiers mode;
  for (std::string_view m : match.modifiers) {
    if (m == "rz" || m == "rzi")
      mode.rounding = Rounding::rz;
    else if (m == "rm" || m == "rmi")
      mode.rounding = Rounding::rm;
    else if (m == "rp" || m == "rpi")
      mode.rounding = Rounding::rp;
    else if (m == "rna")
      mode.rounding = Rounding::rna;
    else if (m == "ftz")
      mode.ftz = true;
    else if (m == "sat")
      mode.sat = true;
    else if (m == "relu")
      mode.relu = true;
    else if (m == "satfinite")
      mode.satfinite = true;
  }
  return mode;
}
