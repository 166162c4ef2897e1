//===-- FakeStreams.cpp - the fake driver's streams, events and graphs -----------------------------------------------===//
//
// Everything is executed at once, and a capture is a list of words, which is enough to see the calls. A launched graph
// logs its words.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "FakeCuda.h"

#include <stdio.h>
#include <stdlib.h>

using namespace fake;

struct CUgraph_st {
  std::vector<CUgraphNode> nodes;
};
struct CUgraphNode_st {
  std::string what;
  std::map<int, CUlaunchAttribute> attributes;
  CUgraph graph = nullptr;
  std::vector<CUgraphNode> after = {};
  CUDA_KERNEL_NODE_PARAMS kernel = {}; // whose arguments are the caller's, not copies
};
struct CUgraphExec_st {
  std::vector<std::string> nodes;
  std::map<CUgraphNode, size_t> indices;
};

static bool isStream(CUstream stream) { return reinterpret_cast<uintptr_t>(stream) > 2; }
static CUgraph captureOf(CUstream stream) { return isStream(stream) ? stream->capture : nullptr; }

bool fake::capture(CUstream stream, const std::string &what) {
  CUgraph graph = captureOf(stream);
  if (graph)
    graph->nodes.push_back(new CUgraphNode_st{what, {}});
  return graph;
}

//===-- Streams and events ---------------------------------------------------------------------------------------===//

FAKE(cuStreamCreate)(CUstream *stream, unsigned flags) {
  logCall("cuStreamCreate %u", flags);
  CONTEXT("cuStreamCreate");
  *stream = new CUstream_st{};
  return CUDA_SUCCESS;
}
FAKE(cuStreamGetId)(CUstream stream, unsigned long long *id) {
  CONTEXT("cuStreamGetId");
  *id = reinterpret_cast<uintptr_t>(stream); // a later stream may have the same address here
  return CUDA_SUCCESS;
}
FAKE(cuStreamDestroy_v2)(CUstream stream) {
  logCall("cuStreamDestroy");
  CONTEXT("cuStreamDestroy");
  delete stream;
  return CUDA_SUCCESS;
}
FAKE(cuStreamSynchronize)(CUstream stream) {
  logCall("cuStreamSynchronize %p", static_cast<void *>(stream));
  CONTEXT("cuStreamSynchronize");
  NOT_WHILE_CAPTURING("cuStreamSynchronize");
  return CUDA_SUCCESS;
}
FAKE(cuStreamQuery)(CUstream stream) {
  CONTEXT("cuStreamQuery");
  return captureOf(stream) ? captureUnsupported : CUDA_SUCCESS;
}
FAKE(cuStreamWaitEvent)(CUstream stream, CUevent event, unsigned) {
  logCall("cuStreamWaitEvent");
  CONTEXT("cuStreamWaitEvent");
  if (event->capture && isStream(stream))
    stream->capture = event->capture;
  return CUDA_SUCCESS;
}
FAKE(cuEventCreate)(CUevent *event, unsigned flags) {
  logCall("cuEventCreate %u", flags);
  CONTEXT("cuEventCreate");
  *event = new CUevent_st{};
  return CUDA_SUCCESS;
}
FAKE(cuEventRecord)(CUevent event, CUstream stream) {
  logCall("cuEventRecord");
  CONTEXT("cuEventRecord");
  event->recorded = true;
  event->time = clockTime;
  event->capture = captureOf(stream);
  return CUDA_SUCCESS;
}
FAKE(cuEventSynchronize)(CUevent) {
  CONTEXT("cuEventSynchronize");
  return CUDA_SUCCESS;
}
FAKE(cuEventQuery)(CUevent) {
  CONTEXT("cuEventQuery");
  return CUDA_SUCCESS;
}
FAKE(cuEventElapsedTime)(float *milliseconds, CUevent start, CUevent end) {
  CONTEXT("cuEventElapsedTime");
  *milliseconds = getenv("FAKE_CUDA_TIMES") ? static_cast<float>(end->time - start->time) : 1.5f;
  return start->recorded && end->recorded ? 0 : invalidHandle;
}
FAKE(cuEventDestroy_v2)(CUevent event) {
  logCall("cuEventDestroy");
  CONTEXT("cuEventDestroy");
  delete event;
  return CUDA_SUCCESS;
}

//===-- Capture -----------------------------------------------------------------------------------------------------===//

FAKE(cuStreamBeginCapture_v2)(CUstream stream, int mode) {
  logCall("cuStreamBeginCapture mode %d", mode);
  CONTEXT("cuStreamBeginCapture");
  if (!isStream(stream))
    return captureUnsupported;
  stream->isGlobal = mode == 0;
  capturing += stream->isGlobal;
  stream->capture = new CUgraph_st;
  return CUDA_SUCCESS;
}
FAKE(cuStreamEndCapture)(CUstream stream, CUgraph *graph) {
  logCall("cuStreamEndCapture");
  CONTEXT("cuStreamEndCapture");
  *graph = captureOf(stream);
  if (!*graph)
    return 401;
  stream->capture = nullptr;
  capturing -= stream->isGlobal;
  return CUDA_SUCCESS;
}
FAKE(cuStreamIsCapturing)(CUstream stream, int *status) {
  CONTEXT("cuStreamIsCapturing");
  *status = captureOf(stream) != nullptr;
  return CUDA_SUCCESS;
}
FAKE(cuLaunchHostFunc)(CUstream stream, ttHostFn_t function, void *data) {
  logCall("cuLaunchHostFunc stream %p", static_cast<void *>(stream));
  CONTEXT("cuLaunchHostFunc");
  if (!capture(stream, "host"))
    function(data);
  return CUDA_SUCCESS;
}

//===-- Graphs ------------------------------------------------------------------------------------------------------===//

FAKE(cuGraphCreate)(CUgraph *graph, unsigned) {
  logCall("cuGraphCreate");
  CONTEXT("cuGraphCreate");
  *graph = new CUgraph_st;
  return CUDA_SUCCESS;
}
FAKE(cuGraphDestroy)(CUgraph graph) {
  logCall("cuGraphDestroy");
  CONTEXT("cuGraphDestroy");
  for (CUgraphNode node : graph->nodes)
    delete node;
  delete graph;
  return CUDA_SUCCESS;
}
FAKE(cuGraphGetNodes)(CUgraph graph, CUgraphNode *nodes, size_t *count) {
  CONTEXT("cuGraphGetNodes");
  for (size_t i = 0; nodes && i < *count && i < graph->nodes.size(); ++i)
    nodes[i] = graph->nodes[i];
  *count = graph->nodes.size();
  return CUDA_SUCCESS;
}

static CUresult add(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count, std::string what) {
  what += " after";
  for (size_t i = 0; i < count; ++i)
    for (size_t j = 0; j < graph->nodes.size(); ++j)
      if (graph->nodes[j] == dependencies[i])
        what += " " + std::to_string(j);
  logCall("graph node: %s", what.c_str());
  graph->nodes.push_back(*node = new CUgraphNode_st{what, {}, graph, {dependencies, dependencies + count}});
  return CUDA_SUCCESS;
}

static std::string describe(const CUDA_KERNEL_NODE_PARAMS &params) {
  return "kernel " + params.func->name + " grid " + std::to_string(params.gridDimX) + "," +
         std::to_string(params.gridDimY) + "," + std::to_string(params.gridDimZ) + " block " +
         std::to_string(params.blockDimX) + " shared " + std::to_string(params.sharedMemBytes);
}

FAKE(cuGraphAddKernelNode_v2)(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                              const CUDA_KERNEL_NODE_PARAMS *params) {
  CONTEXT("cuGraphAddKernelNode");
  if (CUresult result = checkLaunch(params->func, params->sharedMemBytes))
    return result;
  CUresult result = add(node, graph, dependencies, count, describe(*params));
  (*node)->kernel = *params;
  return result;
}
FAKE(cuGraphKernelNodeGetParams_v2)(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *params) {
  CONTEXT("cuGraphKernelNodeGetParams");
  *params = node->kernel;
  return CUDA_SUCCESS;
}
FAKE(cuGraphKernelNodeSetParams_v2)(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params) {
  CONTEXT("cuGraphKernelNodeSetParams");
  node->kernel = *params;
  node->what = describe(*params);
  return CUDA_SUCCESS;
}
FAKE(cuGraphNodeGetType)(CUgraphNode node, int *type) {
  CONTEXT("cuGraphNodeGetType");
  *type = node->kernel.func ? CU_GRAPH_NODE_TYPE_KERNEL : 3;
  return CUDA_SUCCESS;
}
FAKE(cuGraphNodeGetDependencies)(CUgraphNode node, CUgraphNode *nodes, size_t *count) {
  CONTEXT("cuGraphNodeGetDependencies");
  if (nodes && *count == 0)
    return 1; // CUDA_ERROR_INVALID_VALUE, as NVIDIA's has it
  for (size_t i = 0; nodes && i < *count && i < node->after.size(); ++i)
    nodes[i] = node->after[i];
  *count = node->after.size();
  return CUDA_SUCCESS;
}
FAKE(cuGraphAddDependencies)(CUgraph, const CUgraphNode *from, const CUgraphNode *to, size_t count) {
  logCall("cuGraphAddDependencies %zu", count);
  CONTEXT("cuGraphAddDependencies");
  for (size_t i = 0; i < count; ++i)
    to[i]->after.push_back(from[i]);
  return CUDA_SUCCESS;
}
FAKE(cuGraphDestroyNode)(CUgraphNode node) {
  logCall("cuGraphDestroyNode %s", node->what.c_str());
  CONTEXT("cuGraphDestroyNode");
  std::erase(node->graph->nodes, node);
  for (CUgraphNode other : node->graph->nodes)
    std::erase(other->after, node);
  delete node;
  return CUDA_SUCCESS;
}
FAKE(cuGraphKernelNodeSetAttribute)(CUgraphNode node, int attribute, const void *value) {
  CUlaunchAttribute &kept = node->attributes[attribute];
  kept.value = *static_cast<const decltype(kept.value) *>(value);
  logCall("cuGraphKernelNodeSetAttribute %d:%d", attribute, kept.value.number);
  CONTEXT("cuGraphKernelNodeSetAttribute");
  return CUDA_SUCCESS;
}
FAKE(cuGraphKernelNodeGetAttribute)(CUgraphNode node, int attribute, void *value) {
  CONTEXT("cuGraphKernelNodeGetAttribute");
  *static_cast<decltype(CUlaunchAttribute::value) *>(value) = node->attributes[attribute].value;
  return CUDA_SUCCESS;
}
FAKE(cuGraphAddMemcpyNode)(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                           const CUDA_MEMCPY3D *params, CUcontext) {
  CONTEXT("cuGraphAddMemcpyNode");
  if (params->srcMemoryType != CU_MEMORYTYPE_UNIFIED || params->Height != 1 || params->Depth != 1)
    return invalidValue;
  return add(node, graph, dependencies, count, "copy " + std::to_string(params->WidthInBytes));
}
FAKE(cuGraphAddMemsetNode)(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                           const CUDA_MEMSET_NODE_PARAMS *params, CUcontext) {
  CONTEXT("cuGraphAddMemsetNode");
  return add(node, graph, dependencies, count,
             "set " + std::to_string(params->width) + " x " + std::to_string(params->elementSize) + " to " +
                 std::to_string(params->value));
}
FAKE(cuGraphAddHostNode)(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                         const CUDA_HOST_NODE_PARAMS *) {
  CONTEXT("cuGraphAddHostNode");
  return add(node, graph, dependencies, count, "host");
}
FAKE(cuGraphAddEmptyNode)(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count) {
  CONTEXT("cuGraphAddEmptyNode");
  return add(node, graph, dependencies, count, "empty");
}
FAKE(cuGraphAddChildGraphNode)(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                               CUgraph child) {
  CONTEXT("cuGraphAddChildGraphNode");
  return add(node, graph, dependencies, count, "graph of " + std::to_string(child->nodes.size()));
}
FAKE(cuGraphInstantiateWithFlags)(CUgraphExec *exec, CUgraph graph, unsigned long long) {
  logCall("cuGraphInstantiate of %zu", graph->nodes.size());
  CONTEXT("cuGraphInstantiateWithFlags");
  *exec = new CUgraphExec_st;
  for (CUgraphNode node : graph->nodes) {
    (*exec)->indices[node] = (*exec)->nodes.size();
    (*exec)->nodes.push_back(node->what);
  }
  return CUDA_SUCCESS;
}
FAKE(cuGraphExecDestroy)(CUgraphExec exec) {
  logCall("cuGraphExecDestroy");
  CONTEXT("cuGraphExecDestroy");
  delete exec;
  return CUDA_SUCCESS;
}
FAKE(cuGraphExecUpdate_v2)(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info) {
  logCall("cuGraphExecUpdate");
  CONTEXT("cuGraphExecUpdate");
  if (exec->nodes.size() == graph->nodes.size())
    return CUDA_SUCCESS;
  info->result = 2; // CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED
  return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
}
FAKE(cuGraphExecKernelNodeSetParams_v2)(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params) {
  CONTEXT("cuGraphExecKernelNodeSetParams");
  auto found = exec->indices.find(node);
  if (found == exec->indices.end())
    return invalidValue;
  exec->nodes[found->second] = describe(*params);
  return CUDA_SUCCESS;
}
FAKE(cuGraphUpload)(CUgraphExec, CUstream) {
  logCall("cuGraphUpload");
  CONTEXT("cuGraphUpload");
  return CUDA_SUCCESS;
}
FAKE(cuGraphLaunch)(CUgraphExec exec, CUstream stream) {
  logCall("cuGraphLaunch stream %p", static_cast<void *>(stream));
  CONTEXT("cuGraphLaunch");
  for (const std::string &node : exec->nodes) {
    logCall("graph runs %s", node.c_str());
    if (node.starts_with("kernel "))
      record(node.substr(7, node.find(' ', 7) - 7), 1);
  }
  return CUDA_SUCCESS;
}
