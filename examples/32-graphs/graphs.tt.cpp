// 32: a graph of launches and copies. A captured graph can be launched repeatedly with a single call, and updated with
// new arguments. Solves a tridiagonal system of equations with Jacobi's method, 20 steps per launch.
//
//   tcc -O2 graphs.tt.cpp -o graphs && ./graphs

#include "../support/report.h"
#include <cstdio>
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

// One step for 4 x[i] - x[i-1] - x[i+1] = b[i].
__tile_global__ void step(const float *x, const float *b, float *next, int n) {
  auto i = tt::program_id(0) * 1024 + tt::arange<1024>();
  auto left = tt::load(x + i - 1, i > 0 && i < n, 0.0f), right = tt::load(x + i + 1, i + 1 < n, 0.0f);
  tt::store(next + i, (tt::load(b + i, i < n) + left + right) * 0.25f, i < n);
}

int main(int argc, char **argv) {
  const int n = example::size_from(argc, argv, 1 << 16), steps = 20;
  auto b = example::random_floats(n), other = example::random_floats(n);
  tt::stream stream;
  tt::device_buffer<float> x(n), y(n), db(b.data(), n), dother(other.data(), n);

  auto solve = [&](const float *right_side) {
    for (int i = 0; i < steps; ++i)
      step<<<tt::cdiv(n, 1024), stream>>>(i % 2 ? y.data() : x.data(), right_side, i % 2 ? x.data() : y.data(), n);
  };
  auto captured = [&](const float *right_side) {
    return tt::graph::capture(stream, [&] {
      x.set_bytes(0, stream);
      solve(right_side);
    });
  };

  tt::check(ttPreload(nullptr)); // loads the code of all kernels
  double launches_ms = example::median_ms([&] { x.set_bytes(0, stream), solve(db.data()); });
  tt::graph graph = captured(db.data());
  tt::graph_exec exec = graph.instantiate();
  double graph_ms = example::median_ms([&] { exec.launch(stream); });

  double error = 0;
  auto check = [&](const std::vector<float> &right_side) {
    std::vector<double> now(n, 0), next(n);
    for (int i = 0; i < steps; ++i, std::swap(now, next))
      for (int j = 0; j < n; ++j)
        next[j] = (right_side[j] + (j > 0 ? now[j - 1] : 0) + (j + 1 < n ? now[j + 1] : 0)) * 0.25;
    std::vector<float> result(n);
    x.copy_to(result.data());
    error = std::max(error, example::largest_error(result, now));
  };
  check(b);

  exec.update(captured(dother.data())); // the same work with another right-hand side
  exec.launch(stream);
  stream.synchronize();
  check(other);

  std::printf("%d launches and a memset %.4f ms, as a graph of %zu nodes %.4f ms\n", steps, launches_ms,
              graph.node_count(), graph_ms);
  return example::report("graphs", error, 1e-5, graph_ms, launches_ms, 3.0 * sizeof(float) * n * steps, "GB/s");
}
