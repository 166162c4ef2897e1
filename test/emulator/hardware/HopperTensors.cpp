//===-- HopperTensors.cpp - bulk tensor copies: boxes of all ranks and swizzles, in and out of bounds ----------===//
#include "test/emulator/hardware/HopperPrograms.h"

#include <algorithm>
#include <cstring>
#include <random>

using namespace tilecc::emu::test;

namespace {

enum : unsigned { tensorBytes = 1 << 16, threads = 128 };

struct ElementType {
  const char *name;
  unsigned bytes;
  int mapType;
  int ptxType = mapType; // of tensormap.replace
};
const ElementType u8Type{"u8", 1, 0}, u16Type{"u16", 2, 1}, u32Type{"u32", 4, 2}, s32Type{"s32", 4, 3},
    u64Type{"u64", 8, 4}, f16Type{"f16", 2, 6}, f32Type{"f32", 4, 7}, bf16Type{"bf16", 2, 9, 10};

struct Box {
  ElementType type = f32Type;
  std::vector<uint64_t> dims;
  std::vector<uint32_t> box;
  std::vector<int> at;
  int swizzle = 0;
  unsigned padding = 0;      // bytes behind each row
  bool fillsWithNaN = false; // what is outside
  bool isMadeByKernel = false;

  // Boxes begin at multiples of 16 bytes in a row: for any other an H200 stops with an illegal instruction.
  void align() {
    int unit = 16 / int(type.bytes);
    at[0] -= (at[0] % unit + unit) % unit;
  }
  unsigned rank() const { return dims.size(); }
  std::vector<uint64_t> strides() const { // of dimension 1 and those above
    std::vector<uint64_t> all;
    uint64_t stride = (dims[0] * type.bytes + 15) / 16 * 16 + padding;
    for (unsigned d = 1; d < rank(); ++d) {
      all.push_back(stride);
      stride *= dims[d];
    }
    return all;
  }
  unsigned elements() const {
    unsigned count = 1;
    for (uint32_t size : box)
      count *= size;
    return count;
  }
  unsigned bytes() const { return elements() * type.bytes; }
  // Where element i of the box is in the tensor's memory; -1: outside.
  int64_t offsetOf(unsigned i) const {
    int64_t offset = 0;
    std::vector<uint64_t> stride = strides();
    for (unsigned d = 0; d < rank(); ++d) {
      int64_t along = at[d] + int64_t(i % box[d]);
      i /= box[d];
      if (along < 0 || along >= int64_t(dims[d]))
        return -1;
      offset += along * int64_t(d ? stride[d - 1] : type.bytes);
    }
    return offset;
  }
  // Where byte i of the box is in shared memory: the pieces of 16 bytes in a line of 128 are exchanged within groups of
  // 2, 4 or 8, in a way that repeats after as many lines.
  unsigned place(unsigned i) const {
    unsigned line = i / 128, piece = i / 16 % 8, group = 1u << swizzle;
    return line * 128 + (piece / group * group + ((piece % group) ^ (line % group))) * 16 + i % 16;
  }
  MapArguments map(MapArguments::Buffer buffer) const { return {buffer, type.mapType, dims, strides(), box, swizzle, fillsWithNaN}; }
  // The map's address in %m0, where the kernel makes it: in shared memory, for the other half of a.
  std::string makeMap(const std::string &address) const {
    if (!isMadeByKernel)
      return "";
    std::string text = "  .shared .align 128 .b8 made[128];\n  .reg .b64 %m0, %v;\n  .reg .b32 %z, %w;\n  .reg .pred %warp;\n"
                       "  add.u64 %m0, %a, " + std::to_string(tensorBytes) +
                       ";\n  setp.lt.u32 %warp, %t, 32;\n  shl.b32 %z, %t, 2;\n  mov.u32 %w, made;\n  add.u32 %z, %z, %w;\n"
                       "  @%warp st.shared.b32 [%z], 0;\n  bar.sync 0;\n";
    auto replace = [&](const std::string &field, const char *width, const std::string &value) {
      text += "  @%first tensormap.replace.tile." + field + ".shared::cta.b1024." + width + " [made], " + value + ";\n";
    };
    auto replaceEach = [&](const char *field, bool isWide, const auto &values) {
      for (unsigned d = 0; d < values.size(); ++d) {
        text += std::string("  mov.b") + (isWide ? "64 %v, " : "32 %w, ") + std::to_string(values[d]) + ";\n";
        replace(field, isWide ? "b64" : "b32", std::to_string(d) + (isWide ? ", %v" : ", %w"));
      }
    };
    replace("global_address", "b64", address);
    replace("rank", "b32", std::to_string(rank() - 1));
    replaceEach("box_dim", false, box);
    replaceEach("global_dim", false, dims);
    replaceEach("global_stride", true, strides());
    replaceEach("element_stride", false, std::vector<uint32_t>(rank(), 1));
    replace("elemtype", "b32", std::to_string(type.ptxType));
    replace("interleave_layout", "b32", "0");
    replace("swizzle_mode", "b32", std::to_string(swizzle));
    replace("fill_mode", "b32", std::to_string(fillsWithNaN));
    return text + "  bar.sync 0;\n  @%warp tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
                  "[%m0], [made], 128;\n  @%warp fence.proxy.tensormap::generic.acquire.gpu [%m0], 128;\n  bar.sync 0;\n";
  }
  std::string coordinates() const {
    std::string text = "{";
    for (unsigned d = 0; d < rank(); ++d)
      text += (d ? ", " : "") + std::to_string(at[d]);
    return text + "}";
  }
  std::string name() const {
    static const char *const swizzles[] = {"", ", swizzle 32", ", swizzle 64", ", swizzle 128"};
    std::string text = std::to_string(rank()) + "d." + type.name + ", box";
    for (uint32_t size : box)
      text += " " + std::to_string(size);
    return text + " at " + coordinates() + swizzles[swizzle] + (fillsWithNaN ? ", NaN outside" : "") +
           (isMadeByKernel ? ", map by the kernel" : "");
  }
};

std::string start(const Box &box) {
  return "  .shared .align 1024 .b8 tile[" + std::to_string(box.bytes()) +
         "];\n  .shared .align 8 .b64 full;\n"
         "  .reg .b32 %i, %x, %y;\n  .reg .b64 %at;\n  .reg .pred %first, %done;\n  setp.eq.u32 %first, %t, 0;\n"
         "  @%first mbarrier.init.shared::cta.b64 [full], 1;\n  @%first fence.mbarrier_init.release.cluster;\n  "
         "bar.sync 0;\n";
}

// For the words of the tile, by all threads; %x is the word's offset in bytes, %y its address.
std::string eachWord(const Box &box, const std::string &body) {
  return "  mov.u32 %i, %t;\nwords:\n  setp.ge.u32 %done, %i, " + std::to_string(box.bytes() / 4) +
         ";\n  @%done bra end;\n  shl.b32 %x, %i, 2;\n  mov.u32 %y, tile;\n  add.u32 %y, %y, %x;\n" + body +
         "  add.u32 %i, %i, 128;\n  bra words;\nend:\n";
}

HopperProgram load(const Box &box, std::mt19937_64 &random) {
  HopperProgram program;
  program.name = "load " + box.name();
  program.ptx =
      kernelOf(!box.isMadeByKernel, start(box) + box.makeMap("%a") + "  @%first mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], " +
                      std::to_string(box.bytes()) + ";\n  @%first cp.async.bulk.tensor." + std::to_string(box.rank()) +
                      "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [tile], [%m0, " + box.coordinates() +
                      "], [full];\nwait:\n  mbarrier.try_wait.parity.shared::cta.b64 %done, [full], 0;\n"
                      "  @!%done bra wait;\n" +
                      eachWord(box, "  ld.shared.b32 %y, [%y];\n  cvt.u64.u32 %at, %x;\n  add.u64 %at, %out, %at;\n"
                                    "  st.global.b32 [%at], %y;\n"));
  if (!box.isMadeByKernel)
    program.maps = {box.map(MapArguments::a)};
  program.a.resize(tensorBytes);
  for (uint8_t &byte : program.a)
    byte = random();
  program.before.assign(box.bytes(), 0xee);
  program.expected.assign(box.bytes(), 0);
  // NaN is 0x7ff7 for all types: wider ones have it several times.
  for (unsigned i = 0; i < box.elements(); ++i)
    for (unsigned byte = 0; byte < box.type.bytes; ++byte) {
      int64_t from = box.offsetOf(i);
      uint8_t outside = !box.fillsWithNaN ? 0 : byte % 2 ? 0x7f : 0xf7;
      program.expected[box.place(i * box.type.bytes + byte)] = from < 0 ? outside : program.a[from + byte];
    }
  return program;
}

// The data in shared memory comes from b. `reduction` is an operation, or nothing.
HopperProgram store(const Box &box, const std::string &reduction, std::mt19937_64 &random) {
  HopperProgram program;
  program.name = (reduction.empty() ? "store " : "reduce." + reduction + " ") + box.name();
  std::string copy = reduction.empty() ? "cp.async.bulk.tensor." : "cp.reduce.async.bulk.tensor.";
  program.ptx =
      kernelOf(!box.isMadeByKernel, start(box) + box.makeMap("%out") +
                      eachWord(box, "  cvt.u64.u32 %at, %x;\n  add.u64 %at, %b, %at;\n  ld.global.b32 %x, [%at];\n"
                                    "  st.shared.b32 [%y], %x;\n") +
                      "  fence.proxy.async.shared::cta;\n  bar.sync 0;\n  @%first " + copy +
                      std::to_string(box.rank()) + "d.global.shared::cta" + (reduction.empty() ? "" : "." + reduction) +
                      ".tile.bulk_group [%m0, " + box.coordinates() +
                      "], [tile];\n  @%first cp.async.bulk.commit_group;\n  @%first cp.async.bulk.wait_group 0;\n");
  if (!box.isMadeByKernel)
    program.maps = {box.map(MapArguments::out)};
  // Numbers whose sums are exact: halves and singles between 1 and 2 in steps of an eighth.
  auto element = [&](uint8_t *to) {
    std::string type = box.type.name;
    uint64_t bits = type == "f32" ? 0x3f800000 | (random() % 8) << 20
                    : type == "f16" ? 0x3c00 | (random() % 8) << 7
                    : type == "bf16" ? 0x3f80 | (random() % 8) << 4
                                     : random();
    std::memcpy(to, &bits, box.type.bytes);
  };
  program.b.resize(box.bytes());
  program.before.resize(tensorBytes);
  for (unsigned i = 0; i < program.b.size(); i += box.type.bytes)
    element(&program.b[i]);
  for (unsigned i = 0; i < tensorBytes; i += box.type.bytes)
    element(&program.before[i]);
  auto combine = [&](uint64_t there, uint64_t value) -> uint64_t {
    std::string type = box.type.name;
    if (reduction.empty())
      return value;
    if (type == "f32") { // add alone
      float x, y;
      std::memcpy(&x, &there, 4);
      std::memcpy(&y, &value, 4);
      x += y;
      uint32_t bits;
      std::memcpy(&bits, &x, 4);
      return bits;
    }
    if (type == "f16" || type == "bf16") { // 1 <= x, y < 2 in eighths: the sum is between 2 and 4
      unsigned shift = type == "f16" ? 7 : 4;
      uint64_t eighths = (there >> shift & 7) + (value >> shift & 7); // of the sum less 2
      uint64_t exponent = type == "f16" ? 0x4000 : 0x4000;
      if (reduction == "add")
        return exponent | eighths << (shift - 1);
      return reduction == "min" ? std::min(there, value) : std::max(there, value); // positive: as integers
    }
    uint64_t mask = box.type.bytes == 8 ? ~0ull : (1ull << box.type.bytes * 8) - 1;
    auto asSigned = [](uint64_t bits) { return static_cast<int32_t>(bits); };
    bool isSigned = type[0] == 's';
    if (reduction == "min" || reduction == "max") {
      bool less = isSigned ? asSigned(value) < asSigned(there) : value < there;
      return less == (reduction == "min") ? value : there;
    }
    return (reduction == "add"   ? there + value
            : reduction == "and" ? there & value
            : reduction == "or"  ? there | value
            : reduction == "xor" ? there ^ value
            : reduction == "inc" ? there >= value ? 0 : there + 1
                                 : there == 0 || there > value ? value : there - 1) &
           mask;
  };
  program.expected = program.before;
  for (unsigned i = 0; i < box.elements(); ++i)
    if (int64_t to = box.offsetOf(i); to >= 0) {
      uint64_t there = 0, value = 0;
      std::memcpy(&there, &program.before[to], box.type.bytes);
      std::memcpy(&value, &program.b[box.place(i * box.type.bytes)], box.type.bytes);
      uint64_t result = combine(there, value);
      std::memcpy(&program.expected[to], &result, box.type.bytes);
    }
  return program;
}

} // namespace

std::vector<HopperProgram> tilecc::emu::test::tensorPrograms(uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Box> boxes = {
      {f32Type, {100}, {64}, {8}},
      {f32Type, {100}, {64}, {70}},
      {f32Type, {100}, {64}, {-30}},
      {f32Type, {100}, {64}, {100}},
      {u8Type, {208}, {128}, {96}},
      {f32Type, {40, 30}, {16, 8}, {3, 5}},
      {f32Type, {40, 30}, {16, 8}, {33, 27}, 0, 16},
      {f32Type, {40, 30}, {16, 8}, {-3, -2}},
      {f32Type, {40, 30}, {16, 8}, {0, 64}},
      {u16Type, {70, 50}, {40, 24}, {11, 33}},
      {u64Type, {20, 30}, {10, 10}, {13, -4}},
      {u32Type, {24, 6, 9}, {8, 4, 4}, {19, 4, 6}},
      {f16Type, {48, 10, 12}, {24, 6, 3}, {-5, 6, 10}, 0, 32},
      {f32Type, {12, 4, 3, 5}, {8, 2, 2, 3}, {5, -1, 2, 3}},
      {u8Type, {48, 7, 5, 6}, {32, 4, 3, 2}, {17, 5, -1, 5}},
      {f32Type, {8, 3, 4, 3, 5}, {8, 2, 3, 2, 2}, {1, 2, -1, 2, 4}},
      {bf16Type, {16, 5, 4, 3, 3}, {8, 3, 2, 2, 2}, {9, -1, 3, 1, 0}},
  };
  for (const ElementType &type : {u8Type, bf16Type, f32Type})
    for (int swizzle : {1, 2, 3}) {
      uint32_t width = (16u << swizzle) / type.bytes;
      boxes.push_back({type, {3 * width, 40}, {width, 32}, {static_cast<int>(width), 3}, swizzle});
      boxes.push_back({type, {3 * width, 40}, {width, 20}, {static_cast<int>(2 * width + 16 / type.bytes), 29}, swizzle, 48});
    }
  std::vector<HopperProgram> programs;
  for (Box &box : boxes) {
    box.align();
    programs.push_back(load(box, random));
    // A box that is written may not begin before the tensor.
    if (std::all_of(box.at.begin(), box.at.end(), [](int at) { return at >= 0; }))
      programs.push_back(store(box, "", random));
  }
  // The same by maps that the kernel makes, and with NaN outside of the tensor.
  for (Box &box : boxes) {
    bool isFloat = box.type.mapType >= 6;
    box.fillsWithNaN = isFloat;
    if (isFloat)
      programs.push_back(load(box, random));
    box.isMadeByKernel = true;
    programs.push_back(load(box, random));
    if (std::all_of(box.at.begin(), box.at.end(), [](int at) { return at >= 0; }))
      programs.push_back(store(box, "", random));
  }
  struct Reduction {
    ElementType type;
    std::vector<const char *> operations;
  };
  for (const Reduction &reduction :
       std::vector<Reduction>{{u32Type, {"add", "min", "max", "inc", "dec", "and", "or", "xor"}},
                              {s32Type, {"add", "min", "max", "xor"}},
                              {u64Type, {"add", "min", "max", "and"}},
                              {f32Type, {"add"}},
                              {f16Type, {"add", "min", "max"}},
                              {bf16Type, {"add", "min", "max"}}})
    for (const char *operation : reduction.operations) {
      uint32_t width = 128 / reduction.type.bytes;
      int begin = width + 16 / reduction.type.bytes;
      Box box = {reduction.type, {2 * width, 30}, {width, 16}, {begin, 20}, 3};
      programs.push_back(store(box, operation, random));
      box.isMadeByKernel = true; // whose type decides what the operation is
      programs.push_back(store(box, operation, random));
    }
  return programs;
}
