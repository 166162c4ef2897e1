//===-- Argument.cpp - parses kernel arguments from the command line -------------------------------------------===//
//
// Parses the values of --arg: numbers, arrays to fill, and files.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "tools/tcc-run/Argument.h"
#include "emulator/isa/numerics/Convert.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

using namespace tilecc::emu;

//===-- elements -----------------------------------------------------------------------------------------------===//

// Calls f with a value of the C++ type for `type`. Returns false if there is no such type.
template <class F> static bool withType(ptx::Type type, F f) {
  switch (type) {
  case ptx::Type::b8:
  case ptx::Type::u8: f(u8()); return true;
  case ptx::Type::b16:
  case ptx::Type::u16: f(u16()); return true;
  case ptx::Type::b32:
  case ptx::Type::u32: f(u32()); return true;
  case ptx::Type::b64:
  case ptx::Type::u64: f(u64()); return true;
  case ptx::Type::s8: f(s8()); return true;
  case ptx::Type::s16: f(s16()); return true;
  case ptx::Type::s32: f(s32()); return true;
  case ptx::Type::s64: f(s64()); return true;
  case ptx::Type::f16: f(f16()); return true;
  case ptx::Type::bf16: f(bf16()); return true;
  case ptx::Type::e4m3: f(e4m3()); return true;
  case ptx::Type::e5m2: f(e5m2()); return true;
  case ptx::Type::f32: f(float()); return true;
  case ptx::Type::f64: f(double()); return true;
  default: return false;
  }
}

static ptx::Type parseType(const std::string &name) {
  bool isSigned = name.size() > 1 && name[0] == 'i';
  ptx::Type type = ptx::typeNamed(isSigned ? "s" + name.substr(1) : name);
  if (!withType(type, [](auto) {}))
    throw UsageError("'" + name +
                     "' is not a type of arguments; these are b8 to b64, s8 to s64, u8 to u64, f16, bf16, "
                     "f32, f64, e4m3 and e5m2");
  return type;
}

// Parses a C integer, including 0x. `text` is null-terminated after the number.
template <class T> static bool parseInteger(const char *text, T &value) {
  bool negative = *text == '-';
  const char *digits = text + negative, *end = text + strlen(text);
  int base = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X') ? 16 : 10;
  digits += base == 16 ? 2 : 0;
  uint64_t magnitude;
  auto [last, error] = std::from_chars(digits, end, magnitude, base);
  uint64_t most = std::numeric_limits<T>::max();
  if (negative)
    most = std::is_signed_v<T> ? most + 1 : 0;
  if (error != std::errc() || last != end || magnitude > most)
    return false;
  value = static_cast<T>(negative ? 0 - magnitude : magnitude);
  return true;
}

template <class T> static bool parseValue(const char *text, T &value) {
  if constexpr (std::integral<T>) {
    return parseInteger(text, value);
  } else {
    char *end;
    double number = std::strtod(text, &end);
    value = convert<T>(number);
    return end != text && !*end;
  }
}

static void parseElement(ptx::Type type, const std::string &text, char *bytes) {
  withType(type, [&](auto value) {
    if (!parseValue(text.c_str(), value))
      throw UsageError("'" + text + "' is not a value of type " + std::string(ptx::info(type).name));
    memcpy(bytes, &value, sizeof(value));
  });
}

std::string tilecc::emu::printElement(ptx::Type type, const char *bytes) {
  char text[64];
  char *end = text;
  withType(type, [&](auto value) {
    memcpy(&value, bytes, sizeof(value));
    using T = decltype(value);
    if constexpr (std::integral<T>) {
      bool isBits = ptx::info(type).kind == ptx::TypeClass::bits;
      if (isBits)
        end += snprintf(text, sizeof(text), "0x%0*llx", int(2 * sizeof(T)), static_cast<unsigned long long>(value));
      else
        end = std::to_chars(text, std::end(text), value).ptr;
    } else if constexpr (std::same_as<T, double>) {
      end = std::to_chars(text, std::end(text), value).ptr;
    } else {
      end = std::to_chars(text, std::end(text), toFloat(value)).ptr;
    }
  });
  return std::string(text, end);
}

//===-- contents of buffers ------------------------------------------------------------------------------------===//

static std::vector<char> readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw UsageError(path + ": " + strerror(errno));
  return {std::istreambuf_iterator<char>(file), {}};
}

static void fillWithRandom(Argument &argument, const std::string &seed) {
  std::mt19937_64 bits(seed.empty() ? 1 : parseCount(seed));
  withType(argument.type, [&](auto value) {
    for (uint64_t i = 0; i < argument.count; ++i) {
      if constexpr (std::integral<decltype(value)>)
        value = static_cast<decltype(value)>(bits());
      else
        value = convert<decltype(value)>(static_cast<double>(static_cast<int64_t>(bits())) * 0x1p-63);
      memcpy(&argument.bytes[i * sizeof(value)], &value, sizeof(value));
    }
  });
}

static void setContents(Argument &argument, const std::string &text) {
  if (text.rfind('@', 0) == 0) {
    argument.bytes = readFile(text.substr(1));
    if (argument.bytes.size() != argument.size())
      throw UsageError(text.substr(1) + " has " + std::to_string(argument.bytes.size()) + " bytes, not " +
                       std::to_string(argument.size()));
    return;
  }
  argument.bytes.resize(argument.size());
  if (text == "random" || text.rfind("random:", 0) == 0)
    return fillWithRandom(argument, text.size() > 6 ? text.substr(7) : "");

  size_t bytes = ptx::info(argument.type).bits / 8;
  uint64_t given = 0;
  for (size_t at = 0; at <= text.size();) {
    size_t end = std::min(text.find(',', at), text.size());
    if (given == argument.count)
      throw UsageError("there are more than " + std::to_string(argument.count) + " elements");
    parseElement(argument.type, text.substr(at, end - at), &argument.bytes[given++ * bytes]);
    at = end + 1;
  }
  if (given != 1 && given != argument.count)
    throw UsageError("there are " + std::to_string(given) + " elements, not " + std::to_string(argument.count));
  for (uint64_t i = given; i < argument.count; ++i)
    memcpy(&argument.bytes[i * bytes], argument.bytes.data(), bytes);
}

uint64_t tilecc::emu::parseCount(const std::string &text) {
  uint64_t value;
  if (!parseInteger(text.c_str(), value))
    throw UsageError("'" + text + "' is not a number");
  return value;
}

Argument tilecc::emu::parseArgument(const std::string &text) {
  Argument argument;
  size_t end = text.find_first_of("[:=");
  argument.type = parseType(text.substr(0, end));
  bool hasCount = end != std::string::npos && text[end] == '[';
  if (hasCount) {
    size_t close = text.find(']', end);
    if (close == std::string::npos)
      throw UsageError("']' is missing");
    argument.count = parseCount(text.substr(end + 1, close - end - 1));
    constexpr uint64_t most = uint64_t(1) << 40;
    if (argument.count < 1 || argument.count > most)
      throw UsageError("a buffer has between 1 and 2^40 elements");
    end = close + 1;
  }
  bool hasContents = end < text.size();
  argument.isBuffer = hasCount && (!hasContents || text[end] == '=');
  if (hasContents && text[end] != '=' && text[end] != ':')
    throw UsageError("'" + text.substr(end) + "' is left over");
  if (!argument.isBuffer && (!hasContents || text[end] != ':'))
    throw UsageError("write type:value, or type[count] for a buffer");
  if (hasContents)
    setContents(argument, text.substr(end + 1));
  return argument;
}
