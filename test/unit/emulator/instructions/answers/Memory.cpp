// Loads, stores, and addresses (PTX ISA 9.7.9).
#include "../Harness.h"

using namespace tilecc::emu::test;

std::vector<Answers> tilecc::emu::test::memoryAnswers() {
  std::vector<Answers> all = {
      // A register may be wider than the loaded value, which is extended according to its type, and than the stored
      // value.
      {"st.local.b8 [slot], %ra; ld.local.b8 %rx, [slot]", "0x1234567f -> 0x7f; 0x80 -> 0x80"},
      {"st.local.u8 [slot], %ha; ld.local.s8 %hx, [slot]", "0x1280 -> 0xff80; 0x7f -> 0x7f"},
      {"st.local.s8 [slot], %da; ld.local.s8 %dx, [slot]", "0x80 -> -128"},
      {"st.local.b16 [slot], %ra; ld.local.s16 %rx, [slot]", "0x12348000 -> 0xffff8000"},
      {"st.local.u16 [slot], %da; ld.local.u16 %dx, [slot]", "0x123456788000 -> 0x8000"},
      {"st.local.s32 [slot], %ra; ld.local.s32 %dx, [slot]", "-1 -> -1; 0x7fffffff -> 0x7fffffff"},
      {"st.local.u32 [slot], %da; ld.local.u32 %dx, [slot]", "-1 -> 0xffffffff"},
      // Memory is little-endian.
      {"st.global.u32 [%mem], %ra; ld.global.u8 %rx, [%mem]; ld.global.u16 %ry, [%mem+2]", "0x12345678 -> 0x78 0x1234"},
      {"st.global.v4.u8 [%mem], {%ra, %rb, %rc, %rd}; ld.global.u32 %rx, [%mem]", "0x12 0x34 0x56 0x178 -> 0x78563412"},
      // Vectors.
      {"st.global.v2.b32 [%mem], {%ra, %rb}; ld.global.v2.b32 {%rx, %ry}, [%mem]; ld.global.b64 %dz, [%mem]",
       "1 2 -> 1 2 0x200000001"},
      {"st.shared.v4.f32 [%smem+16], {%ra, %rb, %rc, %rd}; ld.shared.v4.f32 {%rw, %rx, %ry, %rz}, [%smem+16]",
       "1.0 2.0 3.0 4.0 -> 1.0 2.0 3.0 4.0"},
      {"st.global.v8.b32 [%mem], {%ra, %rb, %rc, %rd, %re, %rf, %rg, %rh};"
       "ld.global.v8.b32 {%ri, %rj, %rk, %rl, %rm, %rn, %ro, %rp}, [%mem]",
       "1 2 3 4 5 6 7 8 -> 1 2 3 4 5 6 7 8"},
      {"st.local.v2.b64 [slot], {%da, %db}; ld.local.v2.u64 {%dx, _}, [slot]", "1 2 -> 1"},
      {"st.global.v4.s16 [%mem], {%ra, %rb, %rc, %rd}; ld.global.v4.s16 {%rw, %rx, %ry, %rz}, [%mem]",
       "-1 2 0x8000 0x14000 -> -1 2 0xffff8000 0x4000"},
      // Addresses: with positive and negative offsets, of variables, of 32 bits, and generic ones.
      {"st.global.u32 [%mem+60], %ra; add.u64 %dt, %mem, 64; ld.global.u32 %rx, [%dt+-4]", "7 -> 7"},
      {"st.local.u32 [slot+4], %ra; mov.u64 %dt, slot; ld.local.u32 %rx, [%dt+4]", "7 -> 7"},
      {"st.shared.u32 [%smem+8], %ra; cvt.u64.u32 %dt, %smem; ld.shared.u32 %rx, [%dt+8]", "7 -> 7"},
      {"st.u32 [%mem], %ra; ld.global.u32 %rx, [%mem]", "7 -> 7"},
      {"cvt.u64.u32 %dt, %smem; cvta.shared.u64 %du, %dt; st.u32 [%du+4], %ra; ld.shared.u32 %rx, [%smem+4]", "7 -> 7"},
      {"mov.u64 %dt, slot; cvta.local.u64 %du, %dt; st.local.u32 [slot], %ra; ld.u32 %rx, [%du]", "7 -> 7"},
      {"cvt.u64.u32 %dt, %smem; cvta.shared.u64 %du, %dt; cvta.to.shared.u64 %dv, %du; sub.u64 %dx, %dv, %dt", "-> 0"},
      {"cvta.global.u64 %dt, %mem; cvta.to.global.u64 %du, %dt; sub.u64 %dx, %du, %mem", "-> 0"},
      {"mov.u64 %dt, source; cvta.param.u64 %du, %dt; ld.u64 %dv, [%du]; ld.param.u64 %dw, [source]; sub.u64 %dx, %dv, "
       "%dw; sub.u64 %dw, %dw, %dv",
       "-> 0 0"},
      // Orders and scopes do not change values within one thread.
      {"st.weak.global.u32 [%mem], %ra; ld.weak.global.u32 %rx, [%mem]", "7 -> 7"},
      {"st.relaxed.gpu.global.u64 [%mem], %da; ld.relaxed.gpu.global.u64 %dx, [%mem]", "7 -> 7"},
      {"st.release.cta.shared.u16 [%smem], %ha; ld.acquire.cta.shared.u16 %hx, [%smem]", "7 -> 7"},
      {"st.release.sys.u8 [%mem], %ra; ld.acquire.sys.u8 %rx, [%mem]", "0x107 -> 7"},
      {"st.volatile.global.v2.u32 [%mem], {%ra, %rb}; ld.volatile.global.v2.u32 {%rx, %ry}, [%mem]", "7 8 -> 7 8"},
      {"st.global.release.gpu.b32 [%mem], %ra; ld.global.acquire.gpu.b32 %rx, [%mem]", "7 -> 7"},
      // Cache operators do not, either.
      {"st.global.cg.u32 [%mem], %ra; ld.global.cg.u32 %rx, [%mem]", "7 -> 7"},
      {"st.global.wt.u32 [%mem], %ra; ld.global.cv.u32 %rx, [%mem]", "7 -> 7"},
      {"st.global.L1::no_allocate.u32 [%mem], %ra; ld.global.L1::evict_first.L2::128B.u32 %rx, [%mem]", "7 -> 7"},
      {"createpolicy.fractional.L2::evict_last.b64 %dt, 0f3F800000; st.global.L2::cache_hint.u32 [%mem], %ra, %dt;"
       "ld.global.L2::cache_hint.u32 %rx, [%mem], %dt",
       "7 -> 7"},
      {"createpolicy.fractional.L2::evict_first.L2::evict_unchanged.b64 %dt, 0f3F000000;"
       "st.global.L2::cache_hint.v2.u32 [%mem], {%ra, %rb}, %dt;"
       "ld.global.L2::cache_hint.v2.u32 {%rx, %ry}, [%mem], %dt",
       "7 8 -> 7 8"},
      {"st.global.u32 [%mem], %ra; prefetch.global.L1 [%mem]; prefetch.L2 [%mem]; prefetch.global.L2::evict_last "
       "[%mem];"
       "prefetchu.L1 [%mem]; applypriority.global.L2::evict_normal [%mem], 128; ld.global.u32 %rx, [%mem]",
       "7 -> 7"},
      // undefined before the store
      {"discard.global.L2 [%mem], 128; st.global.u32 [%mem], %ra; ld.global.u32 %rx, [%mem]", "7 -> 7"},

      {"cvt.u64.u32 %dt, %smem; cvta.shared.u64 %du, %dt; isspacep.shared %pw, %du; isspacep.global %px, %du; "
       "isspacep.local %py, %du;"
       "isspacep.const %pz, %du",
       "-> 1 0 0 0"},
      {"isspacep.shared %pw, %mem; isspacep.global %px, %mem; isspacep.local %py, %mem; isspacep.const %pz, %mem",
       "-> 0 1 0 0"},
      {"mov.u64 %dt, slot; cvta.local.u64 %du, %dt; isspacep.shared %pw, %du; isspacep.global %px, %du;"
       "isspacep.local %py, %du",
       "-> 0 0 1"},
      // Kernel parameters are in the global window.
      {"mov.u64 %dt, source; cvta.param.u64 %du, %dt; isspacep.param %pw, %du; isspacep.global %px, %du;"
       "isspacep.local %py, %du",
       "-> 1 1 0"},
  };
  // Every type, with every kind of load.
  struct Type {
    const char *name;
    char kind;
    const char *value;
  };
  for (const Type &type : {Type{"b8", 'b', "0x81"}, {"u8", 'b', "0x81"}, {"s8", 'b', "0x81"}, {"b16", 'h', "0x8123"},
                           {"u16", 'h', "0x8123"}, {"s16", 'h', "0x8123"}, {"b32", 'r', "0x81234567"},
                           {"u32", 'r', "0x81234567"}, {"s32", 'r', "0x81234567"}, {"f32", 'r', "-1.5"},
                           {"b64", 'd', "0x8123456789abcdef"}, {"u64", 'd', "0x8123456789abcdef"},
                           {"s64", 'd', "0x8123456789abcdef"}, {"f64", 'd', "-1.5"},
                           {"b128", 'q', "0x8123456789abcdef0011223344556677"}}) {
    std::string name = type.name, kind(1, type.kind), line = std::string(type.value) + " -> " + type.value;
    for (const char *load : {"ld.global.", "ld.global.nc.", "ld.global.L1::no_allocate.nc.", "ldu.global."})
      if (name != "b128" || load != std::string("ldu.global."))
        all.push_back(
            {"st.global." + name + " [%mem], %" + kind + "a; " + load + name + " %" + kind + "x, [%mem]", line});
    all.push_back(
        {"st.shared." + name + " [%smem], %" + kind + "a; ld.shared::cta." + name + " %" + kind + "x, [%smem]", line});
  }
  return all;
}

std::vector<Program> tilecc::emu::test::memoryPrograms() {
  return {
      {.name = "ConstantsAndInitialValues",
       .body = R"(
  and.b32 %r0, %t, 3;
  mul.wide.u32 %d0, %r0, 4;
  mov.u64 %d1, table;
  add.u64 %d1, %d1, %d0;
  ld.const.u32 %r1, [%d1];                 // tested
  cvta.const.u64 %d2, %d1;                 // tested
  ld.u32 %r2, [%d2];                       // tested
  ld.global.s16 %r3, [numbers+2];          // tested
  ld.global.u32 %r4, [numbers+4];          // tested
  isspacep.const %p0, %d2;                 // tested
  isspacep.global %p1, %d2;                // tested
  selp.u32 %r5, 1000, 0, %p0;
  selp.u32 %r6, 10000, 0, %p1;
  add.u32 %r1, %r1, %r2;
  add.u32 %r3, %r3, %r4;
  add.u32 %r1, %r1, %r3;
  add.u32 %r1, %r1, %r5;
  add.u32 %r1, %r1, %r6;
  st.global.u32 [%o], %r1;)",
       .expected = lanes([](uint32_t lane) { return 2 * (lane % 4 + 1) * 11 - 2 + 1000; }),
       .declarations =
           ".const .align 4 .u32 table[4] = {11, 22, 33, 44};\n.global .align 4 .s16 numbers[4] = {1, -2};\n"},
      {.name = "LanesOfAGenericAccessInDifferentSpaces",
       .body = R"(
  .local .align 4 .b32 mine;
  .shared .align 4 .b32 ours[32];
  mad.lo.u32 %r0, %t, 4, 0;
  mov.u32 %r1, ours;
  add.u32 %r0, %r0, %r1;
  cvt.u64.u32 %d0, %r0;
  cvta.shared.u64 %d0, %d0;
  mov.u64 %d1, mine;
  cvta.local.u64 %d1, %d1;
  rem.u32 %r2, %t, 3;
  setp.eq.u32 %p0, %r2, 1;
  setp.eq.u32 %p1, %r2, 2;
  selp.b64 %d2, %d0, %o, %p0;              // global, shared, local ...
  selp.b64 %d2, %d1, %d2, %p1;
  mul.lo.u32 %r3, %t, 10;
  st.u32 [%d2], %r3;                       // tested
  ld.u32 %r4, [%d2];                       // tested
  add.u32 %r4, %r4, 1;
  st.global.u32 [%o], %r4;)",
       .expected = lanes([](uint32_t lane) { return lane * 10 + 1; })},
      {.name = "LocalMemoryIsEachThreadsOwn",
       .body = R"(
  .local .align 16 .b32 values[8];
  mov.u64 %d0, values;
  and.b32 %r0, %t, 7;
  mul.wide.u32 %d1, %r0, 4;
  add.u64 %d1, %d0, %d1;
  st.local.u32 [%d1], %t;                  // tested
  ld.local.u32 %r1, [%d1];                 // tested
  st.global.u32 [%o], %r1;)",
       .expected = words(64, [](uint32_t thread) { return thread; }),
       .threads = 64},
      {.name = "StoresOfAWarpAreSeenByTheBlock",
       .body = R"(
  .shared .align 4 .b32 values[64];
  mov.u32 %r0, values;
  mad.lo.u32 %r1, %t, 4, %r0;
  st.shared.u32 [%r1], %t;                 // tested
  bar.sync 0;
  xor.b32 %r2, %t, 63;
  mad.lo.u32 %r2, %r2, 4, %r0;
  ld.shared.u32 %r3, [%r2];                // tested
  st.global.u32 [%o], %r3;)",
       .expected = words(64, [](uint32_t thread) { return 63 - thread; }),
       .threads = 64},
  };
}
