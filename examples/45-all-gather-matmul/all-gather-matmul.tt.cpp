// 45: an all-gather overlapped with a matrix product. The rows of A are distributed over the ranks; each rank computes
// C = A B for its own B. The first programs of a rank push its rows to all ranks and signal. The others multiply, each
// as soon as the rows that it needs have arrived, and begin with the rank's own rows. So one launch uses the links and
// the tensor cores at the same time.
//
//   tcc -O2 all-gather-matmul.tt.cpp -ltilecc_rt -o all-gather-matmul
//   ./all-gather-matmul 2                                  on two GPUs
//   TILECC_DEVICE=emu ./all-gather-matmul 4 one-device     four ranks on one device, here the emulator
//
// Exits with 1 if a result is wrong.
#include <tilecc/communication.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int M = 64, N = 64, K = 32; // sizes of a tile

// `a` has all rows; the rows of rank r begin at r * rows. `ready` has one signal for each M rows.
__tile_global__ void all_gather_matmul(tt::symmetric<tt::float16> a, tt::symmetric<tt::float16> b,
                                       tt::symmetric<float> c, tt::symmetric<unsigned> ready,
                                       int rows [[tt::divisible(16)]], int n [[tt::divisible(16)]],
                                       int k [[tt::divisible(16)]], unsigned epoch) {
  const int program = tt::program_id(0), chunks = rows / M, rank = a.rank(), columns = n / N;
  auto i = tt::arange<M>();
  if (program < chunks) { // pushes M rows
    const int chunk = rank * chunks + program;
    for (int j = 0; j < k; j += K) {
      auto at = (chunk * M + i.col()) * k + j + tt::arange<K>().row();
      auto part = tt::load(a.mine() + at);
      for (int peer = 0; peer < a.ranks; ++peer)
        if (peer != rank)
          tt::store(a.at(peer) + at, part);
    }
    for (int peer = 0; peer < a.ranks; ++peer)
      tt::signal(ready.at(peer) + chunk, epoch);
    return;
  }
  // All products with the rank's own rows come first, then those with the rows of the next ranks.
  const int tile = program - chunks, of_rank = chunks * columns, owner = (rank + tile / of_rank) % a.ranks;
  const int chunk = owner * chunks + tile % chunks;
  auto j = tile % of_rank / chunks * N + tt::arange<N>();
  auto l = tt::arange<K>();
#ifndef FORGOTTEN
  tt::wait(ready.mine() + chunk, epoch);
#endif
  auto sum = tt::zeros<float, M, N>();
  for (int first = 0; first < k; first += K)
    sum = tt::dot(tt::load(a.mine() + (chunk * M + i.col()) * k + first + l.row()),
                  tt::load(b.mine() + (first + l.col()) * n + j.row()), sum);
  tt::store(c.mine() + (chunk * M + i.col()) * n + j.row(), sum);
}

static float element(int rank, int i) { return float((i * 31 + rank * 17) % 13 - 6) / 8; }

int main(int argc, char **argv) {
  const int ranks = argc > 1 ? std::atoi(argv[1]) : 2, rows = argc > 3 ? std::atoi(argv[3]) : 128,
            n = argc > 3 ? std::atoi(argv[3]) : 128, k = 64, all = rows * ranks;
  const bool one_device = argc > 2 && !std::strcmp(argv[2], "one-device");
  tt::comm comm = one_device ? tt::comm::on_one_device(ranks) : tt::comm::devices(ranks);
  tt::symmetric_buffer<tt::float16> a(comm, all * k), b(comm, k * n);
  tt::symmetric_buffer<float> c(comm, all * n);
  tt::symmetric_buffer<unsigned> ready(comm, all / M);
  std::vector<tt::float16> whole(all * k), part(all * k), right(k * n);
  for (int rank = 0; rank < ranks; ++rank) {
    std::fill(part.begin(), part.end(), tt::float16(NAN));
    for (int i = rank * rows * k; i < (rank + 1) * rows * k; ++i)
      whole[i] = part[i] = tt::float16(element(rank, i));
    for (int i = 0; i < k * n; ++i)
      right[i] = tt::float16(element(rank + 5, i));
    a.copy_from(rank, part.data());
    b.copy_from(rank, right.data());
  }

  comm.launch(all_gather_matmul, rows / M + all / M * (n / N), a, b, c, ready, rows, n, k, 1u);

  comm.synchronize();
  int wrong = 0;
  std::vector<float> host(all * n);
  for (int rank = 0; rank < ranks; ++rank) {
    c.copy_to(rank, host.data());
    for (int row = 0; row < all; row += 7)
      for (int column = 0; column < n; ++column) {
        float sum = 0; // exact
        for (int l = 0; l < k; ++l)
          sum += float(whole[row * k + l]) * element(rank + 5, l * n + column);
        wrong += !(std::fabs(host[row * n + column] - sum) <= 1e-3f);
      }
  }
  std::printf("all-gather and product, %d ranks: %s, %d wrong\n", ranks, wrong ? "WRONG" : "correct", wrong);
  return wrong != 0;
}
