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
template <class P> constexpr bool check_multicast() {
  using R = loaded<P>;
  using T = element<R>;
  constexpr bool fits = is_float<T> ? sizeof(T) > 1 : kind_of<T> == int_kind && sizeof(T) >= 4;
  __TILECC_CHECK((!__is_same(R, T)),
                 complain<P>("multicast memory is accessed through tiles of pointers, not through ", ""));
  __TILECC_CHECK((fits), complain<P>("there are no accesses to multicast memory for what ", " points to"));
  return fits && !__is_same(R, T);
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

/// Returns the sums of the elements that multicast addresses stand for, where `mask` is true, and 0 elsewhere. A
/// multicast address stands for the same element in the memory of each of several GPUs; nothing else can access it.
/// The sums of 16-bit floats are computed in `float`. The order of the additions is unspecified.
/// Types: tiles of pointers to floats of 16 to 64 bits, and to integers of 32 and 64 bits.
/// Errors: GPUs before compute capability 9.0 have no multicast memory, and the CPU has none; single 16-bit floats:
/// addresses must be known to be multiples of 4 bytes.
/// NVSHMEM: `nvshmemx_mc_ptr`. CUDA: `cuMulticastCreate`, `multimem.ld_reduce`.
/// Example: see the guide to communication.
template <detail::operand P, detail::operand M> __TILECC_FN auto multimem_sum(P pointers, M mask) {
  using R = detail::loaded<P>;
  if constexpr (detail::check_multicast<P>())
    return builtin::multimem_sum<R>(pointers, detail::fit_mask<P>(mask));
  else
    return load(pointers);
}
template <detail::operand P> __TILECC_FN auto multimem_sum(P pointers) { return multimem_sum(pointers, true); }

/// Stores a tile to all elements that multicast addresses stand for, where `mask` is true.
/// Types and errors are those of `multimem_sum`.
/// CUDA: `multimem.st`.
/// Example: see the guide to communication.
template <detail::operand P, detail::operand V, detail::operand M>
__TILECC_FN void multimem_store(P pointers, V value, M mask) {
  if constexpr (detail::check_multicast<P>())
    builtin::multimem_store(pointers, detail::fit<detail::loaded<P>, P>(value), detail::fit_mask<P>(mask));
}
template <detail::operand P, detail::operand V> __TILECC_FN void multimem_store(P pointers, V value) {
  multimem_store(pointers, value, true);
}

/// Atomically adds a tile to all elements that multicast addresses stand for, where `mask` is true.
/// Types and errors are those of `multimem_sum`.
/// CUDA: `multimem.red`.
/// Example: see the guide to communication.
template <detail::operand P, detail::operand V, detail::operand M>
__TILECC_FN void multimem_add(P pointers, V value, M mask) {
  if constexpr (detail::check_multicast<P>())
    builtin::multimem_add(pointers, detail::fit<detail::loaded<P>, P>(value), detail::fit_mask<P>(mask));
}
template <detail::operand P, detail::operand V> __TILECC_FN void multimem_add(P pointers, V value) {
  multimem_add(pointers, value, true);
}

} // namespace tt

#endif // TILECC_TT_COMMUNICATION_H
