//===-- LaunchCode.h - runs the code that computes numbers from the arguments of a launch ----------------------===//
#ifndef TILECC_RUNTIME_LAUNCHCODE_H
#define TILECC_RUNTIME_LAUNCHCODE_H

#include "tilecc/abi.h"

#include <string.h>

namespace tilecc::rt {

// Returns the value of an integer argument, which is little-endian.
inline int64_t readInteger(const tilecc_param &param, const void *arg) {
  int64_t value = 0;
  memcpy(&value, arg, param.size);
  unsigned unused = 64 - 8 * param.size;
  return static_cast<int64_t>(static_cast<uint64_t>(value) << unused) >> unused;
}

// Returns the distance of rows, in bytes, of a tensor that `map`, not of images, describes.
inline uint64_t readPitch(const tilecc_kernel &kernel, const tilecc_tensor_map &map, void *const *args) {
  const uint32_t parameter = map.parameter;
  return map.strides[0] * (parameter == TILECC_NO_PARAMETER
                               ? 1
                               : static_cast<uint64_t>(readInteger(kernel.params[parameter], args[parameter])));
}

// Returns true if rows of a tensor that `map` describes do not begin with a cache line.
inline bool crossesLines(const tilecc_kernel &kernel, const tilecc_tensor_map &map, void *const *args) {
  constexpr uint64_t line = 128; // the size of a cache line
  return !map.image_dimensions && readPitch(kernel, map, args) % line;
}

// Executes the words [code, end) of TILECC_CODE_*. Returns the number of values left on `stack`, which has room for
// `size`; 0 if the code has no result for these arguments.
inline uint32_t runCode(const tilecc_kernel &kernel, const int64_t *code, uint32_t words, void *const *args,
                        int64_t *stack, uint32_t size) {
  uint32_t count = 0;
  for (const int64_t *word = code, *end = code + words; word < end; ++word) {
    if (*word == TILECC_CODE_NUMBER || *word == TILECC_CODE_PARAMETER) {
      if (count == size)
        return 0;
      bool isNumber = *word++ == TILECC_CODE_NUMBER;
      stack[count++] = isNumber ? *word : readInteger(kernel.params[*word], args[*word]);
      continue;
    }
    int64_t y = stack[--count];
    if (*word == TILECC_CODE_REQUIRE) {
      if (y < 0)
        return 0;
      continue;
    }
    int64_t &x = stack[count - 1];
    bool fails = false;
    switch (*word) {
    case TILECC_CODE_ADD: fails = __builtin_add_overflow(x, y, &x); break;
    case TILECC_CODE_SUBTRACT: fails = __builtin_sub_overflow(x, y, &x); break;
    case TILECC_CODE_MULTIPLY: fails = __builtin_mul_overflow(x, y, &x); break;
    case TILECC_CODE_DIVIDE:
      fails = y <= 0;
      x = fails ? 0 : x / y;
      break;
    case TILECC_CODE_REMAINDER:
      fails = y <= 0;
      x = fails ? 0 : x % y;
      break;
    }
    if (fails)
      return 0;
  }
  return count;
}

} // namespace tilecc::rt
#endif
