//===-- tilecc/graph_cxx.h - graphs of launches and copies ---------------------------------------------*- C++ -*-===//
//
// A graph is built node by node, or captured from launches in a stream:
//
//   tt::graph work = tt::graph::capture(stream, [&] {
//     add<<<grid, stream>>>(x, y, z, n);
//     scale<<<grid, stream>>>(z, n);
//   });
//   tt::graph_exec exec = work.instantiate();
//   for (...)
//     exec.launch(stream);
//
// Part of <tilecc/runtime_cxx.h>; the rules there apply.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_GRAPH_CXX_H
#define TILECC_GRAPH_CXX_H

#include <tilecc/detail/push_macros.h>

#include <initializer_list>
#include <tilecc/runtime_cxx.h>

namespace tt {

/// Owns an executable graph, which can be launched any number of times.
class graph_exec : public detail::owner<ttGraphExec_t, ttGraphExecDestroy> {
public:
  graph_exec() noexcept = default;
  explicit graph_exec(ttGraph_t graph) { check(ttGraphInstantiate(&handle_, graph)); }
  /// Uploads the graph to the device, so that the first launch does not have to.
  void upload(ttStream_t stream = nullptr) const { check(ttGraphUpload(handle_, stream)); }
  /// Launches the graph.
  void launch(ttStream_t stream = nullptr) const { check(ttGraphLaunch(handle_, stream)); }
  /// Copies the parameters of a graph that has the same nodes and dependencies.
  void update(ttGraph_t graph) const { check(ttGraphExecUpdate(handle_, graph)); }
  /// Changes the kernel, grid and arguments of a node of the graph that was instantiated.
  template <class... P, class... A>
  void set_kernel(ttGraphNode_t node, void (*kernel)(P...), launch_grid grid, A &&...args) const {
    static_assert(sizeof...(P) == sizeof...(A), "tt::graph_exec: the kernel takes another number of arguments");
    detail::with_addresses<P...>(
        [&](void **addresses) {
          ttKernelNodeParams params = {reinterpret_cast<const void *>(kernel), grid.get(), addresses, nullptr, 0};
          check(ttGraphExecKernelNodeSetParams(handle_, node, &params));
        },
        static_cast<A &&>(args)...);
  }
};

/// Owns a graph, which is built node by node or captured.
class graph : public detail::owner<ttGraph_t, ttGraphDestroy> {
public:
  graph() { check(ttGraphCreate(&handle_)); }

  /// Captures the launches and copies of `body()` in the stream, and in streams that wait for it. By default, other
  /// threads are not restricted.
  template <class Body>
  static graph capture(ttStream_t stream, Body &&body, ttStreamCaptureMode mode = ttStreamCaptureModeThreadLocal) {
    check(ttStreamBeginCapture(stream, mode));
    capturing guard = {stream};
    body();
    guard.stream = nullptr;
    graph result(nullptr);
    check(ttStreamEndCapture(stream, &result.handle_));
    return result;
  }

  /// The nodes that a node depends on.
  using after = std::initializer_list<ttGraphNode_t>;

  /// Adds a launch.
  template <class... P, class... A>
  ttGraphNode_t add_kernel(after nodes, void (*kernel)(P...), launch_grid grid, A &&...args) {
    return add_kernel(nodes, kernel, launch_config(grid), static_cast<A &&>(args)...);
  }
  template <class... P, class... A>
  ttGraphNode_t add_kernel(after nodes, void (*kernel)(P...), const launch_config &config, A &&...args) {
    static_assert(sizeof...(P) == sizeof...(A), "tt::graph: the kernel takes another number of arguments");
    ttGraphNode_t node = nullptr;
    detail::with_addresses<P...>(
        [&](void **addresses) {
          ttKernelNodeParams params = {reinterpret_cast<const void *>(kernel), config.grid(), addresses,
                                       config.attributes(), config.attribute_count()};
          check(ttGraphAddKernelNode(&node, handle_, nodes.begin(), nodes.size(), &params));
        },
        static_cast<A &&>(args)...);
    return node;
  }
  /// Adds a copy between any two memories.
  ttGraphNode_t add_copy(after nodes, void *to, const void *from, size_t bytes) {
    ttGraphNode_t node = nullptr;
    check(ttGraphAddMemcpyNode1D(&node, handle_, nodes.begin(), nodes.size(), to, from, bytes, ttMemcpyDefault));
    return node;
  }
  /// Adds a memset.
  ttGraphNode_t add_set(after nodes, void *pointer, int byte, size_t bytes) {
    ttGraphNode_t node = nullptr;
    check(ttGraphAddMemsetNode(&node, handle_, nodes.begin(), nodes.size(), pointer, byte, bytes));
    return node;
  }
  /// Adds a call of a host function, which must not call this runtime.
  ttGraphNode_t add_host(after nodes, ttHostFn_t function, void *data) {
    ttGraphNode_t node = nullptr;
    check(ttGraphAddHostNode(&node, handle_, nodes.begin(), nodes.size(), function, data));
    return node;
  }
  /// Adds a node without work, which only orders other nodes.
  ttGraphNode_t add_empty(after nodes) {
    ttGraphNode_t node = nullptr;
    check(ttGraphAddEmptyNode(&node, handle_, nodes.begin(), nodes.size()));
    return node;
  }
  /// Adds a copy of another graph.
  ttGraphNode_t add_graph(after nodes, ttGraph_t child) {
    ttGraphNode_t node = nullptr;
    check(ttGraphAddChildGraphNode(&node, handle_, nodes.begin(), nodes.size(), child));
    return node;
  }

  /// Returns the number of nodes.
  size_t node_count() const {
    size_t count = 0;
    check(ttGraphGetNodes(handle_, nullptr, &count));
    return count;
  }
  /// Creates an executable graph. Later changes of this graph do not affect it.
  graph_exec instantiate() const { return graph_exec(handle_); }

private:
  explicit graph(decltype(nullptr)) noexcept {}
  // Ends the capture if the body throws.
  struct capturing {
    ttStream_t stream;
    ~capturing() {
      ttGraph_t unused = nullptr;
      if (stream && ttStreamEndCapture(stream, &unused) == ttSuccess)
        (void)ttGraphDestroy(unused);
    }
  };
};

} // namespace tt

#include <tilecc/detail/pop_macros.h>

#endif // TILECC_GRAPH_CXX_H
