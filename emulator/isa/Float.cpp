//===-- Float.cpp - single and double precision (PTX ISA 9.7.3) ------------------------------------------------===//
#include "emulator/isa/numerics/Approximate.h"
#include "emulator/isa/numerics/Arithmetic.h"
#include "emulator/isa/numerics/Compare.h"
#include "emulator/isa/Table.h"

using namespace tilecc::emu;

// min and max, with the modifiers as compile-time constants.
template <class T, bool Max, MinMaxModifiers m> static void minMaxLanes(Warp &warp, const Inst &inst, Mask lanes) {
  const T *a = warp.row<T>(inst.op[1]), *b = warp.row<T>(inst.op[2]);
  writeRow<T>(warp, inst.op[0], lanes,
              [&](unsigned lane) { return Max ? max(a[lane], b[lane], m) : min(a[lane], b[lane], m); });
}

template <bool Max> static void selectMinMax(const Match &match, Inst &inst) {
  if (match.T == Type::f64) {
    inst.run = &minMaxLanes<double, Max, MinMaxModifiers{}>;
    return;
  }
  unsigned which = match.has("ftz") + 2 * match.has("NaN") + 4 * match.has("abs");
  static constexpr Handler handlers[] = {
      &minMaxLanes<float, Max, MinMaxModifiers{}>,
      &minMaxLanes<float, Max, MinMaxModifiers{.ftz = true}>,
      &minMaxLanes<float, Max, MinMaxModifiers{.nan = true}>,
      &minMaxLanes<float, Max, MinMaxModifiers{.ftz = true, .nan = true}>,
      &minMaxLanes<float, Max, MinMaxModifiers{.xorsignAbs = true}>,
      &minMaxLanes<float, Max, MinMaxModifiers{.ftz = true, .xorsignAbs = true}>,
      &minMaxLanes<float, Max, MinMaxModifiers{.nan = true, .xorsignAbs = true}>,
      &minMaxLanes<float, Max, MinMaxModifiers{.ftz = true, .nan = true, .xorsignAbs = true}>,
  };
  inst.run = handlers[which];
}

// The forms with three numbers (PTX 8.8, sm_100).
template <bool Max, MinMaxModifiers m> static void minMaxOfThree(Warp &warp, const Inst &inst, Mask lanes) {
  const float *a = warp.row<float>(inst.op[1]), *b = warp.row<float>(inst.op[2]), *c = warp.row<float>(inst.op[3]);
  auto choose = [](float x, float y) { return Max ? max(x, y, m) : min(x, y, m); };
  auto read = [&](float x) { return inst.extra ? abs(x) : x; };
  writeRow<float>(warp, inst.op[0], lanes,
                  [&](unsigned lane) { return choose(choose(read(a[lane]), read(b[lane])), read(c[lane])); });
}

template <bool Max> static void selectMinMaxOfThree(const Match &match, Inst &inst) {
  static constexpr Handler handlers[] = {
      &minMaxOfThree<Max, MinMaxModifiers{}>,
      &minMaxOfThree<Max, MinMaxModifiers{.ftz = true}>,
      &minMaxOfThree<Max, MinMaxModifiers{.nan = true}>,
      &minMaxOfThree<Max, MinMaxModifiers{.ftz = true, .nan = true}>,
  };
  inst.run = handlers[match.has("ftz") + 2 * match.has("NaN")];
  inst.extra = match.has("abs");
}

Rows tilecc::emu::floatRows() {
  return {
      op<"add{.$rnd}{.ftz}{.sat}.T d, a, b; T = f32">(
          [](float a, float b, const Modifiers &m) { return add(a, b, m); }),
      op<"add{.$rnd}.T d, a, b; T = f64">([](double a, double b, const Modifiers &m) { return add(a, b, m); }),
      op<"sub{.$rnd}{.ftz}{.sat}.T d, a, b; T = f32">(
          [](float a, float b, const Modifiers &m) { return sub(a, b, m); }),
      op<"sub{.$rnd}.T d, a, b; T = f64">([](double a, double b, const Modifiers &m) { return sub(a, b, m); }),
      op<"mul{.$rnd}{.ftz}{.sat}.T d, a, b; T = f32">(
          [](float a, float b, const Modifiers &m) { return mul(a, b, m); }),
      op<"mul{.$rnd}.T d, a, b; T = f64">([](double a, double b, const Modifiers &m) { return mul(a, b, m); }),
      op<"fma.$rnd{.ftz}{.sat}.T d, a, b, c; T = f32">(
          [](float a, float b, float c, const Modifiers &m) { return fma(a, b, c, m); }),
      op<"fma.$rnd.T d, a, b, c; T = f64">(
          [](double a, double b, double c, const Modifiers &m) { return fma(a, b, c, m); }),
      op<"mad.$rnd{.ftz}{.sat}.T d, a, b, c; T = f32">(
          [](float a, float b, float c, const Modifiers &m) { return fma(a, b, c, m); }),
      op<"mad.$rnd.T d, a, b, c; T = f64">(
          [](double a, double b, double c, const Modifiers &m) { return fma(a, b, c, m); }),
      op<"div.$rnd{.ftz}.T d, a, b; T = f32">([](float a, float b, const Modifiers &m) { return div(a, b, m); }),
      op<"div.$rnd.T d, a, b; T = f64">([](double a, double b, const Modifiers &m) { return div(a, b, m); }),
      op<"rcp.$rnd{.ftz}.T d, a; T = f32">([](float a, const Modifiers &m) { return rcp(a, m); }),
      op<"rcp.$rnd.T d, a; T = f64">([](double a, const Modifiers &m) { return rcp(a, m); }),
      op<"sqrt.$rnd{.ftz}.T d, a; T = f32">([](float a, const Modifiers &m) { return sqrt(a, m); }),
      op<"sqrt.$rnd.T d, a; T = f64">([](double a, const Modifiers &m) { return sqrt(a, m); }),
      op<"abs{.ftz}.T d, a; T = f32">([](float a, const Modifiers &m) { return abs(a, m); }),
      op<"abs.T d, a; T = f64">([](double a) { return abs(a); }),
      op<"neg{.ftz}.T d, a; T = f32">([](float a, const Modifiers &m) { return neg(a, m); }),
      op<"neg.T d, a; T = f64">([](double a) { return neg(a); }),
      {"min{.ftz}{.NaN}{.xorsign}{.abs}.T d, a, b; T = f32", selectMinMax<false>},
      {"min.T d, a, b; T = f64", selectMinMax<false>},
      {"max{.ftz}{.NaN}{.xorsign}{.abs}.T d, a, b; T = f32", selectMinMax<true>},
      {"max.T d, a, b; T = f64", selectMinMax<true>},
      {"min{.ftz}{.NaN}{.abs}.T d, a, b, c; T = f32", selectMinMaxOfThree<false>},
      {"max{.ftz}{.NaN}{.abs}.T d, a, b, c; T = f32", selectMinMaxOfThree<true>},
      op<"rcp.approx{.ftz}.T d, a; T = f32">([](float a, const Modifiers &m) { return rcpApprox(a, m); }),
      op<"rcp.approx.ftz.T d, a; T = f64">([](double a) { return rcpApprox(a); }),
      op<"sqrt.approx{.ftz}.T d, a; T = f32">([](float a, const Modifiers &m) { return sqrtApprox(a, m); }),
      op<"rsqrt.approx{.ftz}.T d, a; T = f32">([](float a, const Modifiers &m) { return rsqrtApprox(a, m); }),
      op<"rsqrt.approx.T d, a; T = f64">([](double a) { return rsqrtApprox(a); }),
      op<"rsqrt.approx.ftz.T d, a; T = f64">([](double a) { return rsqrtApproxFtz(a); }),
      op<"div.approx{.ftz}.T d, a, b; T = f32">(
          [](float a, float b, const Modifiers &m) { return divApprox(a, b, m); }),
      op<"div.full{.ftz}.T d, a, b; T = f32">([](float a, float b, const Modifiers &m) { return divFull(a, b, m); }),
      op<"ex2.approx{.ftz}.T d, a; T = f32">([](float a, const Modifiers &m) { return ex2Approx(a, m); }),
      op<"lg2.approx{.ftz}.T d, a; T = f32">([](float a, const Modifiers &m) { return lg2Approx(a, m); }),
      op<"sin.approx{.ftz}.T d, a; T = f32">([](float a, const Modifiers &m) { return sinApprox(a, m); }),
      op<"cos.approx{.ftz}.T d, a; T = f32">([](float a, const Modifiers &m) { return cosApprox(a, m); }),
      op<"tanh.approx.T d, a; T = f32">([](float a) { return tanhApprox(a); }),
      op<"copysign.T d, a, b; T = f32 f64">([](auto a, auto b) { return copysign(a, b); }),
      op<"testp.finite.T d:pred, a; T = f32 f64">([](auto a) { return testProperty(Property::finite, a); }),
      op<"testp.infinite.T d:pred, a; T = f32 f64">([](auto a) { return testProperty(Property::infinite, a); }),
      op<"testp.number.T d:pred, a; T = f32 f64">([](auto a) { return testProperty(Property::number, a); }),
      op<"testp.notanumber.T d:pred, a; T = f32 f64">([](auto a) { return testProperty(Property::notanumber, a); }),
      op<"testp.normal.T d:pred, a; T = f32 f64">([](auto a) { return testProperty(Property::normal, a); }),
      op<"testp.subnormal.T d:pred, a; T = f32 f64">([](auto a) { return testProperty(Property::subnormal, a); }),
  };
}
