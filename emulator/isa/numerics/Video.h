//===-- Video.h - SIMD video instructions -------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_ISA_NUMERICS_VIDEO_H
#define TILECC_EMULATOR_ISA_NUMERICS_VIDEO_H

#include "emulator/isa/numerics/Integer.h"

namespace tilecc::emu::video {

// Operations on two parts, as unbounded integers. Results wrap, or saturate with .sat.
struct Add {
  s32 operator()(s32 a, s32 b) const { return a + b; }
};
struct Sub {
  s32 operator()(s32 a, s32 b) const { return a - b; }
};
struct Min {
  s32 operator()(s32 a, s32 b) const { return std::min(a, b); }
};
struct Max {
  s32 operator()(s32 a, s32 b) const { return std::max(a, b); }
};
struct AbsoluteDifference {
  s32 operator()(s32 a, s32 b) const { return a < b ? b - a : a - b; }
};
struct Average { // for unsigned parts, rounded up
  s32 operator()(s32 a, s32 b) const { return (a + b + 1) >> 1; }
};

template <unsigned Bits, bool isSigned> TILECC_EMU_INLINE s32 saturate(s32 x) {
  constexpr s32 least = isSigned ? -(1 << (Bits - 1)) : 0, most = (1 << (Bits - isSigned)) - 1;
  return std::clamp(x, least, most);
}

// v<function>{2,4}.T.T.T{.sat} d, a, b, c
template <unsigned Bits, bool isSigned, class F> TILECC_EMU_INLINE u32 eachPart(u32 a, u32 b, bool sat) {
  u32 d = 0;
  for (unsigned i = 0; i < 32 / Bits; ++i) {
    s32 part = F{}(detail::element<Bits>(a, i, isSigned), detail::element<Bits>(b, i, isSigned));
    if (sat)
      part = saturate<Bits, isSigned>(part);
    d |= (static_cast<u32>(part) & ((1u << Bits) - 1)) << Bits * i;
  }
  return d;
}

// v<function>{2,4}.T.T.T.add d, a, b, c: the sum of the parts and c
template <unsigned Bits, bool isSigned, class F> TILECC_EMU_INLINE u32 sumOfParts(u32 a, u32 b, u32 c) {
  for (unsigned i = 0; i < 32 / Bits; ++i)
    c += static_cast<u32>(F{}(detail::element<Bits>(a, i, isSigned), detail::element<Bits>(b, i, isSigned)));
  return c;
}

} // namespace tilecc::emu::video
#endif
