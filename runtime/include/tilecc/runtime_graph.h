/*===-- tilecc/runtime_graph.h - launches with attributes, and graphs of them ----------------------------------*- C -*-
 *
 * Part of <tilecc/runtime.h>, which includes it. The shapes and numbers are CUDA's, and so are the handles: the CUDA
 * runtime can launch a graph that was captured here, and vice versa.
 *
 * The CPU device and the emulator have graphs, too. A capture records and rejects the same calls as on a GPU. A launch
 * executes the nodes one after the other before it returns.
 *===--------------------------------------------------------------------------------------------------------------===*/
#ifndef TILECC_RUNTIME_GRAPH_H
#define TILECC_RUNTIME_GRAPH_H

#include <tilecc/detail/push_macros.h>

#include <tilecc/runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/*===-- Launches with attributes ----------------------------------------------------------------------------------===*/

typedef enum ttLaunchAttributeID {
  /* All programs of the grid run at the same time, so they may wait for each other. A grid that is too large for that
   * fails with ttErrorCooperativeLaunchTooLarge; ttOccupancyMaxActivePrograms returns the limit. The CPU device starts
   * a thread for each program, 4096 at most; the emulator runs up to 256 programs. */
  ttLaunchAttributeCooperative = 2,
  /* The kernel may begin before the previous kernel in the stream has ended, as soon as all programs of that one have
   * called tt::grid_dependency_launch() or ended. After tt::grid_dependency_wait() this kernel sees what the previous
   * one wrote. GPUs of 9.0 and later support this; other devices wait for the end of the previous kernel, which is also
   * correct. */
  ttLaunchAttributeProgrammaticStreamSerialization = 6,
  /* Among work that is ready to run, higher priorities (lower numbers) run first. Other devices ignore it. */
  ttLaunchAttributePriority = 8,
  /* Programs with different positions along z stand for programs of different devices (tt::comm::on_one_device). The
   * emulator then checks accesses between them as between devices: atomic accesses whose scope is a GPU do not order
   * them. Other devices ignore it. */
  ttLaunchAttributeDevicesAlongZ = 30
} ttLaunchAttributeID;

typedef struct ttLaunchAttribute {
  ttLaunchAttributeID id;
  int value; /* 0 or 1, or the priority */
} ttLaunchAttribute;

typedef struct ttLaunchConfig {
  ttDim3 grid;
  ttStream_t stream;
  const ttLaunchAttribute *attributes; /* [attributeCount], not owned */
  unsigned attributeCount;
} ttLaunchConfig;

/* Launches a kernel like ttLaunchKernel, with attributes. */
ttError_t ttLaunchKernelEx(const ttLaunchConfig *config, const void *kernel, void **args);

/* Returns the number of programs of a kernel that the current device runs at the same time, in the variant for any
 * arguments. */
ttError_t ttOccupancyMaxActivePrograms(int *programs, const void *kernel);

/* Calls a host function in stream order. It must not call this runtime. */
typedef void (*ttHostFn_t)(void *data);
ttError_t ttLaunchHostFunc(ttStream_t stream, ttHostFn_t function, void *data);

/*===-- Capture ---------------------------------------------------------------------------------------------------===*/

typedef struct CUgraph_st *ttGraph_t; /* cudaGraph_t, CUgraph */
typedef struct CUgraphExec_st *ttGraphExec_t; /* cudaGraphExec_t, CUgraphExec */
typedef struct CUgraphNode_st *ttGraphNode_t; /* cudaGraphNode_t, CUgraphNode */

/* Which threads must not make calls that cannot be captured (allocation, waiting for the device) during the capture:
 * all threads, the calling thread, or none. Such a call fails and invalidates the capture. */
typedef enum ttStreamCaptureMode {
  ttStreamCaptureModeGlobal = 0,
  ttStreamCaptureModeThreadLocal = 1,
  ttStreamCaptureModeRelaxed = 2
} ttStreamCaptureMode;
typedef enum ttStreamCaptureStatus {
  ttStreamCaptureStatusNone = 0,
  ttStreamCaptureStatusActive = 1,
  ttStreamCaptureStatusInvalidated = 2 /* an error occurred, which ttStreamEndCapture reports */
} ttStreamCaptureStatus;

/* Begins a capture: from now on, launches and asynchronous copies in the stream are recorded and not executed. Streams
 * that wait for an event recorded in a captured stream are captured, too, and must be joined before the end. The legacy
 * stream cannot be captured. Kernels are loaded during the capture if necessary; ttPreload does that beforehand. */
ttError_t ttStreamBeginCapture(ttStream_t stream, ttStreamCaptureMode mode);
/* Ends the capture. The caller owns the graph, which is null if the capture was invalidated. */
ttError_t ttStreamEndCapture(ttStream_t stream, ttGraph_t *graph);
ttError_t ttStreamIsCapturing(ttStream_t stream, ttStreamCaptureStatus *status);
/* Sets how captures in progress restrict the calling thread; the default is Global. With Relaxed, the thread may make
 * any call that is unrelated to a capture; with ThreadLocal, any call that is unrelated to its own captures. *mode
 * receives the previous mode. */
ttError_t ttThreadExchangeStreamCaptureMode(ttStreamCaptureMode *mode);

/*===-- Graphs ----------------------------------------------------------------------------------------------------===*/

/* The caller owns a graph until it is destroyed. One thread at a time may change it. */
ttError_t ttGraphCreate(ttGraph_t *graph);
ttError_t ttGraphDestroy(ttGraph_t graph);
/* Returns the nodes of a graph, or only their number if `nodes` is null. */
ttError_t ttGraphGetNodes(ttGraph_t graph, ttGraphNode_t *nodes, size_t *count);

typedef struct ttKernelNodeParams {
  const void *kernel;
  ttDim3 grid;
  void **args; /* args[i] points at the value of parameter i, which is copied */
  const ttLaunchAttribute *attributes;
  unsigned attributeCount;
} ttKernelNodeParams;

/* Adds a launch. A node runs when all of its dependencies, which are nodes of the same graph, have ended. */
ttError_t ttGraphAddKernelNode(ttGraphNode_t *node, ttGraph_t graph, const ttGraphNode_t *dependencies, size_t count,
                               const ttKernelNodeParams *params);
ttError_t ttGraphAddMemcpyNode1D(ttGraphNode_t *node, ttGraph_t graph, const ttGraphNode_t *dependencies, size_t count,
                                 void *to, const void *from, size_t bytes, ttMemcpyKind kind);
ttError_t ttGraphAddMemsetNode(ttGraphNode_t *node, ttGraph_t graph, const ttGraphNode_t *dependencies, size_t count,
                               void *pointer, int byte, size_t bytes);
ttError_t ttGraphAddHostNode(ttGraphNode_t *node, ttGraph_t graph, const ttGraphNode_t *dependencies, size_t count,
                             ttHostFn_t function, void *data);
ttError_t ttGraphAddEmptyNode(ttGraphNode_t *node, ttGraph_t graph, const ttGraphNode_t *dependencies, size_t count);
/* Adds a copy of another graph. */
ttError_t ttGraphAddChildGraphNode(ttGraphNode_t *node, ttGraph_t graph, const ttGraphNode_t *dependencies,
                                   size_t count, ttGraph_t child);

/* Returns the dependencies of a node, or only their number if `dependencies` is null. Fails if one is a programmatic
 * dependency. */
ttError_t ttGraphNodeGetDependencies(ttGraphNode_t node, ttGraphNode_t *dependencies, size_t *count);

/* Returns the launch parameters of a node. params->args, if not null, is filled with the addresses of the kernel's
 * parameters, which are valid until the node is changed. Attributes are counted but not returned. For a node that
 * launches no tile kernel of this program, params->kernel is null. */
ttError_t ttGraphKernelNodeGetParams(ttGraphNode_t node, ttKernelNodeParams *params);

/* Replaces a chain of launches by one launch without attributes. Each node of the chain depends only on the previous
 * one, and nothing else depends on any but the last. The new node takes the dependencies of the first node and the
 * dependents of the last, and has the handle of the last. The other handles become invalid. */
ttError_t ttGraphReplaceKernelNodes(ttGraph_t graph, const ttGraphNode_t *nodes, size_t count,
                                    const ttKernelNodeParams *params);

/* Creates an executable graph, which can be launched any number of times. Later changes of the graph do not affect
 * it. */
ttError_t ttGraphInstantiate(ttGraphExec_t *exec, ttGraph_t graph);
ttError_t ttGraphExecDestroy(ttGraphExec_t exec);
/* Copies the parameters of a graph that has the same nodes and dependencies. For any other graph, it returns
 * ttErrorGraphExecUpdateFailure and changes nothing. */
ttError_t ttGraphExecUpdate(ttGraphExec_t exec, ttGraph_t graph);
/* Changes the parameters of one node; `node` belongs to the graph that was instantiated. */
ttError_t ttGraphExecKernelNodeSetParams(ttGraphExec_t exec, ttGraphNode_t node, const ttKernelNodeParams *params);
/* Uploads the graph to the device, so that the first launch does not have to. */
ttError_t ttGraphUpload(ttGraphExec_t exec, ttStream_t stream);
ttError_t ttGraphLaunch(ttGraphExec_t exec, ttStream_t stream);

#ifdef __cplusplus
} /* extern "C" */
#endif

#include <tilecc/detail/pop_macros.h>

#endif /* TILECC_RUNTIME_GRAPH_H */
