//===-- DeviceGraphs.h - capture and graph functions of a kind of device ---------------------------------------===//
//
// Each kind of device implements these functions; the public functions for stream capture and graphs forward to them.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_DEVICEGRAPHS_H
#define TILECC_RUNTIME_DEVICEGRAPHS_H

#include "Support.h"

namespace tilecc::rt {

struct Kernel;

// Where a new node is added: the graph, and the nodes on which the new node depends.
struct NodePlace {
  ttGraph_t graph;
  const ttGraphNode_t *dependencies;
  size_t count; // number of dependencies
};

// The launch that a kernel node performs.
struct NodeKernel {
  Kernel *kernel; // null: not a tile kernel that this copy of the runtime knows
  ttDim3 grid;
  unsigned attributeCount;
};

// A part of DeviceKind, with the same rules. The grids of launches are valid; the streams in their configurations are
// ignored.
struct DeviceGraphs {
  ttError_t (*beginCapture)(ttStream_t stream, ttStreamCaptureMode mode);
  ttError_t (*endCapture)(ttStream_t stream, ttGraph_t *graph);
  ttError_t (*isCapturing)(ttStream_t stream, ttStreamCaptureStatus *status);
  ttError_t (*exchangeMode)(ttStreamCaptureMode *mode); // of the calling thread
  ttError_t (*hostFunction)(ttStream_t stream, ttHostFn_t function, void *data);

  ttError_t (*create)(ttGraph_t *graph);
  ttError_t (*destroy)(ttGraph_t graph);
  ttError_t (*nodes)(ttGraph_t graph, ttGraphNode_t *nodes, size_t *count);
  ttError_t (*addKernel)(ttGraphNode_t *node, const NodePlace &place, Kernel &kernel, const ttLaunchConfig &config,
                         void **args);
  ttError_t (*addCopy)(ttGraphNode_t *node, const NodePlace &place, void *to, const void *from, size_t bytes);
  ttError_t (*addSet)(ttGraphNode_t *node, const NodePlace &place, void *pointer, int byte, size_t bytes);
  ttError_t (*addHost)(ttGraphNode_t *node, const NodePlace &place, ttHostFn_t function, void *data);
  ttError_t (*addEmpty)(ttGraphNode_t *node, const NodePlace &place);
  ttError_t (*addChild)(ttGraphNode_t *node, const NodePlace &place, ttGraph_t child);

  ttError_t (*dependencies)(ttGraphNode_t node, ttGraphNode_t *nodes, size_t *count);
  ttError_t (*getKernel)(ttGraphNode_t node, NodeKernel &kernel, void **args); // `args` may be null
  // Replaces a chain of nodes by one launch. The handle of the last node remains valid. `count` is at least 1.
  ttError_t (*replaceChain)(ttGraph_t graph, const ttGraphNode_t *nodes, size_t count, Kernel &kernel,
                            const ttLaunchConfig &config, void **args);

  ttError_t (*instantiate)(ttGraphExec_t *exec, ttGraph_t graph);
  ttError_t (*destroyExec)(ttGraphExec_t exec);
  ttError_t (*update)(ttGraphExec_t exec, ttGraph_t graph);
  ttError_t (*setKernel)(ttGraphExec_t exec, ttGraphNode_t node, Kernel &kernel, const ttLaunchConfig &config,
                         void **args);
  ttError_t (*upload)(ttGraphExec_t exec, ttStream_t stream);
  ttError_t (*launch)(ttGraphExec_t exec, ttStream_t stream);
};

} // namespace tilecc::rt
#endif
