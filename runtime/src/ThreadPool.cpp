//===-- ThreadPool.cpp -----------------------------------------------------------------------------------------===//
//
// The threads that run programs of a grid on the CPU, and blocks on the emulator.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "ThreadPool.h"
#include "Error.h"
#include "Fork.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

using namespace tilecc::rt;

namespace {

// Work in progress. It lives on its caller's stack, so it must leave the list, and all workers must leave it, before
// the caller returns.
struct Job {
  RangeFunction run;
  const void *context; // not owned
  uint64_t count;
  uint64_t chunk; // number of items handed out at a time
  size_t scratchBytes;
  std::atomic<uint64_t> next{0};    // first item not handed out
  std::atomic<uint32_t> workers{0}; // number of workers in it; changes under the lock
  Job *nextJob = nullptr;           // on the list; under the lock
  bool listed = true;               // under the lock

  bool exhausted() const { return next.load(std::memory_order_relaxed) >= count; }
};

// Scratch memory of a thread; grows as needed and is kept.
struct Scratch {
  Scratch *next; // in the list of free ones
  void *memory;  // owned
  size_t size;

  bool reserve(size_t bytes) {
    if (bytes <= size)
      return true;
    free(memory);
    memory = nullptr;
    size = 0;
    // Round up, so that kernels with similar needs share one allocation.
    size_t rounded = (bytes + 0xffff) & ~size_t(0xffff);
    if (rounded < bytes || posix_memalign(&memory, 64, rounded))
      return false;
    size = rounded;
    return true;
  }
};

struct Pool {
  Mutex lock;
  // Everything below is under the lock.
  pthread_cond_t wake = PTHREAD_COND_INITIALIZER; // for workers: there is a job, or they must stop
  pthread_cond_t done = PTHREAD_COND_INITIALIZER; // for callers: a worker has left a job
  Job *jobs = nullptr;                            // not owned
  Scratch *freeScratch = nullptr;                 // owned; for callers, a worker has its own
  pthread_t *threads = nullptr;                   // owned, [threadsStarted]
  unsigned threadsStarted = 0;
  unsigned sleeping = 0;
  bool started = false;
  bool stopped = false; // permanently: the library is being unloaded, or the process ends
};

} // namespace

static constinit Pool pool;
// The number of jobs, for workers that poll without the lock.
static constinit std::atomic<uint32_t> jobsListed{0};

static inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#elif defined(__riscv)
  asm volatile(".4byte 0x0100000f" ::: "memory"); // pause, a hint that processors without it ignore
#endif
}

static uint64_t nanoseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000ull + now.tv_nsec;
}

// Spins for a short time until `ready`, without yielding the processor.
template <class F> static bool spinFor(F ready) {
  enum { spinNanoseconds = 20000, checksPerClock = 64 };
  for (uint64_t end = nanoseconds() + spinNanoseconds; nanoseconds() < end;)
    for (int i = 0; i < checksPerClock; ++i) {
      if (ready())
        return true;
      relax();
    }
  return false;
}

static unsigned processors() {
  // The fixed-size set has room for 1024 processors; larger machines need more.
  for (int room = 1024; room <= 1 << 20; room *= 4) {
    cpu_set_t *set = CPU_ALLOC(room);
    if (!set)
      break;
    size_t size = CPU_ALLOC_SIZE(room);
    int failed = sched_getaffinity(0, size, set);
    int count = failed ? 0 : CPU_COUNT_S(size, set);
    CPU_FREE(set);
    if (count > 0)
      return count;
    if (errno != EINVAL)
      break;
  }
  return 1;
}

unsigned tilecc::rt::threadCount() {
  static constinit std::atomic<unsigned> known{0};
  if (unsigned count = known.load(std::memory_order_relaxed))
    return count;
  const char *text = secure_getenv("TILECC_NUM_THREADS");
  unsigned count;
  if (text && *text) {
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*end || *text == '-' || value < 1 || value > 65536) {
      fail(ttErrorInvalidValue, "TILECC_NUM_THREADS=%s: the number of threads must be from 1 to 65536", text);
      return 0;
    }
    count = value;
  } else {
    count = processors();
  }
  known.store(count, std::memory_order_relaxed);
  return count;
}

static void takePart(Job &job, void *scratch) {
  for (;;) {
    uint64_t begin = job.next.fetch_add(job.chunk, std::memory_order_relaxed);
    if (begin >= job.count)
      return;
    uint64_t left = job.count - begin;
    job.run(job.context, begin, begin + (left < job.chunk ? left : job.chunk), scratch);
  }
}

// The caller holds the lock.
static void unlist(Job &job) {
  if (!job.listed)
    return;
  Job **link = &pool.jobs;
  while (*link != &job)
    link = &(*link)->nextJob;
  *link = job.nextJob;
  job.listed = false;
}

// Returns the first job with items left, and removes jobs without. The caller holds the lock.
static Job *firstJob() {
  while (pool.jobs && pool.jobs->exhausted())
    unlist(*pool.jobs);
  return pool.jobs;
}

static void *workerMain(void *) {
  Scratch scratch = {};
  pool.lock.lock();
  while (!pool.stopped) {
    Job *job = firstJob();
    if (!job) {
      uint32_t seen = jobsListed.load(std::memory_order_relaxed);
      pool.lock.unlock();
      spinFor([&] { return jobsListed.load(std::memory_order_relaxed) != seen; });
      pool.lock.lock();
      ++pool.sleeping;
      while (!pool.stopped && !firstJob())
        pthread_cond_wait(&pool.wake, &pool.lock.mutex);
      --pool.sleeping;
      continue;
    }
    job->workers.fetch_add(1, std::memory_order_relaxed);
    pool.lock.unlock();
    bool ready = scratch.reserve(job->scratchBytes);
    if (ready)
      takePart(*job, scratch.memory);
    pool.lock.lock();
    // Exhausted, or not runnable by this worker: a worker that is out of memory would otherwise return to it forever.
    unlist(*job);
    if (job->workers.fetch_sub(1, std::memory_order_release) == 1)
      pthread_cond_broadcast(&pool.done);
  }
  pool.lock.unlock();
  free(scratch.memory);
  return nullptr;
}

// Starts workers. Continues without threads that cannot be started. The caller holds the lock.
static void startWorkers(unsigned wanted) {
  pool.started = true;
  pool.threads = static_cast<pthread_t *>(calloc(wanted ? wanted : 1, sizeof(pthread_t)));
  if (!pool.threads)
    return;
  // Workers block signals, which are for the program's own threads.
  sigset_t all, before;
  sigfillset(&all);
  for (int fault : {SIGSEGV, SIGBUS}) // cpu/CpuChecks.h attributes these to a kernel
    sigdelset(&all, fault);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  while (pool.threadsStarted < wanted) {
    pthread_t &thread = pool.threads[pool.threadsStarted];
    if (pthread_create(&thread, nullptr, workerMain, nullptr))
      break;
    ++pool.threadsStarted;
    char name[16];
    snprintf(name, sizeof(name), "tilecc-%u", pool.threadsStarted);
    pthread_setname_np(thread, name);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

static Scratch *takeScratch(size_t bytes) {
  pool.lock.lock();
  Scratch *scratch = pool.freeScratch;
  if (scratch)
    pool.freeScratch = scratch->next;
  pool.lock.unlock();
  if (!scratch)
    scratch = static_cast<Scratch *>(calloc(1, sizeof(Scratch)));
  if (scratch && !scratch->reserve(bytes)) {
    free(scratch);
    scratch = nullptr;
  }
  return scratch;
}

static void giveBackScratch(Scratch *scratch) {
  Lock lock(pool.lock);
  scratch->next = pool.freeScratch;
  pool.freeScratch = scratch;
}

// Adds the job to the list for workers, if there are any.
static bool list(Job &job, uint64_t chunks, unsigned threads) {
  Lock lock(pool.lock);
  if (!pool.started && !pool.stopped)
    startWorkers(threads - 1);
  if (pool.threadsStarted == 0)
    return false;
  Job **last = &pool.jobs;
  while (*last)
    last = &(*last)->nextJob;
  *last = &job;
  jobsListed.fetch_add(1, std::memory_order_relaxed);
  uint64_t helpers = chunks - 1;
  if (helpers >= pool.sleeping)
    pthread_cond_broadcast(&pool.wake);
  else
    for (uint64_t i = 0; i < helpers; ++i)
      pthread_cond_signal(&pool.wake);
  return true;
}

static void waitForWorkers(Job &job) {
  {
    Lock lock(pool.lock);
    unlist(job);
  }
  auto left = [&] { return job.workers.load(std::memory_order_acquire) == 0; };
  if (left() || spinFor(left))
    return; // workers do not access a job after leaving it
  Lock lock(pool.lock);
  while (!left())
    pthread_cond_wait(&pool.done, &pool.lock.mutex);
}

bool tilecc::rt::runOnAllThreads(uint64_t count, size_t scratchBytes, RangeFunction run, const void *context) {
  unsigned threads = threadCount();
  // Enough chunks to balance slow threads, and few enough to keep the overhead small.
  enum { chunksPerThread = 16 };
  uint64_t chunk = count / (static_cast<uint64_t>(threads) * chunksPerThread);
  if (chunk == 0)
    chunk = 1;
  if (threads == 1)
    chunk = count;

  Scratch *scratch = nullptr;
  if (scratchBytes && !(scratch = takeScratch(scratchBytes)))
    return false;
  void *memory = scratch ? scratch->memory : nullptr;
  if (chunk >= count) {
    run(context, 0, count, memory);
  } else {
    Job job{run, context, count, chunk, scratchBytes};
    bool listed = list(job, (count + chunk - 1) / chunk, threads);
    takePart(job, memory);
    if (listed)
      waitForWorkers(job);
  }
  if (scratch)
    giveBackScratch(scratch);
  return true;
}

// Runs before the workers' code is unmapped, when a library that contains the runtime is closed; also at exit, where
// later launches run only on their callers' threads.
__attribute__((destructor)) static void stopWorkers() {
  pool.lock.lock();
  pool.stopped = true;
  unsigned count = pool.threadsStarted;
  pool.threadsStarted = 0;
  pthread_t *threads = pool.threads;
  pool.threads = nullptr;
  Scratch *scratch = pool.freeScratch;
  pool.freeScratch = nullptr;
  pthread_cond_broadcast(&pool.wake);
  pool.lock.unlock();
  for (unsigned i = 0; i < count; ++i)
    pthread_join(threads[i], nullptr);
  free(threads);
  while (scratch) {
    Scratch *next = scratch->next;
    free(scratch->memory);
    free(scratch);
    scratch = next;
  }
}

void tilecc::rt::lockThreadPoolForFork() { pool.lock.lock(); }

// The child's pool has no workers and no jobs, and starts afresh. It keeps the scratch memory.
void tilecc::rt::unlockThreadPoolAfterFork(bool inChild) {
  if (inChild) {
    free(pool.threads);
    pool.threads = nullptr;
    pool.threadsStarted = pool.sleeping = 0;
    pool.started = false;
    pool.jobs = nullptr;
    pool.wake = PTHREAD_COND_INITIALIZER;
    pool.done = PTHREAD_COND_INITIALIZER;
  }
  pool.lock.unlock();
}
