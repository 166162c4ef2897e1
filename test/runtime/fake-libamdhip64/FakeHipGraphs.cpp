//===-- FakeHipGraphs.cpp - the fake HIP's graphs -----------------------------------------------------------------===//
#include "FakeHip.h"

#include <algorithm>
#include <string.h>

using namespace fake;

enum : int { kernelNode = 0, copyNode = 1, setNode = 2, hostNode = 3, graphNode = 4, emptyNode = 5 };

struct CUgraphNode_st {
  CUgraph graph;
  int type;
  std::string what;
  Work work; // of nodes that are no kernels
  KernelLaunch launch = {};
  std::map<int, CUlaunchAttribute> attributes = {};
  std::vector<CUgraphNode> after = {};
};
struct CUgraph_st {
  std::vector<CUgraphNode> nodes; // owned
};
struct CUgraphExec_st {
  std::vector<CUgraphNode_st> nodes; // in an order in which they can run
  std::map<CUgraphNode, size_t> indices;
};

// Never destroyed.
static auto &graphs = *new std::set<CUgraph>;
static auto &nodes = *new std::set<CUgraphNode>;
static auto &execs = *new std::set<CUgraphExec>;

template <class Handle>
static hipError_t check(const char *function, const std::set<Handle> &all, Handle handle, const char *kind) {
  return all.count(handle) ? success
                           : wrong(invalidValue, "%s: there is no %s %p", function, kind, static_cast<void *>(handle));
}
#define GRAPH(name)                                                                                                    \
  ENTER(name);                                                                                                         \
  TRY(check(name, graphs, graph, "graph"))
#define NODE(name)                                                                                                     \
  ENTER(name);                                                                                                         \
  TRY(check(name, nodes, node, "node"))
#define EXEC(name)                                                                                                     \
  ENTER(name);                                                                                                         \
  TRY(check(name, execs, exec, "instantiated graph"))

CUgraph fake::makeGraph() {
  auto *graph = new CUgraph_st;
  graphs.insert(graph);
  return graph;
}

static CUgraphNode add(CUgraph graph, int type, const std::string &what) {
  auto *node = new CUgraphNode_st{graph, type, what, nullptr};
  nodes.insert(node);
  graph->nodes.push_back(node);
  return node;
}
void fake::addKernelNode(CUgraph graph, CUgraphNode *node, const KernelLaunch &launch) {
  *node = add(graph, kernelNode, launch.describe());
  (*node)->launch = launch;
  (*node)->attributes[CU_LAUNCH_ATTRIBUTE_COOPERATIVE].value.number = launch.isCooperative;
}
void fake::addWorkNode(CUgraph graph, CUgraphNode *node, int type, const std::string &what, Work work) {
  *node = add(graph, type, what);
  (*node)->work = std::move(work);
}
void fake::dependOn(CUgraphNode node, const std::vector<CUgraphNode> &dependencies) {
  node->after.insert(node->after.end(), dependencies.begin(), dependencies.end());
}

static void visitBefore(CUgraphNode node, std::set<CUgraphNode> &visited, std::vector<CUgraphNode> *order) {
  if (!visited.insert(node).second)
    return;
  for (CUgraphNode before : node->after)
    visitBefore(before, visited, order);
  if (order)
    order->push_back(node);
}
bool fake::areAllBefore(CUgraph graph, const std::vector<CUgraphNode> &last) {
  std::set<CUgraphNode> visited;
  for (CUgraphNode node : last)
    visitBefore(node, visited, nullptr);
  return visited.size() == graph->nodes.size();
}

//===-- Building --------------------------------------------------------------------------------------------------===//

FAKE(hipGraphCreate)(CUgraph *graph, unsigned) {
  logCall("hipGraphCreate");
  ENTER("hipGraphCreate");
  *graph = makeGraph();
  return success;
}
FAKE(hipGraphDestroy)(CUgraph graph) {
  logCall("hipGraphDestroy");
  GRAPH("hipGraphDestroy");
  for (CUgraphNode node : graph->nodes) {
    nodes.erase(node);
    delete node;
  }
  graphs.erase(graph);
  delete graph;
  return success;
}
FAKE(hipGraphGetNodes)(CUgraph graph, CUgraphNode *list, size_t *count) {
  GRAPH("hipGraphGetNodes");
  for (size_t i = 0; list && i < *count && i < graph->nodes.size(); ++i)
    list[i] = graph->nodes[i];
  *count = graph->nodes.size();
  return success;
}

static hipError_t checkPlace(const char *function, CUgraph graph, const CUgraphNode *dependencies, size_t count) {
  TRY(check(function, graphs, graph, "graph"));
  for (size_t i = 0; i < count; ++i)
    if (!nodes.count(dependencies[i]) || dependencies[i]->graph != graph)
      return wrong(invalidValue, "%s: a dependency is no node of the graph", function);
  return success;
}
#define PLACE(name)                                                                                                    \
  ENTER(name);                                                                                                         \
  TRY(checkPlace(name, graph, dependencies, count))

static hipError_t placed(CUgraphNode node, const CUgraphNode *dependencies, size_t count) {
  dependOn(node, {dependencies, dependencies + count});
  logCall("graph node: %s after %zu", node->what.c_str(), count);
  return success;
}

FAKE(hipGraphAddKernelNode)
(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count, const hipKernelNodeParams *params) {
  PLACE("hipGraphAddKernelNode");
  KernelLaunch launch;
  TRY(makeLaunch(currentDevice, *params, /*isCooperative=*/false, launch));
  addKernelNode(graph, node, launch);
  return placed(*node, dependencies, count);
}
FAKE(hipGraphAddMemcpyNode1D)
(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count, void *to, const void *from,
 size_t bytes, int kind) {
  PLACE("hipGraphAddMemcpyNode1D");
  if (kind != hipMemcpyDefault)
    return wrong(invalidValue, "hipGraphAddMemcpyNode1D: the direction %d", kind);
  TRY(checkRange("hipGraphAddMemcpyNode1D", to, bytes));
  TRY(checkRange("hipGraphAddMemcpyNode1D", from, bytes));
  addWorkNode(graph, node, copyNode, "copy " + std::to_string(bytes), [=] { return runCopy(to, from, bytes); });
  return placed(*node, dependencies, count);
}
FAKE(hipGraphAddMemsetNode)
(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count, const hipMemsetParams *params) {
  PLACE("hipGraphAddMemsetNode");
  if (params->elementSize != 1 || params->height != 1)
    return wrong(invalidValue, "hipGraphAddMemsetNode: %zu rows of elements of %u bytes", params->height,
                 params->elementSize);
  TRY(checkRange("hipGraphAddMemsetNode", params->dst, params->width));
  hipMemsetParams copy = *params;
  addWorkNode(graph, node, setNode, "set " + std::to_string(copy.width) + " to " + std::to_string(copy.value),
              [=] { return runSet(copy.dst, static_cast<int>(copy.value), copy.width); });
  return placed(*node, dependencies, count);
}
FAKE(hipGraphAddHostNode)
(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count, const CUDA_HOST_NODE_PARAMS *params) {
  PLACE("hipGraphAddHostNode");
  CUDA_HOST_NODE_PARAMS copy = *params;
  addWorkNode(graph, node, hostNode, "host", [=]() -> hipError_t {
    copy.fn(copy.userData);
    return success;
  });
  return placed(*node, dependencies, count);
}
FAKE(hipGraphAddEmptyNode)(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count) {
  PLACE("hipGraphAddEmptyNode");
  addWorkNode(graph, node, emptyNode, "empty", [] { return success; });
  return placed(*node, dependencies, count);
}
FAKE(hipGraphNodeGetType)(CUgraphNode node, int *type) {
  NODE("hipGraphNodeGetType");
  *type = node->type;
  return success;
}
FAKE(hipGraphNodeGetDependencies)(CUgraphNode node, CUgraphNode *list, size_t *count) {
  NODE("hipGraphNodeGetDependencies");
  for (size_t i = 0; list && i < *count && i < node->after.size(); ++i)
    list[i] = node->after[i];
  *count = node->after.size();
  return success;
}
FAKE(hipGraphAddDependencies)(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count) {
  GRAPH("hipGraphAddDependencies");
  for (size_t i = 0; i < count; ++i) {
    TRY(check("hipGraphAddDependencies", nodes, from[i], "node"));
    TRY(check("hipGraphAddDependencies", nodes, to[i], "node"));
    to[i]->after.push_back(from[i]);
  }
  return success;
}
FAKE(hipGraphDestroyNode)(CUgraphNode node) {
  NODE("hipGraphDestroyNode");
  logCall("hipGraphDestroyNode %s", node->what.c_str());
  std::erase(node->graph->nodes, node);
  for (CUgraphNode other : node->graph->nodes)
    std::erase(other->after, node);
  nodes.erase(node);
  delete node;
  return success;
}

//===-- Kernel nodes ----------------------------------------------------------------------------------------------===//

static hipError_t checkKernel(const char *function, CUgraphNode node) {
  return node->type == kernelNode ? success : wrong(invalidValue, "%s: the node is no kernel", function);
}
FAKE(hipGraphKernelNodeGetParams)(CUgraphNode node, hipKernelNodeParams *params) {
  NODE("hipGraphKernelNodeGetParams");
  TRY(checkKernel("hipGraphKernelNodeGetParams", node));
  KernelLaunch &launch = node->launch;
  *params = {launch.block, nullptr, launch.function, launch.grid, launch.pointers.data(), launch.sharedBytes};
  return success;
}
FAKE(hipGraphKernelNodeSetParams)(CUgraphNode node, const hipKernelNodeParams *params) {
  NODE("hipGraphKernelNodeSetParams");
  TRY(checkKernel("hipGraphKernelNodeSetParams", node));
  KernelLaunch launch;
  TRY(makeLaunch(currentDevice, *params, node->launch.isCooperative, launch));
  node->launch = launch;
  node->what = launch.describe();
  return success;
}
FAKE(hipGraphKernelNodeSetAttribute)(CUgraphNode node, int attribute, const void *value) {
  NODE("hipGraphKernelNodeSetAttribute");
  TRY(checkKernel("hipGraphKernelNodeSetAttribute", node));
  if (attribute != CU_LAUNCH_ATTRIBUTE_COOPERATIVE && attribute != CU_LAUNCH_ATTRIBUTE_PRIORITY)
    return wrong(invalidValue, "hipGraphKernelNodeSetAttribute: there is no attribute %d", attribute);
  memcpy(&node->attributes[attribute].value, value, sizeof(CUlaunchAttribute::value));
  if (attribute == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
    node->launch.isCooperative = *static_cast<const int *>(value);
  return success;
}
FAKE(hipGraphKernelNodeGetAttribute)(CUgraphNode node, int attribute, void *value) {
  NODE("hipGraphKernelNodeGetAttribute");
  TRY(checkKernel("hipGraphKernelNodeGetAttribute", node));
  if (attribute != CU_LAUNCH_ATTRIBUTE_COOPERATIVE && attribute != CU_LAUNCH_ATTRIBUTE_PRIORITY)
    return wrong(invalidValue, "hipGraphKernelNodeGetAttribute: there is no attribute %d", attribute);
  memcpy(value, &node->attributes[attribute].value, sizeof(CUlaunchAttribute::value));
  return success;
}

//===-- Instantiated graphs ---------------------------------------------------------------------------------------===//

static std::vector<CUgraphNode> inOrder(CUgraph graph) {
  std::vector<CUgraphNode> order;
  std::set<CUgraphNode> visited;
  for (CUgraphNode node : graph->nodes)
    visitBefore(node, visited, &order);
  return order;
}

static hipError_t runNode(const CUgraphNode_st &node) {
  return node.type == kernelNode ? runKernel(node.launch) : node.work();
}

FAKE(hipGraphAddChildGraphNode)
(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count, CUgraph child) {
  PLACE("hipGraphAddChildGraphNode");
  TRY(check("hipGraphAddChildGraphNode", graphs, child, "graph"));
  std::vector<CUgraphNode_st> copies;
  for (CUgraphNode part : inOrder(child))
    copies.push_back(*part);
  addWorkNode(graph, node, graphNode, "graph of " + std::to_string(copies.size()), [=]() -> hipError_t {
    for (const CUgraphNode_st &part : copies)
      TRY(runNode(part));
    return success;
  });
  return placed(*node, dependencies, count);
}
FAKE(hipGraphInstantiateWithFlags)(CUgraphExec *exec, CUgraph graph, unsigned long long) {
  GRAPH("hipGraphInstantiateWithFlags");
  logCall("hipGraphInstantiate of %zu", graph->nodes.size());
  execs.insert(*exec = new CUgraphExec_st);
  for (CUgraphNode node : inOrder(graph)) {
    (*exec)->indices[node] = (*exec)->nodes.size();
    (*exec)->nodes.push_back(*node);
  }
  return success;
}
FAKE(hipGraphExecDestroy)(CUgraphExec exec) {
  logCall("hipGraphExecDestroy");
  EXEC("hipGraphExecDestroy");
  execs.erase(exec);
  delete exec;
  return success;
}
FAKE(hipGraphExecUpdate)(CUgraphExec exec, CUgraph graph, CUgraphNode *errorNode, int *updateResult) {
  logCall("hipGraphExecUpdate");
  EXEC("hipGraphExecUpdate");
  TRY(check("hipGraphExecUpdate", graphs, graph, "graph"));
  std::vector<CUgraphNode> order = inOrder(graph);
  *errorNode = nullptr;
  *updateResult = 2; // hipGraphExecUpdateErrorTopologyChanged
  if (order.size() != exec->nodes.size())
    return updateFailure;
  for (size_t i = 0; i < order.size(); ++i)
    if (order[i]->type != exec->nodes[i].type)
      return updateFailure;
  *updateResult = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    exec->nodes[i] = *order[i];
    exec->indices[order[i]] = i;
  }
  return success;
}
FAKE(hipGraphExecKernelNodeSetParams)(CUgraphExec exec, CUgraphNode node, const hipKernelNodeParams *params) {
  EXEC("hipGraphExecKernelNodeSetParams");
  auto found = exec->indices.find(node);
  if (found == exec->indices.end() || exec->nodes[found->second].type != kernelNode)
    return wrong(invalidValue, "hipGraphExecKernelNodeSetParams: the node is no kernel of the graph");
  KernelLaunch launch;
  TRY(makeLaunch(currentDevice, *params, exec->nodes[found->second].launch.isCooperative, launch));
  exec->nodes[found->second].launch = launch;
  return success;
}
FAKE(hipGraphUpload)(CUgraphExec exec, CUstream) {
  logCall("hipGraphUpload");
  EXEC("hipGraphUpload");
  return success;
}
FAKE(hipGraphLaunch)(CUgraphExec exec, CUstream stream) {
  logCall("hipGraphLaunch stream %p", static_cast<void *>(stream));
  EXEC("hipGraphLaunch");
  std::vector<CUgraphNode_st> copies = exec->nodes;
  auto work = [=]() -> hipError_t {
    for (const CUgraphNode_st &node : copies)
      TRY(runNode(node));
    return success;
  };
  return enqueue("hipGraphLaunch", stream, work, [&](CUgraph graph, CUgraphNode *node) {
    addWorkNode(graph, node, graphNode, "graph of " + std::to_string(copies.size()), work);
  });
}
