// The dispatch of tokens to experts: each token goes to the rank of its expert, into a slot that a counter there assigns.
//
// RUN: %tcc -O2 -ptx -arch=sm_90 %s -o %t.ptx
// RUN: %protocol %t.ptx --bugs=6 --ranks=4 | FileCheck %s --implicit-check-not=MISSED
// RUN: %protocol %t.ptx --bugs=6 --ranks=8 | FileCheck %s --implicit-check-not=MISSED
// RUN: %protocol %t.ptx --bugs=6 --ranks=3 --seeds=%seeds
// CHECK: right: no finding
#include "Inputs/ranks.cuh"

enum { slots, senders }; // signals: the number of slots in use, and of ranks that have sent all of their tokens

FN int expertOf(unsigned token, int ranks) { return token % 7 % ranks; }

FN unsigned takeSlot(const Job &job, unsigned *counter) {
  unsigned slot;
  // PLANTED 4: slots by plain loads and stores. PLANTED 5: the counter is atomic for its own device only
  if (job.bug == 4) {
    slot = *static_cast<volatile unsigned *>(counter);
    // CHECK-DAG: PLANTED 4: {{.*}}dispatch.cu:[[#@LINE+1]]:{{[0-9]+}}: error: data race in global memory
    *counter = slot + 1;
  } else if (job.bug == 5) {
    // CHECK-DAG: PLANTED 5: {{.*}}dispatch.cu:[[#@LINE+1]]:{{[0-9]+}}: error: data race in global memory
    asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], 1;" : "=r"(slot) : "l"(counter) : "memory");
  } else {
    // CHECK-DAG: PLANTED 3: {{.*}}dispatch.cu:[[#@LINE+2]]:{{[0-9]+}}: error: data race in global memory
    // CHECK-DAG: PLANTED 6: {{.*}}dispatch.cu:[[#@LINE+1]]:{{[0-9]+}}: error: data race in global memory
    asm volatile("atom.relaxed.sys.global.add.u32 %0, [%1], 1;" : "=r"(slot) : "l"(counter) : "memory");
  }
  return slot % 2048;
}

extern "C" __global__ void protocol(Job job) {
  auto tell = [&] {
    __syncthreads();
    // PLANTED 2: the signals release nothing
    if (lane() < job.ranks)
      add(signalOf(job, lane(), senders), 1, job.bug == 2 ? isRelaxed : releases);
  };
  // PLANTED 1: signals before the tokens are stored
  if (job.bug == 1)
    tell();
  unsigned token = input(rank(), lane(), 1);
  int to = expertOf(token, job.ranks);
  dataOf(job, to)[takeSlot(job, signalOf(job, to, slots))] = token;
  if (job.bug != 1)
    tell();
  // PLANTED 6: does not wait. PLANTED 3: waits for one rank less
  if (lane() == 0 && job.bug != 6)
    await(signalOf(job, rank(), senders), job.bug == 3 ? job.ranks - 1 : job.ranks);
  __syncthreads();
  unsigned count = *signalOf(job, rank(), slots), sum = 0;
  for (unsigned k = lane(); k < count && k < 2048; k += threads)
    // CHECK-DAG: PLANTED 1: {{.*}}dispatch.cu:[[#@LINE+3]]:{{[0-9]+}}: error: data race in global memory
    // CHECK-DAG: PLANTED 2: {{.*}}dispatch.cu:[[#@LINE+2]]:{{[0-9]+}}: error: data race in global memory
    // CHECK-DAG: PLANTED 6: {{.*}}dispatch.cu:[[#@LINE+1]]:{{[0-9]+}}: error: data race in global memory
    sum += dataOf(job, rank())[k];
  atomicAdd(resultOf(job), sum);
}

extern "C" __global__ void verify(Job job) {
  expect(job, 1, [&](int) {
    unsigned sum = 0;
    for (int from = 0; from < job.ranks; ++from)
      for (int i = 0; i < threads; ++i)
        if (unsigned token = input(from, i, 1); expertOf(token, job.ranks) == rank())
          sum += token;
    return sum;
  });
}
