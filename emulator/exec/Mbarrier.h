//===-- Mbarrier.h - the 64 bits of an mbarrier object ---------------------------------------------------------===//
//
// PTX leaves the layout open. Ours: the phase's parity, bytes that transactions still bring (signed: they may come before
// they are expected), arrivals that the phase still takes, and arrivals that the next phase will take.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_MBARRIER_H
#define TILECC_EMULATOR_EXEC_MBARRIER_H

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tilecc::emu::mbarrier {

enum : uint32_t { mostArrivals = (1 << 20) - 1 };

struct Object {
  uint64_t expected : 20, pending : 20, phase : 1, valid : 2, transactions : 21;
};
static_assert(sizeof(Object) == 8);

inline Object load(const std::byte *at) {
  Object object;
  std::memcpy(&object, at, sizeof(object));
  return object;
}
inline void store(std::byte *at, Object object) { std::memcpy(at, &object, sizeof(object)); }
inline bool isValid(Object object) { return object.valid == 1; } // neither what nobody has written looks like, nor zeros

inline void init(std::byte *at, uint32_t count) {
  Object object = {};
  object.expected = object.pending = count;
  object.valid = 1;
  store(at, object);
}

inline void completeIfDone(Object &object) {
  if (object.pending || object.transactions)
    return;
  object.phase ^= 1;
  object.pending = object.expected;
}

// `count` arrivals; with `drop` the later phases take that many less.
inline void arrive(std::byte *at, uint32_t count, bool drop = false) {
  Object object = load(at);
  object.pending -= count;
  if (drop)
    object.expected -= count;
  completeIfDone(object);
  store(at, object);
}

inline void expect(std::byte *at, uint32_t bytes) {
  Object object = load(at);
  object.transactions += bytes;
  store(at, object);
}

inline void complete(std::byte *at, uint32_t bytes) {
  Object object = load(at);
  object.transactions -= bytes;
  completeIfDone(object);
  store(at, object);
}

} // namespace tilecc::emu::mbarrier
#endif
