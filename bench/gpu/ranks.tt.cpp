// Kernels that communicate (<tilecc/communication.h>) on the GPUs of one machine.
//
//   tcc -O2 -arch=sm_90 ranks.tt.cpp -ldl -o ranks && ./ranks 2 [libnccl.so.2]
//
// 1. A one-shot all-reduce, compared with ncclAllReduce: microseconds for each of 200 consecutive ones.
// 2. C = A B with the rows of A on all ranks: one launch that pushes, waits and multiplies, compared with two launches,
// where the second begins on all ranks when the first has ended on all.
//
// Figures are medians of 9 interleaved rounds.
#include <tilecc/communication.h>
#include <tilecc/host.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>

constexpr int block = 1024;
[[tt::num_warps(4)]] __tile_global__ void all_reduce(tt::symmetric<float> x, tt::symmetric<float> y,
                                                     tt::symmetric<unsigned> signals, int n, unsigned epoch) {
  int slot = tt::program_id(0), programs = tt::num_programs(0);
  tt::sync_ranks(signals, slot, 2 * epoch - 1);
  for (int first = slot * block; first < n; first += programs * block) {
    auto i = first + tt::arange<block>();
    auto sum = tt::zeros<float, block>();
    for (int rank = 0; rank < x.ranks; ++rank)
      sum += tt::load(x.at(rank) + i, i < n, 0.0f);
    tt::store(y.mine() + i, sum, i < n);
  }
  tt::sync_ranks(signals, slot, 2 * epoch);
}

constexpr int M = 128, N = 256, K = 64;
enum class work { both, push, multiply };
template <work Work>
[[tt::num_warps(8), tt::num_stages(4)]] __tile_global__ void
all_gather_matmul(tt::symmetric<tt::float16> a, tt::symmetric<tt::float16> b, tt::symmetric<tt::float16> c,
                  tt::symmetric<unsigned> ready, int rows [[tt::divisible(128)]], int n [[tt::divisible(256)]],
                  int k [[tt::divisible(64)]], unsigned epoch) {
  const int program = tt::program_id(0), chunks = rows / M, rank = a.rank(),
            pushing = Work == work::multiply ? 0 : chunks;
  auto i = tt::arange<M>();
  if (program < pushing) {
    const int chunk = rank * chunks + program;
    for (int j = 0; j < k; j += K) {
      auto at = (chunk * M + i.col()) * k + j + tt::arange<K>().row();
      auto part = tt::load(a.mine() + at);
      for (int peer = 0; peer < a.ranks; ++peer)
        if (peer != rank)
          tt::store(a.at(peer) + at, part);
    }
    if constexpr (Work == work::both)
      for (int peer = 0; peer < a.ranks; ++peer)
        tt::signal(ready.at(peer) + chunk, epoch);
    return;
  }
  // The rank's own rows first, then those of the next ranks.
  const int tile = program - pushing, of_rank = chunks * (n / N), owner = (rank + tile / of_rank) % a.ranks;
  const int chunk = owner * chunks + tile % chunks;
  auto j = tile % of_rank / chunks * N + tt::arange<N>();
  auto l = tt::arange<K>();
  if constexpr (Work == work::both)
    tt::wait(ready.mine() + chunk, epoch);
  auto sum = tt::zeros<float, M, N>();
  auto pa = a.mine() + (chunk * M + i.col()) * k + l.row();
  auto pb = b.mine() + l.col() * n + j.row();
  for (int first = 0; first < k; first += K)
    sum = tt::dot(tt::load(pa + first), tt::load(pb + first * n), sum);
  tt::store(c.mine() + (chunk * M + i.col()) * n + j.row(), sum.to<tt::float16>());
}

// NCCL's functions, from a library that is loaded at run time.
struct nccl {
  explicit nccl(const char *file) {
    void *library = dlopen(file, RTLD_NOW);
    if (!library)
      std::printf("%s\n", dlerror()), std::exit(1);
    auto find = [&](auto &function, const char *name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    };
    find(init, "ncclCommInitAll");
    find(begin, "ncclGroupStart");
    find(end, "ncclGroupEnd");
    find(reduce, "ncclAllReduce");
  }
  int (*init)(void **, int, const int *), (*begin)(), (*end)();
  int (*reduce)(const void *, void *, size_t, int type, int op, void *, void *stream);
};

int main(int argc, char **argv) {
  const int ranks = argc > 1 ? std::atoi(argv[1]) : 2;
  tt::comm comm = tt::comm::devices(ranks);
  std::vector<void *> communicators(ranks);
  nccl *library = argc > 2 ? new nccl(argv[2]) : nullptr;
  if (library && library->init(communicators.data(), ranks, nullptr))
    return std::printf("ncclCommInitAll failed\n"), 1;

  auto timed = [&](std::vector<std::function<void(int)>> forms, int count) {
    std::vector<std::vector<double>> times(forms.size());
    for (int round = 0; round < 10; ++round)
      for (size_t f = 0; f < forms.size(); ++f) {
        comm.synchronize();
        double start = tt::detail::milliseconds();
        for (int i = 0; i < count; ++i)
          forms[f](round * count + i);
        comm.synchronize();
        if (round) // the first one warms up
          times[f].push_back((tt::detail::milliseconds() - start) * 1e3 / count);
      }
    std::vector<double> medians;
    for (auto &each : times)
      medians.push_back(tt::detail::median(each));
    return medians;
  };

  std::printf("%d ranks\n| all-reduce of | tcc, us | NCCL, us | tcc / NCCL in speed |\n|---|---|---|---|\n", ranks);
  unsigned epoch = 0;
  constexpr int max_programs = 128;
  tt::symmetric_buffer<unsigned> signals(comm, max_programs * ranks);
  for (int n : {1 << 10, 1 << 13, 1 << 16, 1 << 18, 1 << 20}) {
    tt::symmetric_buffer<float> x(comm, n), y(comm, n);
    std::vector<float> ones(n, 1.0f), got(n);
    for (int rank = 0; rank < ranks; ++rank)
      x.copy_from(rank, ones.data());
    const int programs = std::min(max_programs, tt::cdiv(n, block));
    std::vector<std::function<void(int)>> forms = {
        [&](int) { comm.launch(all_reduce, programs, x, y, signals, n, ++epoch); },
        [&](int) {
          if (!library)
            return;
          library->begin();
          for (int rank = 0; rank < ranks; ++rank)
            library->reduce(x.data(rank), y.data(rank), n, /*float*/ 7, /*sum*/ 0, communicators[rank],
                            comm.stream(rank));
          library->end();
        }};
    auto result = timed(forms, 200);
    comm.launch(all_reduce, programs, x, y, signals, n, ++epoch);
    comm.synchronize();
    y.copy_to(ranks - 1, got.data());
    int wrong = 0;
    for (float value : got)
      wrong += value != float(ranks);
    std::printf("| %d KB | %.1f | %.1f | %.2f |%s\n", n / 256, result[0], result[1], result[1] / result[0],
                wrong ? " WRONG" : "");
    // Other problem sizes use other slots: the slots are at the same epoch only if all programs have signalled it.
    signals = tt::symmetric_buffer<unsigned>(comm, max_programs * ranks);
    epoch = 0;
  }

  std::printf(
      "| rows, n, k | one launch, us | two launches, us | product alone, us | two / one |\n|---|---|---|---|---|\n");
  for (int size : {2048, 4096, 8192}) {
    const int rows = size / ranks, n = size, k = size, chunks = rows / M, tiles = size / M * (n / N);
    tt::symmetric_buffer<tt::float16> a(comm, size_t(size) * k), b(comm, size_t(k) * n), c(comm, size_t(size) * n);
    tt::symmetric_buffer<unsigned> ready(comm, size / M);
    epoch = 0;
    std::vector<std::function<void(int)>> forms = {
        [&](int) {
          comm.launch(all_gather_matmul<work::both>, chunks + tiles, a, b, c, ready, rows, n, k, ++epoch);
          comm.synchronize();
        },
        [&](int) {
          comm.launch(all_gather_matmul<work::push>, chunks, a, b, c, ready, rows, n, k, 0u);
          comm.synchronize();
          comm.launch(all_gather_matmul<work::multiply>, tiles, a, b, c, ready, rows, n, k, 0u);
          comm.synchronize();
        },
        [&](int) {
          comm.launch(all_gather_matmul<work::multiply>, tiles, a, b, c, ready, rows, n, k, 0u);
          comm.synchronize();
        }};
    auto result = timed(forms, 10);
    std::printf("| %d, %d, %d | %.0f | %.0f | %.0f | %.2f |\n", size, n, k, result[0], result[1], result[2],
                result[1] / result[0]);
  }
}
