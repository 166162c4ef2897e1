//===-- Shadow.h - stores the records of each line of memory ---------------------------------------------------===//
//
// The shadow of a memory has the list of segments (Segment.h) for each of its lines.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_CHECKS_SHADOW_H
#define TILECC_EMULATOR_CHECKS_SHADOW_H

#include "emulator/checks/Segment.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace tilecc::emu {

// The shadow of the shared memory of a block. It also records which bytes are initialized.
class SharedShadow {
public:
  explicit SharedShadow(uint32_t bytes);
  ~SharedShadow();
  uint32_t lineCount() const { return initialized.size(); }
  SegmentList &operator[](uint64_t line) { return lists[line / lineBytes]; }
  ByteMask &initializedIn(uint64_t line) { return initialized[line / lineBytes]; }
  // Drops everything.
  void clear();

private:
  std::vector<ByteMask> initialized;
  SegmentList *lists; // owned
  Segment *storage;   // owned: the first segments of each list
};

// The shadow of global memory. For each 4 KiB that a launch has accessed, it has a page of 2.5 KiB, plus what the lines
// need. Several threads may run blocks, so a page is locked while one of its lines is in use.
class GlobalShadow {
  static constexpr uint32_t pageLines = 32, stripeCount = 64, firstSlabPages = 8, maxSlabPages = 512;

public:
  GlobalShadow() = default;
  ~GlobalShadow();

  class alignas(64) Page {
  public:
    Page() {
      for (uint32_t i = 0; i < pageLines; ++i)
        new (&lists[i]) SegmentList(&storage[i], 1);
    }
    ~Page() {
      for (SegmentList &list : lists)
        list.~SegmentList();
    }
    SegmentList &operator[](uint64_t line) { return lists[line / lineBytes % pageLines]; }
    void lock() {
      while (locked.exchange(true, std::memory_order_acquire))
        while (locked.load(std::memory_order_relaxed)) {}
    }
    void unlock() { locked.store(false, std::memory_order_release); }

  private:
    std::atomic<bool> locked = false;
    union { // constructed and destroyed by the page, because `storage` is declared later
      SegmentList lists[pageLines];
    };
    union {
      Segment storage[pageLines]; // most lines need at most one
    };
  };

  // The pages that a thread has used recently: a direct-mapped cache.
  class Cache {
    friend GlobalShadow;
    struct {
      uint64_t number = ~0ull;
      Page *page = nullptr;
    } entries[64];
  };

  // Returns the page of a line. It lives as long as this object.
  Page &page(uint64_t line, Cache &cache) {
    uint64_t number = line / (lineBytes * pageLines);
    auto &entry = cache.entries[number % 64];
    if (entry.number != number)
      entry = {number, find(number)};
    return *entry.page;
  }

private:
  struct Stripe {
    std::mutex lock;
    std::unordered_map<uint64_t, Page *> pages;
  };
  Page *find(uint64_t number);
  Page *makePage();

  Stripe stripes[stripeCount];
  // Pages are allocated in slabs of increasing size.
  std::mutex lock;
  std::vector<Page *> slabs; // owned; all slabs but the last are full
  uint32_t slabPages = 0, used = 0; // of the last
};

} // namespace tilecc::emu
#endif
