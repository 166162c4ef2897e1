//===- Graphs.cpp - graphs, captured or built explicitly ----------------------------------------------------------===//
//
// A node of a graph consists of a piece of work and the nodes on which it depends. An executable graph has copies of
// the work in an order that respects the dependencies. A launch executes them one after another.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "State.h"

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

using namespace tilecc::cuda;

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
std::map<CUstream, Capture> captures;
std::map<CUevent, Capture> capturedEvents;
} // namespace

static Graph *graphOf(CUgraph handle) { return reinterpret_cast<Graph *>(handle); }
static Node *nodeOf(CUgraphNode handle) { return reinterpret_cast<Node *>(handle); }
static Executable *executableOf(CUgraphExec handle) { return reinterpret_cast<Executable *>(handle); }

//===--- captures -------------------------------------------------------------------------------------------------===//

namespace tilecc::cuda {

bool isCapturing(CUstream stream) {
  std::lock_guard lock(capturesMutex);
  return captures.count(stream);
}

CUresult submit(CUstream stream, Work work) {
  {
    std::lock_guard lock(capturesMutex);
    if (auto found = captures.find(stream); found != captures.end()) {
      Capture &capture = found->second;
      capture.graph->nodes.push_back(std::make_unique<Node>(Node{std::move(work), capture.last}));
      capture.last = {capture.graph->nodes.back().get()};
      return CUDA_SUCCESS;
    }
  }
  return work();
}

bool recordInCapture(CUevent event, CUstream stream) {
  std::lock_guard lock(capturesMutex);
  auto found = captures.find(stream);
  if (found == captures.end()) {
    capturedEvents.erase(event);
    return false;
  }
  capturedEvents[event] = found->second;
  return true;
}

bool waitInCapture(CUstream stream, CUevent event) {
  std::lock_guard lock(capturesMutex);
  auto recorded = capturedEvents.find(event);
  if (recorded == capturedEvents.end())
    return false;
  Capture &capture = captures.try_emplace(stream, Capture{recorded->second.graph, {}}).first->second;
  capture.last.insert(capture.last.end(), recorded->second.last.begin(), recorded->second.last.end());
  return true;
}

} // namespace tilecc::cuda

DRIVER cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode) {
  std::lock_guard lock(capturesMutex);
  if (!stream || captures.count(stream))
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  captures[stream] = {new Graph, {}};
  return CUDA_SUCCESS;
}

DRIVER cuStreamEndCapture(CUstream stream, CUgraph *graph) {
  std::lock_guard lock(capturesMutex);
  auto found = captures.find(stream);
  if (found == captures.end())
    return CUDA_ERROR_ILLEGAL_STATE;
  Graph *made = found->second.graph;
  auto isOfIt = [&](const auto &entry) { return entry.second.graph == made; };
  std::erase_if(captures, isOfIt);
  std::erase_if(capturedEvents, isOfIt);
  *graph = reinterpret_cast<CUgraph>(made);
  return CUDA_SUCCESS;
}

DRIVER cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) {
  *status = isCapturing(stream) ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
  return CUDA_SUCCESS;
}
DRIVER cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *) { return CUDA_SUCCESS; }

//===--- nodes ----------------------------------------------------------------------------------------------------===//

static CUresult add(CUgraphNode *handle, CUgraph graph, const CUgraphNode *after, size_t count, Work work) {
  auto node = std::make_unique<Node>(Node{std::move(work), {}});
  for (size_t i = 0; i < count; ++i)
    node->after.push_back(nodeOf(after[i]));
  *handle = reinterpret_cast<CUgraphNode>(node.get());
  graphOf(graph)->nodes.push_back(std::move(node));
  return CUDA_SUCCESS;
}

static Work workOf(const CUDA_KERNEL_NODE_PARAMS &params) {
  void *kernel = params.func ? static_cast<void *>(params.func) : static_cast<void *>(params.kern);
  return launchLater(static_cast<Kernel *>(kernel),
                     {{params.gridDimX, params.gridDimY, params.gridDimZ},
                      {params.blockDimX, params.blockDimY, params.blockDimZ},
                      {1, 1, 1},
                      params.sharedMemBytes},
                     params.kernelParams);
}

DRIVER cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
                            const CUDA_KERNEL_NODE_PARAMS *params) {
  return add(node, graph, after, count, workOf(*params));
}
DRIVER cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
                            const CUDA_MEMSET_NODE_PARAMS *params, CUcontext) {
  return add(node, graph, after, count, setLater(*params));
}
DRIVER cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
                            const CUDA_MEMCPY3D *params, CUcontext) {
  if (params->Depth > 1)
    return failMissing("a node that copies more than two dimensions");
  CUDA_MEMCPY2D rows = {};
  rows.srcXInBytes = params->srcXInBytes;
  rows.srcY = params->srcY;
  rows.srcMemoryType = params->srcMemoryType;
  rows.srcHost = params->srcHost;
  rows.srcDevice = params->srcDevice;
  rows.srcPitch = params->srcPitch;
  rows.dstXInBytes = params->dstXInBytes;
  rows.dstY = params->dstY;
  rows.dstMemoryType = params->dstMemoryType;
  rows.dstHost = params->dstHost;
  rows.dstDevice = params->dstDevice;
  rows.dstPitch = params->dstPitch;
  rows.WidthInBytes = params->WidthInBytes;
  rows.Height = params->Height;
  return add(node, graph, after, count, [rows] { return cuMemcpy2D(&rows); });
}
DRIVER cuGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
                          const CUDA_HOST_NODE_PARAMS *params) {
  return add(node, graph, after, count, [host = *params] {
    host.fn(host.userData);
    return CUDA_SUCCESS;
  });
}
DRIVER cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count) {
  return add(node, graph, after, count, [] { return CUDA_SUCCESS; });
}
DRIVER cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
                                 CUevent event) {
  return add(node, graph, after, count, [event] { return cuEventRecord(event, nullptr); });
}

//===--- graphs ---------------------------------------------------------------------------------------------------===//

DRIVER cuGraphCreate(CUgraph *graph, unsigned) {
  *graph = reinterpret_cast<CUgraph>(new Graph);
  return CUDA_SUCCESS;
}
DRIVER cuGraphDestroy(CUgraph graph) {
  delete graphOf(graph);
  return CUDA_SUCCESS;
}
DRIVER cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
  const auto &all = graphOf(graph)->nodes;
  for (size_t i = 0; nodes && i < std::min(*count, all.size()); ++i)
    nodes[i] = reinterpret_cast<CUgraphNode>(all[i].get());
  *count = all.size();
  return CUDA_SUCCESS;
}

DRIVER cuGraphInstantiateWithFlags(CUgraphExec *executable, CUgraph graph, unsigned long long) {
  auto made = std::make_unique<Executable>();
  std::set<const Node *> placed;
  const auto &nodes = graphOf(graph)->nodes;
  for (size_t before = nodes.size(); placed.size() < nodes.size();) {
    if (placed.size() == before) // no node could be placed in a whole round: a cycle
      return CUDA_ERROR_INVALID_VALUE;
    before = placed.size();
    for (const auto &node : nodes) {
      auto isPlaced = [&](const Node *other) { return placed.count(other); };
      if (!isPlaced(node.get()) && std::all_of(node->after.begin(), node->after.end(), isPlaced)) {
        made->steps.emplace_back(node.get(), node->work);
        placed.insert(node.get());
      }
    }
  }
  *executable = reinterpret_cast<CUgraphExec>(made.release());
  return CUDA_SUCCESS;
}
DRIVER cuGraphExecDestroy(CUgraphExec executable) {
  delete executableOf(executable);
  return CUDA_SUCCESS;
}
DRIVER cuGraphExecKernelNodeSetParams(CUgraphExec executable, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params) {
  for (auto &[name, step] : executableOf(executable)->steps)
    if (name == nodeOf(node)) {
      step = workOf(*params);
      return CUDA_SUCCESS;
    }
  return CUDA_ERROR_INVALID_VALUE;
}
DRIVER cuGraphLaunch(CUgraphExec executable, CUstream stream) {
  return submit(stream, [steps = executableOf(executable)->steps]() -> CUresult {
    for (const auto &[node, work] : steps)
      if (CUresult error = work())
        return error;
    return CUDA_SUCCESS;
  });
}
