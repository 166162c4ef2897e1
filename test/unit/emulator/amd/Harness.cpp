//===-- Harness.cpp - runs a few lines of assembly in the waves of a work-group --------------------------------===//
#include "Harness.h"
#include "Assembler.h"

#include <cstring>
#include <random>

using namespace tilecc::emu;
using namespace tilecc::emu::amd;
using namespace tilecc::emu::amd::test;

uint64_t TestMachine::buffer(const std::vector<u32> &words) {
  uint64_t address = memory.allocate(words.size() * 4);
  std::memcpy(memory.backing(address, words.size() * 4), words.data(), words.size() * 4);
  memory.markInitialized(address, words.size() * 4);
  return address;
}

uint64_t TestMachine::emptyBuffer(size_t bytes) { return memory.allocate(bytes); }

std::vector<u32> TestMachine::read(uint64_t address, size_t words) {
  std::vector<u32> found(words);
  std::memcpy(found.data(), memory.backing(address, words * 4), words * 4);
  return found;
}

void TestMachine::run(const std::string &text, const std::function<void(Wave &)> &inspect) {
  std::vector<char> code = assemble(text + "\ns_endpgm\n", processor.name, processor.isWave32, error);
  if (code.empty())
    return;
  std::unique_ptr<CodeObject> object = readCode(code, processor.name, processor.isWave32);
  KernelObject kernel;
  kernel.name = "test";
  kernel.isWave32 = processor.isWave32;
  kernel.scratchBytes = scratchBytes;
  kernel.rsrc1 = 0xf0 << 12; // keep subnormal numbers
  std::unique_ptr<amd::Program> program;
  try {
    program = amd::decode(*object, kernel);
  } catch (const Unsupported &unsupported) {
    error = unsupported.what();
    return;
  }
  amd::Launch launch;
  launch.program = program.get();
  launch.memory = &memory;
  launch.block[0] = threads ? threads : program->target.lanes();
  launch.sharedBytes = sharedBytes;
  launch.instructionLimit = 1 << 20;
  LaunchNames names;
  names.kernel = "test";
  names.block[0] = launch.block[0];
  names.instruction = [&](uint32_t pc) { return program->code[pc].text; };
  Reporter reporter(names, [&](const std::string &finding) { findings += finding; });
  launch.reporter = &reporter;
  LaunchChecker::Options options;
  options.waveWarps = program->target.lanes() / warpLanes;
  LaunchChecker checker(options, memory, reporter);
  launch.checker = &checker;
  Workgroup group(launch, 0);
  if (prepare)
    for (auto &wave : group.waves)
      prepare(*wave);
  std::mt19937_64 bits(seed);
  try {
    for (size_t turn = 0; !group.finished();) {
      group.release();
      std::vector<Wave *> ready;
      for (auto &wave : group.waves)
        if (wave->state == Wave::running)
          ready.push_back(wave.get());
      if (ready.empty())
        continue;
      group.step(*ready[(seed ? bits() : turn++) % ready.size()]);
    }
  } catch (const Fault &fault) {
    error = fault.what();
  }
  if (inspect)
    for (auto &wave : group.waves)
      inspect(*wave);
}
