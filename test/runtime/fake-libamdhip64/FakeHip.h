//===-- FakeHip.h - what the files of the fake HIP share ---------------------------------------------------------===//
#ifndef TILECC_TEST_FAKEHIP_H
#define TILECC_TEST_FAKEHIP_H

#include "runtime/src/hip/HipTypes.h"
#include "tilecc/emulator.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace tilecc::rt {
struct CUmod_st {
  int device;
  std::string name;                  // of a module without code
  tilecc_emu_module *code = nullptr; // owned; null: its kernels do nothing
  std::vector<std::unique_ptr<CUfunc_st>> functions;
};
} // namespace tilecc::rt

struct CUfunc_st {
  std::string name;
  tilecc::rt::CUmodule module;
  tilecc_emu_kernel *code; // null: it does nothing
};

namespace fake {

using namespace tilecc::rt;

enum : hipError_t {
  success = 0,
  invalidValue = 1,
  outOfMemory = 2,
  notInitialized = 3,
  noDevice = 100,
  invalidDevice = 101,
  invalidImage = 200,
  noBinaryForGpu = 209,
  invalidHandle = 400,
  illegalState = 401,
  notFound = 500,
  notReady = 600,
  illegalAddress = 700,
  peerEnabled = 704,
  peerNotEnabled = 705,
  launchFailure = 719,
  cooperativeTooLarge = 720,
  captureUnsupported = 900,
  captureInvalidated = 901,
  captureUnmatched = 903,
  captureUnjoined = 904,
  updateFailure = 910,
};
enum : unsigned { processors = 304, blocksPerProcessor = 4, ldsBytes = 64 * 1024 };

using Work = std::function<hipError_t()>;

// One lock for everything: calls of several threads run one after the other.
extern std::recursive_mutex lock;
extern std::vector<std::string> archs; // of the devices
extern thread_local int currentDevice;
extern thread_local int captureMode;
extern int capturing;                        // streams that are captured in global mode
extern std::set<std::pair<int, int>> &peers; // devices that may access the second one's memory

__attribute__((format(printf, 1, 2))) void logCall(const char *format, ...);
// For mistakes of the caller: also writes to standard error.
__attribute__((format(printf, 2, 3))) hipError_t wrong(hipError_t error, const char *format, ...);

// Every call begins here: what the environment wants to fail fails, and so does everything in a forked child. A call
// after HIP's exit handlers ends the process, as it may with HIP.
hipError_t enter(const char *function);
hipError_t notWhileCapturing(const char *function);

int version();

//===-- The emulator of AMD's GPUs, which runs the kernels --------------------------------------------------------===//

#define FAKE_EMULATOR(X)                                                                                               \
  X(error_message)                                                                                                     \
  X(create)                                                                                                            \
  X(allocate)                                                                                                          \
  X(free)                                                                                                              \
  X(allocate_host)                                                                                                     \
  X(free_host)                                                                                                         \
  X(register_host)                                                                                                     \
  X(unregister_host)                                                                                                   \
  X(copy)                                                                                                              \
  X(set)                                                                                                               \
  X(load)                                                                                                              \
  X(unload)                                                                                                            \
  X(get_kernel)                                                                                                        \
  X(param_size)                                                                                                        \
  X(get_attributes)                                                                                                    \
  X(launch)
struct Emulator {
#define MEMBER(name) decltype(&::tilecc_emu_##name) name;
  FAKE_EMULATOR(MEMBER)
#undef MEMBER
  tilecc_emu_device *device;
};
// Opened on first use. All devices share its memory; each block belongs to one of them.
const Emulator &emulator();

//===-- Kernels ---------------------------------------------------------------------------------------------------===//

struct KernelLaunch {
  CUfunction function = nullptr;
  hipDim3 grid = {}, block = {};
  unsigned sharedBytes = 0;
  std::vector<std::vector<char>> values; // of the arguments
  std::vector<void *> pointers;          // to them
  bool isCooperative = false;

  KernelLaunch() = default;
  KernelLaunch(const KernelLaunch &other) { *this = other; }
  KernelLaunch &operator=(const KernelLaunch &other);
  std::string describe() const;
};
// Checks a launch on a device, and copies its arguments.
hipError_t makeLaunch(int device, const hipKernelNodeParams &params, bool isCooperative, KernelLaunch &launch);
hipError_t runKernel(const KernelLaunch &launch);
bool isFunction(const void *function);

//===-- Memory ----------------------------------------------------------------------------------------------------===//

// Checks that bytes of known memory are within one block. Memory that is not known is the host's.
hipError_t checkRange(const char *function, const void *pointer, size_t bytes);
hipError_t runCopy(void *to, const void *from, size_t bytes);
hipError_t runSet(void *pointer, int byte, size_t bytes);
// Runs what the streams of the memory's device have to do.
hipError_t finishOwner(const void *pointer);
// Whether the memory is pageable memory of the host.
bool isPageable(const void *pointer);
// Checks that a device may access a pointer.
hipError_t checkAccess(int device, const void *pointer);

//===-- Streams ---------------------------------------------------------------------------------------------------===//

// Runs what the device's streams have to do.
hipError_t finishDevice(int device);
// Adds work to a stream, or what `addNode` makes of it to the graph that captures the stream.
hipError_t enqueue(const char *function, CUstream stream, Work work,
                   const std::function<void(CUgraph, CUgraphNode *)> &addNode);
// Runs what the stream has to do.
hipError_t finish(CUstream stream);
int deviceOf(CUstream stream);
bool isStream(CUstream stream);
bool isCaptured(CUstream stream);
void invalidateCaptures(); // those in global mode

// Add a node without dependencies.
void addKernelNode(CUgraph graph, CUgraphNode *node, const KernelLaunch &launch);
void addWorkNode(CUgraph graph, CUgraphNode *node, int type, const std::string &what, Work work);
void dependOn(CUgraphNode node, const std::vector<CUgraphNode> &dependencies);
// Whether all nodes come before these or are among them.
bool areAllBefore(CUgraph graph, const std::vector<CUgraphNode> &last);
CUgraph makeGraph();

} // namespace fake

#define FAKE(name) extern "C" __attribute__((visibility("default"))) hipError_t name
#define ENTER(name)                                                                                                    \
  std::lock_guard guard(lock);                                                                                         \
  if (hipError_t result_ = enter(name))                                                                                \
  return result_
#define NOT_WHILE_CAPTURING(name)                                                                                      \
  if (hipError_t result_ = notWhileCapturing(name))                                                                    \
  return result_
#define TRY(call)                                                                                                      \
  if (hipError_t result_ = call)                                                                                       \
  return result_

#endif
