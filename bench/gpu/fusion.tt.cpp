// The graph that bench/gpu/fusion.py compares with torch.compile: bias, GELU, dropout and a residual as four launches,
// and as the single launch that tt::fuse makes of them. A shared library that Python opens.
//   tcc -O2 -ffusion -shared -fPIC fusion.tt.cpp -o libfusion.so -ltilecc
#include <string>
#include <tilecc/fusion.h>
#include <tilecc/tt.h>

// A program handles a part of a row; rows are a multiple of BLOCK elements.
#define INDEX                                                                                                          \
  auto column = tt::program_id(0) * BLOCK + tt::arange<BLOCK>();                                                       \
  auto i = tt::program_id(1) * columns + column

template <int BLOCK> __tile_global__ void add_bias(const float *x, const float *bias, float *out, int columns) {
  INDEX;
  tt::store(out + i, tt::load(x + i) + tt::load(bias + column));
}

template <int BLOCK> __tile_global__ void gelu(const float *x, float *out, int columns) {
  INDEX;
  auto v = tt::load(x + i);
  tt::store(out + i, 0.5f * v * (1.0f + tt::erf(v * 0.70710678f)));
}

template <int BLOCK> __tile_global__ void dropout(const float *x, float *out, int columns, float p, int seed) {
  INDEX;
  auto kept = tt::load(x + i) * (1.0f / (1.0f - p));
  // Philox generates four numbers at a time: one for each of four adjacent elements.
  int first = tt::program_id(1) * columns + tt::program_id(0) * BLOCK;
  auto [a, b, c, d] = tt::rand4x(seed, first / 4 + tt::arange<BLOCK / 4>());
  auto random = tt::reshape<BLOCK>(tt::join(tt::join(a, b), tt::join(c, d)));
  tt::store(out + i, tt::where(random > p, kept, 0.0f));
}

template <int BLOCK> __tile_global__ void add_residual(const float *x, const float *residual, float *out, int columns) {
  INDEX;
  tt::store(out + i, tt::load(x + i) + tt::load(residual + i));
}

namespace {
struct Layer {
  tt::fusion fusion;
  tt::graph_exec exec;
};
thread_local std::string error;

template <class Call> int guarded(Call call) {
  try {
    call();
    return 0;
  } catch (const std::exception &exception) {
    error = exception.what();
    return 1;
  }
}
} // namespace

extern "C" const char *bench_error() { return error.c_str(); }

/// Captures the four launches for `rows` of `columns` elements and, if `fused`, fuses them; *launches receives the
/// resulting number.
extern "C" int bench_capture(Layer **layer, const float *x, const float *bias, const float *residual, float *t1,
                             float *t2, float *t3, float *out, int rows, int columns, float p, int seed, int fused,
                             int *launches) {
  return guarded([&] {
    constexpr int block = 1024;
    tt::stream stream;
    dim3 grid(columns / block, rows);
    tt::graph graph = tt::graph::capture(stream, [&] {
      add_bias<block><<<grid, stream>>>(x, bias, t1, columns);
      gelu<block><<<grid, stream>>>(t1, t2, columns);
      dropout<block><<<grid, stream>>>(t2, t3, columns, p, seed);
      add_residual<block><<<grid, stream>>>(t3, residual, out, columns);
    });
    auto made = std::make_unique<Layer>();
    if (fused)
      made->fusion = tt::fuse(graph, {{t1, t2, t3}});
    for (const std::string &note : made->fusion.notes)
      error += note;
    *launches = fused ? int(made->fusion.launches_after) : 4;
    made->exec = graph.instantiate();
    *layer = made.release();
  });
}

extern "C" int bench_launch(Layer *layer, ttStream_t stream) {
  return guarded([&] { layer->exec.launch(stream); });
}

extern "C" void bench_destroy(Layer *layer) { delete layer; }
