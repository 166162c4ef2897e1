// 46: a matrix product whose contracted axis is distributed over the ranks. Rank r computes A_r B_r, a term of C, and
// receives its rows of C, summed over all ranks. Each tile is sent to its owner as soon as it is computed. The owner
// adds the ranks' tiles in a fixed order, so that the result is the same in each run.
//
//   tcc -O2 matmul-reduce-scatter.tt.cpp -ltilecc_rt -o matmul-reduce-scatter
//   ./matmul-reduce-scatter 2                                  on two GPUs
//   TILECC_DEVICE=emu ./matmul-reduce-scatter 4 one-device     four ranks on one device, here the emulator
//
// Exits with 1 if a result is wrong.
#include <tilecc/communication.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int M = 64, N = 64, K = 32; // sizes of a tile

// Rank r owns `rows` rows of C. In its memory, `terms` has a matrix of rows x n for each rank, and `arrived` counts the
// terms of each tile.
__tile_global__ void matmul_reduce_scatter(tt::symmetric<tt::float16> a, tt::symmetric<tt::float16> b,
                                           tt::symmetric<float> terms, tt::symmetric<unsigned> arrived,
                                           tt::symmetric<float> c, int rows [[tt::divisible(16)]],
                                           int n [[tt::divisible(16)]], int k [[tt::divisible(16)]], unsigned epoch) {
  const int rank = a.rank(), ranks = a.ranks, columns = n / N, of_rank = rows / M * columns;
  const int program = tt::program_id(0);
  auto i = tt::arange<M>();
  auto j = tt::arange<N>();
  auto l = tt::arange<K>();
  if (program < of_rank * ranks) { // computes a tile; tiles of the next rank come first, so that all links are used
    const int owner = (rank + 1 + program / of_rank) % ranks, tile = program % of_rank;
    const int row = tile / columns * M, column = tile % columns * N;
    auto sum = tt::zeros<float, M, N>();
    for (int first = 0; first < k; first += K)
      sum = tt::dot(tt::load(a.mine() + (owner * rows + row + i.col()) * k + first + l.row()),
                    tt::load(b.mine() + (first + l.col()) * n + column + j.row()), sum);
    tt::store(terms.at(owner) + (rank * rows + row + i.col()) * n + column + j.row(), sum);
    tt::signal_add(arrived.at(owner) + tile, 1);
    return;
  }
  const int tile = program - of_rank * ranks; // adds the terms of a tile of its own
  auto at = (tile / columns * M + i.col()) * n + tile % columns * N + j.row();
#ifndef FORGOTTEN
  tt::wait(arrived.mine() + tile, ranks * epoch);
#endif
  auto sum = tt::zeros<float, M, N>();
  for (int source = 0; source < ranks; ++source)
    sum += tt::load(terms.mine() + source * rows * n + at);
  tt::store(c.mine() + at, sum);
}

static float element(int rank, int i) { return float((i * 37 + rank * 11) % 11 - 5) / 4; }

int main(int argc, char **argv) {
  const int ranks = argc > 1 ? std::atoi(argv[1]) : 2, rows = 64, n = 128, k = 64, all = rows * ranks;
  const bool one_device = argc > 2 && !std::strcmp(argv[2], "one-device");
  tt::comm comm = one_device ? tt::comm::on_one_device(ranks) : tt::comm::devices(ranks);
  tt::symmetric_buffer<tt::float16> a(comm, all * k), b(comm, k * n);
  tt::symmetric_buffer<float> terms(comm, all * n), c(comm, rows * n);
  tt::symmetric_buffer<unsigned> arrived(comm, rows / M * (n / N));
  std::vector<tt::float16> left(all * k), right(k * n);
  for (int rank = 0; rank < ranks; ++rank) {
    for (int i = 0; i < all * k; ++i)
      left[i] = tt::float16(element(rank, i));
    for (int i = 0; i < k * n; ++i)
      right[i] = tt::float16(element(rank + 5, i));
    a.copy_from(rank, left.data());
    b.copy_from(rank, right.data());
  }

  const int tiles = rows / M * (n / N);
  comm.launch(matmul_reduce_scatter, tiles * (ranks + 1), a, b, terms, arrived, c, rows, n, k, 1u);

  comm.synchronize();
  int wrong = 0;
  std::vector<float> host(rows * n);
  for (int rank = 0; rank < ranks; ++rank) {
    c.copy_to(rank, host.data());
    for (int row = 0; row < rows; row += 7)
      for (int column = 0; column < n; ++column) {
        float sum = 0; // exact
        for (int source = 0; source < ranks; ++source)
          for (int l = 0; l < k; ++l)
            sum += element(source, (rank * rows + row) * k + l) * element(source + 5, l * n + column);
        wrong += !(std::fabs(host[row * n + column] - sum) <= 1e-3f);
      }
  }
  std::printf("product and reduce-scatter, %d ranks: %s, %d wrong\n", ranks, wrong ? "WRONG" : "correct", wrong);
  return wrong != 0;
}
