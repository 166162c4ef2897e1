// The barrier of all ranks, again and again, around an exchange with another rank.
//
// RUN: %tcc -O2 -ptx -arch=sm_90 %s -o %t.ptx
// RUN: %protocol %t.ptx --bugs=4 --ranks=4 | FileCheck %s --implicit-check-not=MISSED
// RUN: %protocol %t.ptx --bugs=4 --ranks=8 | FileCheck %s --implicit-check-not=MISSED
// RUN: %protocol %t.ptx --bugs=4 --ranks=5 --seeds=%seeds
// CHECK: right: no finding
// CHECK-DAG: PLANTED 2: {{.*}}ranks.cuh:{{.*}} error: lost signal: a thread that waits may see only one of two values
// CHECK-DAG: PLANTED 2: {{.*}}ranks.cuh:{{.*}} error: deadlock: all threads wait for signals that no thread will send
#include "Inputs/ranks.cuh"

extern "C" __global__ void protocol(Job job) {
  // PLANTED 1: each round signals the same value. PLANTED 2: signals are reset after the wait. PLANTED 3: a rank waits for
  // its neighbour only. PLANTED 4: the signal does not wait for the other threads of the block
  Barrier kind = job.bug == 1   ? withOneEpoch
                 : job.bug == 2 ? withReset
                 : job.bug == 3 ? withNeighbours
                 : job.bug == 4 ? withoutThreads
                                : isRight;
  unsigned value = input(rank(), lane(), 0);
  for (int round = 1; round <= job.rounds; ++round) {
    // CHECK-DAG: PLANTED 1: {{.*}}barrier.cu:[[#@LINE+3]]:{{[0-9]+}}: error: data race in global memory
    // CHECK-DAG: PLANTED 3: {{.*}}barrier.cu:[[#@LINE+2]]:{{[0-9]+}}: error: data race in global memory
    // CHECK-DAG: PLANTED 4: {{.*}}barrier.cu:[[#@LINE+1]]:{{[0-9]+}}: error: data race in global memory
    dataOf(job, (rank() + round) % job.ranks)[lane()] = value;
    barrier(job, 2 * round - 1, kind);
    // CHECK-DAG: PLANTED 1: {{.*}}barrier.cu:[[#@LINE+3]]:{{[0-9]+}}: error: data race in global memory
    // CHECK-DAG: PLANTED 3: {{.*}}barrier.cu:[[#@LINE+2]]:{{[0-9]+}}: error: data race in global memory
    // CHECK-DAG: PLANTED 4: {{.*}}barrier.cu:[[#@LINE+1]]:{{[0-9]+}}: error: data race in global memory
    value = dataOf(job, rank())[(lane() + 1) % threads] + 1;
    barrier(job, 2 * round, kind);
  }
  resultOf(job)[lane()] = value;
}

extern "C" __global__ void verify(Job job) {
  expect(job, threads, [&](int i) {
    // Follow the value back: in each round it came from an earlier rank and the next thread.
    int from = rank();
    for (int round = job.rounds; round > 0; --round)
      from = (from - round % job.ranks + job.ranks) % job.ranks;
    return input(from, (i + job.rounds) % threads, 0) + job.rounds;
  });
}
