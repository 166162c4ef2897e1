// mov, cvta, isspacep (PTX ISA 9.7.9).
#include "../Harness.h"

using namespace tilecc::emu::test;

std::vector<Answers> tilecc::emu::test::moveAnswers() {
  return {
      {"mov.pred %px, %pa", "0 -> 0; 1 -> 1"},
      {"mov.b16 %hx, %ha", "0x1234 -> 0x1234"},
      {"mov.b32 %rx, %ra", "0x12345678 -> 0x12345678"},
      {"mov.b64 %dx, %da", "0x123456789abcdef0 -> 0x123456789abcdef0"},
      {"mov.b128 %qx, %qa", "0x123456789abcdef0fedcba9876543210 -> 0x123456789abcdef0fedcba9876543210"},
      {"mov.u16 %hx, %ha", "0xffff -> 0xffff"},
      {"mov.u32 %rx, %ra", "0xffffffff -> 0xffffffff"},
      {"mov.u64 %dx, %da", "-1 -> -1"},
      {"mov.s16 %hx, -7", "-> -7"},
      {"mov.s32 %rx, -7", "-> -7"},
      {"mov.s64 %dx, -7", "-> -7"},
      {"mov.f32 %rx, 0f3FC00000", "-> 1.5"},
      {"mov.f32 %rx, 2.25", "-> 2.25"},
      {"mov.f64 %dx, 0d3FF8000000000000", "-> 1.5"},
      {"mov.f64 %dx, %da", "2.25 -> 2.25"},
      {"mov.b16 %hx, {%ba, %bb}", "0x12 0x34 -> 0x3412"},
      {"mov.b32 %rx, {%ba, %bb, %bc, %bd}", "0x12 0x34 0x56 0x78 -> 0x78563412"},
      {"mov.b32 %rx, {%ha, %hb}", "0x1234 0x5678 -> 0x56781234"},
      {"mov.b64 %dx, {%ha, %hb, %hc, %hd}", "1 2 3 4 -> 0x0004000300020001"},
      {"mov.b64 %dx, {%ra, %rb}", "1 2 -> 0x0000000200000001"},
      {"mov.b128 %qx, {%ra, %rb, %rc, %rd}", "1 2 3 4 -> 0x00000004000000030000000200000001"},
      {"mov.b128 %qx, {%da, %db}", "1 2 -> 0x00000000000000020000000000000001"},
      {"mov.b16 {%bx, %by}, %ha", "0x1234 -> 0x34 0x12"},
      {"mov.b32 {%bw, %bx, %by, %bz}, %ra", "0x12345678 -> 0x78 0x56 0x34 0x12"},
      {"mov.b32 {%hx, %hy}, %ra", "0x12345678 -> 0x5678 0x1234"},
      {"mov.b32 {_, %hy}, %ra", "0x12345678 -> 0x1234"},
      {"mov.b64 {%hw, %hx, %hy, %hz}, %da", "0x123456789abcdef0 -> 0xdef0 0x9abc 0x5678 0x1234"},
      {"mov.b64 {%rx, %ry}, %da", "0x123456789abcdef0 -> 0x9abcdef0 0x12345678"},
      {"mov.b128 {%rw, %rx, %ry, %rz}, %qa", "0x00000004000000030000000200000001 -> 1 2 3 4"},
      {"mov.b128 {%dx, %dy}, %qa", "0x00000000000000020000000000000001 -> 1 2"},
  };
}

std::vector<Program> tilecc::emu::test::movePrograms() { return {}; }
