// An all-reduce in one shot: every rank loads the data of all ranks, between two barriers.
//
// RUN: %tcc -O2 -ptx -arch=sm_90 %s -o %t.ptx
// RUN: %protocol %t.ptx --bugs=4 --ranks=4 | FileCheck %s --implicit-check-not=MISSED
// RUN: %protocol %t.ptx --bugs=4 --ranks=8 | FileCheck %s --implicit-check-not=MISSED
// RUN: %protocol %t.ptx --bugs=4 --ranks=3 --seeds=%seeds
// CHECK: right: no finding
#include "Inputs/ranks.cuh"

extern "C" __global__ void protocol(Job job) {
  for (int round = 1; round <= job.rounds; ++round) {
    // CHECK-DAG: PLANTED 1: {{.*}}one-shot.cu:[[#@LINE+2]]:{{[0-9]+}}: error: data race in global memory
    // CHECK-DAG: PLANTED 2: {{.*}}one-shot.cu:[[#@LINE+1]]:{{[0-9]+}}: error: data race in global memory
    dataOf(job, rank())[lane()] = input(rank(), lane(), round);
    // PLANTED 1: no barrier before. PLANTED 3: it releases nothing. PLANTED 4: it does so for its own device only
    if (job.bug != 1)
      barrier(job, 2 * round - 1, job.bug == 3 ? withoutRelease : job.bug == 4 ? toDeviceOnly : isRight);
    unsigned sum = 0;
    for (int from = 0; from < job.ranks; ++from)
      // CHECK-DAG: PLANTED 1: {{.*}}one-shot.cu:[[#@LINE+4]]:{{[0-9]+}}: error: data race in global memory
      // CHECK-DAG: PLANTED 2: {{.*}}one-shot.cu:[[#@LINE+3]]:{{[0-9]+}}: error: data race in global memory
      // CHECK-DAG: PLANTED 3: {{.*}}one-shot.cu:[[#@LINE+2]]:{{[0-9]+}}: error: data race in global memory
      // CHECK-DAG: PLANTED 4: {{.*}}one-shot.cu:[[#@LINE+1]]:{{[0-9]+}}: error: data race in global memory
      sum += dataOf(job, from)[lane()];
    resultOf(job)[lane()] = sum;
    // PLANTED 2: no barrier behind
    if (job.bug != 2)
      barrier(job, 2 * round);
  }
}

extern "C" __global__ void verify(Job job) {
  expect(job, threads, [&](int i) {
    unsigned sum = 0;
    for (int from = 0; from < job.ranks; ++from)
      sum += input(from, i, job.rounds);
    return sum;
  });
}
