//===-- Values.cpp - parses values of registers in a list of answers -------------------------------------------===//
#include "Values.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

using namespace tilecc::emu::test;

static Bits cut(Bits bits, unsigned width) { return width == 128 ? bits : bits & ((Bits(1) << width) - 1); }

static double numberOf(Bits bits, unsigned width) {
  return width == 32 ? std::bit_cast<float>(static_cast<uint32_t>(bits))
                     : std::bit_cast<double>(static_cast<uint64_t>(bits));
}

bool Value::accepts(Bits got, unsigned width) const {
  if (anyNan)
    return std::isnan(numberOf(got, width));
  if (!isRange)
    return got == low;
  if (isNumber)
    return numberOf(low, width) <= numberOf(got, width) && numberOf(got, width) <= numberOf(high, width);
  return low <= got && got <= high;
}

static bool isNumber(std::string_view text) {
  return text.find('.') != text.npos || text.find("inf") != text.npos || text == "nan" ||
         (text.find("0x") != text.npos && text.find('p') != text.npos);
}

static Bits parseNumber(const std::string &text, unsigned width) {
  char *end;
  if (width == 32) {
    float value = std::strtof(text.c_str(), &end);
    if (*end == 0)
      return std::bit_cast<uint32_t>(value);
  } else if (width == 64) {
    double value = std::strtod(text.c_str(), &end);
    if (*end == 0)
      return std::bit_cast<uint64_t>(value);
  }
  throw std::invalid_argument("'" + text + "' is no number of " + std::to_string(width) + " bits");
}

static Bits parseInteger(std::string_view text, unsigned width) {
  std::string_view digits = text;
  bool negative = digits.starts_with('-');
  if (negative)
    digits.remove_prefix(1);
  unsigned base = digits.starts_with("0x") ? 16 : 10;
  if (base == 16)
    digits.remove_prefix(2);
  Bits value = 0;
  for (char c : digits) {
    unsigned digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
    if (digit >= base)
      throw std::invalid_argument("'" + std::string(text) + "' is no integer");
    value = value * base + digit;
  }
  // A value that the register cannot hold is a mistake in the test.
  if (digits.empty() || value != cut(value, width) || (negative && value > Bits(1) << (width - 1)))
    throw std::invalid_argument("'" + std::string(text) + "' does not fit " + std::to_string(width) + " bits");
  return cut(negative ? -value : value, width);
}

Value tilecc::emu::test::parseValue(std::string_view text, unsigned width) {
  Value value;
  auto parse = [&](std::string_view part) {
    return isNumber(part) ? parseNumber(std::string(part), width) : parseInteger(part, width);
  };
  if (size_t dots = text.find(".."); dots != text.npos) {
    value.isRange = true;
    value.isNumber = isNumber(text.substr(0, dots));
    value.low = parse(text.substr(0, dots));
    value.high = parse(text.substr(dots + 2));
    return value;
  }
  value.anyNan = text == "nan";
  value.low = value.high = parse(text);
  return value;
}

std::vector<Line> tilecc::emu::test::parseLines(std::string_view text) {
  std::vector<Line> lines;
  std::istringstream all{std::string(text)};
  for (std::string one; std::getline(all, one, ';');) {
    Line line;
    bool isResult = false;
    std::istringstream tokens(one);
    for (std::string token; tokens >> token;)
      if (token == "->")
        isResult = true;
      else
        (isResult ? line.out : line.in).push_back(token);
    if (!isResult)
      throw std::invalid_argument("'" + one + "' has no ->");
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string tilecc::emu::test::hex(Bits value, unsigned width) {
  std::string text = "0x";
  for (unsigned digit = (width + 3) / 4; digit--;)
    text += "0123456789abcdef"[static_cast<unsigned>(value >> 4 * digit) & 15];
  return text;
}
