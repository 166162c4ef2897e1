/*===-- tilecc/runtime_graph.h - launches with attributes, and graphs of them -----------------------------------*- C -*-
 *
 * Part of <tilecc/runtime.h>, which includes it. The shapes and numbers are CUDA's, and so are the handles: a graph
 *that was captured here can be launched by the CUDA runtime, and the other way round.
 *
 * The CPU device and the emulator have graphs, too: capture records what the GPU's would and refuses what it would
 *refuse, and a launch does the graph's work, one piece after the other, before it returns.
 *===--------------------------------------------------------------------------------------------------------------===*/
#ifndef TILECC_RUNTIME_GRAPH_H
#define TILECC_RUNTIME_GRAPH_H

#include <tilecc/runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/*===-- Launches with attributes ------------------------------------------------------------------------------------===*/

typedef enum ttLaunchAttributeID {
  /* All programs of the grid run at the same time, so that they may wait for each other. A grid that is too large for
   * that is ttErrorCooperativeLaunchTooLarge; ttOccupancyMaxActivePrograms says what fits. The CPU device starts a
   * thread for each program, 4096 at most; the emulator keeps 256 programs going. */
  ttLaunchAttributeCooperative = 2,
  /* The kernel may begin before the kernel in front of it in the stream has ended, as soon as all programs of that one
   * have called tt::grid_dependency_launch() or ended; from tt::grid_dependency_wait() on, this kernel sees what that
   * one wrote. For GPUs of 9.0 and later; others, the CPU and the emulator wait for the end, which is right as well. */
  ttLaunchAttributeProgrammaticStreamSerialization = 6,
  /* Of what is ready to run, that of higher priority (lower number) first. GPUs alone. */
  ttLaunchAttributePriority = 8
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

/* ttLaunchKernel with attributes. */
ttError_t ttLaunchKernelEx(const ttLaunchConfig *config, const void *kernel, void **args);

/* How many programs of a kernel the current device runs at the same time, in the variant for any arguments. */
ttError_t ttOccupancyMaxActivePrograms(int *programs, const void *kernel);

/* Calls a function of the host's in the stream's order. It must not call this runtime. */
typedef void (*ttHostFn_t)(void *data);
ttError_t ttLaunchHostFunc(ttStream_t stream, ttHostFn_t function, void *data);

/*===-- Capture -----------------------------------------------------------------------------------------------------===*/

typedef struct CUgraph_st *ttGraph_t;         /* cudaGraph_t, CUgraph */
typedef struct CUgraphExec_st *ttGraphExec_t; /* cudaGraphExec_t, CUgraphExec */
typedef struct CUgraphNode_st *ttGraphNode_t; /* cudaGraphNode_t, CUgraphNode */

/* Who must not do meanwhile what cannot be captured and is not of the stream (allocate, wait for the device): anybody,
 * the calling thread, nobody. It is an error there, and the capture is lost. */
typedef enum ttStreamCaptureMode {
  ttStreamCaptureModeGlobal = 0,
  ttStreamCaptureModeThreadLocal = 1,
  ttStreamCaptureModeRelaxed = 2
} ttStreamCaptureMode;
typedef enum ttStreamCaptureStatus {
  ttStreamCaptureStatusNone = 0,
  ttStreamCaptureStatusActive = 1,
  ttStreamCaptureStatusInvalidated = 2 /* something went wrong, and ttStreamEndCapture will say so */
} ttStreamCaptureStatus;

/* From here on, launches and asynchronous copies in the stream are recorded and not done. Streams that wait for an
 * event recorded in a captured stream are captured along, and must be waited for before the end. The legacy stream
 * cannot be captured. Kernels are loaded in between if need be; ttPreload does that beforehand. */
ttError_t ttStreamBeginCapture(ttStream_t stream, ttStreamCaptureMode mode);
/* The graph is the caller's; null if the capture was lost. */
ttError_t ttStreamEndCapture(ttStream_t stream, ttGraph_t *graph);
ttError_t ttStreamIsCapturing(ttStream_t stream, ttStreamCaptureStatus *status);
/* How the calling thread takes captures that are on their way, Global by default: with Relaxed it may do what has
 * nothing to do with any of them, with ThreadLocal what has nothing to do with its own. *mode becomes what it was
 * before. */
ttError_t ttThreadExchangeStreamCaptureMode(ttStreamCaptureMode *mode);

/*===-- Graphs ------------------------------------------------------------------------------------------------------===*/

/* A graph belongs to the caller until destroyed, and may be changed by one thread at a time. */
ttError_t ttGraphCreate(ttGraph_t *graph);
ttError_t ttGraphDestroy(ttGraph_t graph);
/* The graph's nodes; with null, their number. */
ttError_t ttGraphGetNodes(ttGraph_t graph, ttGraphNode_t *nodes, size_t *count);

typedef struct ttKernelNodeParams {
  const void *kernel;
  ttDim3 grid;
  void **args; /* args[i] points at the value of parameter i, which is copied */
  const ttLaunchAttribute *attributes;
  unsigned attributeCount;
} ttKernelNodeParams;

/* Each runs when all of its dependencies, nodes of the same graph, have ended. */
ttError_t ttGraphAddKernelNode(ttGraphNode_t *node, ttGraph_t graph, const ttGraphNode_t *dependencies, size_t count,
                               const ttKernelNodeParams *params);
ttError_t ttGraphAddMemcpyNode1D(ttGraphNode_t *node, ttGraph_t graph, const ttGraphNode_t *dependencies, size_t count,
                                 void *to, const void *from, size_t bytes, ttMemcpyKind kind);
ttError_t ttGraphAddMemsetNode(ttGraphNode_t *node, ttGraph_t graph, const ttGraphNode_t *dependencies, size_t count,
                               void *pointer, int byte, size_t bytes);
ttError_t ttGraphAddHostNode(ttGraphNode_t *node, ttGraph_t graph, const ttGraphNode_t *dependencies, size_t count,
                             ttHostFn_t function, void *data);
ttError_t ttGraphAddEmptyNode(ttGraphNode_t *node, ttGraph_t graph, const ttGraphNode_t *dependencies, size_t count);
/* All of another graph, as it is now. */
ttError_t ttGraphAddChildGraphNode(ttGraphNode_t *node, ttGraph_t graph, const ttGraphNode_t *dependencies,
                                   size_t count, ttGraph_t child);

/* What a node depends on; with null, the number of them. An error also where the dependency is one of programmatic
 * launches. */
ttError_t ttGraphNodeGetDependencies(ttGraphNode_t node, ttGraphNode_t *dependencies, size_t *count);

/* What a node launches. params->args, where it is not null, is filled with the addresses of as many values as the
 * kernel has parameters, which live until the node is changed. The attributes are counted and not told. Of a node
 * that launches no tile kernel of this program params->kernel is null. */
ttError_t ttGraphKernelNodeGetParams(ttGraphNode_t node, ttKernelNodeParams *params);

/* Puts one launch, without attributes, in the place of a chain of launches: each node of it depends on the one in
 * front alone, and nothing else depends on any but the last. What the first depended on, and what depended on the
 * last, are the new node's; the last one's handle is its. The other handles are gone. */
ttError_t ttGraphReplaceKernelNodes(ttGraph_t graph, const ttGraphNode_t *nodes, size_t count,
                                    const ttKernelNodeParams *params);

/* Makes of a graph what can be launched again and again; later changes of the graph do not reach it. */
ttError_t ttGraphInstantiate(ttGraphExec_t *exec, ttGraph_t graph);
ttError_t ttGraphExecDestroy(ttGraphExec_t exec);
/* Takes over the parameters of a graph with the same nodes and dependencies; else ttErrorGraphExecUpdateFailure, and
 * nothing has changed. */
ttError_t ttGraphExecUpdate(ttGraphExec_t exec, ttGraph_t graph);
/* Of one node; `node` is that of the graph which was instantiated. */
ttError_t ttGraphExecKernelNodeSetParams(ttGraphExec_t exec, ttGraphNode_t node, const ttKernelNodeParams *params);
/* Brings it to the device, so that the first launch need not. */
ttError_t ttGraphUpload(ttGraphExec_t exec, ttStream_t stream);
ttError_t ttGraphLaunch(ttGraphExec_t exec, ttStream_t stream);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* TILECC_RUNTIME_GRAPH_H */
