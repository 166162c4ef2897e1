// atom and red (PTX ISA 9.7.13).
#include "../Harness.h"

using namespace tilecc::emu::test;

namespace {

// Applies an operation to memory with the value a and to b. Results are the old and the new value.
struct Operation {
  const char *name, *type;
  char kind;
  std::string lines; // a b -> new
};

} // namespace

std::vector<Answers> tilecc::emu::test::atomicAnswers() {
  const Operation operations[] = {
      {"add", "u32", 'r', "5 7 -> 12; 0xffffffff 2 -> 1"},
      {"add", "s32", 'r', "5 -7 -> -2"},
      {"add", "u64", 'd', "0xffffffff 1 -> 0x100000000"},
      {"add", "f64", 'd', "1.5 2.25 -> 3.75; 1 1 -> 2"},
      {"add.noftz", "f16", 'h', "0x3c00 0x4000 -> 0x4200; 1 1 -> 2"},
      {"add.noftz", "f16x2", 'r', "0x3c000001 0x40000001 -> 0x42000002"},
      {"add.noftz", "bf16", 'h', "0x3f80 0x4000 -> 0x4040"},
      {"add.noftz", "bf16x2", 'r', "0x3f800001 0x40000001 -> 0x40400002"},
      {"min", "u32", 'r', "5 0xffffffff -> 5; 5 3 -> 3"},
      {"min", "s32", 'r', "5 -1 -> -1; 3 5 -> 3"},
      {"min", "u64", 'd', "5 -1 -> 5; 5 3 -> 3"},
      {"min", "s64", 'd', "5 -1 -> -1"},
      {"max", "u32", 'r', "5 0xffffffff -> 0xffffffff; 5 3 -> 5"},
      {"max", "s32", 'r', "5 -1 -> 5; 3 5 -> 5"},
      {"max", "u64", 'd', "5 -1 -> -1"},
      {"max", "s64", 'd', "5 -1 -> 5"},
      {"inc", "u32", 'r', "5 7 -> 6; 7 7 -> 0; 8 7 -> 0"}, // a >= b ? 0 : a + 1
      {"dec", "u32", 'r', "5 7 -> 4; 0 7 -> 7; 8 7 -> 7; 7 7 -> 6"}, // a == 0 || a > b ? b : a - 1
      {"and", "b32", 'r', "0xff00ff00 0x0ff00ff0 -> 0x0f000f00"},
      {"and", "b64", 'd', "0xff00000000000001 0x0ff0000000000003 -> 0x0f00000000000001"},
      {"or", "b32", 'r', "0xff00ff00 0x0ff00ff0 -> 0xfff0fff0"},
      {"or", "b64", 'd', "0xff00000000000001 2 -> 0xff00000000000003"},
      {"xor", "b32", 'r', "0xff00ff00 0x0ff00ff0 -> 0xf0f0f0f0"},
      {"xor", "b64", 'd', "0xff00000000000001 3 -> 0xff00000000000002"},
  };
  std::vector<Answers> all;
  auto bytes = [](char kind) { return std::string(kind == 'h' ? "b16" : kind == 'r' ? "b32" : "b64"); };
  auto between = [](std::string lines, const std::string &extra) { // "a b -> new" becomes "a b -> a new"
    for (size_t at = 0; at != lines.npos; at = lines.find(';', at + 1)) {
      size_t first = lines.find_first_not_of("; ", at), arrow = lines.find("->", at) + 2;
      if (extra == "old")
        lines.insert(arrow, " " + lines.substr(first, lines.find(' ', first) - first));
    }
    return lines;
  };
  for (const Operation &operation : operations) {
    std::string kind(1, operation.kind), op = std::string(operation.name) + "." + operation.type,
                                         type = bytes(operation.kind);
    std::string store = " [%mem], %" + kind + "a; ", load = "; ld.global." + type + " %" + kind + "y, [%mem]";
    all.push_back({"st.global." + type + store + "atom.global." + op + " %" + kind + "x, [%mem], %" + kind + "b" + load,
                   between(operation.lines, "old")});
    all.push_back(
        {"st.global." + type + store + "red.global." + op + " [%mem], %" + kind + "b" + load, operation.lines});
    all.push_back({"st.shared." + type + " [%smem+8], %" + kind + "a; atom.acq_rel.cta.shared." + op + " %" + kind +
                       "x, [%smem+8], %" + kind + "b; ld.shared." + type + " %" + kind + "y, [%smem+8]",
                   between(operation.lines, "old")});
    all.push_back(
        {"st.global." + type + store + "red.relaxed.sys." + op + " [%mem], %" + kind + "b" + load, operation.lines});
  }
  const Answers others[] = {
      // Single precision flushes subnormals in global memory, and keeps them in shared memory.
      {"st.global.f32 [%mem], %ra; atom.global.add.f32 %rx, [%mem], %rb; ld.global.f32 %ry, [%mem]",
       "1.5 2.25 -> 1.5 3.75; 0x00000001 0x00000001 -> 0x00000001 0; 0x80000001 -0.0 -> 0x80000001 -0.0"},
      {"st.shared.f32 [%smem], %ra; atom.shared.add.f32 %rx, [%smem], %rb; ld.shared.f32 %ry, [%smem]",
       "1.5 2.25 -> 1.5 3.75; 0x00000001 0x00000001 -> 0x00000001 0x00000002"},
      {"st.global.f32 [%mem], %ra; red.global.add.f32 [%mem], %rb; ld.global.f32 %ry, [%mem]",
       "1.5 2.25 -> 3.75; 1 1 -> 0"},
      {"st.shared.f32 [%smem], %ra; red.shared.add.f32 [%smem], %rb; ld.shared.f32 %ry, [%smem]",
       "1.5 2.25 -> 3.75; 1 1 -> 2"},
      {"cvt.u64.u32 %dt, %smem; cvta.shared.u64 %du, %dt; st.u32 [%du], %ra; red.add.f32 [%du], %rb; ld.f32 %ry, [%du]",
       "1.5 2.25 -> 3.75; 1 1 -> 2"},
      {"st.u32 [%mem], %ra; atom.add.f32 %rx, [%mem], %rb; ld.f32 %ry, [%mem]", "1.5 2.25 -> 1.5 3.75; 1 1 -> 1 0"},
      {"st.global.b32 [%mem], %ra; atom.global.exch.b32 %rx, [%mem], %rb; ld.global.b32 %ry, [%mem]", "5 7 -> 5 7"},
      {"st.global.b64 [%mem], %da; atom.exch.b64 %dx, [%mem], %db; ld.global.b64 %dy, [%mem]", "5 7 -> 5 7"},
      {"st.global.b128 [%mem], %qa; atom.relaxed.gpu.global.exch.b128 %qx, [%mem], %qb; ld.global.b128 %qy, [%mem]",
       "0x123456789abcdef00000000000000001 7 -> 0x123456789abcdef00000000000000001 7"},
      {"st.global.b16 [%mem], %ha; atom.global.cas.b16 %hx, [%mem], %hb, %hc; ld.global.b16 %hy, [%mem]",
       "5 5 7 -> 5 7; 5 6 7 -> 5 5"},
      {"st.global.b32 [%mem], %ra; atom.global.cas.b32 %rx, [%mem], %rb, %rc; ld.global.b32 %ry, [%mem]",
       "5 5 7 -> 5 7; 5 6 7 -> 5 5"},
      {"st.shared.b64 [%smem], %da; atom.acquire.cta.shared.cas.b64 %dx, [%smem], %db, %dc; ld.shared.b64 %dy, [%smem]",
       "5 5 7 -> 5 7; 0x100000005 5 7 -> 0x100000005 0x100000005"},
      {"st.global.b128 [%mem], %qa; atom.cas.b128 %qx, [%mem], %qb, %qc; ld.global.b128 %qy, [%mem]",
       "0x10000000000000005 0x10000000000000005 7 -> 0x10000000000000005 7;"
       "0x10000000000000005 5 7 -> 0x10000000000000005 0x10000000000000005"},
      // Orders and scopes in all positions in which nvcc's headers have them.
      {"st.shared.u32 [%smem], %ra; atom.shared.cta.add.u32 %rx, [%smem], %rb; ld.shared.u32 %ry, [%smem]",
       "5 7 -> 5 12"},
      {"st.global.u32 [%mem], %ra; atom.add.acq_rel.gpu.s32 %rx, [%mem], %rb; ld.global.u32 %ry, [%mem]",
       "5 7 -> 5 12"},
      {"st.global.u32 [%mem], %ra; red.add.release.gpu.global.u32 [%mem], %rb; ld.global.u32 %ry, [%mem]", "5 7 -> 12"},
      {"st.global.u32 [%mem], %ra; createpolicy.fractional.L2::evict_last.b64 %dt; atom.global.add.L2::cache_hint.u32 "
       "%rx, [%mem], %rb, %dt;"
       "ld.global.u32 %ry, [%mem]",
       "5 7 -> 5 12"},
      {"st.global.u32 [%mem], %ra; createpolicy.fractional.L2::evict_last.b64 %dt; red.global.add.L2::cache_hint.u32 "
       "[%mem], %rb, %dt;"
       "ld.global.u32 %ry, [%mem]",
       "5 7 -> 12"},
      // Vectors: the operation is applied to each element.
      {"st.global.v2.f32 [%mem], {%ra, %rb}; atom.global.add.v2.f32 {%rw, %rx}, [%mem], {%rc, %rd}; ld.global.v2.f32 "
       "{%ry, %rz}, [%mem]",
       "1.0 2.0 10.0 20.0 -> 1.0 2.0 11.0 22.0"},
      {"st.global.v4.f32 [%mem], {%ra, %rb, %rc, %rd}; red.global.add.v4.f32 [%mem], {%ra, %ra, %ra, %ra};"
       "ld.global.v4.f32 {%rw, %rx, %ry, %rz}, [%mem]",
       "1.0 2.0 10.0 20.0 -> 2.0 3.0 11.0 21.0"},
  };
  all.insert(all.end(), std::begin(others), std::end(others));
  // 1, 2 and 3, of both types and in pairs.
  struct Half {
    const char *type;
    char kind;
    std::string one, two, three;
  };
  for (const Half &half : {Half{"f16", 'h', "0x3c00", "0x4000", "0x4200"}, {"bf16", 'h', "0x3f80", "0x4000", "0x4040"},
                           {"f16x2", 'r', "0x3c003c00", "0x40004000", "0x42004200"},
                           {"bf16x2", 'r', "0x3f803f80", "0x40004000", "0x40404040"}}) {
    std::string k = std::string("%") + half.kind, type = bytes(half.kind), one = half.one, two = half.two,
                three = half.three;
    auto add = [&](const char *op, const std::string &a, const std::string &b, const std::string &c,
                   const std::string &first, const std::string &second) {
      std::string tail = std::string(op) + ".noftz.v2." + half.type, value = a + " " + b + " " + c;
      std::string store = "st.global.v2." + type + " [%mem], {" + k + "a, " + k + "b}; ",
                  load = "; ld.global.v2." + type + " {" + k + "y, " + k + "z}, [%mem]";
      all.push_back(
          {store + "atom.global." + tail + " {" + k + "w, " + k + "x}, [%mem], {" + k + "c, " + k + "c}" + load,
           value + " -> " + a + " " + b + " " + first + " " + second});
      all.push_back({store + "red.relaxed.gpu.global." + tail + " [%mem], {" + k + "c, " + k + "c}" + load,
                     value + " -> " + first + " " + second});
    };
    add("add", one, "0", two, three, two);
    add("min", one, three, two, one, two);
    add("max", one, three, two, two, three);
  }
  return all;
}

std::vector<Program> tilecc::emu::test::atomicPrograms() {
  return {
      {.name = "EveryThreadOfTheGridCounts",
       .body = "  atom.global.add.u32 %r0, [%out], 1;     // tested\n",
       .expected = {256},
       .before = {0},
       .threads = 64,
       .blocks = 4},
      {.name = "OldValuesAreAllDifferent", // and so are the addresses computed from them
       .body = R"(
  .shared .align 4 .b32 counter;
  setp.eq.u32 %p0, %t, 0;
  @%p0 st.shared.u32 [counter], 0;
  bar.sync 0;
  atom.shared.add.u32 %r0, [counter], 1;   // tested
  mul.wide.u32 %d0, %r0, 4;
  add.u64 %d0, %out, %d0;
  st.global.u32 [%d0], %r0;)",
       .expected = words(96, [](uint32_t i) { return i; }),
       .threads = 96},
      {.name = "IncrementWraps", // 70 times modulo 8
       .body = R"(
  .shared .align 4 .b32 counter;
  setp.eq.u32 %p0, %t, 0;
  @%p0 st.shared.u32 [counter], 0;
  bar.sync 0;
  red.shared.inc.u32 [counter], 7;         // tested
  bar.sync 0;
  ld.shared.u32 %r0, [counter];
  st.global.u32 [%o], %r0;)",
       .expected = words(70, [](uint32_t) { return 6; }),
       .threads = 70},
      {.name = "ALockOfCompareAndSwap", // 64 threads of 2 blocks; the lanes of a warp one by one
       .body = R"(
again:
  atom.acquire.gpu.global.cas.b32 %r0, [%out], 0, 1;   // tested
  setp.ne.b32 %p0, %r0, 0;
  @%p0 bra again;
  ld.relaxed.gpu.global.u32 %r1, [%out+4];
  add.u32 %r1, %r1, 3;
  st.relaxed.gpu.global.u32 [%out+4], %r1;
  atom.release.gpu.global.exch.b32 %r0, [%out], 0;     // tested
)",
       .expected = {0, 3 * 64 + 1},
       .before = {0, 1},
       .threads = 32,
       .blocks = 2},
  };
}
