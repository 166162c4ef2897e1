//===-- CpuAccess.cpp - access checks in instrumented kernels ----------------------------------------------------===//
//
// Code that was compiled with -fsanitize=tile calls the checks in this file before each access. An address belongs to
// the allocation of the kernel parameter from which it was computed or, if that is unknown, to the allocation that
// contains it. The bounds of foreign memory (a vector of the host, a tensor of a library) are unknown.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "cpu/CpuChecks.h"
#include "cpu/CpuProgram.h"
#include "tilecc/abi.h"

#include <stdio.h>

using namespace tilecc::rt;

// Most accesses use the same few parameters.
static bool findCached(const void *address, GuardedRange &range) {
  static thread_local struct {
    GuardedRange range;
    uint64_t generation;
  } known[8] = {};
  uint64_t generation = guardedGeneration();
  for (const auto &entry : known)
    if (entry.generation == generation && entry.range.contains(address)) {
      range = entry.range;
      return true;
    }
  if (!findGuarded(address, range))
    return false;
  static thread_local unsigned next = 0;
  known[next++ % 8] = {range, generation};
  return true;
}

[[noreturn]] static void failAccess(const tilecc_cpu_access &access, ttError_t error, const char *what) {
  RunningProgram &program = *runningProgram();
  fprintf(stderr, "tilecc: %s:%u: kernel '%s', program [%u, %u, %u] on the CPU device: %s of %u bytes %s\n",
          access.file, access.line, program.launch.kernel, program.id[0], program.id[1], program.id[2], access.kind,
          access.element_bytes, what);
  program.fail(error, "%s:%u: program [%u, %u, %u]: %s of %u bytes %s", access.file, access.line, program.id[0],
               program.id[1], program.id[2], access.kind, access.element_bytes, what);
}

void __tilecc_cpu_check_access(const tilecc_cpu_access *access, const void *base, const void *const *addresses,
                               const uint8_t *exact, const uint8_t *active, uint32_t count, uint64_t bytes) {
  char place[256], what[400];
  GuardedRange range;
  // A parameter that points outside its allocation (for example to a virtual origin) gives no bounds.
  bool isKnown = base && findCached(base, range) && base >= range.memory && base <= range.memory + range.bytes;
  for (uint32_t i = 0; i < count; ++i) {
    if (active && !active[i])
      continue;
    auto *address = static_cast<const char *>(addresses[i]);
    if (exact && !exact[i]) {
      snprintf(what, sizeof(what), "at %p: its offset has overflowed 32 bits", static_cast<const void *>(address));
      failAccess(*access, ttErrorIllegalAddress, what);
    }
    if (reinterpret_cast<uintptr_t>(address) % access->element_bytes) {
      snprintf(what, sizeof(what), "at %p, which is not a multiple of them", static_cast<const void *>(address));
      failAccess(*access, ttErrorMisalignedAddress, what);
    }
    if (!isKnown && !findCached(address, range))
      continue;
    bool isInside = !range.isFreed && address >= range.memory && address <= range.memory + range.bytes &&
                    bytes <= size_t(range.memory + range.bytes - address);
    if (isInside)
      continue;
    // Report the first of several elements that is out of bounds.
    if (!range.isFreed && address >= range.memory && address < range.memory + range.bytes)
      address += (range.memory + range.bytes - address) / access->element_bytes * access->element_bytes;
    describePlace(place, sizeof(place), address, range);
    snprintf(what, sizeof(what), "at %p, %s", static_cast<const void *>(address), place);
    failAccess(*access, ttErrorIllegalAddress, what);
  }
}
