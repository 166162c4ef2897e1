//===-- Findings.h - the words for what a block does wrong -----------------------------------------------------===//
#ifndef TILECC_EMULATOR_CHECKS_FINDINGS_H
#define TILECC_EMULATOR_CHECKS_FINDINGS_H

#include "emulator/checks/Races.h"

#include <unordered_set>

namespace tilecc::emu {

class Findings {
public:
  Findings(Reporter &reporter, const DeviceMemory &memory, uint64_t block)
      : reporter(reporter), memory(memory), block(block) {}

  [[noreturn]] void misaligned(const Access &access, unsigned lane);
  [[noreturn]] void outOfBounds(const Access &access, unsigned lane);                // of the device's memory
  [[noreturn]] void outOfBounds(const Access &access, unsigned lane, uint64_t room); // of the block's or the thread's
  [[noreturn]] void notWritable(const Access &access, unsigned lane);
  // `missing` of the lane's bytes are not initialized.
  void uninitialized(const Access &access, unsigned lane, uint32_t missing);
  // `by`: who makes the access.
  void race(const Access &access, Actor by, const Race &race);
  // A lane of another block did this at `address` of the block's shared memory, when the block may have ended.
  void afterEnd(const Segment &segment, unsigned lane, uint64_t address);
  // Two lanes of one instruction store different values at the same place, `address` being the first one's.
  void storesDiffer(const Access &access, unsigned lane, unsigned other);

private:
  Place place(const Access &access, unsigned lane) const { return {block, access.warp * 32 + lane, access.pc}; }
  std::string thread(const Place &place, Actor by) const;
  std::string at(const Access &access, uint64_t address) const;
  std::string instruction(uint32_t pc) const;
  [[noreturn]] void fault(int error, const Access &access, unsigned lane, const std::string &what,
                          const std::string &where);

  Reporter &reporter;
  const DeviceMemory &memory;
  uint64_t block;
  std::unordered_set<uint64_t> raced; // pairs of instructions: the others are not put in words again
};

} // namespace tilecc::emu
#endif
