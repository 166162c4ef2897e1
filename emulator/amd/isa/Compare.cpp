//===-- Compare.cpp - v_cmp and v_cmpx -------------------------------------------------------------------------===//
#include "emulator/amd/Table.h"

#include <cmath>
#include <deque>
#include <limits>

using namespace tilecc::emu;
using namespace tilecc::emu::amd;

namespace {

template <class T> auto number(T x) {
  if constexpr (std::is_same_v<T, f16>)
    return toFloat(x);
  else
    return x;
}

// Returns true if a number is in one of the classes of v_cmp_class, which has a bit for each class.
template <class T, unsigned ExponentBits, unsigned FractionBits> bool isOfClass(u64 bits, u32 classes) {
  u64 fraction = bits & ((u64(1) << FractionBits) - 1), exponent = bits >> FractionBits & ((1u << ExponentBits) - 1);
  bool negative = bits >> (ExponentBits + FractionBits) & 1, special = exponent == (1u << ExponentBits) - 1;
  if (special && fraction)
    return classes >> (fraction >> (FractionBits - 1) & 1 ? 1 : 0) & 1;
  unsigned which = special ? 0 : exponent ? 1 : fraction ? 2 : 3; // infinity, normal, subnormal, zero
  return classes >> (negative ? 2 + which : 9 - which) & 1;
}

// Stores a name for the lifetime of the table.
std::string_view keep(std::string name) {
  static std::deque<std::string> names;
  return names.emplace_back(std::move(name));
}

template <auto F> void add(std::vector<Row> &rows, const std::string &condition, const std::string &type) {
  rows.push_back(lanes<F>(keep("v_cmp_" + condition + "_" + type)));
  rows.push_back(lanes<F>(keep("v_cmpx_" + condition + "_" + type), Row::writesExec));
}

template <class T> void addOrdered(std::vector<Row> &rows, const std::string &type) {
  add<[](T a, T b) { return number(a) < number(b); }>(rows, "lt", type);
  add<[](T a, T b) { return number(a) == number(b); }>(rows, "eq", type);
  add<[](T a, T b) { return number(a) <= number(b); }>(rows, "le", type);
  add<[](T a, T b) { return number(a) > number(b); }>(rows, "gt", type);
  add<[](T a, T b) { return number(a) >= number(b); }>(rows, "ge", type);
}

template <class T> void addIntegers(std::vector<Row> &rows, const std::string &type) {
  addOrdered<T>(rows, type);
  add<[](T a, T b) { return a != b; }>(rows, "ne", type);
}

template <class T> void addFloats(std::vector<Row> &rows, const std::string &type) {
  addOrdered<T>(rows, type);
  add<[](T a, T b) { return number(a) < number(b) || number(a) > number(b); }>(rows, "lg", type);
  add<[](T a, T b) { return !std::isnan(number(a)) && !std::isnan(number(b)); }>(rows, "o", type);
  add<[](T a, T b) { return std::isnan(number(a)) || std::isnan(number(b)); }>(rows, "u", type);
  add<[](T a, T b) { return !(number(a) >= number(b)); }>(rows, "nge", type);
  add<[](T a, T b) { return !(number(a) < number(b) || number(a) > number(b)); }>(rows, "nlg", type);
  add<[](T a, T b) { return !(number(a) > number(b)); }>(rows, "ngt", type);
  add<[](T a, T b) { return !(number(a) <= number(b)); }>(rows, "nle", type);
  add<[](T a, T b) { return !(number(a) == number(b)); }>(rows, "neq", type);
  add<[](T a, T b) { return !(number(a) < number(b)); }>(rows, "nlt", type);
}

} // namespace

std::vector<Row> tilecc::emu::amd::compareRows() {
  std::vector<Row> rows;
  addFloats<float>(rows, "f32");
  addFloats<double>(rows, "f64");
  addFloats<f16>(rows, "f16");
  addIntegers<u32>(rows, "u32");
  addIntegers<s32>(rows, "i32");
  addIntegers<u64>(rows, "u64");
  addIntegers<s64>(rows, "i64");
  addIntegers<u16>(rows, "u16");
  addIntegers<s16>(rows, "i16");
  add<[](float a, u32 b) { return isOfClass<float, 8, 23>(bitsOf(a), b); }>(rows, "class", "f32");
  add<[](double a, u32 b) { return isOfClass<double, 11, 52>(bitsOf(a), b); }>(rows, "class", "f64");
  add<[](f16 a, u32 b) { return isOfClass<f16, 5, 10>(a.bits, b); }>(rows, "class", "f16");
  return rows;
}
