//===-- Argument.h - parses kernel arguments from the command line ---------------------------------------------===//
//
//   s32:5  f32:1.5  u64:0x10                 a value
//   f32[1024]  f32[1024]=0                   a buffer in device memory: uninitialized, or filled with a value
//   f32[4]=1,2,3,4  f32[1024]=@file          with these elements, or with the bytes of a file
//   f32[1024]=random  f32[1024]=random:7     random numbers in [-1, 1), or integers with random bits; with a seed
//   b8[24]:@file  b32[3]:1,2,3               a struct passed by value: the same, after a colon
//
// The types are PTX's: b8 to b64, s8 to s64 (or i8 to i64), u8 to u64, f16, bf16, f32, f64, e4m3, e5m2.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_TOOLS_ARGUMENT_H
#define TILECC_EMULATOR_TOOLS_ARGUMENT_H

#include "emulator/ptx/Types.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace tilecc::emu {

// A mistake on the command line, with its description.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Argument {
  ptx::Type type;
  bool isBuffer = false;
  uint64_t count = 1;            // number of elements
  std::vector<char> bytes;       // of all elements; empty for an uninitialized buffer
  size_t size() const { return count * ptx::info(type).bits / 8; }
};

// Throws UsageError.
Argument parseArgument(const std::string &text);

// Formats an element so that parsing it gives the same element.
std::string printElement(ptx::Type type, const char *bytes);

// Throws UsageError unless `text` is an unsigned number.
uint64_t parseCount(const std::string &text);

} // namespace tilecc::emu
#endif
