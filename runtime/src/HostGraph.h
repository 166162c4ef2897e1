//===-- HostGraph.h - graphs of devices that run on the host ---------------------------------------------------===//
//
// A node is a piece of work: a function and its trivially copyable data. Nodes depend only on older nodes, so a launch
// executes them in the order in which they were added.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_HOSTGRAPH_H
#define TILECC_RUNTIME_HOSTGRAPH_H

#include "Array.h"
#include "DeviceGraphs.h"

namespace tilecc::rt {

// Copies of the runtime in one process share these objects, so the layouts are part of the ABI version.
struct HostWork {
  ttError_t (*run)(const void *data); // null: empty
  size_t bytes;
  alignas(16) char data[];
};

// HostWork::run for a trivially copyable type with a member function run().
template <class Work> ttError_t runWork(const void *data) { return static_cast<const Work *>(data)->run(); }

struct HostGraph;
struct HostNode {
  HostGraph *graph; // not owned
  size_t index;     // in the graph
  HostWork *work;   // owned
  Array<size_t> after; // owned; indices of the nodes it depends on
};

struct HostGraph {
  ttDeviceKind device;
  Array<HostNode *> nodes; // owned
};

// Adds a node. If there is not enough memory, records an error and returns null.
HostNode *addHostNode(HostGraph &graph, const Array<size_t> &after, ttError_t (*run)(const void *data),
                      const void *data, size_t bytes);
// Adds all nodes of another graph, and a node that depends on them. Nodes without dependencies get the dependencies
// `after`.
HostNode *addHostNodesOf(HostGraph &graph, const Array<size_t> &after, const HostGraph &child);

HostGraph *newHostGraph();
void freeHostGraph(HostGraph *graph);
ttGraph_t hostGraphHandle(HostGraph *graph);

// Describes the launch in a node. Returns false if the node is not a launch. `args` may be null.
bool describeKernelWork(const HostWork &work, NodeKernel &kernel, void **args);

// Calls use(run, data, bytes) with the work of a launch, which can be copied.
using UseWork = ttError_t(void *context, ttError_t (*run)(const void *data), const void *data, size_t bytes);
ttError_t withKernelWork(Kernel &kernel, const ttLaunchConfig &config, void **args, UseWork *use, void *context);

bool isKernelWork(const HostWork &work);

// The launch and graph functions of DeviceKind, for devices that run on the host.
ttError_t hostLaunch(Kernel &kernel, const ttLaunchConfig &config, void **args);
extern const DeviceGraphs hostGraphs;

} // namespace tilecc::rt
#endif
