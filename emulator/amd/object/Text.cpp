//===-- Text.cpp - parses the output of LLVM's disassembler; for Decode.cpp ------------------------------------===//
#include "emulator/amd/object/Text.h"

#include <charconv>
#include <cstdlib>

using namespace tilecc::emu::amd;

namespace {

std::string_view trim(std::string_view text) {
  size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : text.substr(first, last - first + 1);
}

bool parseInteger(std::string_view text, int64_t &value) {
  bool negative = !text.empty() && text[0] == '-';
  if (negative)
    text.remove_prefix(1);
  int base = 10;
  if (text.substr(0, 2) == "0x") {
    base = 16;
    text.remove_prefix(2);
  }
  uint64_t magnitude = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), magnitude, base);
  value = static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
  return !text.empty() && error == std::errc() && end == text.data() + text.size();
}

bool parseReal(std::string_view text, double &value) {
  if (text.find('.') == std::string_view::npos)
    return false;
  std::string copy(text);
  char *end;
  value = std::strtod(copy.c_str(), &end);
  return !*end;
}

struct Named {
  std::string_view name;
  uint16_t first, words;
};
constexpr Named named[] = {
    {"vcc", scalarVcc, 2},
    {"vcc_lo", scalarVcc, 1},
    {"vcc_hi", scalarVcc + 1, 1},
    {"exec", scalarExec, 2},
    {"exec_lo", scalarExec, 1},
    {"exec_hi", scalarExec + 1, 1},
    {"m0", scalarM0, 1},
    {"null", scalarNull, 1},
    {"scc", scalarScc, 1},
    {"src_scc", scalarScc, 1},
    {"src_shared_base", scalarSharedBase, 2},
    {"src_shared_limit", scalarSharedLimit, 2},
    {"src_private_base", scalarPrivateBase, 2},
    {"src_private_limit", scalarPrivateLimit, 2},
};

// "v5", "s[4:7]", "ttmp9"
bool parseRegister(std::string_view text, TextOperand &operand) {
  for (const Named &candidate : named)
    if (candidate.name == text) {
      operand.kind = TextOperand::scalar;
      operand.first = candidate.first;
      operand.words = candidate.words;
      return true;
    }
  uint16_t base = 0;
  if (text.substr(0, 4) == "ttmp") {
    operand.kind = TextOperand::scalar;
    base = scalarTtmp;
    text.remove_prefix(4);
  } else if (!text.empty() && (text[0] == 'v' || text[0] == 'a' || text[0] == 's')) {
    operand.kind = text[0] == 's' ? TextOperand::scalar : TextOperand::vector;
    base = text[0] == 'a' ? firstAccumulator : 0;
    text.remove_prefix(1);
  } else {
    return false;
  }
  if (text.size() > 2 && text[text.size() - 2] == '.' && operand.kind == TextOperand::vector) {
    operand.half = text.back() == 'h' ? TextOperand::high : TextOperand::low;
    text.remove_suffix(2);
  }
  int64_t first, last;
  if (!text.empty() && text[0] == '[') {
    size_t colon = text.find(':');
    if (colon == std::string_view::npos) {
      if (!parseInteger(text.substr(1, text.size() - 2), first))
        return false;
      last = first;
    } else if (!parseInteger(text.substr(1, colon - 1), first) ||
               !parseInteger(text.substr(colon + 1, text.size() - colon - 2), last)) {
      return false;
    }
  } else if (parseInteger(text, first)) {
    last = first;
  } else {
    return false;
  }
  operand.first = static_cast<uint16_t>(base + first);
  operand.words = static_cast<uint16_t>(last - first + 1);
  return true;
}

TextOperand parseOperand(std::string_view text) {
  TextOperand operand;
  operand.text = text;
  std::string_view rest = text;
  auto strip = [&](std::string_view before, std::string_view after) {
    if (rest.size() < before.size() + after.size() || rest.substr(0, before.size()) != before ||
        rest.substr(rest.size() - after.size()) != after)
      return false;
    rest = rest.substr(before.size(), rest.size() - before.size() - after.size());
    return true;
  };
  int64_t ignored;
  double ignoredReal;
  if (strip("neg(", ")"))
    operand.negate = true;
  else if (rest.size() > 1 && rest[0] == '-' && !parseInteger(rest, ignored) && !parseReal(rest, ignoredReal)) {
    operand.negate = true;
    rest.remove_prefix(1);
  }
  if (strip("|", "|") || strip("abs(", ")"))
    operand.absolute = true;
  if (strip("sext(", ")"))
    operand.signExtend = true;
  strip("lit(", ")"); // a literal that would also fit into the instruction
  if (rest == "off")
    operand.kind = TextOperand::off;
  else if (parseInteger(rest, operand.value))
    operand.kind = TextOperand::integer;
  else if (parseReal(rest, operand.number))
    operand.kind = TextOperand::real;
  else if (!parseRegister(rest, operand))
    operand.kind = TextOperand::word;
  return operand;
}

// Splits at `separator`, except within brackets and bars.
std::string_view cut(std::string_view &text, char separator) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += (text[i] == '[' || text[i] == '(') - (text[i] == ']' || text[i] == ')');
    if (text[i] != separator || depth)
      continue;
    std::string_view piece = text.substr(0, i);
    text = trim(text.substr(i + 1));
    return piece;
  }
  std::string_view piece = text;
  text = {};
  return piece;
}

InstructionText parseOne(std::string_view text) {
  InstructionText instruction;
  instruction.mnemonic = cut(text, ' ');
  for (std::string_view suffix : {"e64_dpp", "e32", "e64", "dpp8", "dpp", "sdwa"})
    if (size_t size = instruction.mnemonic.size(); size > suffix.size() &&
                                                   instruction.mnemonic[size - suffix.size() - 1] == '_' &&
                                                   instruction.mnemonic.ends_with(suffix)) {
      instruction.encoding = suffix;
      instruction.mnemonic.resize(size - suffix.size() - 1);
      break;
    }
  // Operands are separated by commas. The modifiers follow the last operand, separated by blanks.
  while (!text.empty()) {
    std::string_view piece = trim(cut(text, ','));
    bool last = text.empty();
    std::string_view word = trim(cut(piece, ' '));
    bool isModifier = word.find(':') != std::string_view::npos && word.find('[') == std::string_view::npos;
    isModifier |= word.find(":[") != std::string_view::npos;
    if (isModifier)
      instruction.modifiers.emplace(word.substr(0, word.find(':')), word.substr(word.find(':') + 1));
    else if (!word.empty())
      instruction.operands.push_back(parseOperand(word));
    for (; !piece.empty();) {
      if (!last)
        throw Unsupported("'" + std::string(piece) + "' stands between operands");
      word = trim(cut(piece, ' '));
      size_t colon = word.find(':');
      std::string_view value = colon == std::string_view::npos ? std::string_view() : word.substr(colon + 1);
      if (!word.empty())
        instruction.modifiers.emplace(word.substr(0, colon), value);
    }
  }
  return instruction;
}

} // namespace

int64_t InstructionText::number(std::string_view name, int64_t otherwise) const {
  auto found = modifiers.find(name);
  if (found == modifiers.end())
    return otherwise;
  int64_t value;
  if (!parseInteger(found->second, value))
    throw Unsupported("'" + std::string(name) + ":" + found->second + "' is not known");
  return value;
}

std::vector<int> InstructionText::list(std::string_view name) const {
  std::vector<int> numbers;
  auto found = modifiers.find(name);
  if (found == modifiers.end())
    return numbers;
  for (const char *at = found->second.c_str(); *at;) {
    if (*at >= '0' && *at <= '9')
      numbers.push_back(static_cast<int>(std::strtol(at, const_cast<char **>(&at), 10)));
    else
      ++at;
  }
  return numbers;
}

std::vector<InstructionText> tilecc::emu::amd::parseInstruction(std::string_view text) {
  std::vector<InstructionText> instructions;
  std::string line(text);
  for (char &c : line)
    c = c == '\t' ? ' ' : c;
  text = trim(line);
  for (;;) {
    size_t both = text.find(" :: ");
    instructions.push_back(parseOne(trim(text.substr(0, both))));
    if (both == std::string_view::npos)
      return instructions;
    text = text.substr(both + 4);
  }
}
