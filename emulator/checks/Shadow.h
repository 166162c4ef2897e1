//===-- Shadow.h - what is remembered of each line of memory ---------------------------------------------------===//
#ifndef TILECC_EMULATOR_CHECKS_SHADOW_H
#define TILECC_EMULATOR_CHECKS_SHADOW_H

#include "emulator/checks/Segment.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace tilecc::emu {

// Lines side by side, each with room for two segments.
class ShadowLines {
public:
  explicit ShadowLines(uint32_t count) : storage(new (std::align_val_t(64)) std::byte[count * lineShadowBytes]) {
    lists.reserve(count);
    auto *segments = reinterpret_cast<Segment *>(storage.get());
    for (uint32_t i = 0; i < count; ++i)
      lists.emplace_back(segments + i * SegmentList::inlineCapacity);
  }
  uint32_t count() const { return lists.size(); }
  SegmentList &operator[](uint32_t line) { return lists[line].list; }

private:
  enum : size_t { lineShadowBytes = SegmentList::inlineCapacity * sizeof(Segment) };
  struct Free {
    void operator()(std::byte *bytes) const { operator delete[](bytes, std::align_val_t(64)); }
  };
  struct Entry { // never moved: there is room for all from the start
    SegmentList list;
    explicit Entry(Segment *storage) : list(storage) {}
    Entry(Entry &&other) noexcept : list(other.list.begin()) { std::abort(); }
  };

  std::unique_ptr<std::byte[], Free> storage;
  std::vector<Entry> lists;
};

// A block's shared memory: also which bytes are initialized.
class SharedShadow {
public:
  explicit SharedShadow(uint32_t bytes) : lines((bytes + lineBytes - 1) / lineBytes), initialized(lines.count()) {}
  uint32_t lineCount() const { return lines.count(); }
  SegmentList &operator[](uint64_t line) { return lines[line / lineBytes]; }
  ByteMask &initializedIn(uint64_t line) { return initialized[line / lineBytes]; }
  // Forgets everything.
  void clear() {
    for (uint32_t i = 0; i < lines.count(); ++i)
      lines[i].clear();
    std::fill(initialized.begin(), initialized.end(), ByteMask());
  }

private:
  ShadowLines lines;
  std::vector<ByteMask> initialized;
};

// Global memory, of which there is a page for 4 KiB that a launch has touched: somewhat more than they are. Blocks may
// be run by several threads, so a page is locked while one of its lines is looked at.
class GlobalShadow {
public:
  class Page {
  public:
    Page() : lines(pageLines) {}
    SegmentList &operator[](uint64_t line) { return lines[line / lineBytes % pageLines]; }
    void lock() {
      while (locked.exchange(true, std::memory_order_acquire))
        while (locked.load(std::memory_order_relaxed)) {
        }
    }
    void unlock() { locked.store(false, std::memory_order_release); }

  private:
    std::atomic<bool> locked = false;
    ShadowLines lines;
  };

  // Which pages one thread has looked at last, each at its place in the table.
  class Cache {
    friend GlobalShadow;
    struct {
      uint64_t number = ~0ull;
      Page *page = nullptr;
    } entries[64];
  };

  // The page stays as long as this.
  Page &page(uint64_t line, Cache &cache) {
    uint64_t number = line / (lineBytes * pageLines);
    auto &entry = cache.entries[number % 64];
    if (entry.number != number)
      entry = {number, find(number)};
    return *entry.page;
  }

private:
  enum : uint32_t { pageLines = 32, stripeCount = 64 };
  struct Stripe {
    std::mutex lock;
    std::unordered_map<uint64_t, std::unique_ptr<Page>> pages;
  };
  Page *find(uint64_t number) {
    Stripe &stripe = stripes[number % stripeCount];
    std::lock_guard guard(stripe.lock);
    std::unique_ptr<Page> &page = stripe.pages[number];
    if (!page)
      page = std::make_unique<Page>();
    return page.get();
  }

  Stripe stripes[stripeCount];
};

} // namespace tilecc::emu
#endif
