//===-- CudaGraphs.cpp - captures and graphs of NVIDIA GPUs ------------------------------------------------------===//
//
// The driver implements graphs. This file selects the function that a kernel node runs, and its launch parameters.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "cuda/CudaDevice.h"
#include "cuda/CudaModule.h"
#include "cuda/CudaProfile.h"
#include "Error.h"

#include <stdlib.h>
#include <string.h>

using namespace tilecc::rt;

//===-- Capture ---------------------------------------------------------------------------------------------------===//

static ttError_t beginCapture(ttStream_t stream, ttStreamCaptureMode mode) {
  CHECK_HANDLE(stream);
  IN_CONTEXT();
  CUDA_TRY(cuStreamBeginCapture, stream, mode);
  return ttSuccess;
}

static ttError_t endCapture(ttStream_t stream, ttGraph_t *graph) {
  CHECK_HANDLE(stream);
  IN_CONTEXT();
  CUDA_TRY(cuStreamEndCapture, stream, graph);
  return ttSuccess;
}

static ttError_t isCapturing(ttStream_t stream, ttStreamCaptureStatus *status) {
  CHECK_HANDLE(stream);
  IN_CONTEXT();
  int number;
  CUDA_TRY(cuStreamIsCapturing, stream, &number);
  *status = static_cast<ttStreamCaptureStatus>(number);
  return ttSuccess;
}

static ttError_t exchangeMode(ttStreamCaptureMode *mode) {
  IN_CONTEXT();
  int number = *mode;
  CUDA_TRY(cuThreadExchangeStreamCaptureMode, &number);
  *mode = static_cast<ttStreamCaptureMode>(number);
  return ttSuccess;
}

static ttError_t hostFunction(ttStream_t stream, ttHostFn_t function, void *data) {
  CHECK_HANDLE(stream);
  IN_CONTEXT();
  CUDA_TRY(cuLaunchHostFunc, stream, function, data);
  return ttSuccess;
}

//===-- Graphs ----------------------------------------------------------------------------------------------------===//

static ttError_t checkPlace(const NodePlace &place) {
  CHECK_HANDLE(place.graph);
  for (size_t i = 0; i < place.count; ++i)
    CHECK_HANDLE(place.dependencies[i]);
  return ensureContext();
}

#define IN_PLACE(place)                                                                                                \
  do {                                                                                                                 \
    if (ttError_t error_ = checkPlace(place))                                                                          \
      return error_;                                                                                                   \
  } while (0)

static ttError_t create(ttGraph_t *graph) {
  IN_CONTEXT();
  CUDA_TRY(cuGraphCreate, graph, 0);
  return ttSuccess;
}

static ttError_t destroy(ttGraph_t graph) {
  CHECK_HANDLE(graph);
  IN_CONTEXT_IF_ANY();
  CUDA_TRY(cuGraphDestroy, graph);
  return ttSuccess;
}

static ttError_t nodes(ttGraph_t graph, ttGraphNode_t *nodes, size_t *count) {
  CHECK_HANDLE(graph);
  IN_CONTEXT();
  CUDA_TRY(cuGraphGetNodes, graph, nodes, count);
  return ttSuccess;
}

static CUDA_KERNEL_NODE_PARAMS describe(const CudaLaunch &launch, void **args) {
  CUDA_KERNEL_NODE_PARAMS params = {};
  params.func = launch.function;
  params.gridDimX = launch.grid.x;
  params.gridDimY = launch.grid.y;
  params.gridDimZ = launch.grid.z;
  params.blockDimX = launch.threads;
  params.blockDimY = params.blockDimZ = 1;
  params.sharedMemBytes = launch.sharedBytes;
  params.kernelParams = args;
  return params;
}

namespace {
struct Addition {
  ttGraphNode_t *node;
  const NodePlace &place;
};
struct Change {
  ttGraphExec_t exec;
  ttGraphNode_t node;
};
} // namespace

static ttError_t addKernelNode(void *context, const CudaLaunch &launch, void **args) {
  auto &addition = *static_cast<Addition *>(context);
  const NodePlace &place = addition.place;
  for (unsigned i = 0; i < launch.attributeCount; ++i)
    if (launch.attributes[i].id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
      return fail(ttErrorNotSupported,
                  "a node that is added explicitly is in no stream, so it cannot overlap the kernel before "
                  "it; capture the launches");
  CUDA_KERNEL_NODE_PARAMS params = describe(launch, args);
  CUDA_TRY(cuGraphAddKernelNode, addition.node, place.graph, place.dependencies, place.count, &params);
  for (unsigned i = 0; i < launch.attributeCount; ++i)
    CUDA_TRY(cuGraphKernelNodeSetAttribute, *addition.node, launch.attributes[i].id, &launch.attributes[i].value);
  return ttSuccess;
}

static ttError_t addKernel(ttGraphNode_t *node, const NodePlace &place, Kernel &kernel, const ttLaunchConfig &config,
                           void **args) {
  IN_PLACE(place);
  Addition addition = {node, place};
  return withCudaLaunch(kernel, config, args, addKernelNode, &addition);
}

static ttError_t addCopy(ttGraphNode_t *node, const NodePlace &place, void *to, const void *from, size_t bytes) {
  IN_PLACE(place);
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  copy.srcDevice = reinterpret_cast<CUdeviceptr>(from);
  copy.dstDevice = reinterpret_cast<CUdeviceptr>(to);
  copy.srcPitch = copy.dstPitch = copy.WidthInBytes = bytes;
  copy.srcHeight = copy.dstHeight = copy.Height = copy.Depth = 1;
  CUcontext context;
  CUDA_TRY(cuCtxGetCurrent, &context);
  CUDA_TRY(cuGraphAddMemcpyNode, node, place.graph, place.dependencies, place.count, &copy, context);
  return ttSuccess;
}

static ttError_t addSet(ttGraphNode_t *node, const NodePlace &place, void *pointer, int byte, size_t bytes) {
  IN_PLACE(place);
  CUDA_MEMSET_NODE_PARAMS params = {};
  params.dst = reinterpret_cast<CUdeviceptr>(pointer);
  params.value = static_cast<unsigned char>(byte);
  params.elementSize = 1;
  params.width = bytes;
  params.height = 1;
  CUcontext context;
  CUDA_TRY(cuCtxGetCurrent, &context);
  CUDA_TRY(cuGraphAddMemsetNode, node, place.graph, place.dependencies, place.count, &params, context);
  return ttSuccess;
}

static ttError_t addHost(ttGraphNode_t *node, const NodePlace &place, ttHostFn_t function, void *data) {
  IN_PLACE(place);
  CUDA_HOST_NODE_PARAMS params = {function, data};
  CUDA_TRY(cuGraphAddHostNode, node, place.graph, place.dependencies, place.count, &params);
  return ttSuccess;
}

static ttError_t addEmpty(ttGraphNode_t *node, const NodePlace &place) {
  IN_PLACE(place);
  CUDA_TRY(cuGraphAddEmptyNode, node, place.graph, place.dependencies, place.count);
  return ttSuccess;
}

static ttError_t addChild(ttGraphNode_t *node, const NodePlace &place, ttGraph_t child) {
  CHECK_HANDLE(child);
  IN_PLACE(place);
  CUDA_TRY(cuGraphAddChildGraphNode, node, place.graph, place.dependencies, place.count, child);
  return ttSuccess;
}

static ttError_t dependencies(ttGraphNode_t node, ttGraphNode_t *nodes, size_t *count) {
  CHECK_HANDLE(node);
  IN_CONTEXT();
  if (!nodes || *count) // the driver requires room for the list
    CUDA_TRY(cuGraphNodeGetDependencies, node, nodes, count);
  return ttSuccess;
}

// Gets the number of blocks in a kernel node's clusters.
static ttError_t getClusterOf(ttGraphNode_t node, unsigned *size) {
  CUlaunchAttribute cluster = {};
  CUDA_TRY(cuGraphKernelNodeGetAttribute, node, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &cluster.value);
  *size = cluster.value.clusterDim.x ? cluster.value.clusterDim.x : 1;
  return ttSuccess;
}

static ttError_t getKernel(ttGraphNode_t node, NodeKernel &kernel, void **args) {
  CHECK_HANDLE(node);
  IN_CONTEXT();
  int type;
  CUDA_TRY(cuGraphNodeGetType, node, &type);
  if (type != CU_GRAPH_NODE_TYPE_KERNEL)
    return ttSuccess;
  CUDA_KERNEL_NODE_PARAMS params = {};
  CUDA_TRY(cuGraphKernelNodeGetParams, node, &params);
  unsigned parts, cluster;
  kernel.kernel = findCudaKernel(params.func, &parts);
  if (!kernel.kernel)
    return ttSuccess;
  if (ttError_t error = getClusterOf(node, &cluster))
    return error;
  for (uint32_t i = 0; args && i < kernel.kernel->abi->param_count; ++i)
    args[i] = params.kernelParams[i];
  kernel.grid.x = params.gridDimX / cluster / parts;
  kernel.grid.y = params.gridDimY;
  kernel.grid.z = params.gridDimZ;
  CUlaunchAttribute cooperative = {};
  CUDA_TRY(cuGraphKernelNodeGetAttribute, node, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &cooperative.value);
  kernel.attributeCount = (cooperative.value.number != 0) + (cluster > 1); // the node keeps its cluster size
  return ttSuccess;
}

namespace {
struct Replacement {
  ttGraphNode_t node;
};
} // namespace

static ttError_t setNode(void *context, const CudaLaunch &launch, void **args) {
  CUDA_KERNEL_NODE_PARAMS params = describe(launch, args);
  CUDA_TRY(cuGraphKernelNodeSetParams, static_cast<Replacement *>(context)->node, &params);
  for (unsigned i = 0; i < launch.attributeCount; ++i)
    CUDA_TRY(cuGraphKernelNodeSetAttribute, static_cast<Replacement *>(context)->node, launch.attributes[i].id,
             &launch.attributes[i].value);
  return ttSuccess;
}

static ttError_t replaceChain(ttGraph_t graph, const ttGraphNode_t *nodes, size_t count, Kernel &kernel,
                              const ttLaunchConfig &config, void **args) {
  CHECK_HANDLE(graph);
  for (size_t i = 0; i < count; ++i)
    CHECK_HANDLE(nodes[i]);
  IN_CONTEXT();
  Replacement last = {nodes[count - 1]};
  size_t number = 0;
  CUDA_TRY(cuGraphNodeGetDependencies, nodes[0], nullptr, &number);
  auto *before = static_cast<ttGraphNode_t *>(calloc(number + 1, 2 * sizeof(ttGraphNode_t)));
  if (!before)
    return fail(ttErrorMemoryAllocation, "not enough memory to change a graph");
  ttGraphNode_t *after = before + number;
  // The driver requires room for the list.
  CUresult result = number ? cuda.cuGraphNodeGetDependencies(nodes[0], before, &number) : CUDA_SUCCESS;
  ttError_t error =
      result ? failCuda(result, "cuGraphNodeGetDependencies") : withCudaLaunch(kernel, config, args, setNode, &last);
  for (size_t i = 0; i < number; ++i)
    after[i] = last.node;
  if (!error && count > 1 && number)
    if ((result = cuda.cuGraphAddDependencies(graph, before, after, number)))
      error = failCuda(result, "cuGraphAddDependencies");
  free(before);
  for (size_t i = 0; i + 1 < count && !error; ++i) // destroying a node removes its edges
    if ((result = cuda.cuGraphDestroyNode(nodes[i])))
      error = failCuda(result, "cuGraphDestroyNode");
  return error;
}

static ttError_t instantiate(ttGraphExec_t *exec, ttGraph_t graph) {
  CHECK_HANDLE(graph);
  IN_CONTEXT();
  CUDA_TRY(cuGraphInstantiateWithFlags, exec, graph, 0);
  return ttSuccess;
}

static ttError_t destroyExec(ttGraphExec_t exec) {
  CHECK_HANDLE(exec);
  IN_CONTEXT_IF_ANY();
  CUDA_TRY(cuGraphExecDestroy, exec);
  return ttSuccess;
}

static ttError_t update(ttGraphExec_t exec, ttGraph_t graph) {
  CHECK_HANDLE(exec);
  CHECK_HANDLE(graph);
  IN_CONTEXT();
  CUgraphExecUpdateResultInfo info = {};
  CUresult result = cuda.cuGraphExecUpdate(exec, graph, &info);
  if (result == CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE)
    return fail(ttErrorGraphExecUpdateFailure,
                "the graph differs too much from the one that was instantiated "
                "(update result %d)",
                info.result);
  return result ? failCuda(result, "cuGraphExecUpdate") : ttSuccess;
}

// The cluster size belongs to the node and cannot be changed in an instantiated graph.
static ttError_t changeKernelNode(void *context, const CudaLaunch &launch, void **args) {
  auto &change = *static_cast<Change *>(context);
  CUlaunchAttribute wanted = {};
  wanted.value.clusterDim = {1, 1, 1};
  for (unsigned i = 0; i < launch.attributeCount; ++i)
    if (launch.attributes[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
      wanted = launch.attributes[i];
  unsigned cluster;
  if (ttError_t error = getClusterOf(change.node, &cluster))
    return error;
  if (cluster != wanted.value.clusterDim.x)
    return fail(ttErrorGraphExecUpdateFailure,
                "the node's kernel runs in clusters of %u blocks, the new one in clusters of %u", cluster,
                wanted.value.clusterDim.x);
  CUDA_KERNEL_NODE_PARAMS params = describe(launch, args);
  CUDA_TRY(cuGraphExecKernelNodeSetParams, change.exec, change.node, &params);
  return ttSuccess;
}

static ttError_t setKernel(ttGraphExec_t exec, ttGraphNode_t node, Kernel &kernel, const ttLaunchConfig &config,
                           void **args) {
  CHECK_HANDLE(exec);
  CHECK_HANDLE(node);
  IN_CONTEXT();
  Change change = {exec, node};
  return withCudaLaunch(kernel, config, args, changeKernelNode, &change);
}

static ttError_t upload(ttGraphExec_t exec, ttStream_t stream) {
  CHECK_HANDLE(exec);
  CHECK_HANDLE(stream);
  IN_CONTEXT();
  CUDA_TRY(cuGraphUpload, exec, stream);
  return ttSuccess;
}

static ttError_t launch(ttGraphExec_t exec, ttStream_t stream) {
  CHECK_HANDLE(exec);
  CHECK_HANDLE(stream);
  return launchGraph(exec, stream);
}

constinit const DeviceGraphs tilecc::rt::cudaGraphs = {
    .beginCapture = beginCapture,
    .endCapture = endCapture,
    .isCapturing = isCapturing,
    .exchangeMode = exchangeMode,
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
