//===-- Shadow.cpp - stores the records of each line of memory -------------------------------------------------===//
#include "emulator/checks/Shadow.h"

#include <algorithm>
#include <cstdlib>

using namespace tilecc::emu;

template <class T> static T *allocate(size_t count) {
  auto *memory = static_cast<T *>(std::aligned_alloc(64, (count * sizeof(T) + 63) / 64 * 64));
  if (!memory)
    throw std::bad_alloc();
  return memory;
}

// One for writers and one for readers.
enum : uint32_t { inlineSegments = 2 };

SharedShadow::SharedShadow(uint32_t bytes) : initialized((bytes + lineBytes - 1) / lineBytes) {
  lists = allocate<SegmentList>(lineCount() + 1);
  storage = allocate<Segment>(inlineSegments * (lineCount() + 1));
  for (uint32_t i = 0; i < lineCount(); ++i)
    new (&lists[i]) SegmentList(&storage[i * inlineSegments], inlineSegments);
}

SharedShadow::~SharedShadow() {
  for (uint32_t i = 0; i < lineCount(); ++i)
    lists[i].~SegmentList();
  std::free(lists);
  std::free(storage);
}

void SharedShadow::clear() {
  for (uint32_t i = 0; i < lineCount(); ++i)
    lists[i].clear();
  std::fill(initialized.begin(), initialized.end(), ByteMask());
}

// Slabs of full size are kept for later launches, up to a limit, because allocating new memory takes longer than all
// checks together.
namespace {
class SlabCache {
public:
  void *take() {
    std::lock_guard guard(lock);
    if (slabs.empty())
      return nullptr;
    void *slab = slabs.back();
    slabs.pop_back();
    return slab;
  }
  void give(void *slab) {
    std::lock_guard guard(lock);
    if (slabs.size() < maxSlabs)
      slabs.push_back(slab);
    else
      std::free(slab);
  }

private:
  enum : size_t { maxSlabs = 32 };
  std::mutex lock;
  std::vector<void *> slabs;
};
} // namespace

static SlabCache &slabCache() {
  static auto *cache = new SlabCache; // never destroyed, because devices may be destroyed late
  return *cache;
}

GlobalShadow::~GlobalShadow() {
  for (Stripe &stripe : stripes)
    for (auto [number, page] : stripe.pages)
      page->~Page();
  for (uint32_t i = 0, size = firstSlabPages; i < slabs.size(); ++i, size *= 2)
    if (size >= maxSlabPages) {
      slabCache().give(slabs[i]);
      size = maxSlabPages;
    } else {
      std::free(slabs[i]);
    }
}

GlobalShadow::Page *GlobalShadow::makePage() {
  std::lock_guard guard(lock);
  if (used == slabPages) {
    slabPages = slabPages ? std::min<uint32_t>(2 * slabPages, maxSlabPages) : uint32_t(firstSlabPages);
    void *slab = slabPages == maxSlabPages ? slabCache().take() : nullptr;
    slabs.push_back(slab ? static_cast<Page *>(slab) : allocate<Page>(slabPages));
    used = 0;
  }
  return new (&slabs.back()[used++]) Page();
}

GlobalShadow::Page *GlobalShadow::find(uint64_t number) {
  Stripe &stripe = stripes[number % stripeCount];
  std::lock_guard guard(stripe.lock);
  Page *&page = stripe.pages[number];
  if (!page)
    page = makePage();
  return page;
}
