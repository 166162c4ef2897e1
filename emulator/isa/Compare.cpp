//===-- Compare.cpp - comparison and selection (PTX ISA 9.7.6, 9.7.7) ------------------------------------------===//
#include "emulator/isa/Table.h"

using namespace tilecc::emu;

namespace {

struct Equal {
  template <class T> static bool of(T a, T b) { return a == b; }
};
struct NotEqual {
  template <class T> static bool of(T a, T b) { return a != b; }
};
struct Less {
  template <class T> static bool of(T a, T b) { return a < b; }
};
struct LessEqual {
  template <class T> static bool of(T a, T b) { return a <= b; }
};
struct Greater {
  template <class T> static bool of(T a, T b) { return a > b; }
};
struct GreaterEqual {
  template <class T> static bool of(T a, T b) { return a >= b; }
};
// Comparisons of floating-point numbers. The next four are true if either operand is NaN. C++'s != is not `ne`.
struct OrderedNotEqual {
  template <class T> static bool of(T a, T b) { return a < b || a > b; }
};
struct UnorderedEqual {
  template <class T> static bool of(T a, T b) { return !(a < b || a > b); }
};
struct UnorderedLess {
  template <class T> static bool of(T a, T b) { return !(a >= b); }
};
struct UnorderedLessEqual {
  template <class T> static bool of(T a, T b) { return !(a > b); }
};
struct UnorderedGreater {
  template <class T> static bool of(T a, T b) { return !(a <= b); }
};
struct UnorderedGreaterEqual {
  template <class T> static bool of(T a, T b) { return !(a < b); }
};
struct Ordered {
  template <class T> static bool of(T a, T b) { return a == a && b == b; }
};
struct Unordered {
  template <class T> static bool of(T a, T b) { return a != a || b != b; }
};

} // namespace

// Converts to a type that C++ can compare.
template <class T> static T comparable(T a, bool) { return a; }
static float comparable(float a, bool ftz) { return ftz ? flush(a) : a; }
static float comparable(f16 a, bool ftz) { return toFloat(ftz ? flush(a) : a); }
static float comparable(bf16 a, bool) { return toFloat(a); }

// op: p, q, a, b, and c if a boolean operation follows (`extra`: 1 and, 2 or, 3 xor).
template <class T, class Compare> static void setPredicate(Warp &warp, const Inst &inst, Mask lanes) {
  const T *a = warp.row<T>(inst.op[2]), *b = warp.row<T>(inst.op[3]);
  Mask result = 0;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    result |= Mask(Compare::of(comparable(a[lane], inst.fp.ftz), comparable(b[lane], inst.fp.ftz))) << lane;
  Mask inverse = ~result;
  if (inst.extra) {
    Mask c = warp.mask(inst.op[4]);
    result = inst.extra == 1 ? result & c : inst.extra == 2 ? result | c : result ^ c;
    inverse = inst.extra == 1 ? inverse & c : inst.extra == 2 ? inverse | c : inverse ^ c;
  }
  Mask &p = warp.mask(inst.op[0]), &q = warp.mask(inst.op[1]);
  p = (p & ~lanes) | (result & lanes);
  q = (q & ~lanes) | (inverse & lanes);
}

// Returns the result, combined with c by the boolean operation.
static bool combine(bool result, uint32_t boolean, bool c) {
  switch (boolean) {
  case 1: return result && c;
  case 2: return result || c;
  case 3: return result != c;
  default: return result;
  }
}

// set: writes all ones or 1 instead of a predicate, in `offset`. op: d, a, b, and c.
template <class T, class Compare, class Result> static void setValue(Warp &warp, const Inst &inst, Mask lanes) {
  const T *a = warp.row<T>(inst.op[1]), *b = warp.row<T>(inst.op[2]);
  Mask c = inst.extra ? warp.mask(inst.op[3]) : 0;
  writeRow<Result>(warp, inst.op[0], lanes, [&](unsigned lane) {
    bool result = Compare::of(comparable(a[lane], inst.fp.ftz), comparable(b[lane], inst.fp.ftz));
    return static_cast<Result>(combine(result, inst.extra, c >> lane & 1) ? inst.offset : 0);
  });
}

// Result: bool for a predicate, u16 or u32 for a value.
template <class T, class Compare, class Result> static Handler comparison() {
  if constexpr (std::is_same_v<Result, bool>)
    return &setPredicate<T, Compare>;
  else
    return &setValue<T, Compare, Result>;
}

template <class T, class Result> static Handler comparisonOf(std::string_view op, bool isFloat) {
  auto pick = [&]<class Compare>(std::string_view name, Compare) {
    return op == name ? comparison<T, Compare, Result>() : nullptr;
  };
  if (isFloat) {
    if (Handler h = pick("ne", OrderedNotEqual()))
      return h;
    for (Handler h : {pick("equ", UnorderedEqual()), pick("neu", NotEqual()), pick("ltu", UnorderedLess()),
                      pick("leu", UnorderedLessEqual()), pick("gtu", UnorderedGreater()),
                      pick("geu", UnorderedGreaterEqual()), pick("num", Ordered()), pick("nan", Unordered())})
      if (h)
        return h;
  }
  for (Handler h : {pick("eq", Equal()), pick("ne", NotEqual()), pick("lt", Less()), pick("le", LessEqual()),
                    pick("gt", Greater()), pick("ge", GreaterEqual())})
    if (h)
      return h;
  // lo, ls, hi, hs: for unsigned integers
  for (Handler h : {pick("lo", Less()), pick("ls", LessEqual()), pick("hi", Greater()), pick("hs", GreaterEqual())})
    if (h && !isFloat && std::is_unsigned_v<T>)
      return h;
  return nullptr;
}

static uint32_t booleanOf(const Match &match) {
  std::string_view boolean = match["bool"];
  return boolean == "and" ? 1 : boolean == "or" ? 2 : boolean == "xor" ? 3 : 0;
}

// Returns the value that represents true in this type.
static int64_t trueValue(Type type) {
  switch (type) {
  case Type::f32: return 0x3f800000;
  case Type::f16:
  case Type::f16x2: return 0x3c00;
  case Type::bf16:
  case Type::bf16x2: return 0x3f80;
  default: return -1;
  }
}

template <class Result> static void selectComparison(const Match &match, Inst &inst) {
  std::string_view op = match["cmp"];
  inst.fp = fpModifiers(match);
  inst.extra = booleanOf(match);
  inst.offset = trueValue(match.U);
  auto handler = [&]<class T>(T, bool isFloat) { return comparisonOf<T, Result>(op, isFloat); };
  switch (match.T) {
  case Type::b16:
  case Type::u16: inst.run = handler(u16(), false); break;
  case Type::s16: inst.run = handler(s16(), false); break;
  case Type::b32:
  case Type::u32: inst.run = handler(u32(), false); break;
  case Type::s32: inst.run = handler(s32(), false); break;
  case Type::b64:
  case Type::u64: inst.run = handler(u64(), false); break;
  case Type::s64: inst.run = handler(s64(), false); break;
  case Type::f16: inst.run = handler(f16(), true); break;
  case Type::bf16: inst.run = handler(bf16(), true); break;
  case Type::f32: inst.run = handler(float(), true); break;
  case Type::f64: inst.run = handler(double(), true); break;
  default: break;
  }
}

template <class Pair, class Compare> static bool compareHalves(const Pair &a, const Pair &b, bool upper, bool ftz) {
  return Compare::of(comparable(upper ? a.hi() : a.lo(), ftz), comparable(upper ? b.hi() : b.lo(), ftz));
}

// setp.f16x2: p for the lower halves, q for the upper.
template <class Pair, class Compare> static void setPredicates(Warp &warp, const Inst &inst, Mask lanes) {
  const Pair *a = warp.row<Pair>(inst.op[2]), *b = warp.row<Pair>(inst.op[3]);
  Mask c = inst.extra ? warp.mask(inst.op[4]) : 0, results[2] = {};
  for (unsigned upper = 0; upper < 2; ++upper) {
    for (unsigned lane = 0; lane < warpSize; ++lane)
      results[upper] |=
          Mask(combine(compareHalves<Pair, Compare>(a[lane], b[lane], upper, inst.fp.ftz), inst.extra, c >> lane & 1))
          << lane;
    Mask &predicate = warp.mask(inst.op[upper]);
    predicate = (predicate & ~lanes) | (results[upper] & lanes);
  }
}

// set.f16x2: one half each. op: d, a, b, and c.
template <class Pair, class Compare> static void setValues(Warp &warp, const Inst &inst, Mask lanes) {
  const Pair *a = warp.row<Pair>(inst.op[1]), *b = warp.row<Pair>(inst.op[2]);
  Mask c = inst.extra ? warp.mask(inst.op[3]) : 0;
  writeRow<u32>(warp, inst.op[0], lanes, [&](unsigned lane) {
    auto half = [&](bool upper) -> u32 {
      bool result = compareHalves<Pair, Compare>(a[lane], b[lane], upper, inst.fp.ftz);
      return combine(result, inst.extra, c >> lane & 1) ? inst.offset & 0xffff : 0;
    };
    return half(true) << 16 | half(false);
  });
}

template <class Pair, bool toPredicates> static Handler pairComparison(std::string_view op) {
  auto pick = [&]<class Compare>(std::string_view name, Compare) {
    return op != name ? nullptr : toPredicates ? &setPredicates<Pair, Compare> : &setValues<Pair, Compare>;
  };
  for (Handler h :
       {pick("eq", Equal()), pick("ne", OrderedNotEqual()), pick("lt", Less()), pick("le", LessEqual()),
        pick("gt", Greater()), pick("ge", GreaterEqual()), pick("equ", UnorderedEqual()), pick("neu", NotEqual()),
        pick("ltu", UnorderedLess()), pick("leu", UnorderedLessEqual()), pick("gtu", UnorderedGreater()),
        pick("geu", UnorderedGreaterEqual()), pick("num", Ordered()), pick("nan", Unordered())})
    if (h)
      return h;
  return nullptr;
}

template <bool toPredicates> static void selectPairComparison(const Match &match, Inst &inst) {
  inst.fp = fpModifiers(match);
  inst.extra = booleanOf(match);
  inst.offset = trueValue(match.U);
  inst.run = match.T == Type::f16x2 ? pairComparison<f16x2, toPredicates>(match["cmp"])
                                    : pairComparison<bf16x2, toPredicates>(match["cmp"]);
}

// set into 16 or 32 bits.
static void selectSet(const Match &match, Inst &inst) {
  if (ptx::info(match.U).bits == 16)
    selectComparison<u16>(match, inst);
  else
    selectComparison<u32>(match, inst);
}

static Row select(Row row) {
  row.selects = true;
  return row;
}

Rows tilecc::emu::compareRows() {
  return {
      {"setp.$cmp{.ftz}.T d|q:pred, a:T, b:T; T = b16 b32 b64 u16 u32 u64 s16 s32 s64 f16 bf16 f32 f64",
       selectComparison<bool>},
      {"setp.$cmp.$bool{.ftz}.T d|q:pred, a:T, b:T, c:pred; T = b16 b32 b64 u16 u32 u64 s16 s32 s64 f16 bf16 f32 f64",
       selectComparison<bool>},
      {"setp.$cmp{.ftz}.T d|q:pred, a:T, b:T; T = f16x2 bf16x2", selectPairComparison<true>},
      {"setp.$cmp.$bool{.ftz}.T d|q:pred, a:T, b:T, c:pred; T = f16x2 bf16x2", selectPairComparison<true>},
      {"set.$cmp{.ftz}.U.T d:U, a:T, b:T; U = u32 s32 f32; T = b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64", selectSet},
      {"set.$cmp.$bool{.ftz}.U.T d:U, a:T, b:T, c:pred; U = u32 s32 f32; "
       "T = b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64",
       selectSet},
      {"set.$cmp{.ftz}.U.T d:U, a:T, b:T; U = f16 bf16; T = b16 b32 b64 u16 u32 u64 s16 s32 s64 f16 bf16 f32 f64",
       selectSet},
      {"set.$cmp.$bool{.ftz}.U.T d:U, a:T, b:T, c:pred; U = f16 bf16; "
       "T = b16 b32 b64 u16 u32 u64 s16 s32 s64 f16 bf16 f32 f64",
       selectSet},
      {"set.$cmp{.ftz}.U.T d:U, a:T, b:T; U = u16 s16 u32 s32; T = f16 bf16", selectSet},
      {"set.$cmp.$bool{.ftz}.U.T d:U, a:T, b:T, c:pred; U = u16 s16 u32 s32; T = f16 bf16", selectSet},
      {"set.$cmp{.ftz}.U.T d:U, a:T, b:T; U = f16x2 u32 s32; T = f16x2", selectPairComparison<false>},
      {"set.$cmp.$bool{.ftz}.U.T d:U, a:T, b:T, c:pred; U = f16x2 u32 s32; T = f16x2", selectPairComparison<false>},
      {"set.$cmp{.ftz}.U.T d:U, a:T, b:T; U = bf16x2 u32 s32; T = bf16x2", selectPairComparison<false>},
      {"set.$cmp.$bool{.ftz}.U.T d:U, a:T, b:T, c:pred; U = bf16x2 u32 s32; T = bf16x2", selectPairComparison<false>},
      select(op<"selp.T d, a, b, c:pred; T = b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64">(
          [](auto a, auto b, bool c) { return c ? a : b; })),
      op<"slct.T.s32 d, a, b, c:s32; T = b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64">(
          [](auto a, auto b, s32 c) { return c >= 0 ? a : b; }),
      op<"slct{.ftz}.T.f32 d, a, b, c:f32; T = b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64">(
          [](auto a, auto b, float c, const Modifiers &m) { return (m.ftz ? flush(c) : c) >= 0 ? a : b; }),
  };
}
