// 37: several GPUs. A tile kernel on each GPU squares its part of the data, NCCL adds the results in the same stream,
// and a second kernel computes the mean. This is done twice: with all GPUs in one process, and with one process per
// GPU. Needs a GPU. With a single GPU, NCCL has nothing to send, but everything else is the same.
#include "kernels.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nccl.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

static void nccl(ncclResult_t result) {
  if (result != ncclSuccess)
    throw std::runtime_error(std::string("NCCL: ") + ncclGetErrorString(result));
}

static int gpus() {
  int count;
  ttDeviceProp properties;
  tt::check(ttGetDeviceCount(&count));
  tt::check(ttGetDeviceProperties(&properties, 0));
  return properties.kind == ttDeviceKindCuda ? count - 1 : 0; // the last device is the CPU
}

static constexpr int n = 1 << 20;
static float input(int rank, int i) { return float((i * 7 + rank * 13) % 100) / 10; }

// The data of one GPU, which must be current when this is constructed.
struct Part {
  explicit Part(int rank) : rank(rank), x(n), sum(n) {
    std::vector<float> host(n);
    for (int i = 0; i < n; ++i)
      host[i] = input(rank, i);
    x.copy_from(host.data());
  }
  void enqueue(ncclComm_t communicator, int ranks) {
    square(x.data(), sum.data(), n, stream);
    nccl(ncclAllReduce(sum.data(), sum.data(), n, ncclFloat, ncclSum, communicator,
                       reinterpret_cast<cudaStream_t>(stream.get())));
    divide(sum.data(), float(ranks), n, stream);
  }
  double error(int ranks) const {
    std::vector<float> host(n);
    stream.synchronize();
    sum.copy_to(host.data());
    double largest = 0;
    for (int i = 0; i < n; ++i) {
      double expected = 0;
      for (int other = 0; other < ranks; ++other)
        expected += double(input(other, i)) * input(other, i) / ranks;
      largest = std::fmax(largest, std::fabs(host[i] - expected) / (1 + expected));
    }
    return largest;
  }
  int rank;
  tt::stream stream;
  tt::device_buffer<float> x, sum;
};

static bool report(const char *how, int rank, int ranks, double error) {
  std::printf("%s: %s, GPU %d of %d: largest error %.2g\n", error < 1e-6 ? "PASS" : "FAIL", how, rank, ranks, error);
  std::fflush(stdout);
  return error < 1e-6;
}

static bool inOneProcess(int ranks) {
  std::vector<ncclComm_t> communicators(ranks);
  std::vector<Part> parts;
  nccl(ncclCommInitAll(communicators.data(), ranks, nullptr));
  for (int rank = 0; rank < ranks; ++rank) {
    tt::check(ttSetDevice(rank));
    parts.emplace_back(rank);
  }
  // Grouped, because each GPU's call waits for the calls of the others.
  nccl(ncclGroupStart());
  for (int rank = 0; rank < ranks; ++rank) {
    tt::check(ttSetDevice(rank));
    square(parts[rank].x.data(), parts[rank].sum.data(), n, parts[rank].stream);
    nccl(ncclAllReduce(parts[rank].sum.data(), parts[rank].sum.data(), n, ncclFloat, ncclSum, communicators[rank],
                       reinterpret_cast<cudaStream_t>(parts[rank].stream.get())));
  }
  nccl(ncclGroupEnd());
  bool passed = true;
  for (int rank = 0; rank < ranks; ++rank) {
    tt::check(ttSetDevice(rank));
    divide(parts[rank].sum.data(), float(ranks), n, parts[rank].stream);
    passed &= report("one process", rank, ranks, parts[rank].error(ranks));
  }
  for (ncclComm_t communicator : communicators)
    nccl(ncclCommDestroy(communicator));
  return passed;
}

static bool inAProcessOfItsOwn(int rank, int ranks, const ncclUniqueId &id) {
  ncclComm_t communicator;
  tt::check(ttSetDevice(rank));
  nccl(ncclCommInitRank(&communicator, ranks, id, rank));
  Part part(rank);
  part.enqueue(communicator, ranks);
  bool passed = report("a process each", rank, ranks, part.error(ranks));
  nccl(ncclCommDestroy(communicator));
  return passed;
}

// Runs f in a child process, because CUDA does not survive a fork. The exit status returns the result.
template <class F> static pid_t inChild(F f) {
  pid_t child = fork();
  if (child == 0) {
    int status = 1;
    try {
      status = f();
    } catch (const std::exception &error) {
      std::printf("FAIL: %s\n", error.what());
    }
    std::fflush(stdout);
    _exit(status);
  }
  return child;
}

static int wait(pid_t child) {
  int status;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

int main() {
  int ranks = wait(inChild([] { return gpus(); }));
  if (ranks == 0 || ranks == 255) {
    std::printf("SKIP: no GPU: NCCL works only on GPUs\n");
    return 0;
  }
  int failed = wait(inChild([&] { return !inOneProcess(ranks); }));

  // The first rank creates the id, in its own process, and sends it to the others.
  std::vector<int> writeEnds;
  std::vector<pid_t> children;
  for (int rank = ranks - 1; rank >= 0; --rank) {
    int ends[2];
    if (pipe(ends))
      return 1;
    children.push_back(inChild([&] {
      ncclUniqueId id;
      close(ends[1]); // so that reading ends if the first rank has exited
      if (rank > 0)
        return read(ends[0], &id, sizeof(id)) != sizeof(id) || !inAProcessOfItsOwn(rank, ranks, id);
      nccl(ncclGetUniqueId(&id));
      for (int end : writeEnds)
        if (write(end, &id, sizeof(id)) != sizeof(id))
          return true;
      return !inAProcessOfItsOwn(rank, ranks, id);
    }));
    writeEnds.push_back(ends[1]);
  }
  for (int end : writeEnds)
    close(end);
  for (pid_t child : children)
    failed |= wait(child);
  std::printf("%s\n", failed ? "FAILED" : "all passed");
  return failed != 0;
}
