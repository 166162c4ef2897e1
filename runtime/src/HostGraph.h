//===-- HostGraph.h - graphs of devices that run on the host ---------------------------------------------------===//
//
// A node is a piece of work: a function and its data, which is copied byte by byte. Nodes depend on older ones alone,
// so the order in which they were added is one in which they can be done, and a launch does them in it.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_HOSTGRAPH_H
#define TILECC_RUNTIME_HOSTGRAPH_H

#include "Array.h"
#include "DeviceGraphs.h"

namespace tilecc::rt {

// Copies of the runtime in one process pass these to each other: the layouts are part of the ABI's version.
struct HostWork {
  ttError_t (*run)(const void *data); // null: nothing to do
  size_t bytes;
  alignas(16) char data[];
};

// HostWork::run of a type that is copied byte by byte and has a function of this name.
template <class Work> ttError_t runWork(const void *data) { return static_cast<const Work *>(data)->run(); }

struct HostGraph;
struct HostNode {
  HostGraph *graph; // not owned
  size_t index;     // in it
  HostWork *work;   // owned
  Array<size_t> after; // owned; indices of nodes in front
};

struct HostGraph {
  ttDeviceKind device;
  Array<HostNode *> nodes; // owned
};

// Adds a node; null after recording that there is no memory.
HostNode *addHostNode(HostGraph &graph, const Array<size_t> &after, ttError_t (*run)(const void *data),
                      const void *data, size_t bytes);
// All nodes of another graph and a node behind them; those without dependencies come behind `after`.
HostNode *addHostNodesOf(HostGraph &graph, const Array<size_t> &after, const HostGraph &child);

HostGraph *newHostGraph();
void freeHostGraph(HostGraph *graph);
ttGraph_t hostGraphHandle(HostGraph *graph);

// The launch that a node's work is; false if it is something else. `args` may be null.
bool describeKernelWork(const HostWork &work, NodeKernel &kernel, void **args);

// Calls use(run, data, bytes) with the work of a launch, ready to be copied.
using UseWork = ttError_t(void *context, ttError_t (*run)(const void *data), const void *data, size_t bytes);
ttError_t withKernelWork(Kernel &kernel, const ttLaunchConfig &config, void **args, UseWork *use, void *context);

bool isKernelWork(const HostWork &work);

// DeviceKind's launch and graphs.
ttError_t hostLaunch(Kernel &kernel, const ttLaunchConfig &config, void **args);
extern const DeviceGraphs hostGraphs;

} // namespace tilecc::rt
#endif
