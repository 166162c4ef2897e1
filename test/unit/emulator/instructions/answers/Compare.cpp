// Comparison and selection (PTX ISA 9.7.6, 9.7.7).
#include "../Harness.h"

using namespace tilecc::emu::test;

std::vector<Answers> tilecc::emu::test::compareAnswers() {
  std::vector<Answers> all = {
      {"setp.eq.b16 %px, %ha, %hb", "5 5 -> 1; 5 6 -> 0"},
      {"setp.ne.b16 %px, %ha, %hb", "5 5 -> 0; 5 6 -> 1"},
      {"setp.eq.b32 %px, %ra, %rb", "5 5 -> 1; 5 6 -> 0"},
      {"setp.ne.b64 %px, %da, %db", "5 5 -> 0; 0x100000005 5 -> 1"},
      // The second predicate is the opposite.
      {"setp.lt.u16 %px|%py, %ha, %hb", "1 0xffff -> 1 0; 0xffff 1 -> 0 1; 3 3 -> 0 1"},
      {"setp.le.u16 %px, %ha, %hb", "1 0xffff -> 1; 0xffff 1 -> 0; 3 3 -> 1"},
      {"setp.gt.u32 %px, %ra, %rb", "1 0xffffffff -> 0; 0xffffffff 1 -> 1; 3 3 -> 0"},
      {"setp.ge.u32 %px|%py, %ra, %rb", "1 0xffffffff -> 0 1; 0xffffffff 1 -> 1 0; 3 3 -> 1 0"},
      {"setp.lo.u32 %px, %ra, %rb", "1 0xffffffff -> 1; 0xffffffff 1 -> 0; 3 3 -> 0"},
      {"setp.ls.u32 %px, %ra, %rb", "1 0xffffffff -> 1; 0xffffffff 1 -> 0; 3 3 -> 1"},
      {"setp.hi.u64 %px, %da, %db", "1 0xffffffff -> 0; 0x100000000 1 -> 1; 3 3 -> 0"},
      {"setp.hs.u64 %px, %da, %db", "1 0xffffffff -> 0; 0x100000000 1 -> 1; 3 3 -> 1"},
      {"setp.lt.s16 %px, %ha, %hb", "1 -1 -> 0; -1 1 -> 1"},
      {"setp.gt.s32 %px, %ra, %rb", "1 -1 -> 1; -1 1 -> 0; 0x80000000 0x7fffffff -> 0"},
      {"setp.le.s64 %px, %da, %db", "1 -1 -> 0; -1 1 -> 1; -1 -1 -> 1"},
      {"setp.eq.s32 %px, %ra, %rb", "-1 -1 -> 1; 1 -1 -> 0"},
      {"setp.ne.s32 %px, %ra, %rb", "-1 -1 -> 0; 1 -1 -> 1"},
      // With a NaN, ordered comparisons are false and unordered ones true.
      {"setp.eq.f32 %px|%py, %ra, %rb",
       "1.0 1.0 -> 1 0; 1.0 2.0 -> 0 1; nan 1.0 -> 0 1; nan nan -> 0 1; 0.0 -0.0 -> 1 0"},
      {"setp.ne.f32 %px|%py, %ra, %rb", "1.0 1.0 -> 0 1; 1.0 2.0 -> 1 0; nan 1.0 -> 0 1"},
      {"setp.lt.f32 %px, %ra, %rb", "1.0 2.0 -> 1; 2.0 1.0 -> 0; 1.0 nan -> 0; -inf inf -> 1; 1.0 1.0 -> 0"},
      {"setp.le.f32 %px, %ra, %rb", "1.0 2.0 -> 1; 1.0 1.0 -> 1; 1.0 nan -> 0"},
      {"setp.gt.f32 %px, %ra, %rb", "1.0 2.0 -> 0; 2.0 1.0 -> 1; 1.0 nan -> 0"},
      {"setp.ge.f32 %px, %ra, %rb", "1.0 2.0 -> 0; 1.0 1.0 -> 1; nan 1.0 -> 0"},
      {"setp.equ.f32 %px, %ra, %rb", "1.0 1.0 -> 1; 1.0 2.0 -> 0; nan 1.0 -> 1"},
      {"setp.neu.f32 %px, %ra, %rb", "1.0 1.0 -> 0; 1.0 2.0 -> 1; nan 1.0 -> 1; nan nan -> 1"},
      {"setp.ltu.f32 %px, %ra, %rb", "1.0 2.0 -> 1; 2.0 1.0 -> 0; 1.0 nan -> 1; 1.0 1.0 -> 0"},
      {"setp.leu.f32 %px, %ra, %rb", "2.0 1.0 -> 0; 1.0 1.0 -> 1; 1.0 nan -> 1"},
      {"setp.gtu.f32 %px, %ra, %rb", "1.0 2.0 -> 0; 2.0 1.0 -> 1; 1.0 nan -> 1; 1.0 1.0 -> 0"},
      {"setp.geu.f32 %px, %ra, %rb", "1.0 2.0 -> 0; 1.0 1.0 -> 1; nan 1.0 -> 1"},
      {"setp.num.f32 %px, %ra, %rb", "1.0 2.0 -> 1; nan 1.0 -> 0; 1.0 nan -> 0"},
      {"setp.nan.f32 %px, %ra, %rb", "1.0 2.0 -> 0; nan 1.0 -> 1; 1.0 nan -> 1"},
      {"setp.gt.ftz.f32 %px, %ra, %rb", "1 0.0 -> 0; 0x00800000 0.0 -> 1"},
      {"setp.lt.f64 %px, %da, %db", "1.0 2.0 -> 1; 2.0 1.0 -> 0; 1.0 nan -> 0; 0.0 1 -> 1"},
      {"setp.geu.f64 %px, %da, %db", "1.0 2.0 -> 0; 2.0 1.0 -> 1; 1.0 nan -> 1"},
      {"setp.lt.f16 %px, %ha, %hb", "0x3c00 0x4000 -> 1; 0xbc00 0x3c00 -> 1; 0x7e00 0x3c00 -> 0; 0 1 -> 1"},
      {"setp.ltu.ftz.f16 %px, %ha, %hb", "0 1 -> 0; 0x7e00 0x3c00 -> 1"},
      {"setp.ge.bf16 %px, %ha, %hb", "0x3f80 0x4000 -> 0; 0x4000 0x4000 -> 1; 0x7fc0 0x3f80 -> 0"},
      // With a boolean operation: p is (a < b) op c, q is !(a < b) op c.
      {"setp.lt.and.s32 %px|%py, %ra, %rb, %pc", "1 2 0 -> 0 0; 1 2 1 -> 1 0; 2 1 1 -> 0 1; 2 1 0 -> 0 0"},
      {"setp.lt.or.s32 %px|%py, %ra, %rb, %pc", "1 2 0 -> 1 0; 1 2 1 -> 1 1; 2 1 1 -> 1 1; 2 1 0 -> 0 1"},
      {"setp.lt.xor.s32 %px|%py, %ra, %rb, %pc", "1 2 0 -> 1 0; 1 2 1 -> 0 1; 2 1 1 -> 1 0; 2 1 0 -> 0 1"},
      {"setp.lt.and.s32 %px, %ra, %rb, !%pc", "1 2 0 -> 1; 1 2 1 -> 0; 2 1 0 -> 0"},
      {"setp.eq.and.b16 %px, %ha, %hb, %pc", "5 5 1 -> 1; 5 5 0 -> 0; 5 6 1 -> 0"},
      {"setp.eq.or.b32 %px, %ra, %rb, %pc", "5 5 0 -> 1; 5 6 1 -> 1; 5 6 0 -> 0"},
      {"setp.ne.and.b64 %px, %da, %db, %pc", "5 6 1 -> 1; 5 6 0 -> 0; 5 5 1 -> 0"},
      {"setp.hi.and.u16 %px, %ha, %hb, %pc", "0xffff 1 1 -> 1; 0xffff 1 0 -> 0"},
      {"setp.lo.xor.u32 %px, %ra, %rb, %pc", "1 0xffffffff 1 -> 0; 1 0xffffffff 0 -> 1"},
      {"setp.ge.or.u64 %px, %da, %db, %pc", "1 -1 0 -> 0; 1 -1 1 -> 1"},
      {"setp.lt.and.s16 %px, %ha, %hb, %pc", "-1 1 1 -> 1; 1 -1 1 -> 0"},
      {"setp.gt.and.s64 %px, %da, %db, %pc", "1 -1 1 -> 1; 1 -1 0 -> 0"},
      {"setp.lt.and.f16 %px, %ha, %hb, %pc", "0x3c00 0x4000 1 -> 1; 0x3c00 0x4000 0 -> 0"},
      {"setp.lt.or.bf16 %px, %ha, %hb, %pc", "0x4000 0x3f80 0 -> 0; 0x4000 0x3f80 1 -> 1"},
      {"setp.nan.or.f32 %px, %ra, %rb, %pc", "nan 1.0 0 -> 1; 1.0 1.0 0 -> 0"},
      {"setp.eq.xor.f64 %px, %da, %db, %pc", "1.0 1.0 1 -> 0; 1.0 1.0 0 -> 1"},
      // Pairs: p is the result of the lower halves, q of the upper ones.
      {"setp.lt.f16x2 %px|%py, %ra, %rb",
       "0x40003c00 0x3c004000 -> 1 0; 0x7e003c00 0x3c003c00 -> 0 0; 0x3c000000 0x40000001 -> 1 1"},
      {"setp.neu.ftz.f16x2 %px|%py, %ra, %rb", "0x7e000000 0x3c000001 -> 0 1"},
      {"setp.gt.bf16x2 %px|%py, %ra, %rb", "0x40003f80 0x3f804000 -> 0 1"},

      {"setp.lt.and.f16x2 %px|%py, %ra, %rb, %pc", "0x40003c00 0x3c004000 1 -> 1 0; 0x40003c00 0x3c004000 0 -> 0 0"},
      {"setp.lt.xor.bf16x2 %px|%py, %ra, %rb, %pc", "0x40003f80 0x3f804000 1 -> 0 1; 0x40003f80 0x3f804000 0 -> 1 0"},

      {"set.eq.f16.b16 %hx, %ha, %hb", "5 5 -> 0x3c00; 5 6 -> 0"},
      {"set.eq.f16.b32 %hx, %ra, %rb", "5 5 -> 0x3c00; 5 6 -> 0"},
      {"set.eq.bf16.b64 %hx, %da, %db", "5 5 -> 0x3f80; 5 6 -> 0"},
      {"set.eq.and.f16.b16 %hx, %ha, %hb, %pc", "5 5 1 -> 0x3c00; 5 5 0 -> 0"},
      {"set.eq.and.f16.b32 %hx, %ra, %rb, %pc", "5 5 1 -> 0x3c00; 5 5 0 -> 0"},
      {"set.eq.and.bf16.b64 %hx, %da, %db, %pc", "5 5 1 -> 0x3f80; 5 5 0 -> 0"},
      {"set.eq.u32.b16 %rx, %ha, %hb", "5 5 -> -1; 5 6 -> 0"},
      {"set.ne.u32.b32 %rx, %ra, %rb", "5 5 -> 0; 5 6 -> -1"},
      {"set.eq.s32.b64 %rx, %da, %db", "5 5 -> -1; 5 0x100000005 -> 0"},
      {"set.eq.and.u32.b16 %rx, %ha, %hb, %pc", "5 5 1 -> -1; 5 5 0 -> 0"},
      {"set.ne.or.u32.b32 %rx, %ra, %rb, %pc", "5 5 0 -> 0; 5 5 1 -> -1"},
      {"set.eq.xor.s32.b64 %rx, %da, %db, %pc", "5 5 1 -> 0; 5 6 1 -> -1"},
      {"set.gtu.ftz.u32.f32 %rx, %ra, %rb", "1 0.0 -> 0; nan 0.0 -> -1"},
      // Pairs: one half of the result for each.
      {"set.gt.f16x2.f16x2 %rx, %ra, %rb", "0x40003c00 0x3c003c00 -> 0x3c000000; 0x7e004000 0x3c003c00 -> 0x00003c00"},
      {"set.gtu.ftz.u32.f16x2 %rx, %ra, %rb", "0x7e000001 0x3c000000 -> 0xffff0000"},
      {"set.le.s32.f16x2 %rx, %ra, %rb", "0x40003c00 0x3c003c00 -> 0x0000ffff"},
      {"set.gt.and.f16x2.f16x2 %rx, %ra, %rb, %pc",
       "0x40003c00 0x3c003c00 1 -> 0x3c000000; 0x40003c00 0x3c003c00 0 -> 0"},
      {"set.gt.or.u32.f16x2 %rx, %ra, %rb, %pc",
       "0x40003c00 0x3c003c00 1 -> -1; 0x40003c00 0x3c003c00 0 -> 0xffff0000"},
      {"set.gt.xor.s32.f16x2 %rx, %ra, %rb, %pc", "0x40003c00 0x3c003c00 1 -> 0x0000ffff"},
      {"set.gt.bf16x2.bf16x2 %rx, %ra, %rb", "0x40003f80 0x3f803f80 -> 0x3f800000"},
      {"set.nan.u32.bf16x2 %rx, %ra, %rb", "0x7fc03f80 0x3f803f80 -> 0xffff0000"},
      {"set.eq.s32.bf16x2 %rx, %ra, %rb", "0x40003f80 0x3f803f80 -> 0x0000ffff"},
      {"set.gt.and.bf16x2.bf16x2 %rx, %ra, %rb, %pc", "0x40003f80 0x3f803f80 1 -> 0x3f800000"},
      {"set.gt.or.u32.bf16x2 %rx, %ra, %rb, %pc", "0x40003f80 0x3f803f80 1 -> -1"},
      {"set.gt.xor.s32.bf16x2 %rx, %ra, %rb, %pc", "0x40003f80 0x3f803f80 1 -> 0x0000ffff"},

      {"selp.b16 %hx, %ha, %hb, %pc", "1 2 1 -> 1; 1 2 0 -> 2"},
      {"selp.b32 %rx, %ra, %rb, !%pc", "1 2 1 -> 2; 1 2 0 -> 1"},
      {"selp.b64 %dx, %da, %db, %pc", "0x100000001 2 1 -> 0x100000001; 1 2 0 -> 2"},
      {"selp.u16 %hx, %ha, 7, %pb", "1 1 -> 1; 1 0 -> 7"},
      {"selp.u32 %rx, 3, %ra, %pb", "1 1 -> 3; 1 0 -> 1"},
      {"selp.u64 %dx, %da, %db, %pc", "1 2 1 -> 1; 1 2 0 -> 2"},
      {"selp.s16 %hx, %ha, -1, %pb", "1 1 -> 1; 1 0 -> -1"},
      {"selp.s32 %rx, 1, -1, %pa", "1 -> 1; 0 -> -1"},
      {"selp.s64 %dx, %da, -1, %pb", "1 1 -> 1; 1 0 -> -1"},
      {"selp.f32 %rx, %ra, 0f3F800000, %pb", "2.0 1 -> 2.0; 2.0 0 -> 1.0"},
      {"selp.f64 %dx, %da, 0d3FF0000000000000, %pb", "2.0 1 -> 2.0; 2.0 0 -> 1.0"},
      // c >= 0: false for NaN, true for -0.
      {"slct.b16.s32 %hx, %ha, %hb, %rc", "1 2 0 -> 1; 1 2 -1 -> 2"},
      {"slct.b32.s32 %rx, %ra, %rb, %rc", "1 2 5 -> 1; 1 2 0x80000000 -> 2"},
      {"slct.b64.s32 %dx, %da, %db, %rc", "1 2 0 -> 1; 1 2 -1 -> 2"},
      {"slct.u16.s32 %hx, %ha, %hb, %rc", "1 2 0 -> 1; 1 2 -1 -> 2"},
      {"slct.u32.s32 %rx, %ra, %rb, %rc", "1 2 0 -> 1; 1 2 -1 -> 2"},
      {"slct.u64.s32 %dx, %da, %db, %rc", "1 2 0 -> 1; 1 2 -1 -> 2"},
      {"slct.s16.s32 %hx, %ha, %hb, %rc", "1 2 0 -> 1; 1 2 -1 -> 2"},
      {"slct.s32.s32 %rx, %ra, %rb, %rc", "1 2 0 -> 1; 1 2 -1 -> 2"},
      {"slct.s64.s32 %dx, %da, %db, %rc", "1 2 0 -> 1; 1 2 -1 -> 2"},
      {"slct.f32.s32 %rx, %ra, %rb, %rc", "1.0 2.0 0 -> 1.0; 1.0 2.0 -1 -> 2.0"},
      {"slct.f64.s32 %dx, %da, %db, %rc", "1.0 2.0 0 -> 1.0; 1.0 2.0 -1 -> 2.0"},
      {"slct.b16.f32 %hx, %ha, %hb, %rc", "1 2 0.0 -> 1; 1 2 -0.0 -> 1; 1 2 -1.0 -> 2; 1 2 nan -> 2"},
      {"slct.b32.f32 %rx, %ra, %rb, %rc", "1 2 3.0 -> 1; 1 2 0x80000001 -> 2"},
      {"slct.ftz.b32.f32 %rx, %ra, %rb, %rc", "1 2 3.0 -> 1; 1 2 0x80000001 -> 1"},
      {"slct.b64.f32 %dx, %da, %db, %rc", "1 2 0.5 -> 1; 1 2 -0.5 -> 2"},
      {"slct.u16.f32 %hx, %ha, %hb, %rc", "1 2 0.5 -> 1; 1 2 -0.5 -> 2"},
      {"slct.u32.f32 %rx, %ra, %rb, %rc", "1 2 0.5 -> 1; 1 2 -0.5 -> 2"},
      {"slct.u64.f32 %dx, %da, %db, %rc", "1 2 0.5 -> 1; 1 2 -0.5 -> 2"},
      {"slct.s16.f32 %hx, %ha, %hb, %rc", "1 2 0.5 -> 1; 1 2 -0.5 -> 2"},
      {"slct.s32.f32 %rx, %ra, %rb, %rc", "1 2 0.5 -> 1; 1 2 -0.5 -> 2"},
      {"slct.s64.f32 %dx, %da, %db, %rc", "1 2 0.5 -> 1; 1 2 -0.5 -> 2"},
      {"slct.f32.f32 %rx, %ra, %rb, %rc", "1.0 2.0 0.5 -> 1.0; 1.0 2.0 -0.5 -> 2.0"},
      {"slct.f64.f32 %dx, %da, %db, %rc", "1.0 2.0 0.5 -> 1.0; 1.0 2.0 -0.5 -> 2.0"},
  };
  // set: true is all ones as an integer, and 1 as a floating-point number. For 1 < 2 and 2 < 1, alone and combined with
  // c.
  struct Source {
    const char *type;
    char kind;
    std::string one, two;
  };
  struct Result {
    const char *type;
    char kind;
    std::string yes;
  };
  auto add = [&](const Result &result, const Source &source) {
    auto instruction = [&](const char *op, const char *c) {
      return std::string("set.lt") + op + "." + result.type + "." + source.type + " %" + result.kind + "x, %" +
             source.kind + "a, %" + source.kind + "b" + c;
    };
    std::string less = source.one + " " + source.two, greater = source.two + " " + source.one,
                yes = " -> " + result.yes, no = " -> 0";
    all.push_back({instruction("", ""), less + yes + ";" + greater + no});
    all.push_back(
        {instruction(".and", ", %pc"), less + " 1" + yes + ";" + less + " 0" + no + ";" + greater + " 1" + no});
    all.push_back(
        {instruction(".or", ", %pc"), less + " 0" + yes + ";" + greater + " 1" + yes + ";" + greater + " 0" + no});
    all.push_back(
        {instruction(".xor", ", %pc"), less + " 0" + yes + ";" + less + " 1" + no + ";" + greater + " 1" + yes});
  };
  const Source f16 = {"f16", 'h', "0x3c00", "0x4000"}, bf16 = {"bf16", 'h', "0x3f80", "0x4000"};
  const Result asF16 = {"f16", 'h', "0x3c00"}, asBf16 = {"bf16", 'h', "0x3f80"};
  for (const Source &source : {Source{"u16", 'h', "1", "0xffff"},
                               {"u32", 'r', "1", "0xffffffff"},
                               {"u64", 'd', "1", "-1"},
                               {"s16", 'h', "-2", "1"},
                               {"s32", 'r', "-2", "1"},
                               {"s64", 'd', "-2", "1"},
                               {"f32", 'r', "-inf", "2.0"},
                               {"f64", 'd', "1.0", "2.0"}})
    for (const Result &result : {Result{"u32", 'r', "-1"}, {"s32", 'r', "-1"}, {"f32", 'r', "1.0"}, asF16, asBf16})
      add(result, source);
  for (const Source &source : {f16, bf16})
    for (const Result &result : {Result{"u16", 'h', "-1"}, {"s16", 'h', "-1"}, {"u32", 'r', "-1"}, {"s32", 'r', "-1"}})
      add(result, source);
  add(asF16, f16);
  add(asBf16, bf16);
  return all;
}

std::vector<Program> tilecc::emu::test::comparePrograms() { return {}; }
