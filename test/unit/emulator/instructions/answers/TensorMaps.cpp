// tensormap.replace, tensormap.cp_fenceproxy, fence.proxy.tensormap (PTX ISA 9.7.9.26, 9.7.13.4): a kernel creates the
// tensor map of a tensor of 40 x 20 words, and copies a box of 16 x 8 that begins at (32, 15): half of its columns and
// 5 of its rows are inside.
#include "../Harness.h"

using namespace tilecc::emu::test;

std::vector<Answers> tilecc::emu::test::tensorMapAnswers() { return {}; }

namespace {

constexpr uint32_t columns = 40, rows = 20, boxColumns = 16, boxRows = 8, column = 32, row = 15;

// The fields of a tensor map at [place], in .shared::cta or .global.
std::string fields(const std::string &space, const std::string &place) {
  std::string text;
  auto replace = [&](const std::string &field, const char *width, const std::string &value) {
    text += "  @%p7 tensormap.replace.tile." + field + space + ".b1024." + width + " [" + place + "], " + value +
            ";   // tested\n";
  };
  auto replaceEach = [&](const std::string &field, uint32_t first, uint32_t second) {
    text += "  mov.b32 %r10, " + std::to_string(first) + ";\n  mov.b32 %r11, " + std::to_string(second) + ";\n";
    replace(field, "b32", "0, %r10");
    replace(field, "b32", "1, %r11");
  };
  replace("global_address", "b64", "%in");
  replace("rank", "b32", "1");
  replaceEach("box_dim", boxColumns, boxRows);
  replaceEach("global_dim", columns, rows);
  text += "  mov.b64 %d1, " + std::to_string(columns * 4) + ";\n";
  replace("global_stride", "b64", "0, %d1");
  replaceEach("element_stride", 1, 1);
  replace("elemtype", "b32", "7"); // f32
  replace("interleave_layout", "b32", "0");
  replace("swizzle_mode", "b32", "0");
  replace("fill_mode", "b32", "1"); // NaN outside
  return text;
}

const std::string start = "  .shared .align 128 .b8 map[128];\n  .shared .align 128 .b8 tile[512];\n  .shared .align 8 .b64 mbar;\n"
                          "  setp.eq.u32 %p7, %t, 0;\n  @%p7 mbarrier.init.shared::cta.b64 [mbar], 1;\n"
                          "  @%p7 fence.mbarrier_init.release.cluster;\n  mov.u64 %d0, made;\n  cvta.global.u64 %d0, %d0;\n";
const std::string copy =
    "  bar.sync 0;\n  mov.b32 %r0, 32;\n  mov.b32 %r1, 15;\n"
    "  @%p7 mbarrier.arrive.expect_tx.shared::cta.b64 _, [mbar], 512;\n"
    "  @%p7 cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [tile], [%d0, {%r0, %r1}], [mbar];\n"
    "wait:\n  mbarrier.try_wait.parity.shared::cta.b64 %p0, [mbar], 0;\n  @!%p0 bra wait;\n"
    "  mov.u32 %r2, %t;\nwords:\n  shl.b32 %r3, %r2, 2;\n  mov.u32 %r4, tile;\n  add.u32 %r4, %r4, %r3;\n"
    "  ld.shared.u32 %r5, [%r4];\n  cvt.u64.u32 %d2, %r3;\n  add.u64 %d2, %out, %d2;\n  st.global.u32 [%d2], %r5;\n"
    "  add.u32 %r2, %r2, 32;\n  setp.lt.u32 %p1, %r2, 128;\n  @%p1 bra words;\n";

Program program(const std::string &name, const std::string &making) {
  Words expected = words(boxColumns * boxRows, [](uint32_t i) {
    uint32_t x = column + i % boxColumns, y = row + i / boxColumns;
    return x < columns && y < rows ? 1000 + y * columns + x : 0x7ff77ff7u;
  });
  return {.name = name,
          .body = start + making + copy,
          .expected = expected,
          .in = words(columns * rows, [](uint32_t i) { return 1000 + i; }),
          .declarations = ".global .align 128 .b8 made[128];\n"};
}

const std::string zeros = "  mov.u32 %r6, map;\n  shl.b32 %r7, %t, 2;\n  add.u32 %r6, %r6, %r7;\n  st.shared.u32 [%r6], 0;\n"
                          "  bar.warp.sync -1;\n";
const std::string release = "  bar.warp.sync -1;\n  tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu."
                            "sync.aligned [%d0], [map], 128;   // tested\n";
const std::string acquire = "  fence.proxy.tensormap::generic.acquire.gpu [%d0], 128;   // tested\n";

std::string without(std::string text, const std::string &what, const std::string &by = "") {
  size_t at = text.find(what);
  return at == std::string::npos ? "not there: " + what : text.replace(at, what.size(), by);
}

Program wrong(const std::string &name, const std::string &making, const std::string &what, int error) {
  Program made = program("Map" + name, making);
  made.error = error;
  made.message = "error: " + what + ": kernel 'test', block (0,0,0)";
  made.before = Words(made.expected.size(), 0);
  made.expected.clear();
  made.onlyChecked = error == 719;
  return made;
}

} // namespace

std::vector<Program> tilecc::emu::test::tensorMapPrograms() {
  const std::string inShared = zeros + fields(".shared::cta", "map"), good = inShared + release + acquire;
  // In place: the variable is initially zero.
  const std::string inPlace = fields(".global", "made") + "  fence.proxy.tensormap::generic.release.gpu;   // tested\n";
  std::vector<Program> programs = {program("MapInShared", good), program("MapInPlace", inPlace + acquire),
                                   program("MapInPlaceGeneric", without(inPlace, "address.global", "address") + acquire)};
  programs[2].body = without(programs[2].body, "[made], %in", "[%d0], %in");

  programs.push_back(wrong("NotReleased", without(inPlace, "fence.proxy.tensormap::generic.release.gpu", "fence.sc.gpu") + acquire,
                           "a copy by a tensor map that was made in this launch, and no "
                           "fence.proxy.tensormap::generic.release has followed",
                           719));
  programs.push_back(wrong("NotAcquired", inShared + release,
                           "a copy by a tensor map that was made in this launch, and its block with no "
                           "fence.proxy.tensormap::generic.acquire since",
                           719));
  programs.push_back(wrong("AcquiredTooEarly", acquire + inShared + release,
                           "a copy by a tensor map that was made in this launch, and its block with no "
                           "fence.proxy.tensormap::generic.acquire since",
                           719));
  programs.push_back(wrong("OfGarbage", without(good, "], 0;\n", "], 3;\n"),
                           "a field is replaced of 128 bytes that are neither a tensor map nor zeros", 715));
  // A map of which the rank has not been replaced has one dimension, as Triton relies on.
  programs.push_back(wrong("WithoutRank", without(good, "  @%p7 tensormap.replace.tile.rank", "  //"),
                           "a copy with 2 coordinates, and the tensor has 1 dimensions", 715));
  programs.push_back(wrong("OfNoType", without(good, "[map], 7;", "[map], 13;"),
                           "elemtype 13 is not supported by the emulator", 715));
  programs.push_back(wrong("OfIntegers", without(good, "[map], 7;", "[map], 2;"),
                           "a tensor map that is not right: elements outside of the tensor cannot be NaN, because the "
                           "tensor's elements are integers",
                           715));
  programs.push_back(wrong("OfNoDimension", without(good, "0, %d1", "4, %d1"),
                           "a tensor map has no dimension 4 of this field", 715));
  programs.push_back(wrong("NotSynchronized", without(good, "  bar.warp.sync -1;\n  tensormap.cp", "  tensormap.cp"),
                           "data race in shared memory", 719));
  return programs;
}
