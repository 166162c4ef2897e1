// A broadcast by multicast memory: every rank stores its row to all ranks, and counts in all ranks.
//
// RUN: %tcc -O2 -ptx -arch=sm_90 %s -o %t.ptx
// RUN: %protocol %t.ptx --bugs=4 --ranks=4 | FileCheck %s --implicit-check-not=MISSED
// RUN: %protocol %t.ptx --bugs=4 --ranks=8 | FileCheck %s --implicit-check-not=MISSED
// RUN: %protocol %t.ptx --bugs=4 --ranks=3 --seeds=%seeds
// CHECK: right: no finding
// CHECK-DAG: PLANTED 1: {{.*}}ranks.cuh:{{.*}} error: deadlock: all threads wait for signals that no thread will send
// CHECK-DAG: PLANTED 3: {{.*}}ranks.cuh:{{.*}} error: data race in global memory
#include "Inputs/ranks.cuh"

enum { arrivals }; // a signal

extern "C" __global__ void protocol(Job job) {
  unsigned *row = job.all + dataStart + rank() * threads, value = input(rank(), lane(), 1);
  // PLANTED 4: an ordinary store to multicast memory
  if (job.bug == 4)
    // CHECK-DAG: PLANTED 4: {{.*}}broadcast.cu:[[#@LINE+1]]:{{[0-9]+}}: error: write of multicast memory, which only multimem instructions can access
    row[lane()] = value;
  else
    storeToAll(row + lane(), value);
  __syncthreads();
  if (lane() == 0) {
    unsigned *counts = job.all + arrivals * signalWords;
    // PLANTED 1: the count is set to one. PLANTED 2: it releases nothing
    if (job.bug == 1)
      setInAll(counts, 1);
    else
      addToAll(counts, 1, job.bug == 2 ? isRelaxed : releases);
    // PLANTED 3: waits for one rank less
    await(signalOf(job, rank(), arrivals), job.bug == 3 ? job.ranks - 1 : job.ranks);
  }
  __syncthreads();
  unsigned sum = 0;
  for (int from = 0; from < job.ranks; ++from)
    // CHECK-DAG: PLANTED 2: {{.*}}broadcast.cu:[[#@LINE+1]]:{{[0-9]+}}: error: data race in global memory
    sum += dataOf(job, rank(), from)[lane()] * (from + 1);
  resultOf(job)[lane()] = sum;
}

extern "C" __global__ void verify(Job job) {
  expect(job, threads, [&](int i) {
    unsigned sum = 0;
    for (int from = 0; from < job.ranks; ++from)
      sum += input(from, i, 1) * (from + 1);
    return sum;
  });
}
