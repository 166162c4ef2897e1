//===-- Argument.h - a kernel's argument as written on a command line ------------------------------------------===//
//
//   s32:5  f32:1.5  u64:0x10                 a value
//   f32[1024]  f32[1024]=0                   a buffer in the device's memory: not written yet, or all the same
//   f32[4]=1,2,3,4  f32[1024]=@file          its elements, or a file's bytes
//   f32[1024]=random  f32[1024]=random:7     numbers in [-1, 1), integers of all bits; another seed
//   b8[24]:@file  b32[3]:1,2,3               a struct passed by value: the same, after a colon
//
// Types are PTX's: b8 to b64, s8 to s64 (or i8 to i64), u8 to u64, f16, bf16, f32, f64, e4m3, e5m2.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_TOOLS_ARGUMENT_H
#define TILECC_EMULATOR_TOOLS_ARGUMENT_H

#include "emulator/ptx/Types.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace tilecc::emu {

// A mistake of the user's, in words.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Argument {
  ptx::Type type;
  bool isBuffer = false;
  uint64_t count = 1;            // elements
  std::vector<char> bytes;       // of all of them; empty in a buffer that is not written
  size_t size() const { return count * ptx::info(type).bits / 8; }
};

// Throws UsageError.
Argument parseArgument(const std::string &text);

// An element as text that gives the same element again.
std::string printElement(ptx::Type type, const char *bytes);

// Throws UsageError unless `text` is an unsigned number.
uint64_t parseCount(const std::string &text);

} // namespace tilecc::emu
#endif
