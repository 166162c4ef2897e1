//===- Graphs.h - work of streams, executed now or in a graph ----------------------------------------------*- C++ -*-//

#ifndef TILECC_EMULATOR_CUDART_GRAPHS_H
#define TILECC_EMULATOR_CUDART_GRAPHS_H

#include "State.h"

#include <functional>

namespace tilecc::cudart {

/// A piece of work. It owns everything that it needs, except device memory, and may run many times.
using Work = std::function<cudaError_t()>;

/// Returns true if work in the stream becomes nodes of a graph.
bool isCapturing(cudaStream_t stream);

/// Executes the work, or captures it as the next node of a graph.
cudaError_t submit(cudaStream_t stream, Work work);

struct LaunchShape {
  dim3 grid, block;
  size_t shared = 0;
  dim3 cluster = dim3(1);
  bool isCooperative = false;
};

/// Returns a launch with copies of its arguments. Records an error and returns an empty result on failure.
Work launchLater(const void *function, const LaunchShape &shape, void **args);

/// Handle events in captures. They return false if the event or stream is not part of one.
bool recordInCapture(cudaEvent_t event, cudaStream_t stream);
bool waitInCapture(cudaStream_t stream, cudaEvent_t event);

} // namespace tilecc::cudart

#endif // TILECC_EMULATOR_CUDART_GRAPHS_H
