// An all-reduce around a ring: in each of 2 (n - 1) steps, a rank sends a chunk to the next rank. No barrier separates the
// rounds, because who writes a slot again has heard, around the ring, from who has read it.
//
// RUN: %tcc -O2 -ptx -arch=sm_90 %s -o %t.ptx
// RUN: %protocol %t.ptx --bugs=6 --ranks=4 | FileCheck %s --implicit-check-not=MISSED
// RUN: %protocol %t.ptx --bugs=6 --ranks=8 | FileCheck %s --implicit-check-not=MISSED
// RUN: %protocol %t.ptx --bugs=6 --ranks=3 --seeds=%seeds
// CHECK: right: no finding
#include "Inputs/ranks.cuh"

FN void step(const Job &job, unsigned *own, int step, int round) {
  const int me = rank(), n = job.ranks, next = (me + 1) % n;
  const bool gathers = step >= n - 1;
  const int turn = gathers ? step - (n - 1) : step;
  const int sent = (me - turn + n + gathers) % n, received = (sent + n - 1) % n;
  // PLANTED 2: all steps share one slot. PLANTED 6: the second half has the slots of the first
  const int slot = job.bug == 2 ? 0 : job.bug == 6 ? turn : step;
  // PLANTED 5: each round signals the same value
  const unsigned value = job.bug == 5 ? 1 : round;
  auto tell = [&] {
    __syncthreads();
    // PLANTED 4: the signal releases nothing
    if (lane() == 0)
      set(signalOf(job, next, step), value, job.bug == 4 ? isRelaxed : releases);
  };
  // PLANTED 1: signals before it stores
  if (job.bug == 1)
    tell();
  // CHECK-DAG: PLANTED 2: {{.*}}ring.cu:[[#@LINE+5]]:{{[0-9]+}}: error: data race in global memory
  // CHECK-DAG: PLANTED 3: {{.*}}ring.cu:[[#@LINE+4]]:{{[0-9]+}}: error: data race in global memory
  // CHECK-DAG: PLANTED 4: {{.*}}ring.cu:[[#@LINE+3]]:{{[0-9]+}}: error: data race in global memory
  // CHECK-DAG: PLANTED 5: {{.*}}ring.cu:[[#@LINE+2]]:{{[0-9]+}}: error: data race in global memory
  // CHECK-DAG: PLANTED 6: {{.*}}ring.cu:[[#@LINE+1]]:{{[0-9]+}}: error: data race in global memory
  dataOf(job, next, slot)[lane()] = own[sent * threads + lane()];
  if (job.bug != 1)
    tell();
  // PLANTED 3: waits for the step before
  if (lane() == 0)
    await(signalOf(job, me, job.bug == 3 && step ? step - 1 : step), value);
  __syncthreads();
  // CHECK-DAG: PLANTED 1: {{.*}}ring.cu:[[#@LINE+6]]:{{[0-9]+}}: error: data race in global memory
  // CHECK-DAG: PLANTED 2: {{.*}}ring.cu:[[#@LINE+5]]:{{[0-9]+}}: error: data race in global memory
  // CHECK-DAG: PLANTED 3: {{.*}}ring.cu:[[#@LINE+4]]:{{[0-9]+}}: error: data race in global memory
  // CHECK-DAG: PLANTED 4: {{.*}}ring.cu:[[#@LINE+3]]:{{[0-9]+}}: error: data race in global memory
  // CHECK-DAG: PLANTED 5: {{.*}}ring.cu:[[#@LINE+2]]:{{[0-9]+}}: error: data race in global memory
  // CHECK-DAG: PLANTED 6: {{.*}}ring.cu:[[#@LINE+1]]:{{[0-9]+}}: error: data race in global memory
  unsigned got = dataOf(job, me, slot)[lane()], &mine = own[received * threads + lane()];
  mine = gathers ? got : mine + got;
}

extern "C" __global__ void protocol(Job job) {
  for (int round = 1; round <= job.rounds; ++round) {
    unsigned *own = resultOf(job);
    for (int chunk = 0; chunk < job.ranks; ++chunk)
      own[chunk * threads + lane()] = input(rank(), chunk * threads + lane(), round);
    for (int s = 0; s < 2 * (job.ranks - 1); ++s)
      step(job, own, s, round);
  }
}

extern "C" __global__ void verify(Job job) {
  expect(job, job.ranks * threads, [&](int i) {
    unsigned sum = 0;
    for (int from = 0; from < job.ranks; ++from)
      sum += input(from, i, job.rounds);
    return sum;
  });
}
