//===-- Harness.h - runs a few lines of assembly in the waves of a work-group ----------------------------------===//
//
// A machine has registers and memory that a test fills. It runs assembly code on the emulator, with all checks.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TEST_EMULATOR_AMD_HARNESS_H
#define TILECC_TEST_EMULATOR_AMD_HARNESS_H

#include "emulator/amd/Machine.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tilecc::emu::amd::test {

struct Processor {
  std::string name;
  bool isWave32;
};
inline const Processor gfx90a{"gfx90a", false}, gfx942{"gfx942", false}, gfx950{"gfx950", false}, gfx1100{"gfx1100", true},
    gfx1201{"gfx1201", true};

class TestMachine {
public:
  explicit TestMachine(Processor processor) : processor(std::move(processor)) {}

  // Before run().
  unsigned threads = 0; // 0: a wave
  uint32_t sharedBytes = 0, scratchBytes = 0;
  std::function<void(Wave &)> prepare; // sets registers of each wave
  uint64_t seed = 0;                   // not 0: a random schedule

  uint64_t buffer(const std::vector<u32> &words); // in device memory; its address
  uint64_t emptyBuffer(size_t bytes);             // not initialized
  std::vector<u32> read(uint64_t address, size_t words);

  // Runs the text, which has no s_endpgm. `inspect` sees each wave after all have ended.
  void run(const std::string &text, const std::function<void(Wave &)> &inspect = {});

  std::string findings; // what was reported
  std::string error;    // that ended it, or the decoder's
  DeviceMemory memory;

private:
  Processor processor;
};

} // namespace tilecc::emu::amd::test
#endif
