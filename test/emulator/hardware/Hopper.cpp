//===-- Hopper.cpp - wgmma and tensor copies: the emulator and a GPU against results that are known ------------===//
//
// Runs the programs of HopperPrograms.h on the emulator with all checks and, where there is one, on the GPU, and
// compares all bytes.
//
//   hopper-on-gpu [--seed N] [--only TEXT] [--list] [--ptx] [--emulator]
//
// --ptx: prints the programs. --emulator: the emulator alone. Otherwise exits with 77 where there is no GPU of 9.0.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "test/emulator/hardware/Cuda.h"
#include "test/emulator/hardware/HopperPrograms.h"
#include "tilecc/emulator.h"

#include <cstring>

using namespace tilecc::emu::test;

std::string tilecc::emu::test::kernelOf(size_t maps, const std::string &body) {
  std::string parameters, addresses;
  for (size_t i = 0; i < maps; ++i) {
    std::string m = std::to_string(i);
    parameters += ",\n  .param .align 64 .b8 map" + m + "[128]";
    addresses +=
        "  .reg .b64 %m" + m + ";\n  mov.b64 %m" + m + ", map" + m + ";\n  cvta.param.u64 %m" + m + ", %m" + m + ";\n";
  }
  return ".version 8.8\n.target sm_90a\n.address_size 64\n\n.visible .entry test(.param .u64 a, .param .u64 b, .param "
         ".u64 out" +
         parameters +
         ")\n.reqntid 128, 1, 1\n{\n  .reg .b64 %a, %b, %out;\n  .reg .b32 %t;\n  ld.param.u64 %a, [a];\n"
         "  ld.param.u64 %b, [b];\n  ld.param.u64 %out, [out];\n  mov.u32 %t, %tid.x;\n" +
         addresses + body + "  ret;\n}\n";
}

namespace {

enum : size_t { bufferBytes = 1 << 17 };
enum : uint32_t { threads = 128 };

struct alignas(64) EncodedMap {
  uint8_t bytes[128];
};

// The buffers a, b and out of one side, and what kernels are launched with.
struct Arguments {
  uint64_t buffers[3];
  std::vector<EncodedMap> maps;
  std::vector<void *> pointers;

  // `encode`: cuTensorMapEncodeTiled of this side.
  template <class Encode> void prepare(const HopperProgram &program, Encode encode) {
    maps.resize(program.maps.size());
    pointers = {&buffers[0], &buffers[1], &buffers[2]};
    const uint32_t ones[] = {1, 1, 1, 1, 1};
    const uint64_t noStrides[] = {0}; // of one dimension; the driver wants a pointer even so
    for (size_t i = 0; i < maps.size(); ++i) {
      const MapArguments &map = program.maps[i];
      check(encode(&maps[i], map.type, map.dims.size(), reinterpret_cast<void *>(buffers[map.buffer]), map.dims.data(),
                   map.strides.empty() ? noStrides : map.strides.data(), map.box.data(), ones, 0, map.swizzle, 0, map.fillsWithNaN),
            ("the tensor map of " + program.name).c_str());
      pointers.push_back(&maps[i]);
    }
  }
};

class EmulatorSide {
public:
  EmulatorSide() {
    tilecc_emu_options options = {};
    options.version = TILECC_EMULATOR_VERSION;
    options.arch = 90;
    options.checks = TILECC_EMU_CHECK_ALL;
    check(tilecc_emu_create(&options, &device), tilecc_emu_error_message());
    for (uint64_t &buffer : arguments.buffers)
      check(tilecc_emu_allocate(device, bufferBytes, reinterpret_cast<void **>(&buffer)), "allocation");
  }

  Bytes run(const HopperProgram &program) {
    const Bytes *contents[] = {&program.a, &program.b, &program.before};
    for (int i = 0; i < 3; ++i)
      tilecc_emu_copy(device, reinterpret_cast<void *>(arguments.buffers[i]), contents[i]->data(), contents[i]->size());
    arguments.prepare(program, tilecc_emu_tensor_map_encode_tiled);
    tilecc_emu_module *module;
    tilecc_emu_kernel *kernel = nullptr;
    check(tilecc_emu_load(device, program.ptx.data(), program.ptx.size(), program.name.c_str(), &module) ||
              tilecc_emu_get_kernel(module, "test", nullptr, &kernel),
          tilecc_emu_error_message());
    tilecc_emu_launch_config config = {{1, 1, 1}, {threads, 1, 1}, {1, 1, 1}, 0, nullptr};
    Bytes out(program.before.size());
    if (!tilecc_emu_launch(kernel, &config, arguments.pointers.data(), nullptr))
      tilecc_emu_copy(device, out.data(), reinterpret_cast<void *>(arguments.buffers[2]), out.size());
    tilecc_emu_unload(module);
    return out;
  }

private:
  tilecc_emu_device *device;
  Arguments arguments;
};

class GpuSide {
public:
  bool open() {
    if (!cuda.open() || !cuda.encodeTiled)
      return false;
    for (uint64_t &buffer : arguments.buffers)
      check(cuda.allocate(&buffer, bufferBytes), "cuMemAlloc");
    return true;
  }

  Bytes run(const HopperProgram &program) {
    const Bytes *contents[] = {&program.a, &program.b, &program.before};
    for (int i = 0; i < 3; ++i)
      if (!contents[i]->empty())
        check(cuda.toDevice(arguments.buffers[i], contents[i]->data(), contents[i]->size()), "cuMemcpyHtoD");
    arguments.prepare(program, cuda.encodeTiled);
    void *module, *function;
    char log[2048] = "";
    int keys[] = {5, 6}; // CU_JIT_ERROR_LOG_BUFFER and its size
    void *values[] = {log, reinterpret_cast<void *>(sizeof(log))};
    if (int error = cuda.load(&module, program.ptx.c_str(), 2, keys, values)) {
      fprintf(stderr, "%s: refused: %s\n", program.name.c_str(), log);
      check(error, "cuModuleLoadData");
    }
    check(cuda.getFunction(&function, module, "test"), "cuModuleGetFunction");
    check(cuda.launch(function, 1, 1, 1, threads, 1, 1, 0, nullptr, arguments.pointers.data(), nullptr),
          "cuLaunchKernel");
    check(cuda.synchronize(), program.name.c_str());
    Bytes out(program.before.size());
    check(cuda.toHost(out.data(), arguments.buffers[2], out.size()), "cuMemcpyDtoH");
    cuda.unload(module);
    return out;
  }

private:
  Cuda cuda;
  Arguments arguments;
};

bool isRight(const char *side, const HopperProgram &program, const Bytes &out) {
  unsigned wrong = 0, first = 0;
  for (unsigned i = 0; i < out.size(); ++i)
    if (out[i] != program.expected[i] && !wrong++)
      first = i;
  if (wrong)
    printf("wrong: %s: %s: %u of %zu bytes, the first is byte %u: 0x%02x, not 0x%02x\n", side, program.name.c_str(),
           wrong, out.size(), first, out[first], program.expected[first]);
  return !wrong;
}

} // namespace

int main(int argc, char **argv) {
  uint64_t seed = 1;
  std::string only;
  bool list = false, print = false, withGpu = true;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument == "--list")
      list = true;
    else if (argument == "--ptx")
      print = true;
    else if (argument == "--emulator")
      withGpu = false;
    else if (i + 1 < argc && argument == "--seed")
      seed = std::strtoull(argv[++i], nullptr, 0);
    else if (i + 1 < argc && argument == "--only")
      only = argv[++i];
    else {
      fprintf(stderr, "usage: hopper-on-gpu [--seed N] [--only TEXT] [--list] [--ptx] [--emulator]\n");
      return 2;
    }
  }
  std::vector<HopperProgram> programs = productPrograms(seed), more = tensorPrograms(seed);
  programs.insert(programs.end(), more.begin(), more.end());
  std::erase_if(programs, [&](const HopperProgram &program) { return program.name.find(only) == std::string::npos; });
  if (list || print) {
    for (const HopperProgram &program : programs)
      print ? printf("// %s\n%s", program.name.c_str(), program.ptx.c_str()) : puts(program.name.c_str());
    return 0;
  }
  GpuSide gpu;
  if (withGpu && !gpu.open()) {
    printf("hopper-on-gpu: skipped: no CUDA driver, or no GPU\n");
    return 77;
  }
  EmulatorSide emulator;
  unsigned right = 0;
  for (const HopperProgram &program : programs) {
    bool isAsKnown = isRight("emulator", program, emulator.run(program));
    if (withGpu)
      isAsKnown &= isRight("GPU", program, gpu.run(program));
    right += isAsKnown;
  }
  printf("hopper-on-gpu: seed %llu: %u of %zu programs right on the emulator%s\n",
         static_cast<unsigned long long>(seed), right, programs.size(), withGpu ? " and on the GPU" : "");
  return right != programs.size();
}
