//===-- CpuFeatures.cpp ----------------------------------------------------------------------------------------===//
//
// Detects, once, which level of code this machine can run.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "cpu/CpuFeatures.h"
#include "Error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__) || defined(__riscv)
#include <sys/auxv.h>
#include <sys/prctl.h>
#endif

using namespace tilecc::rt;

#if defined(__x86_64__)

// Returns true if the operating system saves these registers on a context switch; otherwise the instructions trap.
static bool systemSaves(uint32_t states) {
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (low & states) == states;
}

// The levels of the x86-64 psABI.
static unsigned detectLevel() {
  uint32_t a, b, c1, d, b7 = 0, c7, d7 = 0, c81 = 0;
  if (!__get_cpuid(1, &a, &b, &c1, &d))
    return 1;
  if (!__get_cpuid_count(7, 0, &a, &b7, &c7, &d7))
    b7 = d7 = 0;
  if (!__get_cpuid(0x80000001, &a, &b, &c81, &d))
    c81 = 0;
  auto all = [](uint32_t word, uint32_t bits) { return (word & bits) == bits; };

  constexpr uint32_t lahf = 1u << 0, lzcnt = 1u << 5; // in c81; the names in cpuid.h differ between compilers
  if (!all(c1, bit_SSE3 | bit_SSSE3 | bit_CMPXCHG16B | bit_SSE4_1 | bit_SSE4_2 | bit_POPCNT) || !all(c81, lahf))
    return 1;
  constexpr uint32_t sseAndAvxState = 0x6, avx512State = 0xe6;
  if (!all(c1, bit_FMA | bit_MOVBE | bit_OSXSAVE | bit_AVX | bit_F16C) || !all(c81, lzcnt) ||
      !all(b7, bit_BMI | bit_AVX2 | bit_BMI2) || !systemSaves(sseAndAvxState))
    return 2;
  if (!all(b7, bit_AVX512F | bit_AVX512DQ | bit_AVX512CD | bit_AVX512BW | bit_AVX512VL) || !systemSaves(avx512State))
    return 3;
  constexpr uint32_t amxBf16 = 1u << 22, amxTile = 1u << 24, amxInt8 = 1u << 25; // in d7; cpuid.h may not define them
  constexpr uint32_t amxState = 3u << 17;
  return all(d7, amxBf16 | amxTile | amxInt8) && systemSaves(amxState) ? 5 : 4;
}

static bool requestMatrixUnit() {
  constexpr long requestPermission = 0x1023, tileData = 18; // from <asm/prctl.h>, which may be older
  return syscall(SYS_arch_prctl, requestPermission, tileData) == 0;
}

#elif defined(__aarch64__)

// The length of SVE's vectors does not change while kernels run: a thread inherits it, and programs that change it are
// not supported.
static unsigned detectLevel() {
  constexpr unsigned long atomics = 1ul << 8, sve = 1ul << 22; // HWCAP_ATOMICS and HWCAP_SVE, which older headers lack
  constexpr int getVectorLength = 51; // PR_SVE_GET_VL
  constexpr unsigned neon = 8;
  if ((getauxval(AT_HWCAP) & (atomics | sve)) != (atomics | sve))
    return neon;
  const int length = prctl(getVectorLength);
  return length < 0 ? neon : (length & 0xffff) * 8; // the upper bits are flags
}

static bool requestMatrixUnit() { return false; }

#elif defined(__riscv)

// Returns true if the system lets this process use RVV 1.0. Linux answers since 6.4 which extensions there are; before,
// and in qemu's older versions, a bit tells of vectors alone.
static bool hasVectors() {
  struct {
    int64_t key;
    uint64_t value;
  } pair = {4, 0}; // RISCV_HWPROBE_KEY_IMA_EXT_0
  constexpr long probe = 258; // __NR_riscv_hwprobe
  constexpr uint64_t v = 1 << 2; // RISCV_HWPROBE_IMA_V
  const bool isKnown = !syscall(probe, &pair, 1, 0, nullptr, 0) && pair.key >= 0;
  if (isKnown ? !(pair.value & v) : !(getauxval(AT_HWCAP) & 1ul << ('V' - 'A')))
    return false;
  constexpr int getControl = 70, currentState = 3, isOff = 1; // PR_RISCV_V_GET_CONTROL, which older systems lack
  const int control = prctl(getControl, 0, 0, 0, 0);
  return control < 0 || (control & currentState) != isOff;
}

static unsigned detectLevel() {
  constexpr unsigned rv64gc = 1000;
  if (!hasVectors())
    return rv64gc;
  unsigned long vectorBytes;
  __asm__("csrr %0, 0xc22" : "=r"(vectorBytes)); // vlenb, which assemblers know only if code may use vectors
  return rv64gc + static_cast<unsigned>(vectorBytes) * 8;
}

static bool requestMatrixUnit() { return false; }

#else

static unsigned detectLevel() { return 0; }
static bool requestMatrixUnit() { return false; }

#endif

namespace {
enum Architecture { x86_64, aarch64, riscv64, unknown };

struct Level {
  Architecture architecture;
  unsigned number;
  const char *suffix, *name;
  bool sve;
};
} // namespace

static constexpr Level levels[] = {
#define TILECC_CPU_LEVEL(architecture, number, suffix, name, processor, features, vectorBytes, sve, ...)               \
  {architecture, number, suffix, name, sve},
#include "cpu/CpuLevels.def"
};

#if defined(__x86_64__)
static constexpr Architecture own = x86_64;
#elif defined(__aarch64__)
static constexpr Architecture own = aarch64;
#elif defined(__riscv) && __riscv_xlen == 64
static constexpr Architecture own = riscv64;
#else
static constexpr Architecture own = unknown;
#endif

// Returns null for a level for which tcc compiles no code.
static const Level *findLevel(unsigned number) {
  for (const Level &level : levels)
    if (level.architecture == own && level.number == number)
      return &level;
  return nullptr;
}

const char *tilecc::rt::cpuLevelName(unsigned level) {
  if (const Level *known = findLevel(level))
    return known->name;
  return own == x86_64    ? "x86-64-v1"
         : own == aarch64 ? "SVE with vectors of another length"
         : own == riscv64 ? "RVV with vectors of another length"
                          : "another architecture";
}

// Reads "3" or "sve256". Returns false for anything else and for levels of other architectures.
static bool parseLevel(const char *text, unsigned &number) {
  for (const Level &level : levels) {
    char digits[16];
    snprintf(digits, sizeof(digits), "%u", level.number);
    number = level.number;
    if (level.architecture == own && (!strcmp(text, level.suffix) || !strcmp(text, digits)))
      return true;
  }
  number = 1;
  return own == x86_64 && !strcmp(text, "1"); // no code is compiled for it
}

// Returns true if a processor whose best level is `best` can run code of `level`. Code for SVE assumes the length of
// its vectors; code for RVV assumes the least length.
static bool includesLevel(unsigned best, unsigned level) {
  constexpr unsigned any = 0, oldest = 1;
  if (const Level *known = findLevel(level))
    return known->sve ? level == best : level <= best;
  return level == any || (own == x86_64 && level == oldest);
}

bool tilecc::rt::cpuLevel(unsigned *level) {
  static constinit std::atomic<unsigned> known{~0u};
  *level = known.load(std::memory_order_relaxed);
  if (*level != ~0u)
    return true;
  *level = detectLevel();
  const char *text = secure_getenv("TILECC_CPU_LEVEL");
  if (text && *text) {
    unsigned wanted;
    if (!parseLevel(text, wanted) || !includesLevel(*level, wanted)) {
      fail(ttErrorInvalidValue, "TILECC_CPU_LEVEL=%s: this processor has no such level; its best one is %s", text,
           cpuLevelName(*level));
      return false;
    }
    *level = wanted;
  }
  known.store(*level, std::memory_order_relaxed);
  return true;
}

bool tilecc::rt::mayUseCpuLevel(unsigned level) {
  unsigned best;
  if (!cpuLevel(&best) || !includesLevel(best, level))
    return false;
  constexpr unsigned matrixUnit = 5;
  if (own != x86_64 || level < matrixUnit)
    return true;
  static constinit std::atomic<int> known{-1};
  int isPermitted = known.load(std::memory_order_relaxed);
  if (isPermitted < 0)
    known.store(isPermitted = requestMatrixUnit(), std::memory_order_relaxed);
  return isPermitted;
}

// Reads a number from a Linux file about caches; for a list such as 0-7,64-71, counts the processors.
static uint64_t readCache(const char *what, bool isList) {
  char path[96], text[256] = {};
  snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu0/cache/index3/%s", what);
  FILE *file = fopen(path, "re");
  if (!file)
    return 0;
  bool isRead = fgets(text, sizeof(text), file);
  fclose(file);
  if (!isRead)
    return 0;
  char *at = text;
  uint64_t sum = strtoull(at, &at, 10);
  if (!isList)
    return sum * (*at == 'K' ? 1ull << 10 : *at == 'M' ? 1ull << 20 : 1);
  uint64_t count = 0;
  for (at = text; *at >= '0' && *at <= '9'; at += *at == ',') {
    uint64_t first = strtoull(at, &at, 10), last = first;
    if (*at == '-')
      last = strtoull(at + 1, &at, 10);
    count += last - first + 1;
  }
  return count;
}

uint64_t tilecc::rt::lastCacheBytes(unsigned threads) {
  uint64_t bytes = readCache("size", false), sharers = readCache("shared_cpu_list", true);
  return sharers ? bytes * ((threads + sharers - 1) / sharers) : 0;
}

void tilecc::rt::cpuName(char *name, size_t size) {
#if defined(__x86_64__)
  uint32_t brand[12] = {};
  bool has = true;
  for (uint32_t i = 0; i < 3; ++i)
    has &= __get_cpuid(0x80000002 + i, &brand[i * 4], &brand[i * 4 + 1], &brand[i * 4 + 2], &brand[i * 4 + 3]) != 0;
  if (has) {
    char text[sizeof(brand) + 1] = {};
    memcpy(text, brand, sizeof(brand));
    snprintf(name, size, "%s", text + strspn(text, " "));
    return;
  }
#endif
  snprintf(name, size, "CPU");
}
