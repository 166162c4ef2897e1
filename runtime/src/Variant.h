//===-- Variant.h - which variant of a kernel the arguments allow ----------------------------------------------===//
#ifndef TILECC_RUNTIME_VARIANT_H
#define TILECC_RUNTIME_VARIANT_H

#include "Support.h"

#include <cstring>

namespace tilecc::rt {

// The demands that variants may make (TILECC_*_DIVISIBLE_BY_*, TILECC_UNITS_ARE_ONE) which the arguments meet. Every argument is
// little-endian, so its first byte tells whether it is a multiple of 16 or of 8, and its last whether it is negative.
inline uint32_t demandsMet(const tilecc_kernel &kernel, void *const *args) {
  static_assert(TILECC_PARAM_POINTER == 0 && TILECC_PARAM_INTEGER == 1 && TILECC_PARAM_OTHER == 2 && TILECC_PARAM_UNIT == 3);
  unsigned char low[4] = {}, high[4] = {}; // the bytes of all parameters of a kind
  bool hasUnits = false, unitsAreOne = true;
  for (uint32_t i = 0; i < kernel.param_count; ++i) {
    const tilecc_param &param = kernel.params[i];
    low[param.kind] |= *static_cast<const unsigned char *>(args[i]);
    high[param.kind] |= static_cast<const unsigned char *>(args[i])[param.size - 1];
    if (param.kind == TILECC_PARAM_UNIT) {
      static const uint64_t one = 1;
      hasUnits = true;
      unitsAreOne &= memcmp(args[i], &one, param.size) == 0;
    }
  }
  bool pointers = !(low[TILECC_PARAM_POINTER] & 15);
  bool isNegative = high[TILECC_PARAM_INTEGER] & 128;
  bool by16 = !isNegative && !(low[TILECC_PARAM_INTEGER] & 15), by8 = !isNegative && !(low[TILECC_PARAM_INTEGER] & 7);
  return (pointers ? TILECC_POINTERS_DIVISIBLE_BY_16 : 0) | (by16 ? TILECC_INTEGERS_DIVISIBLE_BY_16 : 0) |
         (by8 ? TILECC_INTEGERS_DIVISIBLE_BY_8 : 0) | (hasUnits && unitsAreOne ? TILECC_UNITS_ARE_ONE : 0);
}

// The first variant whose demands the arguments meet; the last one demands nothing.
inline uint32_t chooseVariant(const tilecc_kernel &kernel, void *const *args) {
  uint32_t last = kernel.variant_count - 1;
  if (last == 0)
    return 0;
  uint32_t met = demandsMet(kernel, args), variant = 0;
  while (variant < last && (kernel.variants[variant].demands & ~met))
    ++variant;
  return variant;
}

} // namespace tilecc::rt
#endif
