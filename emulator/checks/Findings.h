//===-- Findings.h - messages about a block's errors -----------------------------------------------------------===//
//
// Each function formats one kind of finding, and reports it.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_CHECKS_FINDINGS_H
#define TILECC_EMULATOR_CHECKS_FINDINGS_H

#include "emulator/checks/Signals.h"

#include <unordered_set>

namespace tilecc::emu {

class Findings {
public:
  Findings(Reporter &reporter, const DeviceMemory &memory, uint64_t block)
      : reporter(reporter), memory(memory), block(block) {}

  [[noreturn]] void misaligned(const Access &access, unsigned lane);
  [[noreturn]] void outOfBounds(const Access &access, unsigned lane);                // beyond the device's memory
  [[noreturn]] void outOfBounds(const Access &access, unsigned lane, uint64_t room); // the block's or thread's
  [[noreturn]] void notWritable(const Access &access, unsigned lane);
  // Reports that `missing` of the lane's bytes are uninitialized.
  void uninitialized(const Access &access, unsigned lane, uint32_t missing);
  // `by`: the actor that makes the access.
  void race(const Access &access, Actor by, const Race &race);
  // Reports that a lane of another block accessed `address` in the block's shared memory when the block may have ended.
  void afterEnd(const Segment &segment, unsigned lane, uint64_t address);
  // Reports that of two writes to a word for which a thread waits, one may be lost.
  void lostSignal(const Signals::Lost &lost);
  // Reports that two lanes of one instruction store different values to the same address; `address` is that of the
  // first lane.
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
  std::unordered_set<uint64_t> raced; // pairs of instructions whose races were reported, and are not formatted again
};

} // namespace tilecc::emu
#endif
