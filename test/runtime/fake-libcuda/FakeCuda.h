//===-- FakeCuda.h - what the files of the fake driver share -----------------------------------------------------===//
#ifndef TILECC_TEST_FAKECUDA_H
#define TILECC_TEST_FAKECUDA_H

#include "runtime/src/cuda/CudaDriver.h"

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace tilecc::rt {
struct CUctx_st {
  int device;
  unsigned long long id; // 0: destroyed
  std::set<CUmodule> modules;
};
struct CUmod_st {
  std::string name;
  CUcontext context;
  std::vector<CUfunction> functions;
};
} // namespace tilecc::rt
struct CUfunc_st {
  std::string name;
  tilecc::rt::CUmodule module;
  int maxDynamicShared = 48 * 1024;
};
struct CUstream_st {
  tilecc::rt::CUgraph capture = nullptr; // on its way
  bool isGlobal = false;                 // it is
};
struct CUevent_st {
  bool recorded = false;
  double time = 0; // when
  tilecc::rt::CUgraph capture = nullptr; // that it was recorded in
};

namespace fake {

using namespace tilecc::rt;

constexpr CUresult invalidValue = 1, notInitialized = 3, notFound = 500, invalidPtx = 218, invalidHandle = 400,
                   captureUnsupported = 900;

extern std::mutex lock;
extern std::vector<int> archs; // of the devices
extern std::atomic<int> capturing; // streams in global mode

__attribute__((format(printf, 1, 2))) void logCall(const char *format, ...);

// Every call begins here. It fails if the environment requests that, before cuInit, in a forked child of a process that
// called cuInit, and after exit began.
CUresult enter(const char *function);
CUcontext current();
CUresult needContext();
CUresult notWhileCapturing(const char *function);
// Whether the stream is captured; if so, adds a node to its graph.
bool capture(CUstream stream, const std::string &what);
// Also lets the time pass that FAKE_CUDA_TIMES has for the function.
CUresult checkLaunch(CUfunction function, unsigned sharedBytes);
// Writes the records of a launch (FakeRecords.cpp).
void record(const std::string &symbol, unsigned blocks);
extern thread_local double clockTime; // milliseconds, of what this thread has launched

inline void *toPointer(CUdeviceptr pointer) { return reinterpret_cast<void *>(pointer); }

} // namespace fake

#define FAKE(name) extern "C" __attribute__((visibility("default"))) CUresult name
#define ENTER(name)                                                                                                    \
  if (CUresult result_ = enter(name))                                                                                  \
  return result_
#define CONTEXT(name)                                                                                                  \
  ENTER(name);                                                                                                         \
  if (CUresult result_ = needContext())                                                                                \
  return result_
#define NOT_WHILE_CAPTURING(name)                                                                                      \
  if (CUresult result_ = notWhileCapturing(name))                                                                      \
  return result_

#endif
