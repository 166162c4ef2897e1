//===-- Harness.cpp - runs instructions that have known answers ------------------------------------------------===//
#include "Harness.h"
#include "Values.h"
#include "tilecc/emulator.h"

#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>

using namespace tilecc::emu::test;

//===-- The device ---------------------------------------------------------------------------------------------===//

namespace {

std::string reports; // what checks have found

// A way to run a kernel, on which its results must not depend.
struct Way {
  const char *name;
  uint32_t checks, schedule;
  uint64_t seed;
};
const Way ways[] = {
    {"without checks", 0, TILECC_EMU_SCHEDULE_FAST, 0},
    {"with all checks", TILECC_EMU_CHECK_ALL, TILECC_EMU_SCHEDULE_FAST, 0},
    {"random schedule 1", TILECC_EMU_CHECK_ALL, TILECC_EMU_SCHEDULE_RANDOM, 1},
    {"random schedule 2", TILECC_EMU_CHECK_ALL, TILECC_EMU_SCHEDULE_RANDOM, 2},
};

struct Result {
  int error = 0;
  std::string message;
  std::vector<std::byte> out;
};

struct alignas(64) EncodedMap {
  std::byte bytes[128];
  void encode(const Map &map, void *base) {
    std::vector<uint32_t> ones(map.dims.size(), 1);
    const std::vector<uint32_t> &strides = map.elementStrides.empty() ? ones : map.elementStrides;
    void *address = static_cast<std::byte *>(base) + map.first * 4;
    uint32_t rank = map.dims.size();
    if (map.lower.empty()
            ? tilecc_emu_tensor_map_encode_tiled(this, map.type, rank, address, map.dims.data(), map.strides.data(),
                                                 map.box.data(), strides.data(), 0, map.swizzle, 0, 0)
            : tilecc_emu_tensor_map_encode_im2col(this, map.type, rank, address, map.dims.data(), map.strides.data(),
                                                  map.lower.data(), map.upper.data(), map.box[0], map.box[1],
                                                  strides.data(), 0, map.swizzle, 0, 0))
      throw std::runtime_error(tilecc_emu_error_message());
  }
};

class Device {
public:
  enum : uint32_t { copyBytes = 32 };

  explicit Device(const Way &way) {
    tilecc_emu_options options = {};
    options.version = TILECC_EMULATOR_VERSION;
    options.checks = way.checks;
    options.schedule = way.schedule;
    options.seed = way.seed;
    options.instruction_limit = 1'000'000;
    options.report = [](const char *text, size_t size) { reports.append(text, size); };
    if (tilecc_emu_create(&options, &device))
      throw std::runtime_error(tilecc_emu_error_message());
  }
  Device(const Device &) = delete;
  ~Device() { tilecc_emu_destroy(device); }

  // Launches the kernel `test` of the module with the addresses of both buffers.
  Result run(const std::string &ptx, std::vector<std::byte> in, std::vector<std::byte> out, uint32_t threads,
             uint32_t blocks, uint32_t cluster = 1, const std::vector<Map> &maps = {}, uint32_t copies = 0) {
    Result result;
    tilecc_emu_module *module = nullptr;
    tilecc_emu_kernel *kernel = nullptr;
    reports.clear();
    if ((result.error = tilecc_emu_load(device, ptx.data(), ptx.size(), "test.ptx", &module)) ||
        (result.error = tilecc_emu_get_kernel(module, "test", nullptr, &kernel))) {
      result.message = tilecc_emu_error_message();
    } else {
      Buffer source(device, in), target(device, out);
      std::vector<EncodedMap> encoded(maps.size());
      std::vector<void *> args = {&source.address, &target.address};
      for (size_t i = 0; i < maps.size(); ++i) {
        encoded[i].encode(maps[i], maps[i].isOut ? target.address : source.address);
        args.push_back(&encoded[i]);
      }
      void *everywhere = nullptr;
      if (copies) {
        std::vector<void *> parts;
        for (uint32_t i = 0; i < copies; ++i)
          parts.push_back(static_cast<std::byte *>(source.address) + i * copyBytes);
        if (tilecc_emu_allocate_multicast(device, parts.data(), copies, copyBytes, &everywhere))
          throw std::runtime_error(tilecc_emu_error_message());
        args.push_back(&everywhere);
      }
      tilecc_emu_launch_config config = {{blocks, 1, 1}, {threads, 1, 1}, {cluster, 1, 1}, 0, nullptr};
      result.error = tilecc_emu_launch(kernel, &config, args.data(), nullptr);
      if (result.error)
        result.message = tilecc_emu_error_message();
      tilecc_emu_synchronize(device);
      tilecc_emu_copy(device, out.data(), target.address, out.size());
      result.out = std::move(out);
    }
    if (module)
      tilecc_emu_unload(module);
    return result;
  }

private:
  struct Buffer {
    Buffer(tilecc_emu_device *device, const std::vector<std::byte> &bytes) : device(device) {
      tilecc_emu_allocate(device, bytes.size(), &address);
      tilecc_emu_copy(device, address, bytes.data(), bytes.size());
    }
    ~Buffer() { tilecc_emu_free(device, address); }
    tilecc_emu_device *device;
    void *address = nullptr;
  };
  tilecc_emu_device *device = nullptr;
};

Device &deviceOf(const Way &way) {
  static std::map<const Way *, std::unique_ptr<Device>> devices;
  std::unique_ptr<Device> &device = devices[&way];
  if (!device)
    device = std::make_unique<Device>(way);
  return *device;
}

//===-- Answers ------------------------------------------------------------------------------------------------===//

enum : unsigned { warpSize = 32, slotBytes = 16, columnBytes = warpSize * slotBytes, memBytes = 64 };

// A register that an instruction names: %ra.
struct Register {
  char kind, role;
  std::string name() const { return {'%', kind, role}; }
  unsigned width() const {
    switch (kind) {
    case 'p':
      return 1;
    case 'b':
      return 8;
    case 'h':
      return 16;
    case 'r':
      return 32;
    case 'd':
      return 64;
    default:
      return 128;
    }
  }
  std::string type() const { return kind == 'p' ? ".pred" : ".b" + std::to_string(width()); }
  friend bool operator<(const Register &a, const Register &b) { return a.role < b.role; }
};

struct Registers {
  std::set<Register> in, between, out;
};

Registers registersOf(const std::string &text) {
  auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  Registers found;
  for (size_t at = text.find('%'); at != text.npos; at = text.find('%', at + 1)) {
    if (at + 3 > text.size() || (at + 3 < text.size() && isWord(text[at + 3])) ||
        !std::strchr("pbhrdq", text[at + 1]))
      continue;
    Register reg{text[at + 1], text[at + 2]};
    if (reg.role >= 'a' && reg.role <= 'h')
      found.in.insert(reg);
    else if (reg.role >= 't' && reg.role <= 'v')
      found.between.insert(reg);
    else
      found.out.insert(reg);
  }
  return found;
}

std::string address(const char *base, size_t column) {
  return std::string("[") + base + "+" + std::to_string(column * columnBytes) + "]";
}

std::string load(const Register &to, size_t column) {
  if (to.kind == 'p')
    return "  ld.global.b32 %bit, " + address("%in", column) + ";\n  setp.ne.b32 " + to.name() + ", %bit, 0;\n";
  return "  ld.global" + to.type() + " " + to.name() + ", " + address("%in", column) + ";\n";
}

std::string store(const Register &from, size_t column) {
  if (from.kind == 'p')
    return "  selp.b32 %bit, 1, 0, " + from.name() + ";\n  st.global.b32 " + address("%out", column) + ", %bit;\n";
  return "  st.global" + from.type() + " " + address("%out", column) + ", " + from.name() + ";\n";
}

// The contents of registers that a lane must not write; no answer has this value.
Bits keptBits(const Register &reg, unsigned lane) {
  Bits pattern = 0;
  for (unsigned i = 0; i < 16; ++i)
    pattern = pattern << 8 | (0x51 + 2 * i);
  return reg.width() == 1 ? lane / 2 % 2 : reg.width() == 128 ? pattern : pattern & ((Bits(1) << reg.width()) - 1);
}

const char *const header = ".version 8.8\n.target sm_100a\n.address_size 64\n\n";

// Adds the instructions, each with the guard, and the numbers of their lines.
void addInstructions(Module &module, const std::string &instructions, const std::string &guard) {
  for (size_t at = 0; at < instructions.size();) {
    size_t end = std::min(instructions.find(';', at), instructions.size());
    size_t first = instructions.find_first_not_of(' ', at);
    module.testedLines.push_back(1 + std::count(module.text.begin(), module.text.end(), '\n'));
    module.text += "  " + guard + instructions.substr(first, end - first) + ";\n";
    at = end + 1;
  }
}

} // namespace

Module tilecc::emu::test::moduleOf(const Answers &answers) {
  Registers registers = registersOf(answers.instruction);
  Module module;
  std::string &text = module.text;
  text = std::string(header) + ".shared .align 16 .b8 memory[" + std::to_string(warpSize * memBytes) + "];\n\n";
  text += ".visible .entry test(.param .u64 source, .param .u64 target)\n{\n"
          "  .local .align 16 .b8 slot[64];\n"
          "  .reg .pred %odd;\n  .reg .b32 %lane, %bit, %smem;\n  .reg .b64 %in, %out, %mem, %at;\n";
  for (const auto *set : {&registers.in, &registers.between, &registers.out})
    for (const Register &reg : *set)
      text += "  .reg " + reg.type() + " " + reg.name() + ";\n";
  text += "  ld.param.u64 %in, [source];\n  ld.param.u64 %out, [target];\n  mov.u32 %lane, %tid.x;\n"
          "  mul.wide.u32 %at, %lane, " + std::to_string(slotBytes) + ";\n"
          "  add.u64 %in, %in, %at;\n"
          "  mul.wide.u32 %mem, %lane, " + std::to_string(memBytes) + ";\n"
          "  add.u64 %mem, %mem, %out;\n  add.u64 %mem, %mem, " +
          std::to_string(2 * registers.out.size() * columnBytes) + ";\n"
          "  add.u64 %out, %out, %at;\n"
          "  mov.u32 %smem, memory;\n  mad.lo.u32 %smem, %lane, " + std::to_string(memBytes) + ", %smem;\n"
          "  and.b32 %bit, %lane, 1;\n  setp.ne.b32 %odd, %bit, 0;\n";
  size_t column = 0;
  for (const Register &reg : registers.in)
    text += load(reg, column++);
  size_t kept = column, results = 0;
  addInstructions(module, answers.instruction, "");
  for (const Register &reg : registers.out)
    text += store(reg, results++);
  for (const Register &reg : registers.out)
    text += load(reg, kept++);
  addInstructions(module, answers.instruction, "@%odd ");
  for (const Register &reg : registers.out)
    text += store(reg, results++);
  text += "  ret;\n}\n";
  return module;
}

void tilecc::emu::test::check(const Answers &answers) {
  SCOPED_TRACE(answers.instruction);
  Registers registers = registersOf(answers.instruction);
  std::vector<std::vector<Value>> in, out; // by line
  std::vector<Line> lines;
  try {
    lines = parseLines(answers.lines);
    for (const Line &line : lines) {
      if (line.in.size() != registers.in.size() || line.out.size() != registers.out.size())
        throw std::invalid_argument("a line has other numbers of values than the instruction has registers");
      size_t i = 0, o = 0;
      in.emplace_back();
      for (const Register &reg : registers.in)
        in.back().push_back(parseValue(line.in[i++], reg.width()));
      out.emplace_back();
      for (const Register &reg : registers.out)
        out.back().push_back(parseValue(line.out[o++], reg.width()));
    }
  } catch (const std::invalid_argument &error) {
    ADD_FAILURE() << error.what();
    return;
  }
  ASSERT_LE(lines.size(), size_t(warpSize));
  ASSERT_FALSE(lines.empty());

  auto put = [](std::vector<std::byte> &bytes, size_t column, unsigned lane, Bits value) {
    std::memcpy(bytes.data() + column * columnBytes + lane * slotBytes, &value, sizeof(value));
  };
  size_t results = registers.out.size();
  std::vector<std::byte> source((registers.in.size() + results) * columnBytes + slotBytes);
  std::vector<std::byte> target(2 * results * columnBytes + warpSize * memBytes);
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    size_t column = 0;
    for (const Value &value : in[lane % lines.size()])
      put(source, column++, lane, value.low);
    for (const Register &reg : registers.out)
      put(source, column++, lane, keptBits(reg, lane));
  }
  Result result = deviceOf(ways[1]).run(moduleOf(answers).text, source, target, warpSize, 1);
  ASSERT_EQ(result.error, 0) << result.message << "\n" << reports;

  unsigned wrong = 0;
  for (unsigned lane = 0; lane < warpSize && wrong < 3; ++lane)
    for (size_t i = 0; i < 2 * results; ++i) {
      const Register &reg = *std::next(registers.out.begin(), i % results);
      const Line &line = lines[lane % lines.size()];
      Bits got = 0;
      std::memcpy(&got, result.out.data() + i * columnBytes + lane * slotBytes, std::max(reg.width() / 8, 1u));
      bool isKept = i >= results && lane % 2 == 0;
      if (isKept ? got == keptBits(reg, lane) : out[lane % lines.size()][i % results].accepts(got, reg.width()))
        continue;
      std::string given;
      for (const std::string &value : line.in)
        given += " " + value;
      ADD_FAILURE() << "of" << given << ": " << reg.name() << " is " << hex(got, reg.width())
                    << (isKept ? ", which a lane wrote whose guard does not hold" : ", not " + line.out[i % results]);
      ++wrong;
    }
}

//===-- Programs -----------------------------------------------------------------------------------------------===//

Module tilecc::emu::test::moduleOf(const Program &program) {
  Module module;
  std::string parameters, addresses;
  for (size_t i = 0; i < program.maps.size(); ++i) {
    std::string n = std::to_string(i);
    parameters += ", .param .align 64 .b8 map" + n + "[128]";
    addresses +=
        "  .reg .b64 %m" + n + ";\n  mov.b64 %m" + n + ", map" + n + ";\n  cvta.param.u64 %m" + n + ", %m" + n + ";\n";
  }
  if (program.copies) {
    parameters += ", .param .u64 everywhere";
    addresses += "  .reg .b64 %all;\n  ld.param.u64 %all, [everywhere];\n";
  }
  module.text = header + program.declarations + "\n.visible .entry test(.param .u64 source, .param .u64 target" +
                parameters + ")\n" + program.directives + "{\n" + addresses +
                "  .reg .pred %p<8>;\n  .reg .b8 %b<8>;\n  .reg .b16 %h<16>;\n  .reg .b32 %r<48>, %t, %thread;\n"
                "  .reg .b64 %d<32>, %in, %out, %i, %o;\n  .reg .b128 %q<4>;\n"
                "  ld.param.u64 %in, [source];\n  ld.param.u64 %out, [target];\n"
                "  mov.u32 %t, %tid.x;\n  mov.u32 %thread, %ctaid.x;\n  mad.lo.u32 %thread, %thread, " +
                std::to_string(program.threads) +
                ", %t;\n  mul.wide.u32 %i, %thread, 4;\n  add.u64 %o, %out, %i;\n  add.u64 %i, %in, %i;\n" +
                program.body + "\n  ret;\n}\n";
  uint32_t number = 1;
  for (size_t at = 0; at < module.text.size(); ++number) {
    size_t end = std::min(module.text.find('\n', at), module.text.size());
    if (module.text.substr(at, end - at).find("// tested") != std::string::npos)
      module.testedLines.push_back(number);
    at = end + 1;
  }
  return module;
}

static Result runProgram(const Program &program, const Way &way) {
  auto bytesOf = [](const Words &words) {
    std::vector<std::byte> bytes(words.size() * 4 + 4);
    std::memcpy(bytes.data(), words.data(), words.size() * 4);
    return bytes;
  };
  Words before = program.before.empty() ? Words(program.expected.size(), untouched) : program.before;
  return deviceOf(way).run(moduleOf(program).text, bytesOf(program.in), bytesOf(before), program.threads,
                           program.blocks, program.cluster, program.maps, program.copies);
}

static uint32_t wordOf(const Result &result, size_t i) {
  uint32_t word;
  std::memcpy(&word, result.out.data() + i * 4, 4);
  return word;
}

void tilecc::emu::test::check(const Program &program) {
  for (const Way &way : ways) {
    if (way.checks ? program.onlyUnchecked : program.onlyChecked)
      continue;
    SCOPED_TRACE(program.name + ", " + way.name);
    Result result = runProgram(program, way);
    EXPECT_EQ(result.error, program.error) << result.message << "\n" << reports;
    if (program.error) {
      // The first block of a cluster to do it is not determined.
      EXPECT_EQ(program.cluster > 1 ? result.message.substr(0, program.message.size()) : result.message,
                program.message);
    }
    if (result.error != program.error || result.out.empty())
      return;
    unsigned wrong = 0;
    for (size_t i = 0; i < program.expected.size() && wrong < 4; ++i)
      if (uint32_t got = wordOf(result, i); got != program.expected[i]) {
        ADD_FAILURE() << "word " << i << " is " << hex(got, 32) << ", not " << hex(program.expected[i], 32);
        ++wrong;
      }
  }
}

std::vector<Words> tilecc::emu::test::outputsOf(const Program &program) {
  std::vector<Words> all;
  for (const Way &way : ways) {
    SCOPED_TRACE(program.name + ", " + way.name);
    Result result = runProgram(program, way);
    EXPECT_EQ(result.error, 0) << result.message << "\n" << reports;
    if (result.error)
      break;
    all.push_back(words(program.expected.size(), [&](uint32_t i) { return wordOf(result, i); }));
  }
  return all;
}

bool tilecc::emu::test::isFound(const Program &program, bool tensorFences) {
  enum : int { invalidPtx = 218 };
  static const Way withTensorFences = {"with tensor fences", TILECC_EMU_CHECK_ALL | TILECC_EMU_CHECK_TENSOR_FENCES,
                                       TILECC_EMU_SCHEDULE_FAST, 0};
  Result result = runProgram(program, tensorFences ? withTensorFences : ways[1]);
  EXPECT_NE(result.error, invalidPtx) << result.message;
  if (result.error)
    return true;
  for (size_t i = 0; i < program.expected.size(); ++i)
    if (wordOf(result, i) != program.expected[i])
      return true;
  return false;
}

std::string tilecc::emu::test::replaced(std::string text, const std::string &what, const std::string &by) {
  size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << "the program has no " << what;
  for (; at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

std::vector<Mutant> tilecc::emu::test::withoutEachSync(const Program &whole) {
  const std::string mark = "// sync";
  std::vector<Mutant> mutants;
  for (size_t at = whole.body.find(mark); at != std::string::npos; at = whole.body.find(mark, at + 1)) {
    size_t begin = whole.body.rfind('\n', at) + 1, end = whole.body.find('\n', at);
    Mutant &mutant = mutants.emplace_back(Mutant{whole.body.substr(begin, at - begin), whole});
    mutant.program.body.replace(begin, end - begin, whole.body.substr(at + mark.size(), end - at - mark.size()));
  }
  return mutants;
}

std::string tilecc::emu::test::messageOf(const std::string &ptx) {
  return deviceOf(ways[0]).run(ptx, std::vector<std::byte>(4), std::vector<std::byte>(4), 1, 1).message;
}

const std::vector<Family> &tilecc::emu::test::families() {
#define TILECC_FAMILY(name) {#name, &name##Answers, &name##Programs}
  static const std::vector<Family> all = {
      TILECC_FAMILY(integer), TILECC_FAMILY(logic),  TILECC_FAMILY(floating), TILECC_FAMILY(half),
      TILECC_FAMILY(compare), TILECC_FAMILY(conversion), TILECC_FAMILY(move), TILECC_FAMILY(memory),
      TILECC_FAMILY(atomic),  TILECC_FAMILY(control), TILECC_FAMILY(warp),    TILECC_FAMILY(barrier),
      TILECC_FAMILY(mbarrier), TILECC_FAMILY(cluster), TILECC_FAMILY(async), TILECC_FAMILY(bulk), TILECC_FAMILY(tensor),
      TILECC_FAMILY(tensorMap), TILECC_FAMILY(matrix), TILECC_FAMILY(warpMatrix), TILECC_FAMILY(warpGroup),
      TILECC_FAMILY(tensorMemory), TILECC_FAMILY(tensorCore), TILECC_FAMILY(clusterLaunch), TILECC_FAMILY(multimem),
      TILECC_FAMILY(video)};
#undef TILECC_FAMILY
  return all;
}
