//===-- ThreadPool.cpp -----------------------------------------------------------------------------------------===//
//
// The threads that run the programs of a grid on the CPU, and blocks on the emulator.
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

// Work on its way. It lives on its caller's stack, so it leaves the list, and all workers leave it, before the caller
// returns.
struct Job {
  RangeFunction run;
  const void *context; // not owned
  uint64_t count;
  uint64_t chunk; // items handed out at a time
  size_t scratchBytes;
  std::atomic<uint64_t> next{0};    // the first item not handed out
  std::atomic<uint32_t> workers{0}; // in it now; changes under the lock
  Job *nextJob = nullptr;           // on the list; under the lock
  bool listed = true;               // under the lock

  bool exhausted() const { return next.load(std::memory_order_relaxed) >= count; }
};

// A thread's scratch memory, grown as needed and kept.
struct Scratch {
  Scratch *next; // on the list of free ones
  void *memory;  // owned
  size_t size;

  bool reserve(size_t bytes) {
    if (bytes <= size)
      return true;
    free(memory);
    memory = nullptr;
    size = 0;
    // In steps, so that kernels of slightly different needs share one allocation.
    size_t rounded = (bytes + 0xffff) & ~size_t(0xffff);
    if (rounded < bytes || posix_memalign(&memory, 64, rounded))
      return false;
    size = rounded;
    return true;
  }
};

struct Pool {
  Mutex lock;
  // All below: under the lock.
  pthread_cond_t wake = PTHREAD_COND_INITIALIZER; // workers: there is a job, or the end
  pthread_cond_t done = PTHREAD_COND_INITIALIZER; // callers: a worker has left a job
  Job *jobs = nullptr;                            // not owned
  Scratch *freeScratch = nullptr;                 // owned; of callers, a worker has its own
  pthread_t *threads = nullptr;                   // owned, [threadsStarted]
  unsigned threadsStarted = 0;
  unsigned sleeping = 0;
  bool started = false;
  bool stopped = false; // for good: the library is being unloaded, or the process ends
};

} // namespace

static constinit Pool pool;
// Counts the jobs, for workers that look for one without the lock.
static constinit std::atomic<uint32_t> jobsListed{0};

static inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#endif
}

static uint64_t nanoseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000ull + now.tv_nsec;
}

// Waits a little for `ready` without giving up the processor.
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
  // The fixed-size set has room for 1024 processors; larger machines need a larger one.
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

// Under the lock.
static void unlist(Job &job) {
  if (!job.listed)
    return;
  Job **link = &pool.jobs;
  while (*link != &job)
    link = &(*link)->nextJob;
  *link = job.nextJob;
  job.listed = false;
}

// The first job that still has items to hand out; drops those that have none. Under the lock.
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
    // Exhausted now, or not for us: without this a worker that is out of memory would come back to it for ever.
    unlist(*job);
    if (job->workers.fetch_sub(1, std::memory_order_release) == 1)
      pthread_cond_broadcast(&pool.done);
  }
  pool.lock.unlock();
  free(scratch.memory);
  return nullptr;
}

// Under the lock. Threads that cannot be started are done without.
static void startWorkers(unsigned wanted) {
  pool.started = true;
  pool.threads = static_cast<pthread_t *>(calloc(wanted ? wanted : 1, sizeof(pthread_t)));
  if (!pool.threads)
    return;
  // Signals are for the program's own threads.
  sigset_t all, before;
  sigfillset(&all);
  for (int fault : {SIGSEGV, SIGBUS}) // of which cpu/CpuChecks.h says whose it was
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

// Puts the job on the list for workers to find, unless there are none.
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
    return; // a worker that has left the job does not look at it again
  Lock lock(pool.lock);
  while (!left())
    pthread_cond_wait(&pool.done, &pool.lock.mutex);
}

bool tilecc::rt::runOnAllThreads(uint64_t count, size_t scratchBytes, RangeFunction run, const void *context) {
  unsigned threads = threadCount();
  // Enough chunks that threads which fall behind do not matter, and so few that handing them out does not either.
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

// Before the code of the workers is unmapped, when a library that carries the runtime is closed; at exit as well, where
// later launches run on their callers' threads alone.
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

// The child's pool has no workers and no jobs, and starts over. Scratch memory came along.
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
