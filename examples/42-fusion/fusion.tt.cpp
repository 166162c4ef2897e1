// 42: fusing the launches of a captured graph. Bias, GELU, dropout and a residual are four kernels, which a graph
// launches one after another. tt::fuse turns them into one at run time. Intermediate results stay in registers, and the
// final results are the same, bit by bit.
//
//   tcc -O2 -ffusion fusion.tt.cpp -o fusion -ltilecc && ./fusion

#include "../support/report.h"
#include "layer.h"
#include <cstring>
#include <tilecc/fusion.h>

int main(int argc, char **argv) {
  const int n = example::size_from(argc, argv, 1 << 20), columns = 1000;
  constexpr int block = 1024;
  auto x = example::random_floats(n), bias = example::random_floats(columns), residual = example::random_floats(n);
  tt::device_buffer<float> dx(x.data(), n), dbias(bias.data(), columns), dresidual(residual.data(), n);
  tt::device_buffer<float> t1(n), t2(n), t3(n), out(n);
  tt::stream stream;

  auto captured = [&] {
    return tt::graph::capture(stream, [&] {
      dim3 grid(tt::cdiv(n, block));
      add_bias<block><<<grid, stream>>>(dx.data(), dbias.data(), t1.data(), columns, n);
      gelu<block><<<grid, stream>>>(t1.data(), t2.data(), n);
      dropout<block><<<grid, stream>>>(t2.data(), t3.data(), n, 0.1f, 42);
      add_residual<block><<<grid, stream>>>(t3.data(), dresidual.data(), out.data(), n);
    });
  };
  auto run = [&](const tt::graph_exec &exec, double &ms) {
    auto poison = example::poisoned(n);
    out.copy_from(poison.data());
    ms = example::median_ms([&] { exec.launch(stream), stream.synchronize(); });
    std::vector<float> result(n);
    out.copy_to(result.data());
    return result;
  };

  double unfused_ms, fused_ms;
  tt::graph graph = captured();
  std::vector<float> expected = run(graph.instantiate(), unfused_ms);
  tt::fusion fused = tt::fuse(graph, {/*temporaries=*/{t1.data(), t2.data(), t3.data()}});
  for (const std::string &note : fused.notes)
    std::printf("%s", note.c_str());
  std::vector<float> result = run(graph.instantiate(), fused_ms);

  bool same = !std::memcmp(result.data(), expected.data(), n * sizeof(float));
  std::printf("%zu launches became %zu (%s), %.2f times as fast; the bits are %s\n", fused.launches_before,
              fused.launches_after, fused.kernels.empty() ? "none" : fused.kernels[0].c_str(), unfused_ms / fused_ms,
              same ? "the same" : "others");

  std::vector<double> reference(n);
  double plain_ms = example::median_ms([&] {
    for (int i = 0; i < n; ++i) {
      double v = double(x[i]) + bias[i % columns];
      double kept = 0.5 * v * (1 + std::erf(v * std::sqrt(0.5))) / 0.9;
      bool is_dropped = expected[i] == residual[i]; // the kernel's random numbers decide which are
      reference[i] = is_dropped ? residual[i] : kept + residual[i];
    }
  });
  double error = example::largest_error(result, reference);
  return example::report("fusion", same && fused.launches_after == 1 ? error : 1, 1e-5, fused_ms, plain_ms, 12.0 * n,
                         "GB/s");
}
