//===-- Words.h - how findings name accesses and places --------------------------------------------------------===//
#ifndef TILECC_EMULATOR_CHECKS_WORDS_H
#define TILECC_EMULATOR_CHECKS_WORDS_H

#include "emulator/checks/Checker.h"

#include <string>

namespace tilecc::emu::words {

std::string hex(uint64_t value);
std::string bytes(uint64_t count); // "1 byte", "4 bytes"
const char *space(Access::Where where);
const char *does(Access::Kind kind); // "reads", "writes", "updates"
const char *noun(Access::Kind kind); // "read", "write", "update"

// Where in memory: "at shared+0x10", "at byte 16 of the allocation of 4096 bytes at 0x...".
std::string at(const Access &access, uint64_t address, const DeviceMemory &memory);

// "  ld.shared.b32 %r21, [%r9];   (softmax.ptx:71)"
std::string instruction(const Reporter &reporter, uint32_t pc);

} // namespace tilecc::emu::words
#endif
