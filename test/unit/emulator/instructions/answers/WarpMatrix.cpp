// wmma (PTX ISA 9.7.14.4). The layout of fragments is not specified, so the tests compute from memory to memory, and
// compare with the product of the matrices there.
#include "../Harness.h"

#include <bit>
#include <cmath>

using namespace tilecc::emu::test;

std::vector<Answers> tilecc::emu::test::warpMatrixAnswers() { return {}; }

namespace {

struct Shape {
  std::string name;
  unsigned m, n, k;
};
struct Types {
  std::string factor; // the type of A and B
  unsigned registersA, registersB;
  std::string c, d;
};

unsigned bytesOf(const std::string &type) {
  return type == "f64" ? 8 : type == "f16" || type == "bf16" ? 2 : type == "s8" || type == "u8" ? 1 : 4;
}

// The bits of a small integer.
uint64_t bitsOf(int number, const std::string &type) {
  if (type == "f64")
    return std::bit_cast<uint64_t>(double(number));
  uint32_t single = std::bit_cast<uint32_t>(float(number));
  if (type == "f32" || type == "tf32")
    return single;
  if (type == "bf16")
    return single >> 16;
  if (type == "f16") // 5 bits of exponent for 8, 10 of the fraction for 23
    return number ? (single >> 16 & 0x8000) | ((single >> 13 & 0x3ffff) - (112 << 10)) : 0;
  return static_cast<uint32_t>(number);
}

void put(Words &words, size_t byte, uint64_t bits, unsigned bytes) {
  words.resize(std::max(words.size(), (byte + bytes + 3) / 4));
  for (unsigned i = 0; i < bytes; ++i)
    words[(byte + i) / 4] |= (bits >> 8 * i & 255) << (byte + i) % 4 * 8;
}

// The elements of a matrix, chosen so that any other order gives a different matrix.
int element(unsigned row, unsigned column, bool isSigned) {
  int number = (row * 7 + column * 3) % 5;
  return isSigned ? number - 2 : number;
}

std::string list(const char *prefix, unsigned first, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", " : "") + std::string(prefix) + std::to_string(first + i);
  return text + "}";
}

// D = A * B + C. There is a gap behind each row (or column) of A, but not of the other matrices.
Program product(const Shape &shape, const Types &types, bool flips, const std::string &modifier = "") {
  unsigned size = bytesOf(types.factor), sizeC = bytesOf(types.c), sizeD = bytesOf(types.d);
  unsigned offsetB = 4096, offsetC = 8192, gap = 16 / size;
  unsigned strideA = (flips ? shape.m : shape.k) + gap;
  bool isSigned = types.factor != "u8";
  Words in, expected;
  for (unsigned row = 0; row < shape.m; ++row)
    for (unsigned k = 0; k < shape.k; ++k)
      put(in, (flips ? k * strideA + row : row * strideA + k) * size, bitsOf(element(row, k, isSigned), types.factor),
          size);
  for (unsigned k = 0; k < shape.k; ++k)
    for (unsigned column = 0; column < shape.n; ++column)
      put(in, offsetB + (flips ? k * shape.n + column : column * shape.k + k) * size,
          bitsOf(element(k, column + 1, isSigned), types.factor), size);
  for (unsigned row = 0; row < shape.m; ++row)
    for (unsigned column = 0; column < shape.n; ++column) {
      put(in, offsetC + (flips ? column * shape.m + row : row * shape.n + column) * sizeC,
          bitsOf(element(row, column + 2, true), types.c), sizeC);
      int sum = element(row, column + 2, true);
      for (unsigned k = 0; k < shape.k; ++k)
        sum += element(row, k, isSigned) * element(k, column + 1, isSigned);
      put(expected, (flips ? row * shape.n + column : column * shape.m + row) * sizeD, bitsOf(sum, types.d), sizeD);
    }

  const char *reg = types.factor == "f64" ? "%d" : "%r";
  unsigned each = shape.m * shape.n / 32;
  std::string a = list(reg, 0, types.registersA), b = list(reg, 8, types.registersB),
              c = list(reg, 16, types.c == "f16" ? each / 2 : each), d = list(reg, 24, types.d == "f16" ? each / 2 : each);
  std::string by = flips ? ".col." : ".row.", other = flips ? ".row." : ".col.";
  std::string kind = types.factor == "f16" ? "." + types.d + "." + types.c
                                           : "." + types.d + "." + types.factor + "." + types.factor + "." + types.c;
  std::string instruction = "wmma.mma.sync.aligned" + (flips ? std::string(".col.row.") : ".row.col.") + shape.name;
  std::string body = "  mov.u32 %r40, " + std::to_string(strideA) + ";\n" + "  add.u64 %d30, %in, " +
                     std::to_string(offsetB) + ";\n" + "  wmma.load.a.sync.aligned" + by + shape.name + ".global." +
                     types.factor + " " + a + ", [%in], %r40;   // tested\n" + "  wmma.load.b.sync.aligned" + other +
                     shape.name + "." + types.factor + " " + b + ", [%d30];   // tested\n" +
                     "  wmma.load.c.sync.aligned" + by + shape.name + ".global." + types.c + " " + c + ", [%d30+" +
                     std::to_string(offsetC - offsetB) + "];   // tested\n  " + instruction + kind + modifier + " " + d +
                     ", " + a + ", " + b + ", " + c + ";   // tested\n" + "  wmma.store.d.sync.aligned" + other +
                     shape.name + ".global." + types.d + " [%out], " + d + ";   // tested\n";
  return {.name = instruction + kind, .body = body, .expected = expected, .in = in};
}

} // namespace

std::vector<Program> tilecc::emu::test::warpMatrixPrograms() {
  const Shape square = {"m16n16k16", 16, 16, 16}, wide = {"m8n32k16", 8, 32, 16}, tall = {"m32n8k16", 32, 8, 16};
  std::vector<Program> all;
  for (bool flips : {false, true}) {
    for (const Shape &shape : {square, wide, tall}) {
      all.push_back(product(shape, {"f16", 8, 8, "f32", "f32"}, flips));
      all.push_back(product(shape, {"f16", 8, 8, "f16", "f16"}, flips));
      unsigned a = shape.m * shape.k / 128, b = shape.n * shape.k / 128;
      for (const char *bytes : {"s8", "u8"})
        all.push_back(product(shape, {bytes, a, b, "s32", "s32"}, flips, flips ? ".satfinite" : ""));
      all.push_back(product(shape, {"bf16", 2 * a, 2 * b, "f32", "f32"}, flips));
    }
    all.push_back(product(square, {"f16", 8, 8, "f16", "f32"}, flips));
    all.push_back(product(square, {"f16", 8, 8, "f32", "f16"}, flips));
    all.push_back(product({"m16n16k8", 16, 16, 8}, {"tf32", 4, 4, "f32", "f32"}, flips));
    all.push_back(product({"m8n8k4", 8, 8, 4}, {"f64", 1, 1, "f64", "f64"}, flips));
  }
  // As for all instructions on matrices, the whole warp must take part.
  all.push_back({.name = "FragmentsNeedAWholeWarp",
                 .body = "  wmma.load.a.sync.aligned.row.m8n8k4.f64 {%d0}, [%in];",
                 .in = words(64, [](uint32_t) { return 0; }),
                 .threads = 16,
                 .error = 719,
                 .message = "error: a matrix instruction is executed by 16 threads of the warp; it needs all 32, which "
                            "hold the matrices together: kernel 'test', block (0,0,0)"});
  return all;
}
