//===-- Conformance.cpp - the emulator's instructions against a GPU's ------------------------------------------===//
//
// Makes programs of a single instruction from the emulator's instruction table, in random combinations of the modifiers
// that each row allows. Runs each on the emulator and on the GPU with the same inputs (random bits, and values that are
// critical for arithmetic), and compares the results: bit for bit, or within the bound if PTX only bounds the error.
//
//   emulator-on-gpu [--seed N] [--per-row N] [--only PREFIX] [--list]
//
// Exits with 77 where there is no GPU.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "emulator/isa/numerics/Convert.h"
#include "emulator/isa/Table.h"
#include "test/emulator/hardware/Cuda.h"
#include "tilecc/emulator.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

using namespace tilecc::emu;
using namespace tilecc::emu::test;

namespace {

//===-- Programs -----------------------------------------------------------------------------------------------===//

enum : unsigned { threads = 128, blocks = 64, slots = threads * blocks, maxOperands = 20 };

struct Operand {
  char role; // the letter in the row's syntax
  unsigned bits; // of the register: 1, 16, 32, 64
  Type type;
};

struct Test {
  std::string instruction; // "add.rn.f32"
  std::string text;        // of the PTX
  std::vector<Operand> dests, sources;
};

std::string number(uint64_t value) { return std::to_string(value); }

std::string registerClass(unsigned bits) { return bits == 1 ? "p" : bits == 16 ? "h" : bits == 32 ? "r" : "d"; }

// Programs consist of register instructions whose results are the same everywhere, without addresses, barriers and the
// actions of other threads.
bool isOnRegisters(const Row &row) {
  if (row.flow == Flow::barrier || row.syntax.starts_with("cvta") || row.syntax.starts_with("isspacep") ||
      row.syntax.starts_with("mbarrier") || row.syntax.starts_with("replicas")) // which is none of PTX's
    return false;
  for (size_t i = 0; !syntax::operand(row.syntax, i).empty(); ++i) {
    std::string_view text = syntax::operand(row.syntax, i);
    bool isVector = text.front() == '{' && text.find('*') == std::string_view::npos; // as many as a modifier says
    if (text.front() == '[' || isVector || text == "label" || text == "symbol" || text.ends_with('?'))
      return false;
  }
  return true;
}

// A program for one spelling of a row; false if it has operands that this does not make.
bool makeTest(const Row &row, const std::string &spelling, std::mt19937_64 &random, Test &test) {
  if (spelling.starts_with("wmma.")) // each device has its own fragments
    return false;
  ptx::Instruction instruction;
  for (size_t at = 0; at <= spelling.size();) {
    size_t dot = std::min(spelling.find('.', at), spelling.size());
    std::string word = spelling.substr(at, dot - at);
    if (at == 0)
      instruction.opcode = word;
    else
      instruction.modifiers.push_back(word);
    at = dot + 1;
  }
  size_t operands = syntax::operandCount(row.syntax);
  std::vector<ptx::Register> registers;
  Match match;
  std::string why;
  for (size_t i = 0; i < operands; ++i) {
    ptx::Operand operand;
    operand.kind = ptx::Operand::Kind::integer;
    std::string_view text = syntax::operand(row.syntax, i);
    if (text.front() == '{') {
      operand.kind = ptx::Operand::Kind::vector;
      operand.elements.resize(std::atoi(text.data() + text.find('*') + 1));
    }
    instruction.operands.push_back(operand);
  }
  if (findRow(instruction, registers, match, why) != &row)
    return false;

  test.instruction = spelling;
  std::string body, arguments;
  std::vector<OperandSpec> specs = operandSpecs(row, match);
  bool wide = allowsWideRegisters(row);
  for (size_t i = 0; i < specs.size(); ++i) {
    std::string_view text = syntax::operand(row.syntax, i);
    unsigned bits = ptx::info(specs[i].type).bits;
    if (bits == 8)
      bits = wide && random() % 2 ? 32 : 16;
    if (bits == 8 || bits > 64 || bits == 0)
      return false;
    std::string argument;
    if (text.starts_with("m:")) { // members: the whole warp
      argument = "-1";
    } else if (text.starts_with("t:")) { // a table, which must be a constant
      argument = number(random() % 256);
    } else {
      bool isDest = specs[i].role == OperandSpec::dest;
      std::vector<Operand> &list = isDest ? test.dests : test.sources;
      auto name = [&](unsigned width) { return "%" + registerClass(width) + (isDest ? "d" : "s") + number(list.size()); };
      for (unsigned element = 0; element < specs[i].count; ++element) {
        argument += (element ? ", " : "") + name(bits);
        list.push_back({text[specs[i].vector], bits, specs[i].type});
      }
      if (specs[i].vector)
        argument = "{" + argument + "}";
      if (specs[i].pair) {
        argument += "|" + name(1);
        list.push_back({'q', 1, Type::pred});
      }
    }
    arguments += (i ? ", " : "") + argument;
  }
  if (test.sources.size() > maxOperands || test.dests.size() > maxOperands || test.dests.empty())
    return false;

  std::string declarations;
  auto declare = [&](const std::vector<Operand> &list, const char *kind) {
    for (size_t i = 0; i < list.size(); ++i)
      declarations += "  .reg ." + (list[i].bits == 1 ? std::string("pred") : "b" + number(list[i].bits)) + " %" +
                      registerClass(list[i].bits) + kind + number(i) + ";\n";
  };
  declare(test.dests, "d");
  declare(test.sources, "s");
  for (size_t i = 0; i < test.sources.size(); ++i) {
    std::string at = "[%in+" + number(i * slots * 8) + "]", name = registerClass(test.sources[i].bits) + "s" + number(i);
    if (test.sources[i].bits == 1)
      body += "  ld.global.b32 %t, " + at + ";\n  and.b32 %t, %t, 1;\n  setp.ne.b32 %" + name + ", %t, 0;\n";
    else
      body += "  ld.global.b" + number(test.sources[i].bits) + " %" + name + ", " + at + ";\n";
  }
  if (row.syntax.find("; cc in") != std::string_view::npos) // every other slot has a carry
    body += "  and.b32 %t, %slot, 1;\n  add.cc.u32 %t, %t, 0xffffffff;\n";
  body += "  " + spelling + " " + arguments + ";\n";
  if (row.syntax.find("; cc out") != std::string_view::npos) {
    test.dests.push_back({'q', 32, Type::u32});
    body += "  addc.u32 %rd" + number(test.dests.size() - 1) + ", 0, 0;\n";
    declarations += "  .reg .b32 %rd" + number(test.dests.size() - 1) + ";\n";
  }
  for (size_t i = 0; i < test.dests.size(); ++i) {
    std::string at = "[%out+" + number(i * slots * 8) + "]", name = registerClass(test.dests[i].bits) + "d" + number(i);
    if (test.dests[i].bits == 1)
      body += "  selp.b32 %t, 1, 0, %" + name + ";\n  st.global.b32 " + at + ", %t;\n";
    else
      body += "  st.global.b" + number(test.dests[i].bits) + " " + at + ", %" + name + ";\n";
  }
  test.text = ".version 8.8\n.target sm_90a\n.address_size 64\n\n"
              ".visible .entry test(.param .u64 input, .param .u64 output)\n{\n"
              "  .reg .b64 %in, %out, %at;\n  .reg .b32 %t, %slot, %block;\n" +
              declarations +
              "  ld.param.u64 %in, [input];\n  ld.param.u64 %out, [output];\n"
              "  mov.u32 %slot, %tid.x;\n  mov.u32 %block, %ctaid.x;\n  mad.lo.u32 %slot, %block, 128, %slot;\n"
              "  mul.wide.u32 %at, %slot, 8;\n  add.u64 %in, %in, %at;\n  add.u64 %out, %out, %at;\n" +
              body + "  ret;\n}\n";
  return true;
}

//===-- Inputs -------------------------------------------------------------------------------------------------===//

const uint16_t delicate16[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x8400, 0x3c00, 0xbc00, 0x7bff, 0xfbff,
                               0x7c00, 0xfc00, 0x7c01, 0x7e00, 0xfe00, 0xffff, 0x7fff, 0x3f80, 0xbf80, 0x7f80, 0xff80,
                               0x0080, 0x007f, 0x7f7f, 0x3c01, 0x3bff, 0x6400, 0x00ff, 0x0100, 0x000f, 0x7f81};
const uint32_t delicate32[] = {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x80800000,
                               0x3f800000, 0xbf800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7f800001,
                               0x7fc00000, 0xffc00000, 0xffffffff, 0x7fffffff, 0x3f800001, 0x3f7fffff, 0x4b000000,
                               0x4b800000, 0x4f000000, 0xcf000000, 0x5f000000, 0x3effffff, 0x3f000000, 0x3f000001,
                               0x33800000, 0x477fe000, 0x477ff000, 0x387fc000, 0x33000000, 0x00000020, 0x0000001f,
                               0x00000008, 0x000000ff, 0x0000ffff, 0x00010000, 0x40000000, 0x40490fdb, 0x43e00000,
                               0x43e80000, 0x47600000, 0x00ffffff, 0xff000000, 0x3f000000};
const uint64_t delicate64[] = {0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x000fffffffffffff,
                               0x0010000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x7fefffffffffffff,
                               0x7ff0000000000000, 0xfff0000000000000, 0x7ff0000000000001, 0x7ff8000000000000,
                               0xfff8000000000000, 0xffffffffffffffff, 0x7fffffffffffffff, 0x3ff0000000000001,
                               0x43e0000000000000, 0xc3e0000000000000, 0x41e0000000000000, 0x47efffffe0000000,
                               0x47efffffefffffff, 0x47effffff0000000, 0x36a0000000000000, 0x3690000000000000,
                               0x380fffffe0000000, 0x40efffe000000000, 0x0000000000000020, 0x000000000000003f,
                               0x00000000ffffffff, 0x0000000100000000, 0x4330000000000000, 0x3fe0000000000000};

// Inputs of matrix multiplications: integers so small that sums are exact in any order; integers of all sizes.
uint64_t makeFragment(const std::string &instruction, const Operand &operand, std::mt19937_64 &random) {
  std::vector<std::string> types; // of d, a, b and c
  for (size_t at = 0; at < instruction.size();) {
    size_t dot = std::min(instruction.find('.', at), instruction.size());
    std::string word = instruction.substr(at, dot - at);
    if (ptx::typeNamed(word) != Type::none || word == "b1" || word == "s4" || word == "u4")
      types.push_back(word);
    at = dot + 1;
  }
  const std::string &type = types[operand.role == 'a' ? 1 : operand.role == 'b' ? 2 : 3];
  auto whole = [&] { return static_cast<float>(static_cast<int>(random() % 9) - 4); };
  auto two = [&](auto make) { return uint64_t(make(whole())) | uint64_t(make(whole())) << 16; };
  auto four = [&](auto make) {
    return two([&](float x) { return unsigned(make(x)) | unsigned(make(whole())) << 8; });
  };
  Modifiers satfinite;
  satfinite.satfinite = true;
  if (type == "f16")
    return two([](float x) { return convert<f16>(x).bits; });
  if (type == "bf16")
    return two([](float x) { return convert<bf16>(x).bits; });
  if (type == "e4m3")
    return four([&](float x) { return convert<e4m3>(x, satfinite).bits; });
  if (type == "e5m2")
    return four([&](float x) { return convert<e5m2>(x, satfinite).bits; });
  if (type == "f32" || type == "tf32")
    return bitsOf(whole());
  if (type == "f64")
    return bitsOf(static_cast<double>(whole()));
  return random();
}

uint64_t makeInput(const Test &test, const Operand &operand, std::mt19937_64 &random) {
  if (test.instruction.starts_with("mma"))
    return makeFragment(test.instruction, operand, random);
  // Hardware handles positions and lengths for which the manual defines no meaning in its own way.
  if ((test.instruction.starts_with("bf") || test.instruction.starts_with("fns")) &&
      (operand.role == 'n' || (operand.role == 'c' && operand.bits == 32) ||
       (operand.role == 'b' && (operand.type == Type::u32))))
    return test.instruction.starts_with("fns") ? random() % 32 - (operand.role == 'c' ? 16 : 0) : random() % 256;
  switch (random() % 4) {
  case 0:
    switch (operand.bits) {
    case 16:
      return delicate16[random() % std::size(delicate16)];
    case 32:
      return random() % 4 ? delicate32[random() % std::size(delicate32)]
                          : delicate16[random() % std::size(delicate16)] |
                                uint32_t(delicate16[random() % std::size(delicate16)]) << 16;
    case 64:
      return delicate64[random() % std::size(delicate64)];
    }
    return random();
  case 1: { // numbers near each other, for ties and cancellation
    if (operand.bits == 32)
      return 0x3f800000 + (random() % 64 << (random() % 20)) + (random() % 3 << 23) + (random() << 31);
    if (operand.bits == 64)
      return 0x3ff0000000000000 + (random() % 64 << (random() % 48)) + (random() % 3 << 52) + (random() << 63);
    if (operand.bits == 16)
      return 0x3c00 + random() % 64 + (random() % 3 << 10) + (random() % 2 << 15);
    return random();
  }
  case 2:
    return random() % 70 - 3; // small integers: shifts, positions, lengths
  default:
    return random();
  }
}

//===-- Comparing ----------------------------------------------------------------------------------------------===//

// How far a result may be from another one, in units of the last place and absolutely; negative: it must be the same bits.
struct Tolerance {
  double ulps = -1, absolute = 0;
};

// From the tables of the PTX manual's pages; twice the bound, because both sides have an error.
Tolerance toleranceOf(const std::string &instruction) { // sine and cosine: up to 100 pi
  auto starts = [&](const char *prefix) { return instruction.starts_with(prefix); };
  if (starts("ex2.approx") || starts("tanh.approx"))
    return instruction.ends_with("f32") ? starts("ex2") ? Tolerance{4, 0x1p-126} : Tolerance{0x1p13, 0}
                                        : Tolerance{instruction.find("bf16") != std::string::npos ? 4.0 : 16.0, 0x1p-14};
  if (starts("lg2.approx"))
    return {8, 0x1p-21};
  if (starts("sin.approx") || starts("cos.approx"))
    return {0, 0x1p-13};
  if (starts("rcp.approx.ftz.f64") || starts("rsqrt.approx.ftz.f64"))
    return {0x1p34, 0};
  if (instruction.find(".approx") != std::string::npos)
    return {4, 0x1p-126};
  if (instruction.find(".full") != std::string::npos)
    return {4, 0x1p-126};
  return {};
}

double asNumber(uint64_t bits, Type type) {
  switch (type) {
  case Type::f32:
    return floatOf(static_cast<u32>(bits));
  case Type::f64:
    return doubleOf(bits);
  case Type::f16:
    return toFloat(f16{static_cast<u16>(bits)});
  case Type::bf16:
    return toFloat(bf16{static_cast<u16>(bits)});
  default:
    return 0;
  }
}

// Results that may differ: the manual has no bound (sines of large arguments, the fraction bits that tf32 does not
// have, and its NaN), and two conversions that ptxas expands, whose NaN is not canonical and whose .ftz has no effect.
bool isOpen(const Test &test, const uint64_t *input) {
  const std::string &name = test.instruction;
  float x = floatOf(static_cast<u32>(input[0]));
  if (name.starts_with("sin.") || name.starts_with("cos."))
    return std::fabs(x) > 314;
  bool directed = name.starts_with("cvt.rz") || name.starts_with("cvt.rm") || name.starts_with("cvt.rp");
  if (directed && name.ends_with("f16.f64"))
    return std::isnan(doubleOf(input[0]));
  if (directed && name.find(".ftz") != std::string::npos && name.ends_with(".f16.f32"))
    return std::fabs(x) < 0x1p-126f;
  return name.find(".tf32") != std::string::npos && std::isnan(x);
}

bool agree(uint64_t gpu, uint64_t emulator, Type type, Tolerance tolerance) {
  if (gpu == emulator)
    return true;
  if (tolerance.ulps < 0)
    return false;
  if (type == Type::f16x2 || type == Type::bf16x2) {
    Type half = type == Type::f16x2 ? Type::f16 : Type::bf16;
    return agree(gpu & 0xffff, emulator & 0xffff, half, tolerance) && agree(gpu >> 16, emulator >> 16, half, tolerance);
  }
  double a = asNumber(gpu, type), b = asNumber(emulator, type);
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b))
    return a == b;
  int exponent;
  std::frexp(std::max(std::fabs(a), std::fabs(b)), &exponent);
  int fraction = type == Type::f64 ? 53 : type == Type::f32 ? 24 : type == Type::f16 ? 11 : 8;
  return std::fabs(a - b) <= std::max(tolerance.ulps * std::ldexp(1.0, exponent - fraction), tolerance.absolute);
}

struct Options {
  uint64_t seed = 1;
  unsigned perRow = 16;
  std::string only;
  bool list = false;
};

Options parseOptions(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument == "--list")
      options.list = true;
    else if (i + 1 < argc && argument == "--seed")
      options.seed = std::strtoull(argv[++i], nullptr, 0);
    else if (i + 1 < argc && argument == "--per-row")
      options.perRow = std::strtoul(argv[++i], nullptr, 0);
    else if (i + 1 < argc && argument == "--only")
      options.only = argv[++i];
    else {
      fprintf(stderr, "usage: emulator-on-gpu [--seed N] [--per-row N] [--only PREFIX] [--list]\n");
      exit(2);
    }
  }
  return options;
}

std::vector<Test> makeTests(const Options &options) {
  std::vector<Test> tests;
  std::mt19937_64 random(options.seed);
  for (size_t r = 0; r < rowCount(); ++r) {
    const Row &row = rowNumber(r);
    if (!isOnRegisters(row))
      continue;
    std::vector<std::string> all = spellings(row);
    std::shuffle(all.begin(), all.end(), random);
    unsigned made = 0;
    for (const std::string &spelling : all) {
      Test test;
      if (!spelling.starts_with(options.only) || !makeTest(row, spelling, random, test))
        continue;
      tests.push_back(std::move(test));
      if (++made == options.perRow)
        break;
    }
  }
  return tests;
}

} // namespace

int main(int argc, char **argv) {
  Options options = parseOptions(argc, argv);
  std::vector<Test> tests = makeTests(options);
  if (options.list) {
    for (const Test &test : tests)
      printf("%s\n", test.instruction.c_str());
    return 0;
  }
  Cuda cuda;
  if (!cuda.open()) {
    printf("emulator-on-gpu: skipped: no CUDA driver, or no GPU\n");
    return 77;
  }
  tilecc_emu_options emulatorOptions = {};
  emulatorOptions.version = TILECC_EMULATOR_VERSION;
  tilecc_emu_device *device;
  check(tilecc_emu_create(&emulatorOptions, &device), tilecc_emu_error_message());
  constexpr size_t inputBytes = maxOperands * slots * 8;
  uint64_t gpuInput, gpuOutput;
  check(cuda.allocate(&gpuInput, inputBytes), "cuMemAlloc");
  check(cuda.allocate(&gpuOutput, inputBytes), "cuMemAlloc");
  void *emuInput, *emuOutput;
  check(tilecc_emu_allocate(device, inputBytes, &emuInput), "allocation");
  check(tilecc_emu_allocate(device, inputBytes, &emuOutput), "allocation");

  std::mt19937_64 random(options.seed);
  std::vector<uint64_t> input(maxOperands * slots), fromGpu(input.size()), fromEmulator(input.size());
  const std::vector<uint64_t> cleared(input.size());
  unsigned same = 0, bounded = 0, different = 0, refused = 0;
  for (const Test &test : tests) {
    void *module, *function;
    char log[2048] = "";
    int keys[] = {5, 6}; // CU_JIT_ERROR_LOG_BUFFER and its size
    void *values[] = {log, reinterpret_cast<void *>(sizeof(log))};
    if (cuda.load(&module, test.text.c_str(), 2, keys, values)) {
      ++refused;
      std::string first = log;
      printf("refused: %s: %s\n", test.instruction.c_str(), first.substr(0, first.find('\n')).c_str());
      continue;
    }
    check(cuda.getFunction(&function, module, "test"), "cuModuleGetFunction");
    tilecc_emu_module *emuModule;
    tilecc_emu_kernel *kernel;
    check(tilecc_emu_load(device, test.text.data(), test.text.size(), test.instruction.c_str(), &emuModule) ||
              tilecc_emu_get_kernel(emuModule, "test", nullptr, &kernel),
          tilecc_emu_error_message());

    for (size_t i = 0; i < test.sources.size(); ++i)
      for (size_t slot = 0; slot < slots; ++slot)
        input[i * slots + slot] = makeInput(test, test.sources[i], random);
    for (size_t i = 0; i < test.sources.size(); ++i) // the same number twice, now and then
      if (i && test.sources[i].bits == test.sources[0].bits && !test.instruction.starts_with("fns") &&
          !test.instruction.starts_with("mma"))
        for (size_t slot = i; slot < slots; slot += 17)
          input[i * slots + slot] = input[slot];
    check(cuda.toDevice(gpuInput, input.data(), inputBytes), "cuMemcpyHtoD");
    check(cuda.toDevice(gpuOutput, cleared.data(), inputBytes), "cuMemcpyHtoD");
    void *gpuArguments[] = {&gpuInput, &gpuOutput};
    check(cuda.launch(function, blocks, 1, 1, threads, 1, 1, 0, nullptr, gpuArguments, nullptr), "cuLaunchKernel");
    check(cuda.synchronize(), test.instruction.c_str());
    check(cuda.toHost(fromGpu.data(), gpuOutput, inputBytes), "cuMemcpyDtoH");
    cuda.unload(module);

    tilecc_emu_copy(device, emuInput, input.data(), inputBytes);
    tilecc_emu_copy(device, emuOutput, cleared.data(), inputBytes);
    void *emuArguments[] = {&emuInput, &emuOutput};
    tilecc_emu_launch_config config = {{blocks, 1, 1}, {threads, 1, 1}, {1, 1, 1}, 0, nullptr};
    check(tilecc_emu_launch(kernel, &config, emuArguments, nullptr), tilecc_emu_error_message());
    tilecc_emu_copy(device, fromEmulator.data(), emuOutput, inputBytes);
    tilecc_emu_unload(emuModule);

    Tolerance tolerance = toleranceOf(test.instruction);
    unsigned wrong = 0;
    for (size_t i = 0; i < test.dests.size(); ++i)
      for (size_t slot = 0; slot < slots; ++slot) {
        uint64_t gpu = fromGpu[i * slots + slot], emulator = fromEmulator[i * slots + slot];
        if (test.instruction.find(".tf32") != std::string::npos)
          gpu &= ~0x1fffull, emulator &= ~0x1fffull;
        if (agree(gpu, emulator, test.dests[i].type, tolerance) || isOpen(test, &input[slot]))
          continue;
        if (++wrong <= 3) {
          printf("different: %s result %zu: GPU 0x%llx, emulator 0x%llx, of", test.instruction.c_str(), i,
                 static_cast<unsigned long long>(gpu), static_cast<unsigned long long>(emulator));
          for (size_t s = 0; s < test.sources.size(); ++s)
            printf(" 0x%llx", static_cast<unsigned long long>(
                                  input[s * slots + slot] &
                                  (test.sources[s].bits == 64 ? ~0ull : (1ull << test.sources[s].bits) - 1)));
          printf("\n");
        }
      }
    if (wrong)
      printf("different: %s: %u of %u results\n", test.instruction.c_str(), wrong, slots);
    ++(wrong ? different : tolerance.ulps < 0 ? same : bounded);
  }
  printf("emulator-on-gpu: seed %llu: %u programs with the same bits, %u within PTX's bounds, %u different; %u refused by "
         "the driver\n",
         static_cast<unsigned long long>(options.seed), same, bounded, different, refused);
  return different != 0;
}
