// An all-gather with a product: block 0 of a rank pushes its row to all ranks, and block 1 uses each row as soon as it has
// come. From the second round on, a row may be pushed only when the receiver has given its place back.
//
// RUN: %tcc -O2 -ptx -arch=sm_90 %s -o %t.ptx
// RUN: %protocol %t.ptx --bugs=7 --blocks=2 --ranks=4 | FileCheck %s --implicit-check-not=MISSED
// RUN: %protocol %t.ptx --bugs=7 --blocks=2 --ranks=8 | FileCheck %s --implicit-check-not=MISSED
// RUN: %protocol %t.ptx --bugs=7 --blocks=2 --ranks=3 --seeds=%seeds
// CHECK: right: no finding
// CHECK-DAG: PLANTED 2: {{.*}}ranks.cuh:{{.*}} error: data race in global memory
#include "Inputs/ranks.cuh"

enum { arrived = 0, vacated = 16 }; // signals, one for each rank

FN void push(const Job &job, int round) {
  for (int to = 0; to < job.ranks; ++to) {
    // PLANTED 6: the place is not known to be free
    if (lane() == 0 && job.bug != 6)
      await(signalOf(job, rank(), vacated + to), round - 1);
    __syncthreads();
    // CHECK-DAG: PLANTED 4: {{.*}}all-gather.cu:[[#@LINE+1]]:{{[0-9]+}}: error: data race in global memory
    dataOf(job, to, rank())[lane()] = input(rank(), lane(), round);
    // PLANTED 3: the signal does not wait for the other threads of the block
    if (job.bug != 3)
      __syncthreads();
    // PLANTED 1: the signal releases nothing. PLANTED 2: it does so for its own device only
    if (lane() == 0)
      set(signalOf(job, to, arrived + rank()), round,
          job.bug == 1 ? isRelaxed : job.bug == 2 ? releasesToDevice : releases);
  }
}

FN void use(const Job &job, int round) {
  unsigned sum = 0;
  for (int from = 0; from < job.ranks; ++from) {
    unsigned *signal = signalOf(job, rank(), arrived + from);
    // PLANTED 4: waits for the round before. PLANTED 5: the wait acquires nothing
    if (lane() == 0)
      job.bug == 5 ? awaitRelaxed(signal, round) : await(signal, job.bug == 4 ? round - 1 : round);
    // PLANTED 7: the other threads do not wait
    if (job.bug != 7)
      __syncthreads();
    // CHECK-DAG: PLANTED 1: {{.*}}all-gather.cu:[[#@LINE+7]]:{{[0-9]+}}: error: data race in global memory
    // CHECK-DAG: PLANTED 2: {{.*}}all-gather.cu:[[#@LINE+6]]:{{[0-9]+}}: error: data race in global memory
    // CHECK-DAG: PLANTED 3: {{.*}}all-gather.cu:[[#@LINE+5]]:{{[0-9]+}}: error: data race in global memory
    // CHECK-DAG: PLANTED 5: {{.*}}all-gather.cu:[[#@LINE+4]]:{{[0-9]+}}: error: data race in global memory
    // CHECK-DAG: PLANTED 6: {{.*}}all-gather.cu:[[#@LINE+3]]:{{[0-9]+}}: error: data race in global memory
    // CHECK-DAG: PLANTED 7: {{.*}}all-gather.cu:[[#@LINE+2]]:{{[0-9]+}}: error: data race in global memory
    for (int k = 0; k < threads; ++k)
      sum += dataOf(job, rank(), from)[(lane() + k) % threads] * (k + 1);
    __syncthreads();
    if (lane() == 0)
      set(signalOf(job, from, vacated + rank()), round);
  }
  resultOf(job)[lane()] = sum;
}

extern "C" __global__ void protocol(Job job) {
  for (int round = 1; round <= job.rounds; ++round)
    blockIdx.x == 0 ? push(job, round) : use(job, round);
}

extern "C" __global__ void verify(Job job) {
  expect(job, threads, [&](int i) {
    unsigned sum = 0;
    for (int from = 0; from < job.ranks; ++from)
      for (int k = 0; k < threads; ++k)
        sum += input(from, (i + k) % threads, job.rounds) * (k + 1);
    return sum;
  });
}
