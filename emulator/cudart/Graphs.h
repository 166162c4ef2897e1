//===- Graphs.h - what streams do, now or in a graph ------------------------------------------------------------*- C++ -*-//

#ifndef TILECC_EMULATOR_CUDART_GRAPHS_H
#define TILECC_EMULATOR_CUDART_GRAPHS_H

#include "State.h"

#include <functional>

namespace tilecc::cudart {

/// Owns all that it needs but memory, and may be done many times.
using Work = std::function<cudaError_t()>;

/// Whether what the stream is given becomes nodes of a graph.
bool isCapturing(cudaStream_t stream);

/// Does the work, or makes it the next node of the graph that is being captured.
cudaError_t submit(cudaStream_t stream, Work work);

struct LaunchShape {
  dim3 grid, block;
  size_t shared = 0;
  dim3 cluster = dim3(1);
  bool isCooperative = false;
};

/// A launch with copies of its arguments. Empty after an error, which is kept.
Work launchLater(const void *function, const LaunchShape &shape, void **args);

/// What events mean to captures. False: the event or stream takes no part in one.
bool recordInCapture(cudaEvent_t event, cudaStream_t stream);
bool waitInCapture(cudaStream_t stream, cudaEvent_t event);

} // namespace tilecc::cudart

#endif // TILECC_EMULATOR_CUDART_GRAPHS_H
