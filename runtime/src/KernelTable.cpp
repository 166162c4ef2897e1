//===-- KernelTable.cpp ----------------------------------------------------------------------------------------===//
//
// A hash table from host stubs to kernels, which launches read without a lock.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "KernelTable.h"

#include <stdlib.h>

using namespace tilecc::rt;

static const char freedMark = 0;
static const void *const freed = &freedMark;

// Returns the slot of `stub`, or else the first free slot in its probe sequence.
KernelTable::Slot *KernelTable::freeSlot(Slots *slots, const void *stub) {
  Slot *reusable = nullptr;
  for (size_t i = hash(stub) & slots->mask;; i = (i + 1) & slots->mask) {
    Slot &slot = slots->slot[i];
    const void *key = slot.key.load(std::memory_order_relaxed);
    if (key == stub)
      return &slot;
    if (key == freed && !reusable)
      reusable = &slot;
    if (!key)
      return reusable ? reusable : &slot;
  }
}

bool KernelTable::set(const void *stub, Kernel *kernel) {
  Slots *slots = current.load(std::memory_order_relaxed);
  Slot *slot = slots ? freeSlot(slots, stub) : nullptr;
  if (!slot || (!slot->key.load(std::memory_order_relaxed) && slots->used * 2 > slots->mask)) {
    if (!grow())
      return false;
    slots = current.load(std::memory_order_relaxed);
    slot = freeSlot(slots, stub);
  }
  if (!slot->key.load(std::memory_order_relaxed))
    ++slots->used;
  // Store the kernel first: a reader that sees the key must also see the kernel.
  slot->kernel.store(kernel, std::memory_order_release);
  slot->key.store(stub, std::memory_order_release);
  return true;
}

void KernelTable::erase(const void *stub) {
  Slots *slots = current.load(std::memory_order_relaxed);
  Slot *slot = slots ? freeSlot(slots, stub) : nullptr;
  if (!slot || slot->key.load(std::memory_order_relaxed) != stub)
    return;
  slot->key.store(freed, std::memory_order_release);
  slot->kernel.store(nullptr, std::memory_order_release);
}

bool KernelTable::grow() {
  Slots *old = current.load(std::memory_order_relaxed);
  size_t live = 0;
  for (size_t i = 0; old && i <= old->mask; ++i) {
    const void *key = old->slot[i].key.load(std::memory_order_relaxed);
    live += key && key != freed;
  }
  size_t count = 64;
  while (count < live * 4)
    count *= 2;
  auto *slots = static_cast<Slots *>(calloc(1, sizeof(Slots) + count * sizeof(Slot)));
  if (!slots)
    return false;
  slots->mask = count - 1;
  slots->outgrown = old;
  for (size_t i = 0; old && i <= old->mask; ++i) {
    const void *key = old->slot[i].key.load(std::memory_order_relaxed);
    if (!key || key == freed)
      continue;
    Slot *slot = freeSlot(slots, key);
    slot->kernel.store(old->slot[i].kernel.load(std::memory_order_relaxed), std::memory_order_relaxed);
    slot->key.store(key, std::memory_order_relaxed);
    ++slots->used;
  }
  current.store(slots, std::memory_order_release);
  return true;
}

void KernelTable::clear() {
  Slots *slots = current.exchange(nullptr, std::memory_order_acq_rel);
  while (slots) {
    Slots *outgrown = slots->outgrown;
    free(slots);
    slots = outgrown;
  }
}
