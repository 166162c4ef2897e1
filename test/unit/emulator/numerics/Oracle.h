//===-- Oracle.h - slow exact arithmetic --------------------------------------------------------------------------===//
//
// This is the reference for the numerics. Numbers are integers of 4,608 bits in units of 2^-2200, wide enough for any
// sum of a double and a product of doubles, and rounding examines their bits. It shares no code with the numerics.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TEST_EMULATOR_NUMERICS_ORACLE_H
#define TILECC_TEST_EMULATOR_NUMERICS_ORACLE_H

#include "emulator/isa/numerics/Rounding.h"

#include <array>
#include <random>

namespace tilecc::emu::oracle {

// A floating-point format: IEEE, or without infinities (e4m3).
struct Spec {
  unsigned fractionBits, exponentBits;
  bool hasInfinity = true;
  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  unsigned signBit() const { return fractionBits + exponentBits; }
  u64 infinity() const { return ((u64(1) << exponentBits) - 1) << fractionBits; } // all ones above the fraction
  u64 largest() const { return hasInfinity ? infinity() - 1 : (u64(1) << signBit()) - 2; }
  u64 one() const { return u64(bias()) << fractionBits; }
};
constexpr Spec specF16{10, 5}, specBf16{7, 8}, specF32{23, 8}, specF64{52, 11}, specE4m3{3, 4, false}, specE5m2{2, 5},
    specTf32{10, 8};

template <class T> constexpr Spec specOf() {
  return std::same_as<T, f16>      ? specF16
         : std::same_as<T, bf16>   ? specBf16
         : std::same_as<T, float>  ? specF32
         : std::same_as<T, double> ? specF64
         : std::same_as<T, e4m3>   ? specE4m3
                                   : specE5m2;
}

inline u64 rawBits(float x) { return std::bit_cast<u32>(x); }
inline u64 rawBits(double x) { return std::bit_cast<u64>(x); }
template <class T> u64 rawBits(T x) { return x.bits; }
template <class T> T fromRaw(u64 bits) {
  if constexpr (std::same_as<T, double>)
    return std::bit_cast<double>(bits);
  else if constexpr (std::same_as<T, float>)
    return std::bit_cast<float>(static_cast<u32>(bits));
  else
    return {static_cast<decltype(T::bits)>(bits)};
}

class Real {
public:
  Real() = default;
  // significand * 2^exponent; `more`: the magnitude is slightly larger
  Real(bool negative, u128 significand, int exponent, bool more = false) : negative(negative), more(more) {
    unsigned at = static_cast<unsigned>(exponent + offset), word = at / 64, shift = at % 64;
    u64 low = static_cast<u64>(significand), high = static_cast<u64>(significand >> 64);
    words[word] |= low << shift;
    words[word + 1] |= (shift ? low >> (64 - shift) : 0) | high << shift;
    words[word + 2] |= shift ? high >> (64 - shift) : 0;
  }

  // From a finite number of a format.
  static Real of(u64 bits, const Spec &spec) {
    u64 fraction = bits & ((u64(1) << spec.fractionBits) - 1);
    int exponent = static_cast<int>(bits >> spec.fractionBits & ((u64(1) << spec.exponentBits) - 1));
    bool negative = bits >> spec.signBit() & 1;
    if (exponent == 0)
      return Real(negative, fraction, 1 - spec.bias() - int(spec.fractionBits));
    return Real(negative, fraction | u64(1) << spec.fractionBits, exponent - spec.bias() - int(spec.fractionBits));
  }

  bool isZero() const {
    for (u64 word : words)
      if (word)
        return false;
    return !more;
  }

  friend Real operator+(const Real &a, const Real &b) {
    Real result;
    if (a.negative == b.negative) {
      u64 carry = 0;
      for (unsigned i = 0; i < count; ++i) {
        u128 sum = u128(a.words[i]) + b.words[i] + carry;
        result.words[i] = static_cast<u64>(sum);
        carry = static_cast<u64>(sum >> 64);
      }
      result.negative = a.negative;
      return result;
    }
    bool swap = a.magnitudeLess(b);
    const Real &big = swap ? b : a, &small = swap ? a : b;
    u64 borrow = 0;
    for (unsigned i = 0; i < count; ++i) {
      u128 difference = u128(big.words[i]) - small.words[i] - borrow;
      result.words[i] = static_cast<u64>(difference);
      borrow = static_cast<u64>(difference >> 64) & 1;
    }
    result.negative = big.negative;
    return result;
  }

  // Rounds to the bits of a format. The sign of a zero is kept.
  u64 round(const Spec &spec, Rounding rounding, bool satfinite = false) const {
    u64 sign = u64(negative) << spec.signBit();
    int word = static_cast<int>(count) - 1;
    while (word >= 0 && !words[static_cast<unsigned>(word)])
      --word;
    int top = word < 0 ? -1 : word * 64 + 63 - std::countl_zero(words[static_cast<unsigned>(word)]);
    if (top < 0) {
      if (!more)
        return sign;
      return sign | (rounding == (negative ? Rounding::rm : Rounding::rp) ? 1 : 0);
    }
    int exponent = std::max(top - offset, 1 - spec.bias());
    int last = exponent - static_cast<int>(spec.fractionBits) + offset; // the position of the last bit kept
    u64 kept = 0;
    for (int i = top; i >= last; --i)
      kept = kept << 1 | bit(i);
    bool half = bit(last - 1), rest = more;
    for (int i = 0; i < (last - 1) / 64 && !rest; ++i)
      rest = words[static_cast<unsigned>(i)];
    for (int i = (last - 1) / 64 * 64; i < last - 1 && !rest; ++i)
      rest = bit(i);
    bool away = false;
    switch (rounding) {
    case Rounding::rn:
      away = half && (rest || (kept & 1));
      break;
    case Rounding::rna:
      away = half;
      break;
    case Rounding::rz:
      break;
    case Rounding::rm:
      away = negative && (half || rest);
      break;
    case Rounding::rp:
      away = !negative && (half || rest);
      break;
    case Rounding::odd:
      if ((half || rest) && !(kept & 1))
        ++kept;
      break;
    }
    kept += away;
    if (kept >> (spec.fractionBits + 1)) {
      kept >>= 1;
      ++exponent;
    }
    bool normal = kept >> spec.fractionBits;
    u64 biased = normal ? u64(exponent + spec.bias()) : 0;
    u64 magnitude = biased << spec.fractionBits | (kept & ((u64(1) << spec.fractionBits) - 1));
    if (biased > (u64(1) << spec.exponentBits) - 1 || magnitude > spec.largest()) {
      bool inward = rounding == Rounding::rz || rounding == Rounding::odd ||
                    rounding == (negative ? Rounding::rp : Rounding::rm);
      magnitude = satfinite || inward ? spec.largest() : spec.infinity();
    }
    return sign | magnitude;
  }

  bool negative = false;

private:
  static constexpr int offset = 2200;
  static constexpr unsigned count = 72;
  bool bit(int i) const { return i >= 0 && (words[static_cast<unsigned>(i) / 64] >> (i % 64) & 1); }
  bool magnitudeLess(const Real &other) const {
    for (unsigned i = count; i-- > 0;)
      if (words[i] != other.words[i])
        return words[i] < other.words[i];
    return false;
  }
  std::array<u64, count> words{};
  bool more = false;
};

// The parts of a finite number.
struct Parts {
  bool negative;
  u64 significand;
  int exponent;
};
inline Parts parts(u64 bits, const Spec &spec) {
  u64 fraction = bits & ((u64(1) << spec.fractionBits) - 1);
  int exponent = static_cast<int>(bits >> spec.fractionBits & ((u64(1) << spec.exponentBits) - 1));
  if (exponent)
    fraction |= u64(1) << spec.fractionBits;
  return {bool(bits >> spec.signBit() & 1), fraction,
          std::max(exponent, 1) - spec.bias() - static_cast<int>(spec.fractionBits)};
}

inline Real product(u64 a, u64 b, const Spec &spec) {
  Parts x = parts(a, spec), y = parts(b, spec);
  return Real(x.negative != y.negative, u128(x.significand) * y.significand, x.exponent + y.exponent);
}
inline Real quotient(u64 a, u64 b, const Spec &spec) {
  Parts x = parts(a, spec), y = parts(b, spec);
  int up = x.significand ? 52 - (63 - std::countl_zero(x.significand)) : 0; // 53 bits, so that q has at least 70
  u128 shifted = u128(x.significand << up) << 70, q = shifted / y.significand;
  return Real(x.negative != y.negative, q, x.exponent - up - 70 - y.exponent, q * y.significand != shifted);
}
inline Real squareRoot(u64 a, const Spec &spec) {
  Parts x = parts(a, spec);
  if (x.significand == 0)
    return Real(x.negative, 0, 0);
  int up = 120 - (63 - std::countl_zero(x.significand));
  if ((x.exponent - up) % 2)
    --up;
  u128 radicand = u128(x.significand) << up, root = 0;
  for (int i = 63; i >= 0; --i) {
    u128 next = root | u128(1) << i;
    if (next * next <= radicand)
      root = next;
  }
  return Real(false, root, (x.exponent - up) / 2, root * root != radicand);
}

inline bool isNaN(u64 bits, const Spec &spec) {
  u64 magnitude = bits & ((u64(1) << spec.signBit()) - 1);
  return spec.hasInfinity ? magnitude > spec.infinity() : magnitude > spec.largest();
}
inline bool isInfinite(u64 bits, const Spec &spec) {
  return spec.hasInfinity && (bits & ((u64(1) << spec.signBit()) - 1)) == spec.infinity();
}

constexpr Rounding directions[] = {Rounding::rn, Rounding::rz, Rounding::rm, Rounding::rp};

// Random numbers of all kinds: any bits, few bits set, and close to special values.
class Random {
public:
  explicit Random(u64 seed) : engine(seed) {}
  u64 bits() { return engine(); }
  u64 below(u64 n) { return engine() % n; }

  u64 number(const Spec &spec) {
    u64 mask = (u64(2) << spec.signBit()) - 1, sign = u64(1) << spec.signBit();
    u64 x = bits() & mask;
    switch (below(8)) {
    case 0: { // a special value, or a few units next to it
      const u64 specials[] = {0, u64(1) << spec.fractionBits, spec.one(), spec.largest(), spec.infinity(),
                              spec.infinity() >> 1, spec.one() + (u64(1) << spec.fractionBits)};
      return ((specials[below(std::size(specials))] + below(5) - 2) ^ (x & sign)) & mask;
    }
    case 1: // few significant bits
      return x & ~((u64(1) << (spec.fractionBits - std::min<u64>(spec.fractionBits, below(6)))) - 1);
    case 2: // subnormal
      return x & (sign | ((u64(1) << spec.fractionBits) - 1));
    case 3: // near one
    case 4: {
      u64 fraction = x & ((u64(1) << spec.fractionBits) - 1);
      u64 exponent = u64(spec.bias()) - 3 + below(7);
      return (x & sign) | exponent << spec.fractionBits | fraction;
    }
    default:
      return x;
    }
  }
  template <class T> T number() { return fromRaw<T>(number(specOf<T>())); }

private:
  std::mt19937_64 engine;
};

} // namespace tilecc::emu::oracle
#endif
