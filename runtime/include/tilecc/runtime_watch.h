/*===-- tilecc/runtime_watch.h - seeing what runs --------------------------------------------------------------*- C -*-
 *
 * Part of <tilecc/runtime.h>, which includes it. If nothing here is used, the cost of a launch is one load.
 *
 * Two environment variables need no call. TILECC_TRACE=FILE writes a trace of launches, copies, loads, graphs and
 * named ranges for Chrome (chrome://tracing) and Perfetto. A launch or an asynchronous copy on a GPU is then enclosed
 * in two events, and its time on the GPU appears in a row of its stream. %p in the name is the process' number.
 * TILECC_NVTX=1 emits an NVTX range for each launch and each named range, for Nsight and other tools that understand
 * NVTX.
 *===--------------------------------------------------------------------------------------------------------------===*/
#ifndef TILECC_RUNTIME_WATCH_H
#define TILECC_RUNTIME_WATCH_H

#include <tilecc/detail/push_macros.h>

#include <tilecc/runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The description of a launch for hooks. The strings belong to the kernel's object file. */
typedef struct ttLaunchInfo {
  const char *kernel; /* as written: "add<1024>" */
  const char *symbol; /* mangled */
  /* Selected for the arguments: "u16", "u8", "u8_2", "a16", "a8", "p16", "generic"; "cpu" on the CPU device. */
  const char *variant;
  ttDim3 grid;
  ttStream_t stream;
  int device;
  ttError_t error; /* of the launch; ttSuccess before it */
} ttLaunchInfo;

/* Called in the launching thread, before and after a launch; it must not launch. On a GPU the kernel may still run
 * after the second call. The launches of a graph are not reported; their capture is. */
typedef void (*ttLaunchHook_t)(const ttLaunchInfo *launch, void *data);

/* Sets the two hooks of this copy of the runtime; either may be null. It returns when no other thread executes the old
 * hooks. A launch in progress may miss the change. */
ttError_t ttSetLaunchHooks(ttLaunchHook_t before, ttLaunchHook_t after, void *data);

/* Begin and end a named range of the calling thread, in the trace and for NVTX. Ranges nest. */
void ttRangePush(const char *name);
void ttRangePop(void);

#ifdef __cplusplus
} /* extern "C" */

namespace tt {

/// Names the work until the end of the block, in traces and NVTX: `tt::range_guard step("step 3");`
class range_guard {
public:
  explicit range_guard(const char *name) noexcept { ttRangePush(name); }
  ~range_guard() { ttRangePop(); }
  range_guard(const range_guard &) = delete;
  range_guard &operator=(const range_guard &) = delete;
};

} // namespace tt
#endif

#include <tilecc/detail/pop_macros.h>

#endif /* TILECC_RUNTIME_WATCH_H */
