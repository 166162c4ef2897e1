//===- Graphs.cpp - graphs, captured or built explicitly ----------------------------------------------------------===//
//
// A node of a graph consists of a piece of work and the nodes on which it depends. An executable graph has copies of
// the work in an order that respects the dependencies. A launch executes them one after another.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "Graphs.h"

#include <algorithm>
#include <memory>
#include <set>

using namespace tilecc::cudart;

namespace {
struct Node {
  Work work;
  std::vector<const Node *> after;
};
struct Graph {
  std::vector<std::unique_ptr<Node>> nodes;
};
struct Executable {
  std::vector<std::pair<const Node *, Work>> steps; // the nodes are only keys, because the graph may be gone
};

/// The position of the next node of a stream, or of work that waits for an event.
struct Capture {
  Graph *graph;
  std::vector<const Node *> last;
};

std::mutex capturesMutex;
std::map<cudaStream_t, Capture> captures;
std::map<cudaEvent_t, Capture> capturedEvents;
} // namespace

static Graph *graphOf(cudaGraph_t handle) { return reinterpret_cast<Graph *>(handle); }
static Node *nodeOf(cudaGraphNode_t handle) { return reinterpret_cast<Node *>(handle); }
static Executable *executableOf(cudaGraphExec_t handle) { return reinterpret_cast<Executable *>(handle); }

//===--- captures -------------------------------------------------------------------------------------------------===//

namespace tilecc::cudart {

bool isCapturing(cudaStream_t stream) {
  std::lock_guard lock(capturesMutex);
  return captures.count(stream);
}

cudaError_t submit(cudaStream_t stream, Work work) {
  {
    std::lock_guard lock(capturesMutex);
    if (auto found = captures.find(stream); found != captures.end()) {
      Capture &capture = found->second;
      capture.graph->nodes.push_back(std::make_unique<Node>(Node{std::move(work), capture.last}));
      capture.last = {capture.graph->nodes.back().get()};
      return cudaSuccess;
    }
  }
  return work();
}

bool recordInCapture(cudaEvent_t event, cudaStream_t stream) {
  std::lock_guard lock(capturesMutex);
  auto found = captures.find(stream);
  if (found == captures.end()) {
    capturedEvents.erase(event);
    return false;
  }
  capturedEvents[event] = found->second;
  return true;
}

bool waitInCapture(cudaStream_t stream, cudaEvent_t event) {
  std::lock_guard lock(capturesMutex);
  auto recorded = capturedEvents.find(event);
  if (recorded == capturedEvents.end())
    return false;
  Capture &capture = captures.try_emplace(stream, Capture{recorded->second.graph, {}}).first->second;
  capture.last.insert(capture.last.end(), recorded->second.last.begin(), recorded->second.last.end());
  return true;
}

} // namespace tilecc::cudart

CUDART cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  std::lock_guard lock(capturesMutex);
  if (!stream || captures.count(stream))
    return keep(cudaErrorStreamCaptureUnsupported);
  captures[stream] = {new Graph, {}};
  return cudaSuccess;
}

CUDART cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  std::lock_guard lock(capturesMutex);
  auto found = captures.find(stream);
  if (found == captures.end())
    return keep(cudaErrorIllegalState);
  Graph *made = found->second.graph;
  auto isOfIt = [&](const auto &entry) { return entry.second.graph == made; };
  std::erase_if(captures, isOfIt);
  std::erase_if(capturedEvents, isOfIt);
  *graph = reinterpret_cast<cudaGraph_t>(made);
  return cudaSuccess;
}

CUDART cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
  *status = isCapturing(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

//===--- nodes ----------------------------------------------------------------------------------------------------===//

static cudaError_t add(cudaGraphNode_t *handle, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                       Work work) {
  if (!work)
    return cudaPeekAtLastError();
  auto node = std::make_unique<Node>(Node{std::move(work), {}});
  for (size_t i = 0; i < count; ++i)
    node->after.push_back(nodeOf(after[i]));
  *handle = reinterpret_cast<cudaGraphNode_t>(node.get());
  graphOf(graph)->nodes.push_back(std::move(node));
  return cudaSuccess;
}

static Work workOf(const cudaKernelNodeParams &params) {
  return launchLater(params.func, {params.gridDim, params.blockDim, params.sharedMemBytes}, params.kernelParams);
}

CUDART cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                          size_t count, const cudaKernelNodeParams *params) {
  return add(node, graph, after, count, workOf(*params));
}
CUDART cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                            size_t count, void *to, const void *from, size_t bytes,
                                            cudaMemcpyKind kind) {
  return add(node, graph, after, count, [=] { return cudaMemcpy(to, from, bytes, kind); });
}
CUDART cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                          size_t count, const cudaMemsetParams *params) {
  return add(node, graph, after, count, [set = *params]() -> cudaError_t {
    std::vector<unsigned char> row(set.width * set.elementSize);
    for (size_t i = 0; i < row.size(); ++i)
      row[i] = static_cast<unsigned char>(set.value >> i % set.elementSize * 8);
    for (size_t y = 0; y < set.height; ++y)
      if (cudaError_t error =
              cudaMemcpy(static_cast<char *>(set.dst) + y * set.pitch, row.data(), row.size(), cudaMemcpyDefault))
        return error;
    return cudaSuccess;
  });
}
CUDART cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                        size_t count, const cudaHostNodeParams *params) {
  return add(node, graph, after, count, [host = *params] {
    host.fn(host.userData);
    return cudaSuccess;
  });
}
CUDART cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                         size_t count) {
  return add(node, graph, after, count, [] { return cudaSuccess; });
}

//===--- graphs ---------------------------------------------------------------------------------------------------===//

CUDART cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned) {
  *graph = reinterpret_cast<cudaGraph_t>(new Graph);
  return cudaSuccess;
}
CUDART cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graphOf(graph);
  return cudaSuccess;
}
CUDART cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  const auto &all = graphOf(graph)->nodes;
  for (size_t i = 0; nodes && i < std::min(*count, all.size()); ++i)
    nodes[i] = reinterpret_cast<cudaGraphNode_t>(all[i].get());
  *count = all.size();
  return cudaSuccess;
}

CUDART cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long) {
  auto made = std::make_unique<Executable>();
  std::set<const Node *> placed;
  const auto &nodes = graphOf(graph)->nodes;
  for (size_t before = nodes.size(); placed.size() < nodes.size();) {
    if (placed.size() == before) // no node could be placed in a whole round: a cycle
      return keep(cudaErrorInvalidValue);
    before = placed.size();
    for (const auto &node : nodes) {
      auto isPlaced = [&](const Node *other) { return placed.count(other); };
      if (!isPlaced(node.get()) && std::all_of(node->after.begin(), node->after.end(), isPlaced)) {
        made->steps.emplace_back(node.get(), node->work);
        placed.insert(node.get());
      }
    }
  }
  *executable = reinterpret_cast<cudaGraphExec_t>(made.release());
  return cudaSuccess;
}
CUDART cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable, cudaGraph_t graph,
                                                 unsigned long long flags) {
  return cudaGraphInstantiate(executable, graph, flags);
}
CUDART cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  delete executableOf(executable);
  return cudaSuccess;
}
CUDART cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                    const cudaKernelNodeParams *params) {
  Work work = workOf(*params);
  if (!work)
    return cudaPeekAtLastError();
  for (auto &[name, step] : executableOf(executable)->steps)
    if (name == nodeOf(node)) {
      step = std::move(work);
      return cudaSuccess;
    }
  return keep(cudaErrorInvalidValue);
}
CUDART cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return submit(stream, [steps = executableOf(executable)->steps]() -> cudaError_t {
    for (const auto &[node, work] : steps)
      if (cudaError_t error = work())
        return error;
    return cudaSuccess;
  });
}
