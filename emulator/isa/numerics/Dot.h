//===-- Dot.h - the arithmetic of the tensor cores --------------------------------------------------------------===//
//
// Computes one element of D = A * B + C. For floating point, PTX specifies only that products are exact and sums have
// at least single precision, in no particular order. Here the sum is computed in double precision and rounded once.
// Integers are exact; only the result wraps or is clamped. f64 uses fused multiply-adds in order of k, as specified.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_ISA_NUMERICS_DOT_H
#define TILECC_EMULATOR_ISA_NUMERICS_DOT_H

#include "emulator/isa/numerics/Arithmetic.h"
#include "emulator/isa/numerics/Integer.h"

namespace tilecc::emu::dot {

// Integers of 4 and 8 bits, and 32 single-bit numbers.
template <unsigned Bits, bool Signed> struct Small {};
struct XorBits {};
struct AndBits {};

// An element type of A or B: its size in bits, its type in the sum, and the i-th element of a register.
template <class T> struct Operand {
  static constexpr unsigned bits = sizeof(T) * 8;
  using Value = double;
  using Register = u32;
  static double of(u32 registerBits, unsigned i) {
    return toDouble(T{static_cast<decltype(T::bits)>(registerBits >> (i * bits % 32))});
  }
};
template <> struct Operand<double> {
  static constexpr unsigned bits = 64;
  using Value = double;
  using Register = double;
  static double of(double value, unsigned) { return value; }
};
template <unsigned Bits, bool Signed> struct Operand<Small<Bits, Signed>> {
  static constexpr unsigned bits = Bits;
  using Value = s32;
  using Register = u32;
  static s32 of(u32 registerBits, unsigned i) { return detail::element<Bits>(registerBits, i, Signed); }
};
template <> struct Operand<XorBits> {
  static constexpr unsigned bits = 32;
  using Value = u32;
  using Register = u32;
  static u32 of(u32 registerBits, unsigned) { return registerBits; }
};
template <> struct Operand<AndBits> : Operand<XorBits> {};

// An element type of C and D: the type of sums, and the number of elements per register.
template <class C> struct Accumulator;
template <> struct Accumulator<float> {
  static constexpr unsigned perRegister = 1;
  using Sum = double;
  using Register = float;
  static double of(float c, unsigned) { return c; }
  static float round(const double *sums, Modifiers) { return canonical(static_cast<float>(sums[0])); }
};
template <> struct Accumulator<f16> {
  static constexpr unsigned perRegister = 2;
  using Sum = double;
  using Register = f16x2;
  static double of(f16x2 c, unsigned i) { return toDouble(i ? c.hi() : c.lo()); }
  static f16x2 round(const double *sums, Modifiers) {
    auto half = [](double sum) { return narrow<f16>(roundToFloat({sum}, Rounding::odd), Rounding::rn); };
    return f16x2::of(half(sums[0]), half(sums[1]));
  }
};
template <> struct Accumulator<double> {
  static constexpr unsigned perRegister = 1;
  using Sum = double;
  using Register = double;
  static double of(double c, unsigned) { return c; }
  static double round(const double *sums, Modifiers) { return sums[0]; }
};
template <> struct Accumulator<s32> {
  static constexpr unsigned perRegister = 1;
  using Sum = s64;
  using Register = s32;
  static s64 of(s32 c, unsigned) { return c; }
  static s32 round(const s64 *sums, Modifiers m) {
    return m.satfinite ? saturateS32(sums[0]) : static_cast<s32>(sums[0]);
  }
};

// a * b for integers: the sums of products of all existing shapes fit 32 bits.
template <class Operands> TILECC_EMU_INLINE s32 product(auto a, auto b) {
  if constexpr (std::same_as<Operands, XorBits>)
    return std::popcount(a ^ b);
  else if constexpr (std::same_as<Operands, AndBits>)
    return std::popcount(a & b);
  else
    return a * b;
}

// sums[n] += a[0] * b[0][n] + a[1] * b[1][n] + ..., for all columns together.
template <class Operands, class C, class Sum, class ValueA, class ValueB, size_t K, size_t N>
TILECC_EMU_INLINE void multiplyRow(Sum (&sums)[N], const ValueA (&a)[K], const ValueB (&b)[K][N], Modifiers m) {
  if constexpr (std::same_as<C, s32>) {
    s32 products[N] = {};
    for (size_t k = 0; k < K; ++k)
      for (size_t n = 0; n < N; ++n)
        products[n] += product<Operands>(a[k], b[k][n]);
    for (size_t n = 0; n < N; ++n)
      sums[n] += products[n];
  } else {
    for (size_t k = 0; k < K; ++k)
      for (size_t n = 0; n < N; ++n)
        sums[n] = std::same_as<C, double> ? fma(a[k], b[k][n], sums[n], m) : __builtin_fma(a[k], b[k][n], sums[n]);
  }
}

} // namespace tilecc::emu::dot
#endif
