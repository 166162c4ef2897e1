//===-- tilecc/tt/communication.h - kernels that wait for other GPUs ----------------------------------------------===//
#ifndef TILECC_TT_COMMUNICATION_H
#define TILECC_TT_COMMUNICATION_H
#pragma GCC system_header

#include "atomic.h"

namespace tt {
namespace detail {
template <class T> constexpr bool check_signal() {
  __TILECC_CHECK((__is_same(T, unsigned)), complain<T>("a signal is an unsigned, not ", ""));
  return __is_same(T, unsigned);
}
template <class P, class M> __TILECC_FN void wait_for(P signals, unsigned value, M mask) {
  builtin::wait_signal(signals, fit<loaded<P>, P>(value), fit_mask<P>(mask));
}
} // namespace detail

// These are templates, so that the functions that they call are instantiated in the source and not in the precompiled
// header.

/// Stores `value` to a signal, after all earlier stores of the program: a program of any rank that waits for the value
/// sees them. Let the values of a signal grow, then nothing has to reset it, and no signal is lost.
/// Types: `signal` points to `unsigned`, in memory that all ranks have.
/// NVSHMEM: `nvshmemx_signal_op(..., NVSHMEM_SIGNAL_SET, rank)`.
/// Example: see the guide to communication.
template <class T> __TILECC_FN void signal(T *signal, unsigned value) {
  if constexpr (detail::check_signal<T>())
    atomic_store(signal, value, sem::release, scope::sys);
}

/// Adds `value` to a signal, after all earlier stores of the program. Several programs may add to one signal.
/// Types: `signal` points to `unsigned`, in memory that all ranks have.
/// NVSHMEM: `nvshmemx_signal_op(..., NVSHMEM_SIGNAL_ADD, rank)`.
/// Example: see the guide to communication.
template <class T> __TILECC_FN void signal_add(T *signal, unsigned value) {
  if constexpr (detail::check_signal<T>())
    atomic_add(signal, value, sem::release, scope::sys);
}

/// Waits until a signal is at least `value`, modulo 2^32. Afterwards the program sees what others stored before they
/// signalled that value.
/// Types: `signal` points to `unsigned`; the memory should be the rank's own, because the program reads it all the
/// time.
/// NVSHMEM: `nvshmem_signal_wait_until(signal, NVSHMEM_CMP_GE, value)`.
/// Example: see the guide to communication.
template <class T> __TILECC_FN void wait(T *signal, unsigned value) {
  if constexpr (detail::check_signal<T>())
    detail::wait_for(signal, value, true);
}

/// Stores a tile through `pointers`, and then `value` to a signal.
/// Shapes and types are those of `store`.
/// NVSHMEM: `nvshmem_putmem_signal`.
/// Example: see the guide to communication.
template <class P, class V, class T> __TILECC_FN void put_signal(P pointers, V tile, T *signal, unsigned value) {
  store(pointers, tile);
  tt::signal(signal, value);
}

/// Waits until the programs with the same `slot` on all ranks have made `epoch` such calls. Afterwards each of them
/// sees what any of them stored before. `signals` has `ranks` elements for each slot, zero at the beginning, and
/// nothing else uses them. There are at most 32 ranks.
/// NCCL: `ncclLsaBarrierSession::sync`. NVSHMEM: `nvshmemx_barrier_block`.
/// Example: see the guide to communication.
template <class S> __TILECC_FN void sync_ranks(S signals, int slot, unsigned epoch) {
  // One thread for each rank signals and waits, so that the time does not grow with the ranks.
  const int ranks = signals.ranks, first = slot * ranks;
  auto peer = arange<32>();
  auto exists = peer < ranks;
  debug_barrier(); // the signalling threads then release the stores of all threads of the program
  auto inboxes = load(signals.parts + peer, exists);
  atomic_store(inboxes + (first + signals.rank()), epoch, exists, sem::release, scope::sys);
  detail::wait_for(signals.mine() + first + peer, epoch, exists);
}

} // namespace tt

#endif // TILECC_TT_COMMUNICATION_H
