//===-- Launch.cpp - from a kernel call to the device ----------------------------------------------------------===//
//
// Implements the function that stubs call, and the public launch functions. They check the grid, find the kernel, and
// call its device.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Device.h"
#include "Error.h"
#include "Peers.h"
#include "Watch.h"

#include <stdlib.h>

using namespace tilecc::rt;

static ttError_t checkGrid(const Kernel &kernel, ttDim3 grid) {
  constexpr unsigned maxX = INT32_MAX, maxYZ = 65535; // the limits of all GPUs, and so of all devices
  if (__builtin_expect(grid.x <= maxX && grid.y <= maxYZ && grid.z <= maxYZ, true))
    return ttSuccess;
  return fail(
      ttErrorInvalidConfiguration,
      "kernel '%s': a grid of %u x %u x %u programs is beyond the limits, which are 2147483647 along x and 65535 "
      "along y and z",
      kernel.abi->display_name, grid.x, grid.y, grid.z);
}

static ttError_t checkAttributes(const Kernel &kernel, const ttLaunchConfig &config) {
  unsigned seen = 0;
  for (unsigned i = 0; i < config.attributeCount; ++i) {
    const ttLaunchAttribute &attribute = config.attributes[i];
    const char *name = kernel.abi->display_name;
    switch (attribute.id) {
    case ttLaunchAttributeCooperative:
    case ttLaunchAttributeProgrammaticStreamSerialization:
    case ttLaunchAttributePriority:
    case ttLaunchAttributeDevicesAlongZ: break;
    default:
      return fail(ttErrorInvalidValue, "kernel '%s': %d is not a launch attribute of tile kernels", name, attribute.id);
    }
    if (seen & 1u << attribute.id)
      return fail(ttErrorInvalidValue, "kernel '%s': launch attribute %d is given twice", name, attribute.id);
    seen |= 1u << attribute.id;
  }
  return ttSuccess;
}

static ttError_t launch(Kernel &kernel, const ttLaunchConfig &config, void **args) {
  CURRENT_DEVICE(device);
  if (ttError_t error = checkGrid(kernel, config.grid))
    return error;
  if (__builtin_expect(config.attributeCount != 0, false))
    if (ttError_t error = checkAttributes(kernel, config))
      return error;
  if (config.grid.x == 0 || config.grid.y == 0 || config.grid.z == 0)
    return ttSuccess;
  return isWatched() ? watchLaunch(*device, kernel, config, args) : device->launch(kernel, config, args);
}

// Makes the copy of the runtime that has registered a kernel execute a call that this copy cannot execute.
template <class Call> static ttError_t inPeer(const void *stub, Call call) {
  uint32_t otherVersion = 0;
  const Peer *peer = findPeer(stub, &otherVersion);
  if (!peer)
    return failNoKernel(stub, otherVersion);
  CURRENT_DEVICE(device);
  ThreadState peers = peer->exchangeState({device == hostDevice ? deviceIsHost : chosenGpu(), lastError()});
  ttError_t error = call(*peer);
  peer->exchangeState(peers);
  return error;
}

ttError_t ttLaunchKernelEx(const ttLaunchConfig *config, const void *stub, void **args) {
  if (Kernel *kernel = findKernel(stub))
    return launch(*kernel, *config, args);
  return inPeer(stub, [&](const Peer &peer) { return peer.launchKernel(config, stub, args); });
}

ttError_t ttLaunchKernel(const void *stub, ttDim3 grid, void **args, ttStream_t stream) {
  ttLaunchConfig config = {grid, stream, nullptr, 0};
  return ttLaunchKernelEx(&config, stub, args);
}

ttError_t ttPreload(const void *stub) {
  CURRENT_DEVICE(device);
  if (!stub)
    return forEachKernel(device->preload);
  if (Kernel *kernel = findKernel(stub))
    return device->preload(*kernel);
  return inPeer(stub, [&](const Peer &peer) { return peer.preload(stub); });
}

ttError_t ttOccupancyMaxActivePrograms(int *programs, const void *stub) {
  CURRENT_DEVICE(device);
  if (Kernel *kernel = findKernel(stub))
    return device->activePrograms(*kernel, programs);
  return inPeer(stub, [&](const Peer &peer) { return peer.activePrograms(programs, stub); });
}

ttError_t ttGetFunction(ttFunction_t *function, const void *stub) {
  CURRENT_DEVICE(device);
  if (Kernel *kernel = findKernel(stub))
    return device->function(*kernel, function);
  return inPeer(stub, [&](const Peer &peer) { return peer.getFunction(function, stub); });
}

ttError_t ttFuncGetAttributes(ttFuncAttributes *attributes, const void *stub) {
  CURRENT_DEVICE(device);
  if (Kernel *kernel = findKernel(stub))
    return device->attributes(*kernel, *attributes);
  return inPeer(stub, [&](const Peer &peer) { return peer.funcGetAttributes(attributes, stub); });
}

static_assert(sizeof(ttKernelParam) == sizeof(tilecc_param) && int(ttParamPositive) == TILECC_PARAM_POSITIVE);

ttError_t ttKernelGetInfo(ttKernelInfo *info, const void *stub) {
  const tilecc_kernel *abi = nullptr;
  const tilecc_module *object = describeKernel(stub, &abi);
  if (!object) {
    uint32_t otherVersion = 0;
    const Peer *peer = findPeer(stub, &otherVersion);
    object = peer ? peer->describe(stub, &abi) : nullptr;
    if (!object)
      return failNoKernel(stub, otherVersion);
  }
  *info = {abi->display_name, abi->name, object->source, reinterpret_cast<const ttKernelParam *>(abi->params),
           abi->param_count,  abi->ttir, abi->ttir_size};
  return ttSuccess;
}

//===-- Kernels as nodes of graphs --------------------------------------------------------------------------------===//

// Checks a launch that becomes a node and calls use(device, kernel, config). If another copy knows the kernel, calls
// inPeer instead.
template <class Use, class InPeer> static ttError_t asNode(const ttKernelNodeParams &params, Use use, InPeer call) {
  Kernel *kernel = findKernel(params.kernel);
  if (!kernel)
    return inPeer(params.kernel, call);
  CURRENT_DEVICE(device);
  ttLaunchConfig config = {params.grid, nullptr, params.attributes, params.attributeCount};
  if (ttError_t error = checkGrid(*kernel, config.grid))
    return error;
  if (config.grid.x == 0 || config.grid.y == 0 || config.grid.z == 0)
    return fail(ttErrorInvalidConfiguration,
                "kernel '%s': a node of a graph must have a program; this grid is %u x %u x %u",
                kernel->abi->display_name, config.grid.x, config.grid.y, config.grid.z);
  if (ttError_t error = checkAttributes(*kernel, config))
    return error;
  return use(*device->graphs, *kernel, config);
}

ttError_t ttGraphAddKernelNode(ttGraphNode_t *node, ttGraph_t graph, const ttGraphNode_t *dependencies, size_t count,
                               const ttKernelNodeParams *params) {
  return asNode(
      *params,
      [&](const DeviceGraphs &graphs, Kernel &kernel, const ttLaunchConfig &config) {
        return graphs.addKernel(node, {graph, dependencies, count}, kernel, config, params->args);
      },
      [&](const Peer &peer) { return peer.addKernelNode(node, graph, dependencies, count, params); });
}

ttError_t ttGraphExecKernelNodeSetParams(ttGraphExec_t exec, ttGraphNode_t node, const ttKernelNodeParams *params) {
  return asNode(
      *params,
      [&](const DeviceGraphs &graphs, Kernel &kernel, const ttLaunchConfig &config) {
        return graphs.setKernel(exec, node, kernel, config, params->args);
      },
      [&](const Peer &peer) { return peer.setKernelNode(exec, node, params); });
}

ttError_t ttGraphReplaceKernelNodes(ttGraph_t graph, const ttGraphNode_t *nodes, size_t count,
                                    const ttKernelNodeParams *params) {
  if (count == 0)
    return fail(ttErrorInvalidValue, "ttGraphReplaceKernelNodes: there are no nodes");
  return asNode(
      *params,
      [&](const DeviceGraphs &graphs, Kernel &kernel, const ttLaunchConfig &config) {
        return graphs.replaceChain(graph, nodes, count, kernel, config, params->args);
      },
      [&](const Peer &) {
        return fail(ttErrorNotSupported, "ttGraphReplaceKernelNodes: the kernel belongs to another library");
      });
}

//===-- The calls generated for `kernel<<<grid, block, shared, stream>>>(args)` --------------------------------===//

namespace {
struct Configuration {
  tilecc_dim3 grid, block;
  uint64_t shared;
  void *stream;
};

// Configurations that were pushed and whose stubs have not run yet. There is more than one if a kernel's arguments
// launch kernels themselves. An exception in an argument leaves its configuration behind, so a full stack drops its
// oldest entry.
struct CallStack {
  enum : unsigned { size = 16 };
  Configuration entries[size];
  unsigned depth; // may exceed `size`; entry i is at i % size
};
} // namespace

static thread_local CallStack calls;

uint32_t __tilecc_push_call(const tilecc_dim3 *grid, const tilecc_dim3 *block, uint64_t shared, void *stream) {
  calls.entries[calls.depth++ % CallStack::size] = {*grid, *block, shared, stream};
  return ttSuccess;
}

uint32_t __tilecc_pop_call(tilecc_dim3 *grid, tilecc_dim3 *block, uint64_t *shared, void **stream) {
  if (calls.depth == 0)
    return fail(ttErrorInvalidConfiguration, "a kernel was called as a function; launch it with <<<grid>>>");
  const Configuration &top = calls.entries[--calls.depth % CallStack::size];
  *grid = top.grid;
  *block = top.block;
  *shared = top.shared;
  *stream = top.stream;
  return ttSuccess;
}

static uint32_t launchFromStub(Kernel &kernel, tilecc_dim3 grid, tilecc_dim3 block, void **args, uint64_t shared,
                               void *stream) {
  const char *name = kernel.abi->display_name;
  if (block.x != 1 || block.y != 1 || block.z != 1)
    return fail(
        ttErrorInvalidConfiguration,
        "kernel '%s': a tile kernel chooses its threads itself; launch it with <<<grid>>>, <<<grid, stream>>> or "
        "<<<grid, 1, 0, stream>>>, not with blocks of %u x %u x %u",
        name, block.x, block.y, block.z);
  if (shared != 0)
    return fail(ttErrorInvalidConfiguration,
                "kernel '%s': a tile kernel sizes its shared memory itself; launch it with 0 bytes, not %llu", name,
                static_cast<unsigned long long>(shared));
  ttDim3 programs;
  programs.x = grid.x;
  programs.y = grid.y;
  programs.z = grid.z;
  return launch(kernel, {programs, static_cast<ttStream_t>(stream), nullptr, 0}, args);
}

// <<<>>> has no result, and no caller uses the result of a stub.
static uint32_t rememberFailure(uint32_t error) {
  if (error)
    lastError()->lostLaunch = static_cast<ttError_t>(error);
  return error;
}

uint32_t __tilecc_launch(const void *stub, tilecc_dim3 grid, tilecc_dim3 block, const tilecc_packed_args *packed,
                         uint64_t shared, void *stream) {
  Kernel *kernel = findKernel(stub);
  if (!kernel)
    return rememberFailure(failNoKernel(stub, 0));
  const tilecc_kernel &abi = *kernel->abi;
  // Allocate one more than needed, because kernels may have no parameters.
  auto **args = static_cast<void **>(__builtin_alloca((abi.param_count + 1) * sizeof(void *)));
  for (uint32_t i = 0; i < abi.param_count; ++i)
    args[i] = static_cast<char *>(packed->data) + abi.params[i].offset;
  return rememberFailure(launchFromStub(*kernel, grid, block, args, shared, stream));
}

uint32_t __tilecc_launch_plain(const void *stub, uint32_t (*pop)(tilecc_dim3 *grid, tilecc_dim3 *block,
                                                                 uint64_t *shared, void **stream)) {
  tilecc_dim3 grid, block;
  uint64_t shared;
  void *stream;
  if (uint32_t error = pop(&grid, &block, &shared, &stream))
    return rememberFailure(error);
  const tilecc_packed_args none = {0, nullptr, nullptr};
  return __tilecc_launch(stub, grid, block, &none, shared, stream);
}

uint32_t __tilecc_launch_args(const void *stub, tilecc_dim3 grid, tilecc_dim3 block, void **args, uint64_t shared,
                              void *stream) {
  Kernel *kernel = findKernel(stub);
  return rememberFailure(kernel ? launchFromStub(*kernel, grid, block, args, shared, stream) : failNoKernel(stub, 0));
}
