//===-- Variant.h - which variant of a kernel the arguments allow ----------------------------------------------===//
#ifndef TILECC_RUNTIME_VARIANT_H
#define TILECC_RUNTIME_VARIANT_H

#include "Support.h"

namespace tilecc::rt {

// The first variant whose demands the arguments meet; the last one demands nothing. Every argument is little-endian, so
// its first byte tells whether it is a multiple of 16, whatever its size.
inline uint32_t chooseVariant(const tilecc_kernel &kernel, void *const *args) {
  uint32_t last = kernel.variant_count - 1;
  if (last == 0)
    return 0;
  static_assert(TILECC_PARAM_POINTER == 0 && TILECC_PARAM_INTEGER == 1 && TILECC_PARAM_OTHER == 2);
  unsigned char lowBits[3] = {0, 0, 0}; // of all parameters of a kind
  for (uint32_t i = 0; i < kernel.param_count; ++i)
    lowBits[kernel.params[i].kind] |= *static_cast<const unsigned char *>(args[i]);
  uint32_t met = (lowBits[TILECC_PARAM_POINTER] & 15 ? 0 : TILECC_POINTERS_DIVISIBLE_BY_16) |
                 (lowBits[TILECC_PARAM_INTEGER] & 15 ? 0 : TILECC_INTEGERS_DIVISIBLE_BY_16);
  uint32_t variant = 0;
  while (variant < last && (kernel.variants[variant].demands & ~met))
    ++variant;
  return variant;
}

} // namespace tilecc::rt
#endif
