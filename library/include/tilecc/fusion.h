//===-- tilecc/fusion.h - fuses launches of a graph ----------------------------------------------------*- C++ -*-===//
//
//   tt::graph work = tt::graph::capture(stream, [&] {
//     bias<<<...>>>(...);
//     gelu<<<...>>>(...);
//     dropout<<<...>>>(...);
//   });
//   tt::fusion fused = tt::fuse(work, {.temporaries = {t1, t2}});
//   tt::graph_exec exec = work.instantiate();
//
// Fuses consecutive launches with equal grids into a launch of one kernel, which does not pass intermediate results
// through memory. Launches are fused only if the result is proven to be the same, bit by bit; other launches stay as
// they are (docs/fusion.md). The kernels' objects must be compiled with tcc's -ffusion. libtilecc (TileCC::compiler)
// compiles the fused kernels for the current device and keeps them in its cache.
//
// Needs C++17.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_FUSION_H
#define TILECC_FUSION_H

#include <tilecc/detail/push_macros.h>

#include <algorithm>
#include <string.h>
#include <tilecc/jit.h>

namespace tt {

/// Options of `tt::fuse`: the temporaries of the graph, named by any address in them, and whether to use the cache. A
/// temporary is an allocation that only launches of tile kernels in this graph access, and whose contents are not
/// needed before or after.
struct fusion_options {
  // Allocations that only launches of tile kernels in this graph access, and whose contents are not needed before or
  // after. Fused kernels omit stores to them that nothing reads. Any address in an allocation names it.
  std::vector<const void *> temporaries;
  bool cache = true; // as in tt::jit_options
};

/// The result of `tt::fuse`: the numbers of launches before and after, the names of the fused kernels, and notes on
/// launches that were not fused. It owns the code, so it must outlive the graph and everything instantiated from it.
struct fusion {
  size_t launches_before = 0, launches_after = 0; // of tile kernels
  std::vector<std::string> kernels;               // the fused kernels: "bias + gelu"
  std::vector<std::string> notes;                 // why other launches were not fused
  std::vector<std::shared_ptr<detail::jit_library>> libraries;
};

namespace detail {
// A node that launches a tile kernel.
struct fusion_node {
  ttGraphNode_t handle;
  ttKernelNodeParams params;
  ttKernelInfo info;
  std::vector<void *> values;       // values of its arguments; owned by the node
  std::vector<const void *> blocks; // allocations that the arguments may point into
  std::vector<ttGraphNode_t> after;
  size_t dependents = 0;

  bool is_joinable() const { return params.kernel && info.ttir && params.attributeCount == 0; }
  bool has_grid_of(const fusion_node &other) const {
    ttDim3 a = params.grid, b = other.params.grid;
    return a.x == b.x && a.y == b.y && a.z == b.z;
  }
};

class fusion_pass {
public:
  fusion_pass(ttGraph_t graph, const fusion_options &options) : graph_(graph), options_(options) { read(); }

  fusion run() {
    for (const fusion_node &node : nodes_)
      result_.launches_before += node.params.kernel != nullptr;
    result_.launches_after = result_.launches_before;
    note_kernels_without_ir();
    for (size_t first = 0; first < nodes_.size(); ++first) {
      std::vector<size_t> chain = chain_from(first);
      std::string why;
      for (; chain.size() > 1 && !join(chain, why); chain.pop_back())
        if (chain.size() == 2)
          result_.notes.push_back(title(chain) + ": " + why);
      if (chain.size() > 1)
        for (size_t i : chain)
          is_done_[i] = true;
    }
    return std::move(result_);
  }

private:
  void read() {
    size_t count = 0;
    check(ttGraphGetNodes(graph_, nullptr, &count));
    std::vector<ttGraphNode_t> handles(count);
    check(ttGraphGetNodes(graph_, handles.data(), &count));
    for (ttGraphNode_t handle : handles) {
      fusion_node node = {};
      node.handle = handle;
      check(ttGraphKernelNodeGetParams(handle, &node.params));
      if (node.params.kernel) {
        check(ttKernelGetInfo(&node.info, node.params.kernel));
        node.values.resize(node.info.paramCount + 1);
        node.params.args = node.values.data();
        check(ttGraphKernelNodeGetParams(handle, &node.params));
        for (unsigned p = 0; p < node.info.paramCount; ++p)
          if (node.info.params[p].size == sizeof(void *))
            node.blocks.push_back(block_of(pointer_at(node.values[p])));
      }
      size_t number = 0;
      // The runtime reports an error for programmatic dependencies. Such a node cannot be fused.
      if (ttGraphNodeGetDependencies(handle, nullptr, &number) == ttSuccess) {
        node.after.resize(number);
        check(ttGraphNodeGetDependencies(handle, node.after.data(), &number));
      } else {
        (void)ttGetLastError();
        node.params.attributeCount = 1;
      }
      nodes_.push_back(std::move(node));
    }
    for (const fusion_node &node : nodes_)
      for (ttGraphNode_t before : node.after)
        for (fusion_node &other : nodes_)
          other.dependents += other.handle == before;
    is_done_.resize(nodes_.size());
  }

  // Reports an error if no kernel has IR: then nothing can be fused, which indicates a mistake in the build.
  void note_kernels_without_ir() {
    bool has_ir = false;
    std::vector<std::string> without;
    for (const fusion_node &node : nodes_)
      if (node.params.kernel && node.info.ttir)
        has_ir = true;
      else if (node.params.kernel && std::find(without.begin(), without.end(), node.info.name) == without.end())
        without.push_back(node.info.name);
    if (!has_ir && result_.launches_before > 1)
      throw error(ttErrorNotSupported, ("tt::fuse: no kernel of the graph carries its IR: compile " +
                                        std::string(first_launch().info.source) + " with -ffusion")
                                           .c_str());
    for (const std::string &name : without)
      result_.notes.push_back(name + ": has no IR, because it was compiled without -ffusion");
  }
  const fusion_node &first_launch() const {
    return *std::find_if(nodes_.begin(), nodes_.end(), [](const fusion_node &node) { return node.params.kernel; });
  }

  // Returns the longest chain of launches with equal grids that begins at a node. Each launch in it depends only on the
  // previous one, and nothing else depends on the previous one.
  std::vector<size_t> chain_from(size_t first) const {
    std::vector<size_t> chain;
    if (is_done_[first] || !nodes_[first].is_joinable())
      return chain;
    chain.push_back(first);
    for (bool found = true; found;) {
      const fusion_node &last = nodes_[chain.back()];
      found = false;
      for (size_t next = 0; next < nodes_.size() && !found && last.dependents == 1; ++next) {
        const fusion_node &node = nodes_[next];
        found = !is_done_[next] && node.is_joinable() && node.after.size() == 1 && node.after[0] == last.handle &&
                node.has_grid_of(last);
        if (found)
          chain.push_back(next);
      }
    }
    return chain;
  }

  std::string title(const std::vector<size_t> &chain) const {
    std::string text;
    for (size_t i : chain)
      text += (text.empty() ? "" : " + ") + std::string(nodes_[i].info.name);
    return text;
  }

  static const void *block_of(const void *pointer) {
    ttPointerAttributes attributes;
    check(ttPointerGetAttributes(&attributes, pointer));
    return attributes.blockBegin;
  }
  static bool is_pointer(const ttKernelParam &param) { return param.kind == ttParamPointer; }
  static const void *pointer_at(const void *value) { return *static_cast<const void *const *>(value); }

  // A value in the chain. Equal arguments of several launches become one.
  struct argument {
    unsigned size, kind;
    void *value; // owned by a node
    tilecc_chain_argument described;
  };

  // Returns true if only launches of the chain are passed addresses in a block.
  bool is_chains_own(const void *block, const std::vector<size_t> &chain) const {
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const std::vector<const void *> &blocks = nodes_[i].blocks;
      bool is_other = std::find(chain.begin(), chain.end(), i) == chain.end();
      if (is_other && std::find(blocks.begin(), blocks.end(), block) != blocks.end())
        return false;
    }
    return true;
  }

  tilecc_chain_argument describe(const ttKernelParam &param, const void *value, const std::vector<size_t> &chain) {
    tilecc_chain_argument result = {0, 0};
    const void *block = is_pointer(param) ? block_of(pointer_at(value)) : nullptr;
    if (!block)
      return result;
    auto known = std::find(blocks_.begin(), blocks_.end(), block);
    result.block = static_cast<unsigned>(known - blocks_.begin()) + 1;
    if (known == blocks_.end())
      blocks_.push_back(block);
    for (const void *temporary : options_.temporaries)
      if (block_of(temporary) == block)
        result.is_temporary = is_chains_own(block, chain);
    return result;
  }

  bool join(const std::vector<size_t> &chain, std::string &why) {
    blocks_.clear();
    std::vector<argument> arguments;
    std::vector<std::vector<unsigned>> numbers;
    for (size_t i : chain) {
      const fusion_node &node = nodes_[i];
      numbers.emplace_back();
      for (unsigned p = 0; p < node.info.paramCount; ++p) {
        const ttKernelParam &param = node.info.params[p];
        void *value = node.values[p];
        auto same = std::find_if(arguments.begin(), arguments.end(), [&](const argument &other) {
          return other.size == param.size && other.kind == param.kind && !memcmp(other.value, value, param.size);
        });
        numbers.back().push_back(static_cast<unsigned>(same - arguments.begin()));
        if (same == arguments.end())
          arguments.push_back({param.size, param.kind, value, describe(param, value, chain)});
      }
    }
    std::vector<tilecc_chain_launch> launches;
    for (size_t i = 0; i < chain.size(); ++i) {
      const ttKernelInfo &info = nodes_[chain[i]].info;
      launches.push_back({info.ttir, info.ttirSize, numbers[i].data(), static_cast<unsigned>(numbers[i].size())});
    }
    std::vector<tilecc_chain_argument> described;
    std::vector<void *> values;
    for (const argument &each : arguments) {
      described.push_back(each.described);
      values.push_back(each.value);
    }
    ttDim3 grid = nodes_[chain[0]].params.grid;
    const unsigned sizes[3] = {grid.x, grid.y, grid.z};
    const std::string name = title(chain);
    jit_program program(name, launches, described, sizes);
    std::vector<std::string> words = {jit_target()};
    if (options_.cache)
      words.push_back("--cache");
    try {
      program.compile(words);
    } catch (const compile_error &error) {
      if (error.code() != TILECC_ERROR_NOT_JOINABLE)
        throw;
      why = error.what();
      return false;
    }
    std::shared_ptr<jit_library> library = program.load();
    const void *kernel;
    check(ttLibraryGetKernel(&kernel, library->handle, name.c_str()));
    std::vector<ttGraphNode_t> handles;
    for (size_t i : chain)
      handles.push_back(nodes_[i].handle);
    ttKernelNodeParams params = {kernel, grid, values.data(), nullptr, 0};
    check(ttGraphReplaceKernelNodes(graph_, handles.data(), handles.size(), &params));
    result_.libraries.push_back(std::move(library));
    result_.kernels.push_back(name);
    result_.launches_after -= chain.size() - 1;
    return true;
  }

  ttGraph_t graph_;
  const fusion_options &options_;
  std::vector<fusion_node> nodes_;
  std::vector<bool> is_done_;
  std::vector<const void *> blocks_; // of the current chain
  fusion result_;
};
} // namespace detail

/// Fuses chains of launches in a graph, which this changes: of the handles of a fused chain, only the last one stays
/// valid. Executable graphs that were instantiated before do not change. Throws `tt::error`, and `tt::compile_error`,
/// which indicates a bug of the compiler here.
/// Example:
///   tt::graph work = tt::graph::capture(stream, [&] { bias<<<grid, stream>>>(x, b, t, n); gelu<<<grid, stream>>>(t, y, n); });
///   tt::fusion fused = tt::fuse(work, {.temporaries = {t}});
///   tt::graph_exec exec = work.instantiate();
[[nodiscard]] inline fusion fuse(ttGraph_t graph, const fusion_options &options = {}) {
  return detail::fusion_pass(graph, options).run();
}

} // namespace tt

#include <tilecc/detail/pop_macros.h>

#endif // TILECC_FUSION_H
