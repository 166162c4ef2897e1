// Runs kernels that tcc-cpu compiled, at every instruction set level that this processor has, and compares the outputs
// with a reference in double precision. Outputs are filled with a pattern first. Scratch memory has exactly the
// requested size, with a guard behind it.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <sys/syscall.h>
#include <type_traits>
#include <unistd.h>
#include <vector>

#include "tilecc/abi.h"
#ifdef KERNEL_HEADER // of the only kernel; others include theirs in namespaces
#include KERNEL_HEADER
#endif

inline bool canRun(unsigned level) {
  return level <= 2 || (level == 3 && __builtin_cpu_supports("x86-64-v3")) ||
         (level == 4 && __builtin_cpu_supports("x86-64-v4")) ||
         (level == 5 && __builtin_cpu_supports("amx-bf16") && __builtin_cpu_supports("amx-int8") &&
          syscall(SYS_arch_prctl, 0x1023, 18) == 0); // permission for its state
}

struct Grid {
  uint32_t x = 1, y = 1, z = 1;
};

/// If an entry computes two programs and their number is odd, the next entry of the same level, for one program, runs
/// the last one.
template <class... Args> void launch(const tilecc_cpu_entry &entry, Grid grid, Args... args) {
  void *pointers[] = {static_cast<void *>(&args)...};
  const size_t guard = 4096;
  const uint32_t step = std::max(1u, entry.programs);
  const size_t scratchBytes = step == 1 ? entry.scratch_bytes : std::max(entry.scratch_bytes, (&entry)[1].scratch_bytes);
  size_t bytes = (scratchBytes + guard + 63) / 64 * 64;
  std::unique_ptr<unsigned char, void (*)(void *)> scratch(static_cast<unsigned char *>(std::aligned_alloc(64, bytes)), std::free);
  const uint32_t num[3] = {grid.x, grid.y, grid.z};
  for (uint32_t z = 0; z < grid.z; ++z)
    for (uint32_t y = 0; y < grid.y; ++y)
      for (uint32_t x = 0; x < grid.x; x += step) {
        const uint32_t id[3] = {x, y, z};
        std::memset(scratch.get(), 0xff, bytes);
        (x + step <= grid.x ? entry : (&entry)[1]).run(pointers, id, num, scratch.get());
        for (size_t i = scratchBytes; i < bytes; ++i)
          if (scratch.get()[i] != 0xff) {
            std::printf("FAIL: level %u wrote behind its scratch\n", entry.level);
            std::exit(1);
          }
      }
}

inline int failures = 0;

/// Runs `body` for each level, and reports the result.
template <size_t count, class Body> int forEachLevel(const tilecc_cpu_entry (&entries)[count], Body body) {
  int ran = 0;
  for (const tilecc_cpu_entry &entry : entries)
    if (canRun(entry.level)) {
      body(entry);
      ++ran;
    }
  std::printf("%s\n", failures ? "FAIL" : ran ? "PASS" : "FAIL: no level can run here");
  return failures || !ran;
}

/// Fails unless |got - want| <= tolerance * max(1, |want|); NaN equals NaN.
inline void expectNear(const char *what, size_t i, double got, double want, double tolerance, unsigned level) {
  if ((std::isnan(got) && std::isnan(want)) || got == want ||
      std::fabs(got - want) <= tolerance * std::fmax(1.0, std::fabs(want)))
    return;
  if (failures++ < 10)
    std::printf("FAIL: level %u: %s[%zu] is %.9g, not %.9g\n", level, what, i, got, want);
}

struct Random {
  std::mt19937_64 engine;
  Random() : engine(std::random_device()()) {}
  double uniform(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(engine); }
  int64_t integer(int64_t lo, int64_t hi) { return std::uniform_int_distribution<int64_t>(lo, hi)(engine); }
};

/// Conversions of IEEE half and bfloat16 by bits, which do not depend on the types of this file's compiler.
inline double fromHalf(uint16_t h) {
  int e = h >> 10 & 31, m = h & 1023;
  double v = e == 31 ? (m ? NAN : INFINITY) : e ? std::ldexp(1024 + m, e - 25) : std::ldexp(m, -24);
  return h & 0x8000 ? -v : v;
}
inline uint16_t roundTo(double v, int digits, int minExponent, int bias, double overflow, uint16_t infinity) {
  uint16_t sign = std::signbit(v) ? 0x8000 : 0;
  double a = std::fabs(v);
  if (std::isnan(v))
    return sign | infinity | (1u << (digits - 2));
  if (a >= overflow)
    return sign | infinity;
  int e = a > 0 ? std::ilogb(a) : minExponent;
  if (e < minExponent)
    e = minExponent;
  double scaled = std::nearbyint(std::ldexp(a, digits - 1 - e)); // ties to even
  uint32_t bits = static_cast<uint32_t>(scaled) + (static_cast<uint32_t>(e + bias - 1) << (digits - 1));
  return sign | static_cast<uint16_t>(bits);
}
inline uint16_t toHalf(double v) { return roundTo(v, 11, -14, 15, 65520.0, 0x7c00); }
inline double fromBFloat(uint16_t b) {
  uint32_t bits = static_cast<uint32_t>(b) << 16;
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}
inline uint16_t toBFloat(double v) { return roundTo(v, 8, -126, 127, 0x1.ffp127, 0x7f80); }
