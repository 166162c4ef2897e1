// Warps execute mma, ldmatrix, stmatrix and movmatrix as PTX, with fragments laid out by the manual's formulas for each
// shape. The results must be those of a plain matrix product.
#include "emulator/isa/numerics/Convert.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <tilecc/emulator.h>

namespace tilecc::emu {
namespace {

//===-- Running a kernel of one warp ------------------------------------------------------------------------------===//

class Device {
public:
  Device() {
    tilecc_emu_options options{};
    options.version = TILECC_EMULATOR_VERSION;
    options.arch = 90;
    options.checks = TILECC_EMU_CHECK_ALL;
    options.report = [](const char *text, size_t size) { reports.append(text, size); };
    EXPECT_EQ(tilecc_emu_create(&options, &device), 0) << tilecc_emu_error_message();
  }
  ~Device() { tilecc_emu_destroy(device); }
  Device(const Device &) = delete;

  // Runs `body` with the addresses of the words in %in and %out, and the lane in %lane. Returns the words of `out`.
  void run(const std::string &body, const std::vector<u32> &in, std::vector<u32> &out, unsigned threads = 32) {
    std::string ptx = ".version 8.4\n.target sm_90a\n.address_size 64\n"
                      ".visible .entry kernel(.param .u64 pin, .param .u64 pout) {\n"
                      "  .reg .b64 %in, %out, %address<4>;\n  .reg .b32 %lane, %r<80>, %s<8>;\n"
                      "  .reg .f32 %f<16>;\n  .reg .f64 %fd<32>;\n  .shared .align 16 .b8 tile[2048];\n"
                      "  ld.param.u64 %in, [pin];\n  ld.param.u64 %out, [pout];\n  mov.u32 %lane, %laneid;\n" +
                      body + "  ret;\n}\n";
    reports.clear();
    tilecc_emu_module *module = nullptr;
    tilecc_emu_kernel *kernel = nullptr;
    ASSERT_EQ(tilecc_emu_load(device, ptx.data(), ptx.size(), "test.ptx", &module), 0) << tilecc_emu_error_message();
    ASSERT_EQ(tilecc_emu_get_kernel(module, "kernel", nullptr, &kernel), 0) << tilecc_emu_error_message();
    void *from = allocate(in.size() * 4), *to = allocate(out.size() * 4);
    tilecc_emu_copy(device, from, in.data(), in.size() * 4);
    tilecc_emu_copy(device, to, out.data(), out.size() * 4);
    void *args[] = {&from, &to};
    tilecc_emu_launch_config config{};
    for (int i = 0; i < 3; ++i)
      config.grid[i] = config.block[i] = config.cluster[i] = 1;
    config.block[0] = threads;
    error = tilecc_emu_launch(kernel, &config, args, nullptr);
    message = error ? tilecc_emu_error_message() + ("\n" + reports) : reports;
    tilecc_emu_copy(device, out.data(), to, out.size() * 4);
    tilecc_emu_free(device, from);
    tilecc_emu_free(device, to);
    tilecc_emu_unload(module);
  }

  int error = 0;
  std::string message; // the error message

private:
  void *allocate(size_t bytes) {
    void *address = nullptr;
    EXPECT_EQ(tilecc_emu_allocate(device, std::max<size_t>(bytes, 4), &address), 0);
    return address;
  }
  tilecc_emu_device *device = nullptr;
  static inline std::string reports;
};

//===-- mma's shapes, from the manual's pages -------------------------------------------------------------------===//

// The row and column of element i of a lane's fragment; g is the lane's group (lane / 4), t its number in the group
// (lane % 4).
using Formula = unsigned (*)(unsigned i, unsigned g, unsigned t);
struct Shape {
  const char *name;
  unsigned m, k, bits; // bits: the width of A's and B's elements
  Formula rowA, columnA, rowB;
};
#define F(expression)                                                                                                  \
  [](unsigned i, unsigned g, unsigned t) -> unsigned { return (void)i, (void)g, (void)t, expression; }
const Shape shapes[] = {
    {"m16n8k8", 16, 8, 16, F(i < 2 ? g : g + 8), F(t * 2 + (i & 1)), F(t * 2 + i)},
    {"m16n8k16", 16, 16, 16, F(i < 2 || (4 <= i && i < 6) ? g : g + 8),
     F(i < 4 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8), F(i < 2 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8)},
    {"m16n8k4", 16, 4, 32, F(i == 0 ? g : g + 8), F(t), F(t)},
    {"m16n8k8", 16, 8, 32, F(i == 0 || i == 2 ? g : g + 8), F(i < 2 ? t : t + 4), F(i == 0 ? t : t + 4)},
    {"m8n8k4", 8, 4, 64, F(g), F(t), F(t)},
    {"m16n8k4", 16, 4, 64, F(i == 0 ? g : g + 8), F(t), F(t)},
    {"m16n8k8", 16, 8, 64, F(i == 0 || i == 2 ? g : g + 8), F(i < 2 ? t : t + 4), F(i == 0 ? t : t + 4)},
    {"m16n8k16", 16, 16, 64, F(i % 2 == 0 ? g : g + 8), F(i % 2 == 0 ? i * 2 + t : i * 2 - 2 + t), F(t + i * 4)},
    {"m8n8k16", 8, 16, 8, F(g), F(t * 4 + i), F(t * 4 + i)},
    {"m16n8k16", 16, 16, 8, F(i < 4 ? g : g + 8), F(t * 4 + (i & 3)), F(t * 4 + i)},
    {"m16n8k32", 16, 32, 8, F(i < 4 || (8 <= i && i < 12) ? g : g + 8),
     F(i < 8 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16), F(i < 4 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16)},
    {"m8n8k32", 8, 32, 4, F(g), F(t * 8 + i), F(t * 8 + i)},
    {"m16n8k32", 16, 32, 4, F(i < 8 ? g : g + 8), F(t * 8 + (i & 7)), F(t * 8 + i)},
    {"m16n8k64", 16, 64, 4, F(i < 8 || (16 <= i && i < 24) ? g : g + 8),
     F(i < 16 ? t * 8 + (i & 7) : t * 8 + (i & 7) + 32), F(i < 8 ? t * 8 + (i & 7) : t * 8 + (i & 7) + 32)},
    {"m8n8k128", 8, 128, 1, F(g), F(t * 32 + i), F(t * 32 + i)},
    {"m16n8k128", 16, 128, 1, F(i < 32 ? g : g + 8), F(t * 32 + (i & 31)), F(t * 32 + i)},
    {"m16n8k256", 16, 256, 1, F(i < 32 || (64 <= i && i < 96) ? g : g + 8),
     F(i < 64 ? t * 32 + (i & 31) : t * 32 + (i & 31) + 128), F(i < 32 ? t * 32 + (i & 31) : t * 32 + (i & 31) + 128)},
};
#undef F

// The value of an element, and the bits of a value in the type.
double decode(const std::string &type, u64 bits) {
  if (type == "f16")
    return toDouble(f16{u16(bits)});
  if (type == "bf16")
    return toDouble(bf16{u16(bits)});
  if (type == "tf32")
    return toDouble(tf32{u32(bits)});
  if (type == "e4m3")
    return toDouble(e4m3{u8(bits)});
  if (type == "e5m2")
    return toDouble(e5m2{u8(bits)});
  if (type == "f32")
    return floatOf(u32(bits));
  if (type == "f64")
    return doubleOf(bits);
  unsigned width = type == "s32" ? 32 : type[1] == '8' ? 8 : type[1] == '4' ? 4 : 1;
  u64 mask = (u64(1) << width) - 1, sign = u64(1) << (width - 1);
  bits &= mask;
  return type[0] == 's' && bits & sign ? double(bits) - double(mask + 1) : double(bits);
}
u64 encode(const std::string &type, double value) {
  if (type == "f16")
    return convert<f16>(value).bits;
  if (type == "bf16")
    return convert<bf16>(value).bits;
  if (type == "tf32" || type == "f32")
    return bitsOf(static_cast<float>(value));
  if (type == "e4m3")
    return convert<e4m3>(static_cast<float>(value), {.satfinite = true}).bits;
  if (type == "e5m2")
    return convert<e5m2>(static_cast<float>(value), {.satfinite = true}).bits;
  if (type == "f64")
    return bitsOf(value);
  unsigned width = type == "s32" ? 32 : type[1] == '8' ? 8 : type[1] == '4' ? 4 : 1;
  return static_cast<u64>(static_cast<s64>(value)) & ((u64(1) << width) - 1);
}
unsigned bitsOfType(const std::string &type) {
  const std::map<std::string, unsigned> bits = {{"f16", 16}, {"bf16", 16}, {"tf32", 32}, {"e4m3", 8}, {"e5m2", 8},
                                                {"f32", 32}, {"f64", 64},  {"s32", 32},  {"s8", 8},   {"u8", 8},
                                                {"s4", 4},   {"u4", 4},    {"b1", 1}};
  return bits.at(type);
}

// A matrix of raw bits, row by row.
struct Matrix {
  unsigned rows, columns;
  std::vector<u64> bits;
  Matrix(unsigned rows, unsigned columns) : rows(rows), columns(columns), bits(rows * columns) {}
  u64 &at(unsigned row, unsigned column) { return bits[row * columns + column]; }
};

struct Form {
  Shape shape;
  std::string a, b, c;
  std::string modifiers; // behind .col
  std::string tail;      // behind the types
  std::string name() const {
    std::string types = "." + c + "." + a + "." + b + "." + c;
    return "mma.sync.aligned." + std::string(shape.name) + ".row.col" + modifiers + types + tail;
  }
};

// D = A * B + C by one mma.sync.
void multiply(Device &device, const Form &form, Matrix &a, Matrix &b, Matrix &c, Matrix &d) {
  const Shape &shape = form.shape;
  unsigned m = shape.m, k = shape.k, bitsC = bitsOfType(form.c);
  unsigned elementsA = m * k / 32, elementsB = k * 8 / 32, elementsC = m * 8 / 32;
  unsigned wordsA = elementsA * shape.bits / 32, wordsB = elementsB * shape.bits / 32, wordsC = elementsC * bitsC / 32;
  unsigned words = wordsA + wordsB + wordsC;
  // Each lane's registers.
  std::vector<u32> in(32 * words), out(32 * wordsC, 0xdeadbeef);
  auto put = [](u32 *words, unsigned i, unsigned bits, u64 value) {
    words[i * bits / 32] |= static_cast<u32>(value << i * bits % 32);
    if (bits == 64)
      words[2 * i + 1] = value >> 32;
  };
  auto rowC = [](unsigned i, unsigned g) { return i < 2 ? g : g + 8; };
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned g = lane >> 2, t = lane % 4;
    u32 *words1 = &in[lane * words];
    for (unsigned i = 0; i < elementsA; ++i)
      put(words1, i, shape.bits, a.at(shape.rowA(i, g, t), shape.columnA(i, g, t)));
    for (unsigned i = 0; i < elementsB; ++i)
      put(words1 + wordsA, i, shape.bits, b.at(shape.rowB(i, g, t), g));
    for (unsigned i = 0; i < elementsC; ++i)
      put(words1 + wordsA + wordsB, i, bitsC, c.at(rowC(i, g), t * 2 + (i & 1)));
  }
  // The kernel: load the registers, multiply, store.
  std::string load, store, lists[4];
  bool wide = shape.bits == 64, singleC = form.c == "f32";
  auto line = [](const std::string &text) { return "  " + text + ";\n"; };
  load += line("mul.wide.u32 %address0, %lane, " + std::to_string(words * 4)) + line("add.s64 %in, %in, %address0");
  load += line("mul.wide.u32 %address0, %lane, " + std::to_string(wordsC * 4)) + line("add.s64 %out, %out, %address0");
  unsigned at = 0, number = 0;
  auto registers = [&](unsigned count, const char *prefix, const char *type, unsigned bytes, std::string &list) {
    for (unsigned i = 0; i < count; ++i, at += bytes, ++number) {
      std::string name = prefix + std::to_string(number);
      load += line(std::string("ld.global.") + type + " " + name + ", [%in+" + std::to_string(at) + "]");
      list += (i ? ", " : "") + name;
    }
  };
  auto registersOfC = [&](std::string &list) {
    number = wide || singleC ? 16 * wide : 64;
    registers(wordsC / (wide ? 2 : 1), wide ? "%fd" : singleC ? "%f" : "%r", wide ? "f64" : singleC ? "f32" : "b32",
              wide ? 8 : 4, list);
  };
  registers(wordsA / (wide ? 2 : 1), wide ? "%fd" : "%r", wide ? "f64" : "b32", wide ? 8 : 4, lists[1]);
  registers(wordsB / (wide ? 2 : 1), wide ? "%fd" : "%r", wide ? "f64" : "b32", wide ? 8 : 4, lists[2]);
  registersOfC(lists[3]);
  std::string body = load;
  body += line(form.name() + " {" + lists[3] + "}, {" + lists[1] + "}, {" + lists[2] + "}, {" + lists[3] + "}");
  size_t start = 0;
  for (unsigned i = 0; i < wordsC / (wide ? 2 : 1); ++i) {
    size_t comma = lists[3].find(", ", start);
    body += line(std::string("st.global.") + (wide ? "f64" : singleC ? "f32" : "b32") + " [%out+" +
                 std::to_string(i * (wide ? 8 : 4)) + "], " + lists[3].substr(start, comma - start));
    start = comma + 2;
  }
  device.run(body, in, out);
  ASSERT_EQ(device.error, 0) << device.message << body;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < elementsC; ++i) {
      const u32 *words1 = &out[lane * wordsC];
      u64 value = words1[i * bitsC / 32] >> i * bitsC % 32;
      if (bitsC == 64)
        value = u64(words1[2 * i + 1]) << 32 | words1[2 * i];
      else if (bitsC == 16)
        value &= 0xffff;
      d.at(rowC(i, lane >> 2), lane % 4 * 2 + (i & 1)) = value;
    }
}

std::vector<Form> allForms() {
  std::vector<Form> forms;
  auto add = [&](const Shape &shape, const char *a, const char *b, const char *c, const char *modifiers = "",
                 const char *tail = "") { forms.push_back({shape, a, b, c, modifiers, tail}); };
  for (const Shape &shape : shapes) {
    std::string name = shape.name;
    switch (shape.bits) {
    case 16:
      add(shape, "f16", "f16", "f32"), add(shape, "f16", "f16", "f16"), add(shape, "bf16", "bf16", "f32");
      break;
    case 32:
      add(shape, "tf32", "tf32", "f32");
      break;
    case 64:
      add(shape, "f64", "f64", "f64"), add(shape, "f64", "f64", "f64", ".rp");
      break;
    case 8:
      for (const char *a : {"s8", "u8"})
        for (const char *b : {"s8", "u8"})
          add(shape, a, b, "s32"), add(shape, a, b, "s32", ".satfinite");
      if (shape.m == 16)
        for (const char *a : {"e4m3", "e5m2"})
          for (const char *b : {"e4m3", "e5m2"})
            add(shape, a, b, "f32"), add(shape, a, b, "f16");
      break;
    case 4:
      for (const char *a : {"s4", "u4"})
        for (const char *b : {"s4", "u4"})
          add(shape, a, b, "s32"), add(shape, a, b, "s32", ".satfinite");
      break;
    case 1:
      add(shape, "b1", "b1", "s32", "", ".xor.popc"), add(shape, "b1", "b1", "s32", "", ".and.popc");
      break;
    }
  }
  return forms;
}

TEST(Mma, EveryForm) {
  Device device;
  std::mt19937 random(1);
  for (const Form &form : allForms()) {
    SCOPED_TRACE(form.name());
    unsigned m = form.shape.m, k = form.shape.k;
    Matrix a(m, k), b(k, 8), c(m, 8), d(m, 8);
    // Small integers, whose sum is exact in any order.
    auto small = [&](const std::string &type) {
      int value = static_cast<int>(random() % 7) - 3;
      if (type == "b1")
        value = random() & 1;
      else if (type[0] == 'u')
        value &= 7;
      return encode(type, value);
    };
    for (u64 &bits : a.bits)
      bits = small(form.a);
    for (u64 &bits : b.bits)
      bits = small(form.b);
    for (u64 &bits : c.bits)
      bits = encode(form.c, static_cast<int>(random() % 201) - 100);
    multiply(device, form, a, b, c, d);
    if (HasFatalFailure())
      return;
    for (unsigned row = 0; row < m; ++row)
      for (unsigned column = 0; column < 8; ++column) {
        double sum = decode(form.c, c.at(row, column));
        for (unsigned i = 0; i < k; ++i) {
          double x = decode(form.a, a.at(row, i)), y = decode(form.b, b.at(i, column));
          sum += form.tail == ".xor.popc" ? x != y : x * y;
        }
        ASSERT_EQ(d.at(row, column), encode(form.c, sum)) << row << ", " << column;
      }
  }
}

const Form &formOf(const char *name, const char *a, const char *c, const char *modifiers = "") {
  static const std::vector<Form> forms = allForms();
  for (const Form &form : forms)
    if (form.shape.name == std::string(name) && form.a == a && form.b == a && form.c == c &&
        form.modifiers == modifiers)
      return form;
  throw std::logic_error("no such form");
}

TEST(Mma, IntegersWrapOrSaturate) {
  Device device;
  for (bool saturate : {false, true}) {
    Matrix a(16, 32), b(32, 8), c(16, 8), d(16, 8);
    for (u64 &bits : a.bits)
      bits = encode("s8", -128);
    for (u64 &bits : b.bits)
      bits = encode("s8", -128);
    for (u64 &bits : c.bits)
      bits = 0x7fffffff;
    multiply(device, formOf("m16n8k32", "s8", "s32", saturate ? ".satfinite" : ""), a, b, c, d);
    for (u64 bits : d.bits)
      ASSERT_EQ(bits, saturate ? 0x7fffffffu : 0x8007ffffu);
  }
}

// Sums of numbers of all sizes: in single precision, the exact sum is rounded once.
TEST(Mma, FloatsAreRoundedOnce) {
  Device device;
  std::mt19937 random(2);
  std::uniform_real_distribution<double> uniform(-2, 2);
  for (const char *type : {"f16", "bf16"})
    for (const char *typeC : {"f32", "f16"}) {
      if (type == std::string("bf16") && typeC == std::string("f16"))
        continue;
      Matrix a(16, 16), b(16, 8), c(16, 8), d(16, 8);
      for (u64 &bits : a.bits)
        bits = encode(type, uniform(random));
      for (u64 &bits : b.bits)
        bits = encode(type, uniform(random));
      for (u64 &bits : c.bits)
        bits = encode(typeC, uniform(random));
      multiply(device, formOf("m16n8k16", type, typeC), a, b, c, d);
      for (unsigned row = 0; row < 16; ++row)
        for (unsigned column = 0; column < 8; ++column) {
          long double sum = decode(typeC, c.at(row, column)); // exact: 64 bits are enough here
          for (unsigned i = 0; i < 16; ++i)
            sum += static_cast<long double>(decode(type, a.at(row, i))) * decode(type, b.at(i, column));
          u64 wanted = typeC == std::string("f32") ? bitsOf(static_cast<float>(sum))
                                                   : encode("f16", static_cast<double>(sum));
          ASSERT_EQ(d.at(row, column), wanted);
        }
    }
}

TEST(Mma, NaNIsCanonicalAndInfinityStays) {
  Device device;
  Matrix a(16, 16), b(16, 8), c(16, 8), d(16, 8);
  a.at(3, 5) = 0x7e01; // NaN
  a.at(4, 5) = 0xfc00; // -infinity, by 1, and by 0
  for (unsigned column = 0; column < 4; ++column)
    b.at(5, column) = 0x3c00;
  multiply(device, formOf("m16n8k16", "f16", "f32"), a, b, c, d);
  for (unsigned column = 0; column < 8; ++column) {
    EXPECT_EQ(d.at(3, column), 0x7fffffffu);
    EXPECT_EQ(d.at(4, column), column < 4 ? 0xff800000u : 0x7fffffffu);
    EXPECT_EQ(d.at(5, column), 0u);
  }
}

// f64: each step is a fused multiply-add in the instruction's rounding mode.
TEST(Mma, DoublesAreFusedInOrder) {
  Device device;
  Matrix a(8, 4), b(4, 8), c(8, 8), d(8, 8);
  for (unsigned i = 0; i < 4; ++i) {
    a.at(0, i) = bitsOf(i == 0 ? 1 + 0x1p-52 : 0x1p-60);
    b.at(i, 0) = bitsOf(i == 0 ? 1 + 0x1p-52 : 1.0);
  }
  c.at(0, 0) = bitsOf(-1.0);
  multiply(device, formOf("m8n8k4", "f64", "f64"), a, b, c, d);
  // The square minus 1 has its last bit at 2^-104 if fused, and takes 2^-60 exactly.
  EXPECT_EQ(doubleOf(d.at(0, 0)), 0x1p-51 + 0x1p-104 + 3 * 0x1p-60);
  c.at(0, 0) = bitsOf(1.0);
  multiply(device, formOf("m8n8k4", "f64", "f64", ".rp"), a, b, c, d);
  EXPECT_EQ(d.at(0, 0), bitsOf(2 + 5 * 0x1p-51)); // 2 + 2^-51 + 2^-104, and each of the four rounded up
}

TEST(Mma, NeedsTheWholeWarp) {
  Device device;
  std::vector<u32> in(32), out(32);
  device.run("  mov.b32 %r0, 0;\n  mov.f32 %f0, 0f00000000;\n"
             "  mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r0}, {%r0}, "
             "{%f0, %f0, %f0, %f0};\n",
             in, out, 16);
  EXPECT_NE(device.error, 0);
  EXPECT_NE(device.message.find("executed by 16 threads of the warp"), std::string::npos) << device.message;
}

//===-- ldmatrix, stmatrix, movmatrix ---------------------------------------------------------------------------===//

// Element (row, column) of matrix i, as a number that identifies it.
u32 element(unsigned i, unsigned row, unsigned column) { return i << 12 | row << 8 | column << 4 | 5; }

// The manual's figure: thread T has elements (T / 4, T % 4 * 2) and the next; with .trans, of the transposed matrix.
u32 fragmentOf(unsigned i, unsigned lane, bool trans) {
  unsigned row = lane / 4, column = lane % 4 * 2;
  return trans ? element(i, column, row) | element(i, column + 1, row) << 16
               : element(i, row, column) | element(i, row, column + 1) << 16;
}

std::string registerList(unsigned count) {
  std::string list;
  for (unsigned i = 0; i < count; ++i)
    list += (i ? ", %r" : "%r") + std::to_string(i);
  return "{" + list + "}";
}
std::string eachRegister(unsigned count, const char *before, unsigned stride, const char *after, bool load) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    std::string address = std::string("[") + before + "+" + std::to_string(i * stride) + "]";
    std::string r = "%r" + std::to_string(i);
    text += std::string("  ") + after + " " + (load ? r + ", " + address : address + ", " + r) + ";\n";
  }
  return text;
}

// in: 4 words per lane. %s1 is the lane's row in shared memory: they are scattered, but aligned.
const char *const prologue = "  shl.b32 %s0, %lane, 4;\n  cvt.u64.u32 %address0, %s0;\n"
                             "  add.s64 %in, %in, %address0;\n  add.s64 %out, %out, %address0;\n"
                             "  mul.lo.u32 %s1, %lane, 5;\n  and.b32 %s1, %s1, 31;\n  mul.lo.u32 %s1, %s1, 48;\n"
                             "  mov.u32 %s2, tile;\n  add.u32 %s1, %s1, %s2;\n";

TEST(Ldmatrix, EveryForm) {
  Device device;
  for (unsigned count : {1, 2, 4})
    for (bool trans : {false, true})
      for (const char *space : {".shared", ".shared::cta", ""}) {
        // Lane l writes row l % 8 of matrix l / 8.
        std::vector<u32> in, out(128, 0xdeadbeef);
        for (unsigned lane = 0; lane < 32; ++lane)
          for (unsigned word = 0; word < 4; ++word)
            in.push_back(element(lane / 8, lane % 8, 2 * word) | element(lane / 8, lane % 8, 2 * word + 1) << 16);
        std::string body = prologue + eachRegister(4, "%in", 4, "ld.global.b32", true) +
                           eachRegister(4, "%s1", 4, "st.shared.b32", false) + "  bar.warp.sync -1;\n";
        std::string address = "%s1";
        if (!*space) {
          body += "  cvt.u64.u32 %address1, %s1;\n  cvta.shared.u64 %address1, %address1;\n";
          address = "%address1";
        }
        body += "  ldmatrix.sync.aligned.m8n8.x" + std::to_string(count) + (trans ? ".trans" : "") + space + ".b16 " +
                registerList(count) + ", [" + address + "];\n" + eachRegister(count, "%out", 4, "st.global.b32", false);
        device.run(body, in, out);
        ASSERT_EQ(device.error, 0) << device.message << body;
        for (unsigned lane = 0; lane < 32; ++lane)
          for (unsigned i = 0; i < count; ++i)
            ASSERT_EQ(out[lane * 4 + i], fragmentOf(i, lane, trans)) << count << space << trans << " lane " << lane;
      }
}

TEST(Stmatrix, EveryForm) {
  Device device;
  for (unsigned count : {1, 2, 4})
    for (bool trans : {false, true}) {
      std::vector<u32> in, out(128, 0xdeadbeef);
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned i = 0; i < 4; ++i)
          in.push_back(fragmentOf(i, lane, trans));
      std::string body = prologue + eachRegister(4, "%in", 4, "ld.global.b32", true) +
                         "  stmatrix.sync.aligned.m8n8.x" + std::to_string(count) + (trans ? ".trans" : "") +
                         ".shared.b16 [%s1], " + registerList(count) + ";\n  bar.warp.sync -1;\n" +
                         "  setp.ge.u32 %p, %lane, " + std::to_string(8 * count) + ";\n  @%p bra done;\n" +
                         eachRegister(4, "%s1", 4, "ld.shared.b32", true) +
                         eachRegister(4, "%out", 4, "st.global.b32", false) + "done:\n";
      device.run("  .reg .pred %p;\n" + body, in, out);
      ASSERT_EQ(device.error, 0) << device.message << body;
      for (unsigned lane = 0; lane < 8 * count; ++lane)
        for (unsigned word = 0; word < 4; ++word)
          ASSERT_EQ(out[lane * 4 + word],
                    element(lane / 8, lane % 8, 2 * word) | element(lane / 8, lane % 8, 2 * word + 1) << 16)
              << count << trans << " lane " << lane;
    }
}

TEST(Ldmatrix, RowsAreAligned) {
  Device device;
  std::vector<u32> in(128), out(128);
  device.run(std::string(prologue) + eachRegister(4, "%in", 4, "ld.global.b32", true) +
                 eachRegister(4, "%s1", 4, "st.shared.b32", false) + "  bar.warp.sync -1;\n" +
                 "  ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%s1+4];\n",
             in, out);
  EXPECT_NE(device.error, 0);
  EXPECT_NE(device.message.find("misaligned"), std::string::npos) << device.message;
}

TEST(Movmatrix, Transposes) {
  Device device;
  std::vector<u32> in(128), out(128);
  for (unsigned lane = 0; lane < 32; ++lane)
    in[lane * 4] = fragmentOf(2, lane, false);
  device.run(std::string(prologue) + "  ld.global.b32 %r0, [%in];\n" +
                 "  movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r0;\n  st.global.b32 [%out], %r0;\n",
             in, out);
  ASSERT_EQ(device.error, 0) << device.message;
  for (unsigned lane = 0; lane < 32; ++lane)
    ASSERT_EQ(out[lane * 4], fragmentOf(2, lane, true)) << lane;
}

} // namespace
} // namespace tilecc::emu
