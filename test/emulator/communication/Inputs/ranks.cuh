// Programs of several ranks that access each other's memory: one block of 64 threads for each role and rank. The rank is
// the block's position along z.
#pragma once

constexpr int threads = 64, mostRanks = 16;

struct Job {
  unsigned *memory[mostRanks]; // of each rank, zero at first
  unsigned *all;               // a multicast address of all memories
  int ranks, rounds;
  int bug; // the number of the planted bug, or 0
};

// What a rank's memory consists of, in words.
constexpr int signalWords = 32, signalCount = 128, dataStart = signalWords * signalCount, resultStart = dataStart + 8192,
              errorCount = resultStart + 4096;

#define FN static __device__ __forceinline__
FN int rank() { return blockIdx.z; }
FN int lane() { return threadIdx.x; }
FN unsigned *signalOf(const Job &job, int rank, int number) { return job.memory[rank] + number * signalWords; }
FN unsigned *dataOf(const Job &job, int rank, int chunk = 0) { return job.memory[rank] + dataStart + chunk * threads; }
FN unsigned *resultOf(const Job &job) { return job.memory[rank()] + resultStart; }
// The input of a rank.
FN unsigned input(int rank, int i, int round) { return rank * 4099 + i * 31 + round * 257; }

enum Strength { releases, releasesToDevice, isRelaxed };
FN void set(unsigned *signal, unsigned value, Strength strength = releases) {
  if (strength == releases)
    asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(signal), "r"(value) : "memory");
  else if (strength == releasesToDevice)
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(signal), "r"(value) : "memory");
  else
    asm volatile("st.relaxed.sys.global.u32 [%0], %1;" ::"l"(signal), "r"(value) : "memory");
}
FN void add(unsigned *signal, unsigned value, Strength strength = releases) {
  if (strength == releases)
    asm volatile("red.release.sys.global.add.u32 [%0], %1;" ::"l"(signal), "r"(value) : "memory");
  else
    asm volatile("red.relaxed.sys.global.add.u32 [%0], %1;" ::"l"(signal), "r"(value) : "memory");
}
// Returns when the signal is at least `value`. The comment tells the emulator so.
FN void await(unsigned *signal, unsigned value) {
  unsigned seen;
  do
    asm volatile("ld.acquire.sys.global.u32 %0, [%1];\n\t//@ awaits.global.ge.u32 [%1], %0, %2;"
                 : "=&r"(seen)
                 : "l"(signal), "r"(value)
                 : "memory");
  while (int(seen - value) < 0);
}
FN void awaitRelaxed(unsigned *signal, unsigned value) {
  unsigned seen;
  do
    asm volatile("ld.relaxed.sys.global.u32 %0, [%1];\n\t//@ awaits.global.ge.u32 [%1], %0, %2;"
                 : "=&r"(seen)
                 : "l"(signal), "r"(value)
                 : "memory");
  while (int(seen - value) < 0);
}

// Accesses to the memories of all ranks, through a multicast address.
FN unsigned sumOfAll(const unsigned *p) {
  unsigned sum;
  asm volatile("multimem.ld_reduce.weak.global.add.u32 %0, [%1];" : "=r"(sum) : "l"(p) : "memory");
  return sum;
}
FN void storeToAll(unsigned *p, unsigned value) {
  asm volatile("multimem.st.weak.global.u32 [%0], %1;" ::"l"(p), "r"(value) : "memory");
}
FN void setInAll(unsigned *signal, unsigned value) {
  asm volatile("multimem.st.release.sys.global.u32 [%0], %1;" ::"l"(signal), "r"(value) : "memory");
}
FN void addToAll(unsigned *signal, unsigned value, Strength strength) {
  if (strength == releases)
    asm volatile("multimem.red.release.sys.global.add.u32 [%0], %1;" ::"l"(signal), "r"(value) : "memory");
  else
    asm volatile("multimem.red.relaxed.sys.global.add.u32 [%0], %1;" ::"l"(signal), "r"(value) : "memory");
}

// Every rank waits for all others. Each has a signal for each of the others, which counts rounds.
enum Barrier { isRight, withoutRelease, toDeviceOnly, withOneEpoch, withReset, withNeighbours, withoutThreads };
FN void barrier(const Job &job, unsigned epoch, Barrier kind = isRight) {
  if (kind != withoutThreads)
    __syncthreads();
  const int me = rank(), peer = lane(), n = job.ranks;
  const bool isPeer = peer < n && peer != me;
  const unsigned value = kind == withOneEpoch || kind == withReset ? 1 : epoch;
  if (kind == withNeighbours ? peer == (me + 1) % n : isPeer)
    set(signalOf(job, peer, me), value, kind == withoutRelease ? isRelaxed : kind == toDeviceOnly ? releasesToDevice : releases);
  if (kind == withNeighbours ? peer == (me + n - 1) % n : isPeer) {
    await(signalOf(job, me, peer), value);
    if (kind == withReset)
      set(signalOf(job, me, peer), 0, isRelaxed);
  }
  __syncthreads();
}

// Counts the elements of the result that differ from what the rank expects of element i.
template <class F> FN void expect(const Job &job, int count, F element) {
  for (int i = lane(); i < count; i += threads)
    if (resultOf(job)[i] != element(i))
      atomicAdd(job.memory[rank()] + errorCount, 1);
}
