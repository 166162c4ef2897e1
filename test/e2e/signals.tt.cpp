// Programs of several ranks wait for each other's signals.
// RUN: %tcc -O2 --cpu-level=3 -arch=compute_90 %s -o %t
// RUN: env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t
//
// One thread polls by loads, and a barrier follows.
// RUN: %tcc -O2 -ptx -arch=sm_90 %s -o - | FileCheck %s --check-prefix=PTX
// PTX-LABEL: .entry {{.*}}relay
// PTX:      ld.acquire.sys.global.u32 [[SEEN:%r[0-9]+]], [[[SIGNAL:%rd[0-9]+]]];
// PTX-NEXT: //@ awaits.global.ge.u32 [[[SIGNAL]]], [[SEEN]],
// PTX:      @{{.*}} bra
// PTX:      bar.sync
//
// The emulator reports a wait for too little, although the run sees the later value, and a signal that never comes.
// RUN: %emulate not %t too-little 2>&1 | FileCheck %s --check-prefix=LITTLE
// LITTLE: signals.tt.cpp:[[#LOAD:]]:{{.*}}: error: data race in global memory: kernel 'relay', block (0,0,1) of rank 1
// LITTLE: of block (0,0,0) of rank 0 wrote {{.*}} at {{.*}}signals.tt.cpp:[[#LOAD-6]]:{{[0-9]+}} with no synchronization in between
// RUN: %emulate not %t never 2>&1 | FileCheck %s --check-prefix=NEVER
// NEVER: signals.tt.cpp:[[#WAIT:]]:{{.*}}: error: deadlock: all threads wait for signals that no thread will send: kernel 'relay', block (0,0,1) of rank 1
// NEVER-NEXT: thread (0,0,0) of block (0,0,1) of rank 1 waits for 3 at {{.*}}signals.tt.cpp:[[#WAIT]]:
// NEVER-NEXT: the value is 2, which thread (0,0,0) of block (0,0,0) of rank 0 wrote at {{.*}}signals.tt.cpp:[[#WAIT-3]]:{{[0-9]+}}; it is at byte 0 of the allocation of
// NEVER: 127 threads wait for other threads of their blocks
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <tilecc/communication.h>
#include <vector>

constexpr int size = 256, ranks = 3;

// Rank 0 sends two tiles to all ranks, with a signal for each.
__tile_global__ void relay(tt::symmetric<int> x, tt::symmetric<int> y, tt::symmetric<unsigned> signals, unsigned wanted) {
  auto i = tt::arange<size>();
  if (x.rank() == 0) {
    for (int rank = 1; rank < x.ranks; ++rank) {
      tt::put_signal(x.at(rank) + i, i, signals.at(rank), 1);
      tt::store(x.at(rank) + size + i, 2 * i);
      tt::signal(signals.at(rank), 2);
    }
  } else {
    tt::wait(signals.mine(), wanted);
    auto first = tt::load(x.mine() + i);
    tt::store(y.mine() + i, first + tt::load(x.mine() + size + i));
  }
}

// Each rank passes a tile to the next one, `rounds` times.
__tile_global__ void rotate(tt::symmetric<int> x, tt::symmetric<int> y, tt::symmetric<unsigned> signals, int rounds) {
  auto i = tt::arange<size>();
  tt::tensor<int, tt::shape<size>> value = i + x.rank();
  for (int round = 1; round <= rounds; ++round) {
    tt::store(x.at((x.rank() + 1) % x.ranks) + i, value);
    tt::sync_ranks(signals, 0, 2 * round - 1);
    value = tt::load(x.mine() + i) + 1;
    tt::sync_ranks(signals, 0, 2 * round);
  }
  tt::store(y.mine() + i, value);
}

template <class F> static void expect(const tt::symmetric_buffer<int> &y, int rank, F value) {
  std::vector<int> host(size);
  y.copy_to(rank, host.data());
  for (int i = 0; i < size; ++i)
    if (host[i] != value(i))
      std::printf("rank %d, element %d is %d and not %d\n", rank, i, host[i], value(i)), std::exit(1);
}

int main(int argc, char **argv) {
  unsigned wanted = argc < 2 ? 2 : std::strcmp(argv[1], "never") ? 1 : 3;
  const int n = argc < 2 ? ranks : 2;
  try {
    tt::comm comm = tt::comm::on_one_device(n);
    tt::symmetric_buffer<int> x(comm, 2 * size), y(comm, size);
    tt::symmetric_buffer<unsigned> signals(comm, 1), inboxes(comm, n);
    comm.launch(relay, 1, x, y, signals, wanted);
    comm.synchronize();
    for (int rank = 1; rank < n; ++rank)
      expect(y, rank, [](int i) { return 3 * i; });
    comm.launch(rotate, 1, x, y, inboxes, 4);
    comm.synchronize();
    for (int rank = 0; rank < n; ++rank)
      expect(y, rank, [&](int i) { return i + (rank + 4 * (n - 1)) % n + 4; });
  } catch (const tt::error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
