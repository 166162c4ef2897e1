//===-- Operators.h - functions of two elements ----------------------------------------------------------------===//
//
// The operations of atom, red, redux and bulk reductions, which combine the element in memory with the operand.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_ISA_OPERATORS_H
#define TILECC_EMULATOR_ISA_OPERATORS_H

#include "emulator/isa/numerics/Arithmetic.h"
#include "emulator/isa/numerics/Compare.h"

#include <algorithm>
#include <concepts>
#include <type_traits>

namespace tilecc::emu::operators {

/// An unsigned integer of the same width as T.
template <unsigned bytes> struct BitsOfSize;
template <> struct BitsOfSize<2> {
  using type = u16;
};
template <> struct BitsOfSize<4> {
  using type = u32;
};
template <> struct BitsOfSize<8> {
  using type = u64;
};
template <class T> using Bits = typename BitsOfSize<sizeof(T)>::type;

/// Applies `F` to both halves of a pair.
template <class F> struct ByHalves {
  f16x2 operator()(f16x2 a, f16x2 b) const { return f16x2::of(F()(a.lo(), b.lo()), F()(a.hi(), b.hi())); }
  bf16x2 operator()(bf16x2 a, bf16x2 b) const { return bf16x2::of(F()(a.lo(), b.lo()), F()(a.hi(), b.hi())); }
};

struct Add : ByHalves<Add> {
  using ByHalves::operator();
  template <std::integral T> T operator()(T a, T b) const { // wraps around
    return static_cast<T>(std::make_unsigned_t<T>(a) + std::make_unsigned_t<T>(b));
  }
  template <class T> T operator()(T a, T b) const { return tilecc::emu::add(a, b, Modifiers()); }
};
struct Min : ByHalves<Min> {
  using ByHalves::operator();
  template <std::integral T> T operator()(T a, T b) const { return std::min(a, b); }
  template <Half T> T operator()(T a, T b) const { return tilecc::emu::min(a, b, MinMaxModifiers()); }
};
struct Max : ByHalves<Max> {
  using ByHalves::operator();
  template <std::integral T> T operator()(T a, T b) const { return std::max(a, b); }
  template <Half T> T operator()(T a, T b) const { return tilecc::emu::max(a, b, MinMaxModifiers()); }
};
struct Increment {
  u32 operator()(u32 a, u32 b) const { return a >= b ? 0 : a + 1; }
};
struct Decrement {
  u32 operator()(u32 a, u32 b) const { return a == 0 || a > b ? b : a - 1; }
};
struct And {
  template <class T> T operator()(T a, T b) const { return a & b; }
};
struct Or {
  template <class T> T operator()(T a, T b) const { return a | b; }
};
struct Xor {
  template <class T> T operator()(T a, T b) const { return a ^ b; }
};

} // namespace tilecc::emu::operators

#endif // TILECC_EMULATOR_ISA_OPERATORS_H
