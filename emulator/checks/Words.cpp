//===-- Words.cpp - how findings name accesses and places ------------------------------------------------------===//
#include "emulator/checks/Words.h"

#include <cstdio>

using namespace tilecc::emu;

std::string words::hex(uint64_t value) {
  char text[24];
  snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string words::bytes(uint64_t count) { return std::to_string(count) + (count == 1 ? " byte" : " bytes"); }

const char *words::space(Access::Where where) {
  static const char *const names[] = {"global", "shared", "local", "constant", "parameter"};
  return names[where];
}

const char *words::does(Access::Kind kind) {
  static const char *const names[] = {"reads", "writes", "updates"};
  return names[kind];
}

const char *words::noun(Access::Kind kind) {
  static const char *const names[] = {"read", "write", "update"};
  return names[kind];
}

std::string words::at(const Access &access, uint64_t address, const DeviceMemory &memory) {
  if (access.where == Access::global || access.where == Access::constant)
    return memory.describe(address);
  return "at " + std::string(space(access.where)) + "+" + hex(address);
}

std::string words::instruction(const Reporter &reporter, uint32_t pc) {
  return "  " + (reporter.names().instruction ? reporter.names().instruction(pc) : "instruction " + std::to_string(pc));
}
