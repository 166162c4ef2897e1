//===-- HostGraph.cpp - graphs of devices that run on the host -------------------------------------------------===//
//
// Implements DeviceKind's graph functions, and its launch, which may become a node.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "HostGraph.h"
#include "Device.h"
#include "Error.h"
#include "HostCapture.h"
#include "HostMemory.h"
#include "HostStreams.h"

using namespace tilecc::rt;

//===-- Nodes -----------------------------------------------------------------------------------------------------===//

static void freeNode(HostNode *node) {
  node->after.clear();
  free(node->work);
  free(node);
}

static HostWork *newWork(ttError_t (*run)(const void *data), const void *data, size_t bytes) {
  auto *work = static_cast<HostWork *>(malloc(sizeof(HostWork) + bytes));
  if (!work)
    return nullptr;
  work->run = run;
  work->bytes = bytes;
  if (bytes)
    memcpy(work->data, data, bytes);
  return work;
}

HostNode *tilecc::rt::addHostNode(HostGraph &graph, const Array<size_t> &after, ttError_t (*run)(const void *data),
                                  const void *data, size_t bytes) {
  auto *node = static_cast<HostNode *>(calloc(1, sizeof(HostNode)));
  if (node) {
    node->graph = &graph;
    node->index = graph.nodes.size;
    node->work = newWork(run, data, bytes);
    if (node->work && node->after.append(after) && graph.nodes.append(node))
      return node;
    freeNode(node);
  }
  fail(ttErrorMemoryAllocation, "not enough memory for a graph's node");
  return nullptr;
}

HostNode *tilecc::rt::addHostNodesOf(HostGraph &graph, const Array<size_t> &after, const HostGraph &child) {
  size_t first = graph.nodes.size, count = child.nodes.size; // the graph may be its own child
  Array<size_t> before = {}, all = {};
  HostNode *last = nullptr;
  bool added = all.append(after);
  for (size_t i = 0; added && i < count; ++i) {
    const HostNode &node = *child.nodes[i];
    before.size = 0;
    for (size_t index : node.after)
      added &= before.append(first + index);
    const Array<size_t> &dependencies = node.after.size ? before : after;
    added = added && addHostNode(graph, dependencies, node.work->run, node.work->data, node.work->bytes) &&
            all.append(first + i);
  }
  if (added)
    last = addHostNode(graph, all, nullptr, nullptr, 0);
  before.clear();
  all.clear();
  if (!last)
    fail(ttErrorMemoryAllocation, "not enough memory for a graph's nodes");
  return last;
}

HostGraph *tilecc::rt::newHostGraph() {
  auto *graph = static_cast<HostGraph *>(calloc(1, sizeof(HostGraph)));
  if (graph)
    graph->device = currentDevice()->kind;
  return graph;
}

void tilecc::rt::freeHostGraph(HostGraph *graph) {
  for (HostNode *node : graph->nodes)
    freeNode(node);
  graph->nodes.clear();
  free(graph);
}

//===-- Handles ---------------------------------------------------------------------------------------------------===//

ttGraph_t tilecc::rt::hostGraphHandle(HostGraph *graph) {
  return reinterpret_cast<ttGraph_t>(reinterpret_cast<uintptr_t>(graph) | 1);
}
static ttGraphNode_t toHandle(HostNode *node) {
  return reinterpret_cast<ttGraphNode_t>(reinterpret_cast<uintptr_t>(node) | 1);
}

template <class Object> static Object *untag(const void *handle) {
  return reinterpret_cast<Object *>(reinterpret_cast<uintptr_t>(handle) - 1);
}

// Returns a graph or an instantiated graph. If the handle is not one of the current device, records an error and
// returns null.
static HostGraph *fromHandle(const void *handle) {
  if (isHostHandle(handle) && untag<HostGraph>(handle)->device == currentDevice()->kind)
    return untag<HostGraph>(handle);
  fail(ttErrorInvalidResourceHandle, "the graph is not one of %s, which is the current device", currentDevice()->name);
  return nullptr;
}

// Finds the graph and the dependencies of a new node. The caller clears `after`.
static ttError_t findPlace(const NodePlace &place, HostGraph **graph, Array<size_t> &after) {
  if (!(*graph = fromHandle(place.graph)))
    return ttPeekAtLastError();
  for (size_t i = 0; i < place.count; ++i) {
    if (!isHostHandle(place.dependencies[i]) || untag<HostNode>(place.dependencies[i])->graph != *graph)
      return fail(ttErrorInvalidValue, "dependency %zu is not a node of the graph", i);
    if (!after.append(untag<HostNode>(place.dependencies[i])->index))
      return fail(ttErrorMemoryAllocation, "not enough memory for a graph's node");
  }
  return ttSuccess;
}

static ttError_t addWork(ttGraphNode_t *handle, const NodePlace &place, ttError_t (*run)(const void *data),
                         const void *data, size_t bytes) {
  HostGraph *graph;
  Array<size_t> after = {};
  ttError_t error = findPlace(place, &graph, after);
  HostNode *node = error ? nullptr : addHostNode(*graph, after, run, data, bytes);
  after.clear();
  if (!node)
    return ttPeekAtLastError();
  *handle = toHandle(node);
  return ttSuccess;
}

template <class Work> static ttError_t addWork(ttGraphNode_t *node, const NodePlace &place, const Work &work) {
  return addWork(node, place, runWork<Work>, &work, sizeof(work));
}

//===-- The work of nodes -----------------------------------------------------------------------------------------===//

namespace {
struct HostCall {
  ttHostFn_t function;
  void *data;
  ttError_t run() const {
    const HostPrimitives &device = *currentDevice()->host;
    if (device.finish && workStream)
      if (ttError_t error = device.finish(*workStream)) // the function follows the earlier work of the stream
        return error;
    function(data);
    return ttSuccess;
  }
};
} // namespace

//===-- DeviceGraphs ----------------------------------------------------------------------------------------------===//

static ttError_t hostFunction(ttStream_t stream, ttHostFn_t function, void *data) {
  return runOrCapture(stream, HostCall{function, data});
}

static ttError_t create(ttGraph_t *handle) {
  HostGraph *graph = newHostGraph();
  if (!graph)
    return fail(ttErrorMemoryAllocation, "not enough memory for a graph");
  *handle = hostGraphHandle(graph);
  return ttSuccess;
}

static ttError_t destroy(ttGraph_t handle) {
  HostGraph *graph = fromHandle(handle);
  if (!graph)
    return ttPeekAtLastError();
  freeHostGraph(graph);
  return ttSuccess;
}

static ttError_t nodes(ttGraph_t handle, ttGraphNode_t *nodes, size_t *count) {
  HostGraph *graph = fromHandle(handle);
  if (!graph)
    return ttPeekAtLastError();
  for (size_t i = 0; nodes && i < *count && i < graph->nodes.size; ++i)
    nodes[i] = toHandle(graph->nodes[i]);
  *count = graph->nodes.size;
  return ttSuccess;
}

static ttError_t addKernel(ttGraphNode_t *node, const NodePlace &place, Kernel &kernel, const ttLaunchConfig &config,
                           void **args) {
  struct Context {
    ttGraphNode_t *node;
    const NodePlace &place;
  } context = {node, place};
  return withKernelWork(
      kernel, config, args,
      [](void *data, ttError_t (*run)(const void *), const void *work, size_t bytes) {
        auto &context = *static_cast<Context *>(data);
        return addWork(context.node, context.place, run, work, bytes);
      },
      &context);
}

static ttError_t addCopy(ttGraphNode_t *node, const NodePlace &place, void *to, const void *from, size_t bytes) {
  return addWork(node, place, HostCopy{currentDevice()->host, to, from, bytes});
}
static ttError_t addSet(ttGraphNode_t *node, const NodePlace &place, void *pointer, int byte, size_t bytes) {
  return addWork(node, place, HostSet{currentDevice()->host, pointer, byte, bytes});
}
static ttError_t addHost(ttGraphNode_t *node, const NodePlace &place, ttHostFn_t function, void *data) {
  return addWork(node, place, HostCall{function, data});
}
static ttError_t addEmpty(ttGraphNode_t *node, const NodePlace &place) {
  return addWork(node, place, nullptr, nullptr, 0);
}

static ttError_t addChild(ttGraphNode_t *handle, const NodePlace &place, ttGraph_t childHandle) {
  HostGraph *graph, *child = fromHandle(childHandle);
  if (!child)
    return ttPeekAtLastError();
  Array<size_t> after = {};
  ttError_t error = findPlace(place, &graph, after);
  HostNode *node = error ? nullptr : addHostNodesOf(*graph, after, *child);
  after.clear();
  if (!node)
    return ttPeekAtLastError();
  *handle = toHandle(node);
  return ttSuccess;
}

// Replaces the work of a node (a UseWork).
static ttError_t setWork(void *node, ttError_t (*run)(const void *), const void *data, size_t bytes) {
  HostWork *work = newWork(run, data, bytes), **slot = &static_cast<HostNode *>(node)->work;
  if (!work)
    return fail(ttErrorMemoryAllocation, "not enough memory to change a graph");
  free(*slot);
  *slot = work;
  return ttSuccess;
}

// Returns a node of a graph of the current device. If the handle is not such a node, records an error and returns null.
static HostNode *nodeFromHandle(ttGraphNode_t handle) {
  if (isHostHandle(handle) && untag<HostNode>(handle)->graph->device == currentDevice()->kind)
    return untag<HostNode>(handle);
  fail(ttErrorInvalidResourceHandle, "the node is not one of %s, which is the current device", currentDevice()->name);
  return nullptr;
}

static ttError_t dependencies(ttGraphNode_t handle, ttGraphNode_t *nodes, size_t *count) {
  HostNode *node = nodeFromHandle(handle);
  if (!node)
    return ttPeekAtLastError();
  for (size_t i = 0; nodes && i < *count && i < node->after.size; ++i)
    nodes[i] = toHandle(node->graph->nodes[node->after[i]]);
  *count = node->after.size;
  return ttSuccess;
}

static ttError_t getKernel(ttGraphNode_t handle, NodeKernel &kernel, void **args) {
  HostNode *node = nodeFromHandle(handle);
  if (!node)
    return ttPeekAtLastError();
  describeKernelWork(*node->work, kernel, args);
  return ttSuccess;
}

// Removes a node that no other node depends on; later nodes move up.
static void removeNode(HostGraph &graph, HostNode *node) {
  size_t removed = node->index;
  memmove(graph.nodes.data + removed, graph.nodes.data + removed + 1,
          (graph.nodes.size - removed - 1) * sizeof(HostNode *));
  --graph.nodes.size;
  freeNode(node);
  for (size_t i = removed; i < graph.nodes.size; ++i) {
    graph.nodes[i]->index = i;
    for (size_t &index : graph.nodes[i]->after)
      index -= index > removed;
  }
}

static ttError_t replaceChain(ttGraph_t handle, const ttGraphNode_t *handles, size_t count, Kernel &kernel,
                              const ttLaunchConfig &config, void **args) {
  HostGraph *graph = fromHandle(handle);
  if (!graph)
    return ttPeekAtLastError();
  Array<HostNode *> chain = {};
  ttError_t error = ttSuccess;
  for (size_t i = 0; i < count && !error; ++i) {
    HostNode *node = nodeFromHandle(handles[i]);
    bool follows = node && node->graph == graph && isKernelWork(*node->work) &&
                   (i == 0 || (node->after.size == 1 && node->after[0] == chain[i - 1]->index));
    if (!follows)
      error =
          fail(ttErrorInvalidValue, "node %zu of the chain is not a launch that depends only on the previous node", i);
    else if (!chain.append(node))
      error = fail(ttErrorMemoryAllocation, "not enough memory to change a graph");
  }
  for (size_t i = 0; i + 1 < chain.size && !error; ++i)
    for (HostNode *other : graph->nodes)
      for (size_t index : other->after)
        if (index == chain[i]->index && other != chain[i + 1])
          error = fail(ttErrorInvalidValue, "a node other than the next one depends on node %zu of the chain", i);
  if (!error) {
    HostNode &last = *chain[count - 1];
    error = withKernelWork(kernel, config, args, setWork, &last);
    if (!error && count > 1) {
      Array<size_t> before = last.after;
      last.after = chain[0]->after;
      chain[0]->after = before; // freed with the node
      for (size_t i = count - 1; i-- > 0;)
        removeNode(*graph, chain[i]);
    }
  }
  chain.clear();
  return error;
}

static ttGraphExec_t toExec(HostGraph *graph) { return reinterpret_cast<ttGraphExec_t>(hostGraphHandle(graph)); }

static ttError_t instantiate(ttGraphExec_t *exec, ttGraph_t handle) {
  HostGraph *graph = fromHandle(handle), *copy = graph ? newHostGraph() : nullptr;
  if (!graph)
    return ttPeekAtLastError();
  bool complete = copy;
  for (size_t i = 0; complete && i < graph->nodes.size; ++i) {
    const HostNode &node = *graph->nodes[i];
    complete = addHostNode(*copy, node.after, node.work->run, node.work->data, node.work->bytes);
  }
  if (!complete) {
    if (copy)
      freeHostGraph(copy);
    return fail(ttErrorMemoryAllocation, "not enough memory to instantiate a graph");
  }
  *exec = toExec(copy);
  return ttSuccess;
}

static ttError_t destroyExec(ttGraphExec_t exec) { return destroy(reinterpret_cast<ttGraph_t>(exec)); }

// Returns true if a node can take over the work of another: both have the same kind of work and the same dependencies.
static bool isLike(const HostNode &a, const HostNode &b) {
  return a.work->run == b.work->run && a.after.size == b.after.size &&
         (a.after.size == 0 || !memcmp(a.after.data, b.after.data, a.after.size * sizeof(size_t)));
}

static ttError_t update(ttGraphExec_t execHandle, ttGraph_t handle) {
  HostGraph *exec = fromHandle(execHandle), *graph = fromHandle(handle);
  if (!exec || !graph)
    return ttPeekAtLastError();
  if (exec->nodes.size != graph->nodes.size)
    return fail(ttErrorGraphExecUpdateFailure, "the graph has %zu nodes, the one that was instantiated %zu",
                graph->nodes.size, exec->nodes.size);
  Array<HostWork *> works = {};
  ttError_t error = ttSuccess;
  for (size_t i = 0; !error && i < graph->nodes.size; ++i) {
    const HostNode &node = *graph->nodes[i];
    if (!isLike(*exec->nodes[i], node)) {
      error = fail(ttErrorGraphExecUpdateFailure, "node %zu does something else, or has other dependencies", i);
      break;
    }
    HostWork *work = newWork(node.work->run, node.work->data, node.work->bytes);
    if (!work || !works.append(work)) {
      free(work);
      error = fail(ttErrorMemoryAllocation, "not enough memory to update a graph");
    }
  }
  for (size_t i = 0; i < works.size; ++i) {
    HostWork *unused = works[i];
    if (!error) {
      unused = exec->nodes[i]->work;
      exec->nodes[i]->work = works[i];
    }
    free(unused);
  }
  works.clear();
  return error;
}

static ttError_t setKernel(ttGraphExec_t execHandle, ttGraphNode_t handle, Kernel &kernel, const ttLaunchConfig &config,
                           void **args) {
  HostGraph *exec = fromHandle(execHandle);
  if (!exec)
    return ttPeekAtLastError();
  HostNode *node = isHostHandle(handle) ? untag<HostNode>(handle) : nullptr;
  if (!node || node->index >= exec->nodes.size || !isKernelWork(*exec->nodes[node->index]->work))
    return fail(ttErrorInvalidValue, "the node is not a kernel node of the graph that was instantiated");
  return withKernelWork(kernel, config, args, setWork, exec->nodes[node->index]);
}

static ttError_t upload(ttGraphExec_t exec, ttStream_t stream) {
  if (!fromHandle(exec))
    return ttPeekAtLastError();
  return checkHostStream(stream);
}

static ttError_t launch(ttGraphExec_t handle, ttStream_t stream) {
  HostGraph *exec = fromHandle(handle);
  if (!exec)
    return ttPeekAtLastError();
  if (ttError_t error = checkHostStreamForWork(stream))
    return error;
  if (isCapturing(stream))
    return captureGraph(stream, *exec);
  InStream in(stream);
  for (HostNode *node : exec->nodes)
    if (node->work->run)
      if (ttError_t error = node->work->run(node->work->data))
        return error;
  return ttSuccess;
}

constinit const DeviceGraphs tilecc::rt::hostGraphs = {
    .beginCapture = hostBeginCapture,
    .endCapture = hostEndCapture,
    .isCapturing = hostIsCapturing,
    .exchangeMode = hostExchangeMode,
    .hostFunction = hostFunction,
    .create = create,
    .destroy = destroy,
    .nodes = nodes,
    .addKernel = addKernel,
    .addCopy = addCopy,
    .addSet = addSet,
    .addHost = addHost,
    .addEmpty = addEmpty,
    .addChild = addChild,
    .dependencies = dependencies,
    .getKernel = getKernel,
    .replaceChain = replaceChain,
    .instantiate = instantiate,
    .destroyExec = destroyExec,
    .update = update,
    .setKernel = setKernel,
    .upload = upload,
    .launch = launch,
};
