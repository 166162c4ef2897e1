//===-- tilecc/communication.h - kernels on several GPUs that use each other's memory -------------------*- C++ -*-===//
//
//   tt::comm                 the ranks of a computation, one for each GPU of this process
//   tt::symmetric_buffer<T>  an array in the memory of every rank, accessible to all ranks
//   tt::symmetric<T>         the same as a kernel's argument: x.at(rank), x.mine(), x.rank(), x.ranks
//
//   __tile_global__ void sum_of_all(tt::symmetric<float> x, float *y, tt::symmetric<unsigned> signals,
//                                   unsigned epoch) {
//     auto i = tt::program_id(0) * 512 + tt::arange<512>();
//     tt::sync_ranks(signals, tt::program_id(0), epoch); // every rank has stored its part of x
//     auto sum = tt::zeros<float, 512>();
//     for (int rank = 0; rank < x.ranks; ++rank)
//       sum += tt::load(x.at(rank) + i);
//     ...
//   }
//
//   tt::comm comm = tt::comm::devices(8);
//   tt::symmetric_buffer<float> x(comm, n);
//   comm.launch(sum_of_all, grid, x, y, signals, epoch);
//
// Loads and stores through x.at(rank) are ordinary accesses, which the hardware routes over the links between GPUs. In
// kernels, tt::signal, tt::signal_add, tt::wait, tt::put_signal and tt::sync_ranks order them.
//
// The ranks are GPUs of one process that can access each other's memory (NVLink, or PCIe with peer access). NCCL and
// NVSHMEM connect processes and machines; docs/communication.md describes how the same kernels use their memory.
//
// tt::comm::on_one_device(n) puts n ranks on the current device, as programs along z of one launch. The emulator and
// the CPU can thus run and check programs for several GPUs.
//
// Header only, C++20. Sources that tcc does not compile can use everything except the functions for kernels.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_COMMUNICATION_H
#define TILECC_COMMUNICATION_H

#include <tilecc/detail/push_macros.h>

#include <tilecc/runtime.h>
#ifdef __TILECC__
#include <tilecc/tt.h>
#include <tilecc/tt/communication.h>
#endif

#include <cstddef>
#include <vector>

namespace tt {

/// The view that a kernel has of a `symmetric_buffer`: an array of `T` for each rank, which all ranks can access.
template <class T> struct symmetric {
  T *const *parts; ///< the address of each rank's array
  int own; ///< the rank, or -1 if the program's position along z is the rank
  int ranks; ///< the number of ranks

#ifdef __TILECC__
  /// Returns the rank that the program belongs to.
  __TILECC_FN int rank() const { return own >= 0 ? own : program_id(2); }
  /// Returns the array of a rank, which is aligned to 16 bytes.
  __TILECC_FN T *at(int rank) const { return multiple_of<16>(load(parts + rank)); }
  /// Returns the array of the program's rank.
  __TILECC_FN T *mine() const { return at(rank()); }
#endif
};

/// A launch argument that is computed separately for each rank: `tt::each_rank([&](int rank) { return weights[rank];
/// })`. The rank is -1 for a launch of all ranks on one device, as in `symmetric_buffer::on`.
template <class F> struct each_rank {
  F compute;
  explicit each_rank(F compute) : compute(compute) {}
  auto on(int rank) const { return compute(rank); }
};

/// The ranks of a computation. Each rank has its own stream and, unless all are on one device, its own device.
class comm {
public:
  /// Creates one rank for each of the first `ranks` GPUs, all of which must be able to access each other's memory.
  static comm devices(int ranks) {
    int count = 0;
    check(ttGetDeviceCount(&count));
    comm result;
    int before = 0;
    check(ttGetDevice(&before));
    for (int rank = 0; rank < ranks; ++rank) {
      ttDeviceProp properties;
      if (rank >= count)
        throw error(ttErrorInvalidDevice, "tt::comm::devices: there are fewer GPUs than ranks");
      check(ttGetDeviceProperties(&properties, rank));
      if (properties.kind == ttDeviceKindCpu)
        throw error(ttErrorInvalidDevice,
                    "tt::comm::devices: there are fewer GPUs than ranks; tt::comm::on_one_device needs one");
      result.devices_.push_back(rank);
    }
    for (int rank = 0; rank < ranks; ++rank) {
      check(ttSetDevice(rank));
      for (int peer = 0; peer < ranks; ++peer)
        if (peer != rank)
          enable_peer(rank, peer);
      result.streams_.emplace_back();
    }
    check(ttSetDevice(before));
    result.ranks_ = ranks;
    return result;
  }

  /// Creates `ranks` ranks on the current device. A launch is one cooperative launch of the programs of all ranks.
  static comm on_one_device(int ranks) {
    comm result;
    int device = 0;
    check(ttGetDevice(&device));
    result.devices_.push_back(device);
    result.streams_.emplace_back();
    result.ranks_ = ranks;
    return result;
  }

  int ranks() const noexcept { return ranks_; }
  bool is_on_one_device() const noexcept { return devices_.size() == 1 && ranks_ > 1; }
  int device(int rank) const { return devices_[is_on_one_device() ? 0 : rank]; }
  ttStream_t stream(int rank) const { return streams_[is_on_one_device() ? 0 : rank].get(); }

  /// Launches the kernel on all ranks, each in its stream; returns before they have ended. A `symmetric_buffer` is
  /// passed as the rank's `symmetric<T>`, `each_rank` computes an argument, and all other arguments are the same for
  /// all ranks. Programs that wait for other ranks must all run at the same time. On one device, `grid` must leave z to
  /// the ranks.
  template <class... P, class... A> void launch(void (*kernel)(P...), launch_grid grid, const A &...args) {
    if (is_on_one_device()) {
      ttDim3 size = grid.get();
      if (size.z != 1)
        throw error(ttErrorInvalidValue, "tt::comm: on one device, the grid's z is the rank");
      size.z = unsigned(ranks_);
      tt::launch(kernel, launch_config(size, stream(0)).cooperative().devices_along_z(), argument(args, -1)...);
      return;
    }
    visit_devices([&](int) { check(ttPreload(reinterpret_cast<const void *>(kernel))); }); // loading code may wait
    visit_devices([&](int rank) { tt::launch(kernel, grid, stream(rank), argument(args, rank)...); });
  }

  /// Waits for all work in the streams of all ranks.
  void synchronize() {
    visit_devices([&](int rank) { check(ttStreamSynchronize(stream(rank))); });
  }

  /// Calls `visit(rank)` with the device of each rank current; on one device, once, with rank 0.
  template <class F> void visit_devices(F visit) const {
    int before = 0;
    check(ttGetDevice(&before));
    for (size_t i = 0; i < devices_.size(); ++i) {
      check(ttSetDevice(devices_[i]));
      visit(int(i));
    }
    check(ttSetDevice(before));
  }

private:
  comm() = default;
  static void enable_peer(int rank, int peer) {
    int can = 0;
    check(ttDeviceCanAccessPeer(&can, rank, peer));
    if (!can)
      throw error(ttErrorPeerAccessUnsupported, "tt::comm::devices: the GPUs do not reach each other's memory");
    ttError_t result = ttDeviceEnablePeerAccess(peer);
    if (result == ttErrorPeerAccessAlreadyEnabled)
      ttGetLastError(); // it was enabled already
    else
      check(result);
  }
  template <class A> static auto argument(const A &value, int rank) {
    if constexpr (requires { value.on(rank); })
      return value.on(rank);
    else
      return value;
  }

  std::vector<int> devices_;
  std::vector<tt::stream> streams_;
  int ranks_ = 0;
};

/// Owns an array of `size` elements for each rank, each in the memory of its device. The bytes are zero.
template <class T> class symmetric_buffer {
public:
  symmetric_buffer(const comm &ranks, size_t size) : ranks_(ranks.ranks()), size_(size) {
    const size_t per_device = ranks.is_on_one_device() ? ranks.ranks() : 1;
    ranks.visit_devices([&](int) {
      for (size_t i = 0; i < per_device; ++i) {
        parts_.emplace_back(size);
        parts_.back().set_bytes(0);
        addresses_.push_back(parts_.back().data());
      }
    });
    ranks.visit_devices([&](int) { tables_.emplace_back(addresses_.data(), addresses_.size()); });
  }

  size_t size() const noexcept { return size_; }
  /// Returns the array of a rank.
  T *data(int rank) const { return addresses_[rank]; }
  /// Copy all elements of a rank's array from the host, or to the host.
  void copy_from(int rank, const T *host) { parts_[rank].copy_from(host); }
  void copy_to(int rank, T *host) const { parts_[rank].copy_to(host); }
  /// Returns the argument for a kernel of that rank; rank -1 is for a launch of all ranks on one device.
  symmetric<T> on(int rank) const {
    return {tables_[rank < 0 ? 0 : size_t(rank) % tables_.size()].data(), rank, ranks_};
  }

private:
  int ranks_;
  size_t size_;
  std::vector<device_buffer<T>> parts_;
  std::vector<T *> addresses_;
  std::vector<device_buffer<T *>> tables_; ///< the table of addresses on each device
};

} // namespace tt

#include <tilecc/detail/pop_macros.h>

#endif // TILECC_COMMUNICATION_H
