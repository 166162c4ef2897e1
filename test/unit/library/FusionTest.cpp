//===- FusionTest.cpp - tests which launches of a graph are fused, and their results ------------------------------===//
//
// Kernels are compiled with -ffusion, captured on the CPU device, and fused. For each rule of docs/fusion.md, there is
// a chain that follows the rule and a chain that does not. The latter must stay unchanged.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include <cmath>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <tilecc/fusion.h>

static const char kernels[] = R"(#include <tilecc/tt.h>
#define INDEX auto i = tt::program_id(0) * 64 + tt::arange<64>(); auto mask = i < n
__tile_global__ void sine(const float *x, float *out, int n) {
  INDEX; tt::store(out + i, tt::sin(tt::load(x + i, mask)), mask);
}
__tile_global__ void square(const float *x, float *out, int n) {
  INDEX; auto v = tt::load(x + i, mask); tt::store(out + i, v * v, mask);
}
__tile_global__ void next(const float *x, float *out, int n) {
  INDEX; tt::store(out + i, tt::load(x + i, mask) + 1.0f, mask);
}
__tile_global__ void product(const float *x, const float *y, float *out, int n) {
  INDEX; tt::store(out + i, tt::load(x + i, mask) * tt::load(y + i, mask), mask);
}
__tile_global__ void sum(const float *x, const float *y, float *out, int n) {
  INDEX; tt::store(out + i, tt::load(x + i, mask) + tt::load(y + i, mask), mask);
}
__tile_global__ void product_and_sum(const float *x, const float *y, float *out, float *other, int n) {
  INDEX; auto p = tt::load(x + i, mask) * tt::load(y + i, mask);
  tt::store(out + i, p, mask); tt::store(other + i, p + tt::load(y + i, mask), mask);
}
__tile_global__ void left(const float *x, float *out, int n) {
  INDEX; tt::store(out + i, tt::load(x + i - 1, mask && i > 0), mask);
}
__tile_global__ void even(const float *x, float *out, int n) {
  INDEX; tt::store(out + i, tt::load(x + i, mask && i % 2 == 0), mask);
}
__tile_global__ void overlapping(const float *x, float *out, int n) {
  auto i = tt::program_id(0) * 32 + tt::arange<64>(); tt::store(out + i, tt::load(x + i, i < n) + 1.0f, i < n);
}
__tile_global__ void row_sum(const float *x, float *out, int n) {
  INDEX; tt::store(out + tt::program_id(0), tt::sum(tt::load(x + i, mask)));
}
__tile_global__ void count(const float *x, int *out, int n) {
  INDEX; tt::store(out + tt::program_id(0), tt::sum((tt::load(x + i, mask) > 0.5f).to<int>()));
}
__tile_global__ void add_up(const float *x, float *out, int n) {
  INDEX; tt::atomic_add(out + i, tt::load(x + i, mask), mask);
}
__tile_global__ void mirrored(const float *x, float *out, int n) {
  INDEX; tt::store(out + i, tt::flip<0>(tt::load(x + i, mask)), mask);
}
)";

static tt::jit_kernel kernel(const char *name, std::vector<std::string> options = {"-ffusion"}) {
  static std::map<std::string, tt::jit_kernel> all; // each kernel is compiled once
  std::string key = name;
  for (const std::string &option : options)
    key += option;
  auto found = all.find(key);
  if (found == all.end()) {
    tt::jit_options jit;
    jit.options = options;
    jit.cache = false;
    found = all.emplace(key, tt::jit(kernels, name, jit)).first;
  }
  return found->second;
}

namespace {
constexpr int n = 1000, programs = (n + 63) / 64;

struct Buffer {
  Buffer() : memory(n) { fill(); }
  void fill() {
    std::vector<float> host(n);
    for (int i = 0; i < n; ++i)
      host[i] = std::sin(i * 0.37f + 1) * 3;
    memory.copy_from(host.data());
  }
  void poison() { memory.set_bytes(0xff); }
  bool is_poison() { return std::isnan(values()[0]); }
  std::vector<float> values() {
    std::vector<float> host(n);
    memory.copy_to(host.data());
    return host;
  }
  operator float *() { return memory.data(); }
  tt::device_buffer<float> memory;
};

class Fusion : public testing::Test {
protected:
  tt::graph capture(const std::function<void()> &body) { return tt::graph::capture(stream, body); }
  template <class... A> void launch(const char *name, A... args) {
    tt::launch(kernel(name), programs, stream, args...);
  }
  tt::fusion fuse(tt::graph &graph, std::vector<const void *> temporaries = {}) {
    tt::fusion_options options;
    options.temporaries = std::move(temporaries);
    options.cache = false;
    return tt::fuse(graph, options);
  }

  /// Expects that fusion turns the launches of `body` into `launches` launches, which leave the same bits in all
  /// buffers.
  void expectSame(const std::function<void()> &body, size_t launches, std::initializer_list<Buffer *> buffers) {
    auto run = [&](tt::graph &graph) {
      std::vector<std::vector<float>> results;
      for (Buffer *buffer : buffers)
        buffer->fill();
      graph.instantiate().launch(stream);
      for (Buffer *buffer : buffers)
        results.push_back(buffer->values());
      return results;
    };
    tt::graph graph = capture(body);
    auto expected = run(graph);
    fused = fuse(graph);
    EXPECT_EQ(fused.launches_after, launches) << notes();
    auto results = run(graph);
    for (size_t i = 0; i < results.size(); ++i)
      EXPECT_EQ(std::memcmp(results[i].data(), expected[i].data(), n * sizeof(float)), 0) << "buffer " << i;
  }
  void expectRefused(const std::function<void()> &body, const std::string &why) {
    tt::graph graph = capture(body);
    fused = fuse(graph);
    EXPECT_EQ(fused.launches_after, fused.launches_before);
    EXPECT_NE(notes().find(why), std::string::npos) << notes();
  }
  std::string notes() {
    std::string text;
    for (const std::string &note : fused.notes)
      text += note;
    return text;
  }

  tt::stream stream;
  Buffer x, y, a, b, c;
  tt::fusion fused;
};
} // namespace

//===--- chains that are fused ------------------------------------------------------------------------------------===//

TEST_F(Fusion, ChainsBecomeOne) {
  expectSame([&] { launch("sine", +x, +a, n), launch("square", +a, +b, n), launch("sum", +b, +y, +c, n); }, 1,
             {&a, &b, &c});
  EXPECT_EQ(fused.kernels.at(0), "sine + square + sum");
}

// Stores between a store and the load of its values go to other memory.
TEST_F(Fusion, LaterKernelsNeedEarlierResults) {
  expectSame([&] { launch("sine", +x, +a, n), launch("square", +a, +b, n), launch("sum", +b, +a, +c, n); }, 1,
             {&a, &b, &c});
}

TEST_F(Fusion, TemporariesAreNotStored) {
  tt::graph graph = capture([&] { launch("sine", +x, +a, n), launch("square", +a, +b, n); });
  fused = fuse(graph, {a + 17});
  a.poison();
  graph.instantiate().launch(stream);
  EXPECT_TRUE(a.is_poison());
  EXPECT_FALSE(b.is_poison());
  // Temporaries are stored if another launch has their address.
  graph = capture([&] {
    launch("sine", +x, +a, n), launch("square", +a, +b, n);
    tt::launch(kernel("sine"), 1, stream, +a, +c, n);
  });
  fused = fuse(graph, {+a});
  EXPECT_EQ(fused.launches_after, 2u);
  graph.instantiate().launch(stream);
  EXPECT_FALSE(a.is_poison());
}

// A product that is stored and loaded is rounded; a fused multiply-add would not round it.
TEST_F(Fusion, ProductsAreRounded) {
  expectSame([&] { launch("product", +x, +y, +a, n), launch("sum", +a, +x, +b, n); }, 1, {&a, &b});
}

TEST_F(Fusion, InPlace) {
  expectSame([&] { launch("sine", +a, +a, n), launch("square", +a, +a, n), launch("product", +a, +x, +a, n); }, 1,
             {&a});
  // The second kernel writes the buffer that the first one reads.
  expectSame([&] { launch("sine", +a, +b, n), launch("square", +x, +a, n); }, 1, {&a, &b});
}

TEST_F(Fusion, IntegersMayBeReduced) {
  int *counts = reinterpret_cast<int *>(+c);
  expectSame([&] { launch("sine", +x, +a, n), launch("count", +a, counts, n); }, 1, {&a, &c});
}

// Elements outside a mask are zero, even if the values come from registers.
TEST_F(Fusion, MaskedElementsAreZero) {
  expectSame([&] { launch("next", +x, +a, n), launch("mirrored", +a, +b, n); }, 1, {&a, &b});
}

TEST_F(Fusion, PartsOfAChain) {
  expectSame([&] { launch("sine", +x, +a, n), launch("square", +a, +b, n), launch("left", +b, +c, n); }, 2,
             {&a, &b, &c});
  EXPECT_EQ(fused.kernels.at(0), "sine + square");
  expectSame([&] { launch("left", +x, +a, n), launch("left", +a, +b, n), launch("sine", +b, +c, n); }, 2, {&a, &b, &c});
  EXPECT_EQ(fused.kernels.at(0), "left + sine");
}

//===--- chains that are not fused --------------------------------------------------------------------------------===//

TEST_F(Fusion, OtherAddresses) {
  expectRefused([&] { launch("sine", +x, +a, n), launch("left", +a, +b, n); },
                "at other addresses, or under another mask");
  expectRefused([&] { launch("sine", +x, +a, n), launch("even", +a, +b, n); },
                "at other addresses, or under another mask");
  expectRefused([&] { launch("sine", +x, +a, n), launch("sine", +a, +b, n - 1); },
                "at other addresses, or under another mask");
}

TEST_F(Fusion, OtherPrograms) {
  expectRefused([&] { launch("overlapping", +a, +b, n), launch("overlapping", +x, +a, n); },
                "not certainly in the same program");
}

TEST_F(Fusion, SharedMemoryBlocks) {
  expectRefused([&] { launch("sine", +x, +a, 500), launch("sine", a + 1, +b, 500); }, "by another pointer");
  std::vector<float> unknown(n);
  float *pointer = unknown.data();
  expectRefused([&] { launch("sine", +x, pointer, n), launch("sine", +y, +b, n); }, "by another pointer");
}

TEST_F(Fusion, BitsThatDependOnLayouts) {
  expectRefused([&] { launch("sine", +x, +a, n), launch("row_sum", +a, +b, n); }, "tt.reduce, whose last bits");
}

TEST_F(Fusion, ProductsThatAreAddedBefore) {
  expectRefused([&] { launch("product_and_sum", +x, +y, +a, +b, n), launch("sine", +a, +c, n); },
                "in another way than it stores it");
}

TEST_F(Fusion, Atomics) {
  expectRefused([&] { launch("sine", +x, +a, n), launch("add_up", +a, +b, n); },
                "tt.atomic_rmw, which is not a plain access");
}

TEST_F(Fusion, OtherGridsAndBranches) {
  tt::graph graph = capture([&] {
    tt::launch(kernel("sine"), programs, stream, +x, +a, n);
    tt::launch(kernel("square"), programs + 1, stream, +a, +b, n);
  });
  EXPECT_EQ(fuse(graph).launches_after, 2u);
  graph = capture([&] {
    launch("sine", +x, +a, n);
    a.memory.copy_to(+b, stream);
    launch("square", +a, +c, n);
  });
  EXPECT_EQ(fuse(graph).launches_after, 2u);
  graph = capture([&] {
    tt::launch(kernel("sine"), tt::launch_config(programs, stream).cooperative(), +x, +a, n);
    launch("square", +a, +b, n);
  });
  EXPECT_EQ(fuse(graph).launches_after, 2u);
}

TEST_F(Fusion, OtherOptions) {
  tt::jit_kernel plain = kernel("square", {}), exact = kernel("square", {"-ffusion", "-fmad=false"});
  expectRefused([&] { launch("sine", +x, +a, n), tt::launch(exact, programs, stream, +a, +b, n); },
                "different floating-point options");
  tt::graph graph = capture([&] { launch("sine", +x, +a, n), tt::launch(plain, programs, stream, +a, +b, n); });
  tt::fusion fused = fuse(graph);
  EXPECT_EQ(fused.launches_after, 2u);
  ASSERT_FALSE(fused.notes.empty());
  EXPECT_EQ(fused.notes[0], "square: has no IR, because it was compiled without -ffusion");
  graph = capture([&] { tt::launch(plain, programs, stream, +x, +a, n), tt::launch(plain, programs, stream, +a, +b, n); });
  try {
    (void)fuse(graph);
    FAIL() << "nothing can be joined";
  } catch (const tt::error &error) {
    EXPECT_NE(std::string(error.what()).find("tt::fuse: no kernel of the graph carries its IR: compile "), std::string::npos);
  }
}

TEST_F(Fusion, BadChainsAreErrors) {
  tilecc_program program;
  const unsigned grid[3] = {1, 1, 1}, number = 0;
  tilecc_chain_launch launch = {"no IR", 5, &number, 1};
  tilecc_chain_argument argument = {0, 0};
  ASSERT_EQ(tilecc_program_create_joined(&program, "x", &launch, 1, &argument, 1, grid), TILECC_SUCCESS);
  EXPECT_EQ(tilecc_program_compile(program, 0, nullptr), TILECC_ERROR_NOT_JOINABLE);
  EXPECT_NE(std::string(tilecc_program_log(program)).find("is not one function of TTIR"), std::string::npos);
  tilecc_program_destroy(&program);
  EXPECT_EQ(tilecc_program_create_joined(&program, "x", nullptr, 0, nullptr, 0, grid), TILECC_ERROR_INVALID_INPUT);
}
