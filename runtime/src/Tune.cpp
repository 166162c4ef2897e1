//===-- Tune.cpp - selects the configuration of a kernel for a launch ------------------------------------------===//
//
// A tuned kernel is a table of kernels (rows), as a kernel is a table of variants. A launch uses both. The variants'
// assumptions that its arguments meet are the first part of the key that selects a row; they also select the row's
// variant. Existing choices are found without a lock. One thread at a time makes a missing choice (TuneChooser.cpp).
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Tune.h"
#include "Device.h"
#include "Error.h"
#include "Fork.h"
#include "Peers.h"
#include "TuneOptions.h"
#include "Variant.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

using namespace tilecc::rt;

static constinit Mutex tuneLock;               // held while a choice is made: only one kernel is measured at a time
static constinit bool hasReadVariable = false; // TILECC_TUNE_TABLE; under the lock

static thread_local bool isTuning = false; // this thread holds the lock, and may be in a launch hook that forks

void tilecc::rt::lockTuningForFork() {
  if (!isTuning)
    tuneLock.lock();
}
void tilecc::rt::unlockTuningAfterFork() {
  if (!isTuning)
    tuneLock.unlock();
}

namespace {
// Waits for the thread that makes a choice, but not forever: its kernel may wait for one that this thread is about to
// launch.
class TuneLock {
public:
  explicit TuneLock(double seconds) {
    timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    auto nanoseconds = static_cast<uint64_t>(end.tv_nsec + seconds * 1e9);
    end.tv_sec += nanoseconds / 1'000'000'000;
    end.tv_nsec = nanoseconds % 1'000'000'000;
    held = pthread_mutex_timedlock(&tuneLock.mutex, &end) == 0;
    isTuning |= held;
  }
  ~TuneLock() {
    if (!held)
      return;
    isTuning = false;
    tuneLock.unlock();
  }
  TuneLock(const TuneLock &) = delete;
  TuneLock &operator=(const TuneLock &) = delete;
  bool held;
};
} // namespace

//===-- Existing choices ------------------------------------------------------------------------------------------===//

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
  return hash ^ hash >> 32;
}

static TuneState *stateOf(const ttTuned &tuned) {
  return static_cast<TuneState *>(__atomic_load_n(&tuned.state, __ATOMIC_ACQUIRE));
}

// Returns an existing choice, or null. Apart from the key, *hash and *met identify it.
static inline const TuneChoice *find(const TuneState &state, int device, const ttTuneKey &key, void *const *args,
                                     uint64_t *hash, uint32_t *met) {
  *met = demandsMet(state.kernel, args);
  *hash = mix(static_cast<uint64_t>(device) << 8, *met);
  for (unsigned i = 0; i < key.count; ++i)
    *hash = mix(*hash, key.values[i]);
  const TuneChoice *choice = state.choices[*hash % TuneState::buckets].load(std::memory_order_acquire);
  for (; choice; choice = choice->next)
    if (choice->hash == *hash && choice->device == device && choice->met == *met && choice->key.count == key.count &&
        !memcmp(choice->key.values, key.values, key.count * sizeof(key.values[0])))
      return choice;
  return nullptr;
}

int ttTuneFind(const ttTuned *tuned, const ttTuneKey *key, void **args) {
  const TuneState *state = stateOf(*tuned);
  int device;
  const DeviceKind *kind = state ? currentDevice() : nullptr;
  if (!kind || kind->ordinal(&device))
    return -1;
  uint64_t hash;
  uint32_t met;
  const TuneChoice *choice = find(*state, device, *key, args, &hash, &met);
  return choice ? static_cast<int>(choice->row) : -1;
}

static void freeState(TuneState *state) {
  freeTuneTable(state->embedded);
  freeTuneTable(state->beside);
  free(const_cast<tilecc_param *>(state->kernel.params));
  free(state);
}

void ttTuneForget(ttTuned *tuned) {
  TuneState *state = stateOf(*tuned);
  if (!state || isInMainProgram(tuned))
    return;
  for (std::atomic<TuneChoice *> &bucket : state->choices)
    for (TuneChoice *choice = bucket.load(); choice;) {
      TuneChoice *next = choice->next;
      free(choice);
      choice = next;
    }
  freeState(state);
  tuned->state = nullptr;
}

//===-- The state of a tuned kernel -------------------------------------------------------------------------------===//

ttError_t tilecc::rt::describeAnywhere(const void *stub, const tilecc_kernel **kernel, const tilecc_module **object) {
  if ((*object = describeKernel(stub, kernel)))
    return ttSuccess;
  uint32_t otherVersion = 0;
  const Peer *peer = findPeer(stub, &otherVersion);
  if (peer && (*object = peer->describe(stub, kernel)))
    return ttSuccess;
  return failNoKernel(stub, otherVersion);
}

// The path of the table next to the program or library that contains an address.
static void pathBeside(const void *address, char *path, size_t size) {
  Dl_info file;
  char resolved[PATH_MAX];
  const char *name = dladdr(address, &file) && file.dli_fname && strchr(file.dli_fname, '/') ? file.dli_fname : nullptr;
  if (isInMainProgram(address) || !name || !realpath(name, resolved)) {
    ssize_t length = readlink("/proc/self/exe", resolved, sizeof(resolved) - 1);
    resolved[length > 0 ? length : 0] = 0;
  }
  if (static_cast<size_t>(snprintf(path, size, "%s.tune", resolved)) >= size)
    *path = 0;
}

// Adds the data of a row that the state needs. A parameter may affect only the variants of one row.
static ttError_t addRow(TuneState &state, const tilecc_kernel &row) {
  auto *params = const_cast<tilecc_param *>(state.kernel.params);
  if (!params) {
    params = static_cast<tilecc_param *>(malloc((row.param_count + 1) * sizeof(tilecc_param)));
    if (!params)
      return fail(ttErrorMemoryAllocation, "not enough memory to tune kernel '%s'", row.display_name);
    memcpy(static_cast<void *>(params), row.params, row.param_count * sizeof(tilecc_param));
    state.kernel = row;
    state.kernel.params = params;
  }
  if (row.param_count != state.kernel.param_count)
    return fail(ttErrorInvalidValue,
                "kernels '%s' and '%s' have different parameters, and cannot be rows of one tuned kernel",
                state.kernel.display_name, row.display_name);
  for (uint32_t i = 0; i < row.param_count; ++i)
    if (params[i].kind == TILECC_PARAM_OTHER)
      params[i].kind = row.params[i].kind;
  state.code = mix(state.code, row.code);
  for (const char *c = row.name; *c; ++c)
    state.code = mix(state.code, static_cast<unsigned char>(*c));
  return ttSuccess;
}

static ttError_t makeState(const ttTuneRequest &request, TuneState **result) {
  auto *state = static_cast<TuneState *>(calloc(1, sizeof(TuneState)));
  if (!state)
    return fail(ttErrorMemoryAllocation, "not enough memory to tune a kernel");
  const tilecc_module *first = nullptr;
  for (unsigned i = 0; i < request.rows; ++i) {
    const tilecc_kernel *kernel;
    const tilecc_module *object;
    ttError_t error = describeAnywhere(request.kernels[i], &kernel, &object);
    if (!error)
      error = addRow(*state, *kernel);
    if (error) {
      freeState(state);
      return error;
    }
    first = first ? first : object;
  }
  snprintf(state->name, sizeof(state->name), "%s", state->kernel.display_name);
  makeTuneText(state->name);
  if (char *end = strchr(state->name, '<'))
    *end = 0;
  pathBeside(request.kernels[0], state->besidePath, sizeof(state->besidePath));
  if (!tuneOptions().isFresh) {
    if (const char *text = first->tune_table)
      parseTuneTable(text, strlen(text), first->source, &state->embedded);
    readTuneTable(state->besidePath, TuneFile::MayBeMissing, &state->beside);
  }
  *result = state;
  return ttSuccess;
}

//===-- Making a choice -------------------------------------------------------------------------------------------===//

// The caller holds the lock.
static void readVariable() {
  const TuneOptions &options = tuneOptions();
  if (!hasReadVariable && !options.isFresh && *options.table && loadTuneTable(options.table, /*isOfVariable=*/true))
    ttGetLastError(); // it has been reported
  hasReadVariable = true;
}

// Chooses a row without measuring. Called when another thread measures for longer than the time limit.
static ttError_t takeFirst(const ttTuneRequest &request, unsigned *row) {
  int first = -1;
  for (unsigned i = 0; i < request.rows; ++i)
    if ((!request.status || request.status[i] == TT_TUNE_CANDIDATE) &&
        (first < 0 || (request.costs && request.costs[i] < request.costs[first])))
      first = i;
  if (first < 0)
    return fail(ttErrorInvalidValue, "no configuration of the tuned kernel is valid for these arguments");
  fprintf(stderr, "tilecc: a launch is not tuned: another thread has been measuring for longer than %g s\n",
          tuneOptions().wait);
  *row = first;
  return ttSuccess;
}

ttError_t ttTuneChoose(ttTuned *tuned, const ttTuneKey *key, const ttTuneRequest *request, unsigned *row) {
  CURRENT_DEVICE(device);
  int ordinal;
  if (ttError_t error = device->ordinal(&ordinal))
    return error;
  if (!request->rows || key->count > TT_TUNE_MOST_VALUES)
    return fail(ttErrorInvalidValue, "ttTuneChoose: a table without rows, or a key with more than %d values",
                TT_TUNE_MOST_VALUES);
  installForkHandlers();
  TuneLock lock(tuneOptions().wait);
  if (!lock.held)
    return takeFirst(*request, row);
  readVariable();
  TuneState *state = stateOf(*tuned);
  if (!state) {
    if (ttError_t error = makeState(*request, &state))
      return error;
    __atomic_store_n(&tuned->state, state, __ATOMIC_RELEASE);
  }
  for (unsigned i = 0; i < request->rows; ++i)
    if (const ttDim3 &grid = request->launches[i].grid; !grid.x || !grid.y || !grid.z) {
      *row = i; // nothing to execute, so nothing to measure
      return ttSuccess;
    }
  uint64_t hash;
  uint32_t met;
  if (const TuneChoice *choice = find(*state, ordinal, *key, request->args, &hash, &met)) {
    *row = choice->row; // made by another thread while this one waited
    return ttSuccess;
  }
  bool holds;
  if (ttError_t error = chooseRow(*state, *request, {*device, ordinal, *key, met}, row, &holds))
    return error;
  auto *choice = holds ? static_cast<TuneChoice *>(malloc(sizeof(TuneChoice))) : nullptr;
  if (!choice)
    return ttSuccess; // the next launch tries again
  std::atomic<TuneChoice *> &bucket = state->choices[hash % TuneState::buckets];
  *choice = {bucket.load(std::memory_order_relaxed), hash, ordinal, met, *row, *key};
  bucket.store(choice, std::memory_order_release);
  return ttSuccess;
}

ttError_t ttTuneLoad(const char *file) {
  installForkHandlers();
  Lock lock(tuneLock);
  return loadTuneTable(file, /*isOfVariable=*/false);
}

ttError_t ttTuneSave(const char *file) {
  installForkHandlers();
  Lock lock(tuneLock);
  if (saveTunedChoices(file))
    return ttSuccess;
  return fail(ttErrorOperatingSystem, "%s cannot be written: %s", file, strerror(errno));
}
