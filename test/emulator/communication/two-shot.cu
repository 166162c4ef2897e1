// An all-reduce by multicast memory: each rank sums a slice of all copies and stores the sum to all copies.
//
// RUN: %tcc -O2 -ptx -arch=sm_90 %s -o %t.ptx
// RUN: %protocol %t.ptx --bugs=5 --ranks=4 | FileCheck %s --implicit-check-not=MISSED
// RUN: %protocol %t.ptx --bugs=5 --ranks=8 | FileCheck %s --implicit-check-not=MISSED
// RUN: %protocol %t.ptx --bugs=5 --ranks=3 --seeds=%seeds
// CHECK: right: no finding
// CHECK-DAG: PLANTED 1: {{.*}}ranks.cuh:{{.*}} error: data race in global memory
// CHECK-DAG: PLANTED 2: {{.*}}ranks.cuh:{{.*}} error: data race in global memory
// CHECK-DAG: PLANTED 3: {{.*}}ranks.cuh:{{.*}} error: data race in global memory
// CHECK-DAG: PLANTED 4: {{.*}}ranks.cuh:{{.*}} error: data race in global memory
// CHECK-DAG: PLANTED 5: {{.*}}ranks.cuh:{{.*}} error: data race in global memory
#include "Inputs/ranks.cuh"

enum { arrivals }; // a signal, which counts the ranks that have come to each barrier

FN void syncByMulticast(const Job &job, unsigned number) {
  __syncthreads();
  if (lane() == 0) {
    // PLANTED 4: the signal releases nothing. PLANTED 5: waits for one rank less
    addToAll(job.all + arrivals * signalWords, 1, job.bug == 4 ? isRelaxed : releases);
    await(signalOf(job, rank(), arrivals), number * job.ranks - (job.bug == 5));
  }
  __syncthreads();
}

extern "C" __global__ void protocol(Job job) {
  unsigned barriers = 0;
  for (int round = 1; round <= job.rounds; ++round) {
    for (int chunk = 0; chunk < job.ranks; ++chunk)
      // CHECK-DAG: PLANTED 1: {{.*}}two-shot.cu:[[#@LINE+3]]:{{[0-9]+}}: error: data race in global memory
      // CHECK-DAG: PLANTED 4: {{.*}}two-shot.cu:[[#@LINE+2]]:{{[0-9]+}}: error: data race in global memory
      // CHECK-DAG: PLANTED 5: {{.*}}two-shot.cu:[[#@LINE+1]]:{{[0-9]+}}: error: data race in global memory
      dataOf(job, rank(), chunk)[lane()] = input(rank(), chunk * threads + lane(), round);
    // PLANTED 1: no barrier before the sum
    if (job.bug != 1)
      syncByMulticast(job, ++barriers);
    // PLANTED 3: two ranks sum and store the same slice
    unsigned *slice = job.all + dataStart + (job.bug == 3 ? rank() / 2 : rank()) * threads + lane();
    unsigned sum = sumOfAll(slice);
    storeToAll(slice, job.bug == 3 ? sum + rank() : sum);
    // PLANTED 2: no barrier between the stores and the use
    if (job.bug != 2)
      syncByMulticast(job, ++barriers);
    for (int chunk = 0; chunk < job.ranks; ++chunk)
      // CHECK-DAG: PLANTED 2: {{.*}}two-shot.cu:[[#@LINE+3]]:{{[0-9]+}}: error: data race in global memory
      // CHECK-DAG: PLANTED 4: {{.*}}two-shot.cu:[[#@LINE+2]]:{{[0-9]+}}: error: data race in global memory
      // CHECK-DAG: PLANTED 5: {{.*}}two-shot.cu:[[#@LINE+1]]:{{[0-9]+}}: error: data race in global memory
      resultOf(job)[chunk * threads + lane()] = dataOf(job, rank(), chunk)[lane()];
    syncByMulticast(job, ++barriers);
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
