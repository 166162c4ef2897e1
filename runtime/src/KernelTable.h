//===-- KernelTable.h - from a kernel's host function to the kernel --------------------------------------------===//
//
// Every launch looks its kernel up, so readers take no lock: an open-addressing table of atomic slots that writers, one
// at a time under the registry's lock, change in place. A slot that is freed keeps a mark, so that no probe stops
// early, and may be taken again. A table that is outgrown stays as it is for the readers still in it, and is kept until
// the last kernel is gone.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_KERNELTABLE_H
#define TILECC_RUNTIME_KERNELTABLE_H

#include "Support.h"

namespace tilecc::rt {

struct Kernel;

class KernelTable {
public:
  // The kernel of a host function, or null. Any thread.
  Kernel *find(const void *stub) const {
    const Slots *slots = current.load(std::memory_order_acquire);
    if (!slots)
      return nullptr;
    for (size_t i = hash(stub) & slots->mask;; i = (i + 1) & slots->mask) {
      const void *key = slots->slot[i].key.load(std::memory_order_acquire);
      if (key == stub)
        return slots->slot[i].kernel.load(std::memory_order_acquire);
      if (!key)
        return nullptr;
    }
  }

  // Sets or replaces an entry; false when out of memory, which replacing never is. Under the registry's lock.
  bool set(const void *stub, Kernel *kernel);
  // Under the registry's lock.
  void erase(const void *stub);
  // Frees everything. Under the registry's lock, when no kernel is left that a reader could look for.
  void clear();

private:
  struct Slot {
    std::atomic<const void *> key; // null: never used
    std::atomic<Kernel *> kernel;  // not owned
  };
  struct Slots {
    size_t mask;   // their number less one; a power of two
    size_t used;   // slots with a key, freed ones included
    Slots *outgrown; // owned; its readers may still be there
    Slot slot[];
  };

  static size_t hash(const void *stub) {
    // Functions are aligned to 16 bytes; Fibonacci hashing spreads what is left.
    return (reinterpret_cast<uintptr_t>(stub) >> 4) * 0x9e3779b97f4a7c15ull >> 32;
  }
  static Slot *freeSlot(Slots *slots, const void *stub);
  bool grow();

  std::atomic<Slots *> current{nullptr}; // owned
};

} // namespace tilecc::rt
#endif
