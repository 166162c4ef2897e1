//===-- Values.h - parses values of registers in a list of answers ---------------------------------------------===//
//
//   12 -1 0xff          an integer, cut to the register's width
//   1.5 -0.0 0x1.8p-3   a number with a point: of single or double precision, as wide as the register
//   inf -inf nan        the same; as a result, nan is any NaN
//   0x3c00..0x3c02      as a result: anything in between; 1.41..1.42, too
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TEST_EMULATOR_INSTRUCTIONS_VALUES_H
#define TILECC_TEST_EMULATOR_INSTRUCTIONS_VALUES_H

#include <string>
#include <string_view>
#include <vector>

namespace tilecc::emu::test {

using Bits = unsigned __int128;

struct Value {
  Bits low = 0, high = 0; // high: the end of a range
  bool anyNan = false, isRange = false, isNumber = false;
  bool accepts(Bits got, unsigned width) const;
};

// Throws std::invalid_argument if the text is invalid.
Value parseValue(std::string_view text, unsigned width);

struct Line {
  std::vector<std::string> in, out;
};
// "1 2 -> 3; 4 5 -> 6"
std::vector<Line> parseLines(std::string_view text);

std::string hex(Bits value, unsigned width);

} // namespace tilecc::emu::test
#endif
