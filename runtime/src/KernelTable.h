//===-- KernelTable.h - maps a kernel's host function to the kernel --------------------------------------------===//
//
// Every launch looks up its kernel, so readers of the table take no lock. The table uses open addressing with atomic
// slots. Writers modify the slots in place, one writer at a time, under the registry's lock. A slot that has been freed
// keeps a mark, so that searches do not stop at it, and can be reused. When the table grows, the old one is kept for
// readers that still use it, until the last kernel is gone.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_KERNELTABLE_H
#define TILECC_RUNTIME_KERNELTABLE_H

#include "Support.h"

namespace tilecc::rt {

struct Kernel;

class KernelTable {
public:
  // Returns the kernel of a host function, or null. Thread-safe.
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

  // Sets or replaces an entry. Returns false if there is no memory, which cannot happen if an entry is replaced. The
  // caller holds the registry's lock.
  bool set(const void *stub, Kernel *kernel);
  // Removes an entry. The caller holds the registry's lock.
  void erase(const void *stub);
  // Frees everything. The caller holds the registry's lock, and there are no kernels left for readers to look up.
  void clear();

private:
  struct Slot {
    std::atomic<const void *> key; // null: never used
    std::atomic<Kernel *> kernel; // not owned
  };
  struct Slots {
    size_t mask; // the number of slots, a power of two, minus one
    size_t used; // the number of slots with a key, including freed ones
    Slots *outgrown; // the previous table, which may still have readers; owned
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
