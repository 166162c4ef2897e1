//===-- AtomicUpdate.h - changes an element of memory atomically -----------------------------------------------===//
#ifndef TILECC_EMULATOR_ISA_ATOMICUPDATE_H
#define TILECC_EMULATOR_ISA_ATOMICUPDATE_H

#include "emulator/exec/Machine.h"
#include "emulator/isa/Operators.h"

namespace tilecc::emu {

// Replaces *at by change(*at) and returns the old value.
template <class T, class F> T update(Warp &warp, std::byte *at, F change) {
  if constexpr (std::is_same_v<T, u128>) { // the __atomic functions would call a library for it
    auto *bits = reinterpret_cast<u128 *>(at);
    u128 was = *bits, wanted;
    for (u128 expected = ~was; was != expected;) {
      expected = was;
      wanted = change(expected);
      was = __sync_val_compare_and_swap(bits, expected, wanted);
    }
    warp.changes += wanted != was;
    warp.progress += wanted != was;
    return was;
  } else {
    auto *bits = reinterpret_cast<operators::Bits<T> *>(at);
    operators::Bits<T> was = __atomic_load_n(bits, __ATOMIC_SEQ_CST), wanted;
    do {
      wanted = std::bit_cast<operators::Bits<T>>(change(std::bit_cast<T>(was)));
    } while (!__atomic_compare_exchange_n(bits, &was, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    warp.changes += wanted != was;
    warp.progress += wanted != was;
    return std::bit_cast<T>(was);
  }
}

} // namespace tilecc::emu
#endif
