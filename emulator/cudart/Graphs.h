//===- Graphs.h - work of streams, executed now or in a graph ----------------------------------------------*- C++ -*-//
//
// Calls with a stream are executed at once, unless the stream is being captured.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_EMULATOR_CUDART_GRAPHS_H
#define TILECC_EMULATOR_CUDART_GRAPHS_H

#include "State.h"

#include <functional>

namespace tilecc::cudart {

/// A piece of work. It owns everything that it needs, except device memory, and may be run many times.
using Work = std::function<cudaError_t()>;

/// Returns true if work in the stream is captured as nodes of a graph.
bool isCapturing(cudaStream_t stream);

/// Executes the work, or captures it as the next node of a graph.
cudaError_t submit(cudaStream_t stream, Work work);

struct LaunchShape {
  dim3 grid, block;
  size_t shared = 0;
  dim3 cluster = dim3(1);
  bool isCooperative = false;
};

/// Returns a launch, with copies of its arguments. After an error, which is recorded, the result is empty.
Work launchLater(const void *function, const LaunchShape &shape, void **args);

/// Handle events in streams that are captured. They return false if the event or the stream is not part of a capture.
bool recordInCapture(cudaEvent_t event, cudaStream_t stream);
bool waitInCapture(cudaStream_t stream, cudaEvent_t event);

} // namespace tilecc::cudart

#endif // TILECC_EMULATOR_CUDART_GRAPHS_H
