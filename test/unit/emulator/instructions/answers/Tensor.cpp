// cp.async.bulk.tensor (PTX ISA 9.7.9.25.5): boxes of all shapes, inside and outside their tensors, under every
// swizzle.
#include "../Harness.h"

#include <algorithm>

using namespace tilecc::emu::test;

std::vector<Answers> tilecc::emu::test::tensorAnswers() { return {}; }

namespace {

// The words of a box at these coordinates, in tensors whose rows consist of words.
struct Case {
  std::string name;
  Map map;
  std::vector<int> at;
  const char *to = "shared::cluster"; // in loads
  std::vector<int> offsets = {};      // not empty: the rows are pixels, in im2col mode

  unsigned rank() const { return map.dims.size(); }
  uint32_t boxWords() const {
    if (!offsets.empty())
      return map.box[0] * map.box[1];
    uint32_t count = 1;
    for (unsigned d = 0; d < rank(); ++d)
      count *= copied(d);
    return count;
  }
  // The number of elements that are copied along a dimension.
  uint32_t copied(unsigned d) const {
    return d && !map.elementStrides.empty() ? (map.box[d] + map.elementStrides[d] - 1) / map.elementStrides[d]
                                            : map.box[d];
  }
  // The index in the tensor's memory of word i of the box; -1 if it is outside.
  int64_t wordOf(uint32_t i) const {
    if (!offsets.empty())
      return wordOfPixel(i % map.box[0], i / map.box[0]);
    int64_t word = map.first;
    for (unsigned d = 0; d < rank(); ++d) {
      int64_t along = at[d] + int64_t(i % copied(d)) * (d && !map.elementStrides.empty() ? map.elementStrides[d] : 1);
      i /= copied(d);
      if (along < 0 || along >= int64_t(map.dims[d]))
        return -1;
      word += along * (d ? int64_t(map.strides[d - 1] / 4) : 1);
    }
    return word;
  }
  // The same for a channel of a pixel. As in the manual, the pixels of the box, which has `along` of them in each
  // dimension, are numbered consecutively, continuing with those of the next images.
  int64_t wordOfPixel(uint32_t channel, uint32_t pixel) const {
    std::vector<uint32_t> steps = map.elementStrides.empty() ? std::vector<uint32_t>(rank(), 1) : map.elementStrides;
    std::vector<int64_t> along(rank(), 1), place(rank());
    int64_t number = pixel, size = 1;
    for (unsigned d = 1; d < rank(); ++d) {
      bool isLast = d + 1 == rank();
      int64_t begin = isLast ? 0 : map.lower[d - 1], end = isLast ? 0 : int64_t(map.dims[d]) - 1 + map.upper[d - 1];
      along[d] = isLast ? 1 << 20 : (end - begin) / steps[d] + 1;
      number += (at[d] - begin) / int64_t(steps[d]) * size;
      size *= along[d];
    }
    int64_t word = map.first + at[0] + channel;
    bool isInside = at[0] + int64_t(channel) >= 0 && at[0] + int64_t(channel) < int64_t(map.dims[0]);
    for (unsigned d = 1; d < rank(); ++d) {
      bool isLast = d + 1 == rank();
      place[d] = number % along[d] * steps[d] + (isLast ? 0 : map.lower[d - 1] + offsets[d - 1]);
      number /= along[d];
      isInside &= place[d] >= 0 && place[d] < int64_t(map.dims[d]);
      word += place[d] * int64_t(map.strides[d - 1] / 4);
    }
    return isInside ? word : -1;
  }
  // The offset of word i of the box in shared memory. As in the manual's figures, lines of 128 bytes consist of 8
  // pieces of 16 bytes. A swizzle exchanges pieces within 32, 64 or 128 bytes, with a pattern that repeats after 2, 4
  // or 8 lines.
  uint32_t place(uint32_t i) const {
    uint32_t line = i / 32, piece = i / 4 % 8, within = i % 4;
    static const uint32_t exchanged[] = {1, 2, 4, 8}; // pieces
    uint32_t group = exchanged[map.swizzle];
    piece = piece / group * group + ((piece % group) ^ (line % group));
    return line * 32 + piece * 4 + within;
  }
};

std::string coordinates(const Case &c) {
  std::string text;
  for (unsigned d = 0; d < c.rank(); ++d)
    text += (d ? ", %x" : "{%x") + std::to_string(d);
  return text + "}";
}

std::string offsets(const Case &c) {
  std::string text;
  for (unsigned d = 0; d < c.offsets.size(); ++d)
    text += (d ? ", %h" : ", {%h") + std::to_string(d + 1);
  return text.empty() ? text : text + "}";
}

std::string start(const Case &c) {
  std::string text = "  .shared .align 1024 .b8 tile[" + std::to_string(c.boxWords() * 4) + "];\n"
                     "  .shared .align 8 .b64 mbar;\n  .reg .b32 %x<5>, %n;\n  .reg .pred %again;\n"
                     "  setp.eq.u32 %p7, %t, 0;\n  mov.u32 %r20, tile;\n"
                     "  @%p7 mbarrier.init.shared::cta.b64 [mbar], 1;\n  @%p7 fence.mbarrier_init.release.cluster;\n"
                     "  bar.sync 0;\n";
  for (unsigned d = 0; d < c.rank(); ++d)
    text += "  mov.b32 %x" + std::to_string(d) + ", " + std::to_string(c.at[d]) + ";\n";
  for (unsigned d = 0; d < c.offsets.size(); ++d)
    text += "  mov.b16 %h" + std::to_string(d + 1) + ", " + std::to_string(c.offsets[d]) + ";\n";
  return text;
}

// A loop over the words of the tile: %n is the number of the word, and %r2 its address.
std::string eachWord(const Case &c, const std::string &label, const std::string &body) {
  return "  mov.u32 %n, %t;\n" + label + ":\n  mad.lo.u32 %r2, %n, 4, %r20;\n" + body +
         "  add.u32 %n, %n, 32;\n  setp.lt.u32 %again, %n, " + std::to_string(c.boxWords()) + ";\n  @%again bra " +
         label + ";\n";
}

Program load(const Case &c, const std::string &more = "", const std::string &operands = "") {
  std::string body = start(c);
  body += "  createpolicy.fractional.L2::evict_first.b64 %d9;\n  mov.b16 %h0, 1;\n";
  body += "  @%p7 prefetch.tensormap [%m0];   // tested\n";
  if (c.offsets.empty())
    body += "  @%p7 cp.async.bulk.prefetch.tensor." + std::to_string(c.rank()) + "d.L2.global.tile [%m0, " +
          coordinates(c) + "];   // tested\n";
  body += "  @%p7 mbarrier.arrive.expect_tx.shared::cta.b64 _, [mbar], " + std::to_string(c.boxWords() * 4) + ";\n";
  body += "  @%p7 cp.async.bulk.tensor." + std::to_string(c.rank()) + "d." + c.to +
          (c.offsets.empty() ? ".global.tile" : ".global.im2col") + ".mbarrier::complete_tx::bytes" + more +
          " [tile], [%m0, " + coordinates(c) + "], [mbar]" + offsets(c) + operands + ";   // tested\n";
  body += "wait:\n  mbarrier.try_wait.parity.shared::cta.b64 %p0, [mbar], 0;\n  @!%p0 bra wait;\n";
  body += eachWord(c, "words", "  ld.shared.u32 %r3, [%r2];\n  mul.wide.u32 %d0, %n, 4;\n  add.u64 %d0, %out, %d0;\n"
                               "  st.global.u32 [%d0], %r3;\n");
  Words expected(c.boxWords());
  for (uint32_t i = 0; i < c.boxWords(); ++i)
    expected[c.place(i)] = c.wordOf(i) < 0 ? 0 : 1000 + c.wordOf(i);
  return {.name = "Load" + c.name,
          .body = body,
          .expected = expected,
          .in = words(4096, [](uint32_t i) { return 1000 + i; }),
          .maps = {c.map}};
}

// `reduction`: ".add", or nothing. The word at offset p of the tile is 7 + p.
Program store(Case c, const std::string &reduction = "", const std::string &more = "",
              const std::string &operands = "") {
  c.map.isOut = true;
  std::string copy = reduction.empty() ? "cp.async.bulk.tensor." : "cp.reduce.async.bulk.tensor.";
  std::string body =
      start(c) + eachWord(c, "words", "  add.u32 %r3, %n, 7;\n  st.shared.u32 [%r2], %r3;\n") +
      "  fence.proxy.async.shared::cta;\n  bar.sync 0;\n  createpolicy.fractional.L2::evict_first.b64 %d9;\n"
      "  @%p7 " +
      copy + std::to_string(c.rank()) + "d.global.shared::cta" + reduction + ".tile.bulk_group" + more + " [%m0, " +
      coordinates(c) + "], [tile]" + operands +
      ";   // tested\n"
      "  @%p7 cp.async.bulk.commit_group;\n  @%p7 cp.async.bulk.wait_group.read 0;\n";
  Words before = words(2048, [](uint32_t i) { return 10 * i; }), after = before;
  for (uint32_t i = 0; i < c.boxWords(); ++i)
    if (int64_t word = c.wordOf(i); word >= 0)
      after[word] = 7 + c.place(i) + (reduction.empty() ? 0 : before[word]);
  return {.name = "Store" + reduction + c.name, .body = body, .expected = after, .before = before, .maps = {c.map}};
}

std::vector<Case> cases() {
  std::vector<Case> all = {
      {"1d", {.dims = {100}, .strides = {}, .box = {64}}, {8}},
      {"1dOverTheEnd", {.dims = {100}, .strides = {}, .box = {64}}, {72}},
      {"1dBeforeTheBeginning", {.dims = {100}, .strides = {}, .box = {64}, .first = 4}, {-8}},
      {"1dOutside", {.dims = {100}, .strides = {}, .box = {64}}, {100}},
      {"2d", {.dims = {40, 20}, .strides = {160}, .box = {16, 8}}, {4, 5}},
      {"2dClippedAtCorner", {.dims = {40, 20}, .strides = {176}, .box = {16, 8}}, {32, 15}, "shared::cta"},
      {"2dClippedBefore", {.dims = {40, 20}, .strides = {160}, .box = {16, 8}, .first = 8}, {-4, -2}},
      {"3d", {.dims = {24, 6, 5}, .strides = {96, 576}, .box = {8, 4, 3}}, {16, 3, 3}},
      {"4d", {.dims = {12, 4, 3, 4}, .strides = {48, 192, 592}, .box = {8, 2, 2, 3}}, {4, -1, 2, 1}},
      {"5d", {.dims = {8, 3, 3, 2, 3}, .strides = {32, 96, 288, 576}, .box = {8, 2, 2, 2, 2}}, {4, 2, 0, 1, 2}},
      {"ElementStrides", {.dims = {16, 30}, .strides = {64}, .box = {16, 12}, .elementStrides = {1, 3}}, {0, 20}},
  };
  for (int swizzle : {1, 2, 3}) {
    uint32_t width = 4u << swizzle; // words
    std::string name = std::to_string(width * 4);
    all.push_back(
        {"Swizzle" + name, {.dims = {40, 24}, .strides = {160}, .box = {width, 20}, .swizzle = swizzle}, {4, 1}});
    all.push_back({"Swizzle" + name + "Clipped",
                   {.dims = {40, 24}, .strides = {160}, .box = {width, 20}, .swizzle = swizzle},
                   {36, 11}});
    // Rows narrower than the swizzle.
    if (swizzle > 1)
      all.push_back({"Swizzle" + name + "Narrow",
                     {.dims = {40, 24}, .strides = {160}, .box = {width / 2, 16}, .swizzle = swizzle}, {4, 2}});
  }
  return all;
}

/// Pixels of images, from a corner or from the middle, across the ends of rows and of images.
std::vector<Case> imageCases() {
  Map plane{.dims = {8, 6, 5, 3}, .strides = {32, 192, 960}, .box = {8, 24}, .lower = {-1, -1}, .upper = {-1, -1}};
  Map stepped{.dims = {8, 7, 6, 2},
              .strides = {32, 240, 1440},
              .box = {4, 16},
              .elementStrides = {1, 2, 3, 1},
              .lower = {-1, 0},
              .upper = {0, -2}};
  Map swizzled{.dims = {32, 4, 4, 2},
               .strides = {128, 512, 2048},
               .box = {32, 20},
               .swizzle = 3,
               .lower = {-2, -1},
               .upper = {0, 1}};
  return {
      {"Image", plane, {0, -1, -1, 0}, "shared::cluster", {0, 0}},
      {"ImageFromTheMiddle", plane, {0, 3, 2, 0}, "shared::cta", {1, 2}},
      {"ImageBehindTheLast", plane, {4, 2, 1, 2}, "shared::cluster", {2, 2}},
      {"ImageInSteps", stepped, {4, 1, 3, 0}, "shared::cluster", {1, 2}},
      {"ImageSwizzled", swizzled, {0, -2, 3, 0}, "shared::cluster", {2, 0}},
      {"ImageOfLines",
       {.dims = {8, 9, 4}, .strides = {32, 288}, .box = {8, 20}, .lower = {-2}, .upper = {0}},
       {0, 5, 1},
       "shared::cluster",
       {300}},
      {"ImageOfSolids",
       {.dims = {4, 4, 3, 2, 3},
        .strides = {16, 64, 192, 384},
        .box = {4, 40},
        .lower = {-1, 0, -1},
        .upper = {-1, 0, 1}},
       {0, 0, 1, 0, 0},
       "shared::cluster",
       {1, 0, 1}},
  };
}

Program wrong(Program program, const std::string &name, const std::string &what, int error) {
  program.name = name;
  program.error = error;
  program.message = "error: " + what + ": kernel 'test', block (0,0,0)";
  program.before = program.expected.empty() ? program.before : Words(program.expected.size(), 0); // for the result
  program.expected.clear();
  return program;
}

} // namespace

std::vector<Program> tilecc::emu::test::tensorPrograms() {
  std::vector<Program> programs;
  for (const Case &c : cases()) {
    programs.push_back(load(c));
    if (std::all_of(c.at.begin(), c.at.end(), [](int at) { return at >= 0; }))
      programs.push_back(store(c));
  }
  for (const Case &c : imageCases())
    programs.push_back(load(c));
  programs.push_back(load(imageCases()[0], ".multicast::cluster", ", %h0"));
  Case plane = cases()[4];
  programs.push_back(load(plane, ".L2::cache_hint", ", %d9"));
  programs.push_back(load(plane, ".multicast::cluster", ", %h0"));
  programs.push_back(load(plane, ".multicast::cluster.L2::cache_hint", ", %h0, %d9"));
  programs.push_back(store(plane, "", ".L2::cache_hint", ", %d9"));
  for (const Case &c : {plane, cases()[5]})
    programs.push_back(store(c, ".add"));
  // Elements of other sizes are copied in the same way: a row of 32 halves, of which 8 are in front of the tensor.
  Program halves = load({"Halves", {.type = 9, .dims = {64, 4}, .strides = {128}, .box = {32, 4}}, {-8, 1}});
  halves.body.replace(halves.body.find("_, [mbar], 512"), 14, "_, [mbar], 256");
  halves.body.replace(halves.body.find(", 128;\n  @%again"), 7, ", 64;\n");
  halves.expected.clear();
  for (uint32_t row = 1; row < 5; ++row)
    for (uint32_t word = 0; word < 16; ++word) {
      auto half = [&](int column) -> uint32_t {
        if (column < 0 || row > 3)
          return 0;
        uint32_t whole = 1000 + row * 32 + column / 2;
        return column % 2 ? whole >> 16 : whole & 0xffff;
      };
      halves.expected.push_back(half(int(word * 2) - 8) | half(int(word * 2) - 7) << 16);
    }
  programs.push_back(halves);

  // Both blocks of a pair load a row of their own, or the first block loads its row for both by a multicast. All copies
  // complete at the first block's mbarrier.
  for (bool multicast : {false, true}) {
    Program pair;
    pair.name = multicast ? "a multicast to a pair" : "loads of a pair";
    pair.threads = 32;
    pair.blocks = pair.cluster = 2;
    pair.in = words(64, [](uint32_t i) { return 1000 + i; });
    pair.expected = words(64, [=](uint32_t i) { return 1000 + (multicast ? i % 32 : i); });
    pair.maps = {{.dims = {32, 2}, .strides = {128}, .box = {32, 1}}};
    pair.body = R"(
  .shared .align 128 .b8 row[128];
  .shared .align 8 .b8 mbar[8];
  setp.eq.u32 %p0, %t, 0;
  setp.eq.u32 %p1, %thread, 0;
  @%p1 mbarrier.init.shared::cta.b64 [mbar], 1;
  @%p1 fence.mbarrier_init.release.cluster;
  mov.u32 %r0, %cluster_ctarank;
  mov.u32 %r1, mbar;
  mapa.shared::cluster.u32 %r1, %r1, 0;
  mov.u32 %r2, row;
  @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [mbar], 256;
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;
  mov.b16 %h0, 3;
  LOAD
  setp.ne.u32 %p2, %r0, 0;
  @%p2 bra there;
again:
  mbarrier.try_wait.parity.shared::cta.b64 %p3, [mbar], 0;
  @!%p3 bra again;
there:
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;
  mad.lo.u32 %r2, %t, 4, %r2;
  ld.shared.u32 %r3, [%r2];
  st.global.u32 [%o], %r3;
)";
    std::string load = multicast ? "@%p1 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::"
                                   "cluster.cta_group::2 [%r2], [%m0, {0, 0}], [%r1], %h0;   // tested"
                                 : "@%p0 cp.async.bulk.tensor.2d.cta_group::2.shared::cluster.global.mbarrier::complete_tx::"
                                   "bytes [%r2], [%m0, {0, %r0}], [%r1];   // tested";
    pair.body.replace(pair.body.find("LOAD"), 4, load);
    programs.push_back(pair);
  }

  // Errors.
  auto changed = [](Program program, const std::string &what, const std::string &by) {
    size_t at = program.body.find(what);
    program.body = at == std::string::npos ? "not there: " + what : program.body.replace(at, what.size(), by);
    return program;
  };
  Program good = load(plane);
  Case image = imageCases()[0];
  Program pixels = load(image);
  programs.push_back(wrong(changed(changed(pixels, ".im2col", ".tile"), ", {%h1, %h2}", ""), "TilesOfImages",
                           "a copy of tiles, and the tensor map is one of cuTensorMapEncodeIm2col", 715));
  Case tiles = cases()[8];
  programs.push_back(wrong(
      changed(changed(load(tiles), ".global.tile.mb", ".global.im2col.mb"), "], [mbar];", "], [mbar], {%h0, %h0};"),
      "ImageOfTiles", "a copy in im2col mode, and the tensor map is none of cuTensorMapEncodeIm2col", 715));
  image.offsets = {0, 256};
  programs.push_back(
      wrong(load(image), "ImageOffset", "an offset of 256 along dimension 2, which is at most 255", 715));
  image = imageCases()[0];
  image.at[1] = 5;
  programs.push_back(
      wrong(load(image), "ImageCoordinate",
            "a copy begins at 5 along dimension 1, which is no pixel of the box from -1 to 4 by steps of 1", 715));
  programs.push_back(wrong(changed(good, "[tile], [%m0", "[tile+64], [%m0"), "MisalignedBox",
                           "the box of a tensor copy must be aligned to 128 bytes, and shared+0x40 is not", 716));
  programs.back().body += "  .shared .b8 more[64];"; // space
  programs.push_back(wrong(changed(good, "  @%p7 mbarrier.arrive", "  mov.b64 %m0, %in;\n  @%p7 mbarrier.arrive"),
                           "NoMap", "these 128 bytes are no tensor map that cuTensorMapEncodeTiled or tensormap.replace has made", 715));
  programs.push_back(wrong(changed(changed(good, "bulk.tensor.2d.sh", "bulk.tensor.1d.sh"), "[%m0, {%x0, %x1}], [mbar]",
                                   "[%m0, {%x0}], [mbar]"),
                           "OtherRank", "a copy with 1 coordinates, and the tensor has 2 dimensions", 715));
  programs.push_back(wrong(load({"", plane.map, {3, 5}}), "BetweenPieces",
                           "a box that begins at element 3 of a row, of 4 bytes each: that has to be a multiple of 16 bytes",
                           715));
  programs.push_back(wrong(store({"", plane.map, {4, -2}}), "StoreBefore",
                           "a box that is written from -2 of dimension 1 on: only what is read may begin before the tensor",
                           715));
  // The tensor map describes a tensor that is larger than its memory.
  Case large{"Large", {.dims = {4096, 1024}, .strides = {16384}, .box = {16, 8}}, {0, 900}};
  programs.push_back(wrong(load(large), "OutsideOfMemory", "out-of-bounds read of global memory", 700));
  programs.back().onlyChecked = true;
  programs.push_back(wrong(changed(good, "wait:\n", "  ld.shared.u32 %r0, [tile];\nwait:\n"), "ReadsTooEarly",
                           "data race in shared memory", 719));
  programs.back().onlyChecked = true;
  programs.push_back(wrong(changed(store(plane), "  fence.proxy.async.shared::cta;\n", ""), "NoProxyFence",
                           "the asynchronous proxy has not been told of a write to shared memory", 719));
  programs.back().onlyChecked = true;
  return programs;
}
