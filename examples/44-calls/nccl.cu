// An all-reduce of tiles over NCCL's device API: a tile kernel waits for the other ranks with NCCL's barrier, and loads
// their tiles through NCCL's windows. The communicator is constructed by hand, so that ranks are programs of one
// launch on a single GPU: every field that NCCL's device code reads is set below. With a real communicator
// (ncclDevCommCreate, ncclCommWindowRegister), the kernel is the same.
//
//   tcc -O2 -arch=sm_90 -I<NCCL>/include nccl.cu -o nccl && ./nccl [ranks] [rounds]
//
// Needs the headers of NCCL 2.28 or later, and 4 GB of memory for each rank, because NCCL places the windows of ranks 4
// GB apart. Exits with 1 if a result is wrong. With -DFORGOTTEN a barrier is missing, and the emulator finds the race.
#include <nccl.h>
#include <nccl_device.h>
#include <tilecc/threads.h>

#include "../support/cuda_check.h"
#include <cstring>

__device__ void sync_ranks(const ncclDevComm *comm, unsigned index) {
  ncclLsaBarrierSession<ncclCoopCta> session(ncclCoopCta(), *comm, ncclTeamTagLsa(), index);
  session.sync(ncclCoopCta(), cuda::memory_order_acq_rel);
}
__device__ float *get_pointer(const ncclWindow_vidmem *window, int rank) {
  return static_cast<float *>(ncclGetLsaPointer(const_cast<ncclWindow_t>(window), 0, rank));
}

constexpr int size = 512;

__tile_global__ void all_reduce(const ncclDevComm *comms, const ncclWindow_vidmem *windows, float *out, int ranks,
                                int rounds) {
  int me = tt::program_id(0);
  const ncclDevComm *comm = comms + me;
  const ncclWindow_vidmem *window = windows + me;
  auto i = tt::arange<size>();
  float *mine = tt::all_threads<get_pointer>(window, me);
  for (int round = 0; round < rounds; ++round) {
    tt::store(mine + i, i * 1.0f + me * 1000.0f + round);
    tt::all_threads<sync_ranks>(comm, 0u); // all ranks have stored
    auto sum = tt::zeros<float, size>();
    for (int rank = 0; rank < ranks; ++rank)
      sum += tt::load(tt::all_threads<get_pointer>(window, rank) + i);
    tt::store(out + me * size + i, sum);
#ifndef FORGOTTEN
    tt::all_threads<sync_ranks>(comm, 0u); // all ranks have loaded
#endif
  }
}

template <class T> T *allocate(size_t n) {
  T *p;
  CHECK(cudaMallocManaged(&p, n * sizeof(T)));
  std::memset(p, 0, n * sizeof(T));
  return p;
}

int main(int argc, char **argv) {
  const int ranks = argc > 1 ? std::atoi(argv[1]) : 2, rounds = argc > 2 ? std::atoi(argv[2]) : 3;
  constexpr size_t stride = size_t(1) << 32, used = 1 << 16, barriers = 1 << 15;
  char *memory;
  CHECK(cudaMalloc(&memory, (ranks - 1) * stride + used));
  auto *comms = allocate<ncclDevComm>(ranks);
  auto *windows = allocate<ncclWindow_vidmem>(ranks);
  auto *out = allocate<float>(ranks * size);
  auto *abort = allocate<unsigned>(1);
  for (int rank = 0; rank < ranks; ++rank) {
    CHECK(cudaMemset(memory + rank * stride, 0, used));
    ncclWindow_vidmem &window = windows[rank];
    window.lsaFlatBase = memory;
    window.stride4G = 1;
    window.lsaRank = window.worldRank = rank;
    ncclDevComm &comm = comms[rank];
    comm.rank = comm.lsaRank = rank;
    comm.nRanks = comm.lsaSize = ranks;
    comm.resourceWindow = &window;
    comm.resourceWindow_inlined.lsaFlatBase = memory;
    comm.resourceWindow_inlined.stride4G = 1;
    comm.lsaBarrier.bufHandle = barriers / 128;
    comm.lsaBarrier.nBarriers = 4;
    comm.abortFlag = abort;
  }

  all_reduce<<<ranks>>>(comms, windows, out, ranks, rounds);

  CHECK(cudaDeviceSynchronize());
  int wrong = 0;
  for (int rank = 0; rank < ranks; ++rank)
    for (int i = 0; i < size; ++i) {
      float sum = 0;
      for (int other = 0; other < ranks; ++other)
        sum += i * 1.0f + other * 1000.0f + (rounds - 1);
      wrong += out[rank * size + i] != sum;
    }
  return report("all-reduce over NCCL's windows", wrong, ranks * size);
}
