//===-- Graph.cpp - the public calls for captures and graphs -----------------------------------------------------===//
//
// Each forwards to the current device. Those that take a kernel are in Launch.cpp.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Device.h"
#include "Error.h"
#include "Watch.h"

using namespace tilecc::rt;

ttError_t ttLaunchHostFunc(ttStream_t stream, ttHostFn_t function, void *data) {
  CURRENT_DEVICE(device);
  return device->graphs->hostFunction(stream, function, data);
}

static ttError_t checkMode(const char *call, ttStreamCaptureMode mode) {
  return mode < ttStreamCaptureModeGlobal || mode > ttStreamCaptureModeRelaxed
             ? fail(ttErrorInvalidValue, "%s: there is no mode %d", call, static_cast<int>(mode))
             : ttSuccess;
}

ttError_t ttStreamBeginCapture(ttStream_t stream, ttStreamCaptureMode mode) {
  CURRENT_DEVICE(device);
  if (ttError_t error = checkMode("ttStreamBeginCapture", mode))
    return error;
  return device->graphs->beginCapture(stream, mode);
}

ttError_t ttStreamEndCapture(ttStream_t stream, ttGraph_t *graph) {
  CURRENT_DEVICE(device);
  *graph = nullptr;
  return device->graphs->endCapture(stream, graph);
}

ttError_t ttStreamIsCapturing(ttStream_t stream, ttStreamCaptureStatus *status) {
  CURRENT_DEVICE(device);
  return device->graphs->isCapturing(stream, status);
}

ttError_t ttThreadExchangeStreamCaptureMode(ttStreamCaptureMode *mode) {
  CURRENT_DEVICE(device);
  if (ttError_t error = checkMode("ttThreadExchangeStreamCaptureMode", *mode))
    return error;
  return device->graphs->exchangeMode(mode);
}

ttError_t ttGraphCreate(ttGraph_t *graph) {
  CURRENT_DEVICE(device);
  return device->graphs->create(graph);
}

ttError_t ttGraphDestroy(ttGraph_t graph) {
  CURRENT_DEVICE(device);
  return device->graphs->destroy(graph);
}

ttError_t ttGraphGetNodes(ttGraph_t graph, ttGraphNode_t *nodes, size_t *count) {
  CURRENT_DEVICE(device);
  return device->graphs->nodes(graph, nodes, count);
}

ttError_t ttGraphAddMemcpyNode1D(ttGraphNode_t *node, ttGraph_t graph, const ttGraphNode_t *dependencies, size_t count,
                                 void *to, const void *from, size_t bytes, ttMemcpyKind kind) {
  CURRENT_DEVICE(device);
  if (ttError_t error = checkKind(kind))
    return error;
  NodePlace place = {graph, dependencies, count};
  return bytes ? device->graphs->addCopy(node, place, to, from, bytes) : device->graphs->addEmpty(node, place);
}

ttError_t ttGraphAddMemsetNode(ttGraphNode_t *node, ttGraph_t graph, const ttGraphNode_t *dependencies, size_t count,
                               void *pointer, int byte, size_t bytes) {
  CURRENT_DEVICE(device);
  NodePlace place = {graph, dependencies, count};
  return bytes ? device->graphs->addSet(node, place, pointer, byte, bytes) : device->graphs->addEmpty(node, place);
}

ttError_t ttGraphAddHostNode(ttGraphNode_t *node, ttGraph_t graph, const ttGraphNode_t *dependencies, size_t count,
                             ttHostFn_t function, void *data) {
  CURRENT_DEVICE(device);
  return device->graphs->addHost(node, {graph, dependencies, count}, function, data);
}

ttError_t ttGraphAddEmptyNode(ttGraphNode_t *node, ttGraph_t graph, const ttGraphNode_t *dependencies, size_t count) {
  CURRENT_DEVICE(device);
  return device->graphs->addEmpty(node, {graph, dependencies, count});
}

ttError_t ttGraphAddChildGraphNode(ttGraphNode_t *node, ttGraph_t graph, const ttGraphNode_t *dependencies,
                                   size_t count, ttGraph_t child) {
  CURRENT_DEVICE(device);
  return device->graphs->addChild(node, {graph, dependencies, count}, child);
}

ttError_t ttGraphNodeGetDependencies(ttGraphNode_t node, ttGraphNode_t *dependencies, size_t *count) {
  CURRENT_DEVICE(device);
  return device->graphs->dependencies(node, dependencies, count);
}

ttError_t ttGraphKernelNodeGetParams(ttGraphNode_t node, ttKernelNodeParams *params) {
  CURRENT_DEVICE(device);
  NodeKernel kernel = {};
  if (ttError_t error = device->graphs->getKernel(node, kernel, params->args))
    return error;
  *params = {kernel.kernel ? kernel.kernel->abi->stub : nullptr, kernel.grid, params->args, nullptr,
             kernel.attributeCount};
  return ttSuccess;
}

ttError_t ttGraphInstantiate(ttGraphExec_t *exec, ttGraph_t graph) {
  CURRENT_DEVICE(device);
  return device->graphs->instantiate(exec, graph);
}

ttError_t ttGraphExecDestroy(ttGraphExec_t exec) {
  CURRENT_DEVICE(device);
  return device->graphs->destroyExec(exec);
}

ttError_t ttGraphExecUpdate(ttGraphExec_t exec, ttGraph_t graph) {
  CURRENT_DEVICE(device);
  return device->graphs->update(exec, graph);
}

ttError_t ttGraphUpload(ttGraphExec_t exec, ttStream_t stream) {
  CURRENT_DEVICE(device);
  return device->graphs->upload(exec, stream);
}

ttError_t ttGraphLaunch(ttGraphExec_t exec, ttStream_t stream) {
  CURRENT_DEVICE(device);
  WatchedWork watched(isWatched() ? device : nullptr, WatchedWork::inStream, "graph", "ttGraphLaunch", stream);
  return device->graphs->launch(exec, stream);
}
