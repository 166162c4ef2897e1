// 48: a one-shot all-reduce. Every rank stores its part, waits until all ranks have stored theirs, and adds up the
// parts of all ranks, which it loads from their GPUs. Each program handles 1024 elements and waits only for the same
// program of the other ranks.
//
//   tcc -O2 all-reduce.tt.cpp -ltilecc_rt -o all-reduce
//   ./all-reduce 2                                  on two GPUs
//   TILECC_DEVICE=emu ./all-reduce 4 one-device     four ranks on one device, here the emulator
//
// Exits with 1 if a result is wrong.
#include <tilecc/communication.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int block = 1024;

__tile_global__ void all_reduce(tt::symmetric<float> x, tt::symmetric<float> y, tt::symmetric<unsigned> signals, int n,
                                unsigned epoch) {
  int slot = tt::program_id(0);
  auto i = slot * block + tt::arange<block>();
  tt::store(x.mine() + i, x.rank() * 10.0f + (i % 7) + epoch, i < n);
#ifndef FORGOTTEN
  tt::sync_ranks(signals, slot, 2 * epoch - 1); // all have stored
#endif
  auto sum = tt::zeros<float, block>();
  for (int rank = 0; rank < x.ranks; ++rank)
    sum += tt::load(x.at(rank) + i, i < n, 0.0f);
  tt::store(y.mine() + i, sum, i < n);
  tt::sync_ranks(signals, slot, 2 * epoch); // all have loaded, so that the next launch may store
}

int main(int argc, char **argv) {
  const int ranks = argc > 1 ? std::atoi(argv[1]) : 2, n = 5000, epochs = 3;
  const bool one_device = argc > 2 && !std::strcmp(argv[2], "one-device");
  tt::comm comm = one_device ? tt::comm::on_one_device(ranks) : tt::comm::devices(ranks);
  const int programs = tt::cdiv(n, block);
  tt::symmetric_buffer<float> x(comm, n), y(comm, n);
  tt::symmetric_buffer<unsigned> signals(comm, programs * ranks);
  for (unsigned epoch = 1; epoch <= epochs; ++epoch)
    comm.launch(all_reduce, programs, x, y, signals, n, epoch);
  comm.synchronize();
  int wrong = 0;
  std::vector<float> host(n);
  for (int rank = 0; rank < ranks; ++rank) {
    y.copy_to(rank, host.data());
    for (int i = 0; i < n; ++i)
      wrong += host[i] != ranks * (ranks - 1) / 2 * 10.0f + ranks * (i % 7 + epochs);
  }
  std::printf("all-reduce, %d ranks: %s, %d of %d wrong\n", ranks, wrong ? "WRONG" : "correct", wrong, ranks * n);
  return wrong != 0;
}
