//===- Graphs.cpp - graphs, captured or built explicitly ----------------------------------------------------------===//

#include "State.h"

using namespace tilecc::cudart;

//===--- captures -------------------------------------------------------------------------------------------------===//

CUDART cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return keep(cuStreamBeginCapture(stream, static_cast<CUstreamCaptureMode>(mode)));
}
CUDART cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  return keep(cuStreamEndCapture(stream, graph));
}
CUDART cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
  CUstreamCaptureStatus known;
  CUresult error = cuStreamIsCapturing(stream, &known);
  *status = static_cast<cudaStreamCaptureStatus>(known);
  return keep(error);
}

//===--- nodes ----------------------------------------------------------------------------------------------------===//

/// Returns the driver's form of a kernel node. Its function is null after an error, which has been recorded.
static CUDA_KERNEL_NODE_PARAMS nodeOf(const cudaKernelNodeParams &params) {
  CUDA_KERNEL_NODE_PARAMS node = {};
  node.func = kernelOf(params.func);
  node.gridDimX = params.gridDim.x;
  node.gridDimY = params.gridDim.y;
  node.gridDimZ = params.gridDim.z;
  node.blockDimX = params.blockDim.x;
  node.blockDimY = params.blockDim.y;
  node.blockDimZ = params.blockDim.z;
  node.sharedMemBytes = params.sharedMemBytes;
  node.kernelParams = params.kernelParams;
  return node;
}

CUDART cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                          size_t count, const cudaKernelNodeParams *params) {
  CUDA_KERNEL_NODE_PARAMS launch = nodeOf(*params);
  return launch.func ? keep(cuGraphAddKernelNode(node, graph, after, count, &launch)) : cudaPeekAtLastError();
}
CUDART cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                            size_t count, void *to, const void *from, size_t bytes, cudaMemcpyKind) {
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  copy.srcDevice = addressOf(from);
  copy.dstDevice = addressOf(to);
  copy.srcPitch = copy.dstPitch = copy.WidthInBytes = bytes;
  copy.Height = copy.Depth = 1;
  return keep(cuGraphAddMemcpyNode(node, graph, after, count, &copy, nullptr));
}
CUDART cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                          size_t count, const cudaMemsetParams *params) {
  CUDA_MEMSET_NODE_PARAMS set = {addressOf(params->dst), params->pitch, params->value,
                                 params->elementSize,    params->width, params->height};
  return keep(cuGraphAddMemsetNode(node, graph, after, count, &set, nullptr));
}
CUDART cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                        size_t count, const cudaHostNodeParams *params) {
  CUDA_HOST_NODE_PARAMS host = {};
  host.fn = params->fn;
  host.userData = params->userData;
  return keep(cuGraphAddHostNode(node, graph, after, count, &host));
}
CUDART cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                         size_t count) {
  return keep(cuGraphAddEmptyNode(node, graph, after, count));
}

//===--- graphs ---------------------------------------------------------------------------------------------------===//

CUDART cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags) { return keep(cuGraphCreate(graph, flags)); }
CUDART cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return keep(cuGraphDestroy(graph)); }
CUDART cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  return keep(cuGraphGetNodes(graph, nodes, count));
}
CUDART cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long flags) {
  return keep(cuGraphInstantiateWithFlags(executable, graph, flags));
}
CUDART cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable, cudaGraph_t graph,
                                                 unsigned long long flags) {
  return cudaGraphInstantiate(executable, graph, flags);
}
CUDART cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) { return keep(cuGraphExecDestroy(executable)); }
CUDART cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                    const cudaKernelNodeParams *params) {
  CUDA_KERNEL_NODE_PARAMS launch = nodeOf(*params);
  return launch.func ? keep(cuGraphExecKernelNodeSetParams(executable, node, &launch)) : cudaPeekAtLastError();
}
CUDART cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return keep(cuGraphLaunch(executable, stream));
}
