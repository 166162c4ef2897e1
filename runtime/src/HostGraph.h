//===-- HostGraph.h - graphs of devices that run on the host ---------------------------------------------------===//
//
// A node is a piece of work: a function, and data that can be copied byte by byte. Nodes depend only on older nodes, so
// a launch of the graph executes them in the order in which they were added.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_HOSTGRAPH_H
#define TILECC_RUNTIME_HOSTGRAPH_H

#include "Array.h"
#include "DeviceGraphs.h"

namespace tilecc::rt {

// The work of a node. The copies of the runtime in a process share these objects, so their layout is part of the ABI
// version.
struct HostWork {
  ttError_t (*run)(const void *data); // null: the node has no work
  size_t bytes;
  alignas(16) char data[];
};

// A HostWork::run for a trivially copyable type with a member function run().
template <class Work> ttError_t runWork(const void *data) { return static_cast<const Work *>(data)->run(); }

struct HostGraph;
struct HostNode {
  HostGraph *graph; // not owned
  size_t index; // its index in the graph
  HostWork *work; // owned
  Array<size_t> after; // owned; indices of the nodes it depends on
};

struct HostGraph {
  ttDeviceKind device;
  Array<HostNode *> nodes; // owned
};

// Adds a node that depends on the nodes `after`. Returns null after recording that there is no memory.
HostNode *addHostNode(HostGraph &graph, const Array<size_t> &after, ttError_t (*run)(const void *data),
                      const void *data, size_t bytes);
// Adds copies of all nodes of `child`, and a node that depends on them, which is returned. Nodes of `child` without
// dependencies get the dependencies `after`.
HostNode *addHostNodesOf(HostGraph &graph, const Array<size_t> &after, const HostGraph &child);

HostGraph *newHostGraph();
void freeHostGraph(HostGraph *graph);
ttGraph_t hostGraphHandle(HostGraph *graph);

// Describes the launch that a node performs. Returns false if the node is not a launch. `args` may be null.
bool describeKernelWork(const HostWork &work, NodeKernel &kernel, void **args);

// Calls use(context, run, data, bytes) with the work of a launch; its data can be copied.
using UseWork = ttError_t(void *context, ttError_t (*run)(const void *data), const void *data, size_t bytes);
ttError_t withKernelWork(Kernel &kernel, const ttLaunchConfig &config, void **args, UseWork *use, void *context);

bool isKernelWork(const HostWork &work);

// The functions of these names in DeviceKind, for all kinds that run on the host.
ttError_t hostLaunch(Kernel &kernel, const ttLaunchConfig &config, void **args);
extern const DeviceGraphs hostGraphs;

} // namespace tilecc::rt
#endif
