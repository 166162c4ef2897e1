// A pipeline to the next rank with two slots. The sender counts full slots, and the receiver gives credits for empty ones.
//
// RUN: %tcc -O2 -ptx -arch=sm_90 %s -o %t.ptx
// RUN: %protocol %t.ptx --bugs=5 --blocks=2 --ranks=4 | FileCheck %s --implicit-check-not=MISSED
// RUN: %protocol %t.ptx --bugs=5 --blocks=2 --ranks=8 | FileCheck %s --implicit-check-not=MISSED
// RUN: %protocol %t.ptx --bugs=5 --blocks=2 --ranks=3 --seeds=%seeds
// CHECK: right: no finding
// CHECK-DAG: PLANTED 3: {{.*}}ranks.cuh:{{.*}} error: deadlock: all threads wait for signals that no thread will send
// CHECK-DAG: PLANTED 4: {{.*}}ranks.cuh:{{.*}} error: deadlock: all threads wait for signals that no thread will send
//
// RUN: %protocol %t.ptx --bugs=5 --blocks=2 --ranks=2 --bug=4 | FileCheck %s --check-prefix=DEADLOCK
// DEADLOCK: error: deadlock: all threads wait for signals that no thread will send: kernel 'protocol', block (0,0,0) of rank 0
// DEADLOCK-NEXT: thread (0,0,0) of block (0,0,0) of rank 0 waits for 2 at {{.*}}ranks.cuh:
// DEADLOCK-NEXT: the value is 1, which thread (0,0,0) of block (1,0,1) of rank 1 wrote at {{.*}}ranks.cuh:{{.*}}; it is at byte 128 of the allocation of
// DEADLOCK-NEXT: thread (0,0,0) of block (1,0,0) of rank 0 waits for 2 at {{.*}}ranks.cuh:
// DEADLOCK-NEXT: the value is 1, which thread (0,0,0) of block (0,0,1) of rank 1 wrote at {{.*}}ranks.cuh:{{.*}}; it is at byte 0 of the allocation of
// DEADLOCK: 252 threads wait for other threads of their blocks
#include "Inputs/ranks.cuh"

enum { full, credits }; // signals

FN void send(const Job &job, int item) {
  const int next = (rank() + 1) % job.ranks;
  // PLANTED 1: does not wait for a credit. PLANTED 3: takes no account of the slots that are empty at first
  if (lane() == 0 && job.bug != 1)
    await(signalOf(job, rank(), credits), job.bug == 3 ? item + 1 : item - 1);
  __syncthreads();
  auto tell = [&] {
    __syncthreads();
    // PLANTED 4: the count is set to one
    if (lane() == 0)
      job.bug == 4 ? set(signalOf(job, next, full), 1) : add(signalOf(job, next, full), 1);
  };
  // PLANTED 5: signals before it stores
  if (job.bug == 5)
    tell();
  // CHECK-DAG: PLANTED 2: {{.*}}pipeline.cu:[[#@LINE+1]]:{{[0-9]+}}: error: data race in global memory
  dataOf(job, next, item % 2)[lane()] = input(rank(), lane(), item);
  if (job.bug != 5)
    tell();
}

FN unsigned receive(const Job &job, int item) {
  const int previous = (rank() + job.ranks - 1) % job.ranks;
  if (lane() == 0)
    await(signalOf(job, rank(), full), item + 1);
  __syncthreads();
  // PLANTED 2: the slot is given back before it is read
  if (lane() == 0 && job.bug == 2)
    add(signalOf(job, previous, credits), 1);
  // CHECK-DAG: PLANTED 1: {{.*}}pipeline.cu:[[#@LINE+2]]:{{[0-9]+}}: error: data race in global memory
  // CHECK-DAG: PLANTED 5: {{.*}}pipeline.cu:[[#@LINE+1]]:{{[0-9]+}}: error: data race in global memory
  unsigned value = dataOf(job, rank(), item % 2)[lane()];
  __syncthreads();
  if (lane() == 0 && job.bug != 2)
    add(signalOf(job, previous, credits), 1);
  return value;
}

extern "C" __global__ void protocol(Job job) {
  unsigned sum = 0;
  for (int item = 0; item < 4 * job.rounds; ++item)
    if (blockIdx.x == 0)
      send(job, item);
    else
      sum += receive(job, item) * (item + 1);
  if (blockIdx.x == 1)
    resultOf(job)[lane()] = sum;
}

extern "C" __global__ void verify(Job job) {
  expect(job, threads, [&](int i) {
    unsigned sum = 0;
    for (int item = 0; item < 4 * job.rounds; ++item)
      sum += input((rank() + job.ranks - 1) % job.ranks, i, item) * (item + 1);
    return sum;
  });
}
