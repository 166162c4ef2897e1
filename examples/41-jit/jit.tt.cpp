// 41: compiling kernels at run time. The argument of the program is a formula in C++. The program generates the source
// of a kernel for it, compiles that for the current device, and launches it like any other kernel. The second run takes
// it from the cache.
//
//   tcc -O2 jit.tt.cpp -o jit -ltilecc && ./jit 1048576 'x * y + std::abs(x - y)'

#include "../support/report.h"
#include <tilecc/jit.h>

static std::string kernel_of(const std::string &formula) {
  return "#include <tilecc/tt.h>\n"
         "template <int BLOCK>\n"
         "__tile_global__ void combine(const float *xs, const float *ys, float *out, int n) {\n"
         "  auto i = tt::program_id(0) * BLOCK + tt::arange<BLOCK>();\n"
         "  auto x = tt::load(xs + i, i < n), y = tt::load(ys + i, i < n);\n"
         "  tt::store(out + i, " + formula + ", i < n);\n"
         "}\n";
}

int main(int argc, char **argv) {
  const int n = example::size_from(argc, argv, 1 << 20);
  const std::string formula = argc > 2 ? argv[2] : "x * y + tt::abs(x - y)";
  auto x = example::random_floats(n), y = example::random_floats(n);
  tt::device_buffer<float> dx(x.data(), n), dy(y.data(), n), out(n);

  // An error in the source throws an exception with the compiler's message and the line.
  try {
    tt::jit(kernel_of("x * z"), "combine<1024>");
    return 1;
  } catch (const tt::compile_error &error) {
    std::printf("%s", error.what());
  }

  auto compile = [&] { return tt::jit(kernel_of(formula), "combine<1024>"); };
  tt::jit_kernel combine = compile(), again = compile();
  std::printf("the second time it was %s\n", again.was_cached() ? "in the cache" : "compiled");

  tt::stream stream;
  double ms = example::median_ms([&] {
    tt::launch(combine, tt::launch_grid((n + 1023) / 1024), stream, dx.data(), dy.data(), out.data(), n);
    stream.synchronize();
  });
  std::vector<float> result(n);
  out.copy_to(result.data());
  if (argc > 2) { // the expected result is unknown
    std::printf("%g and %g give %g\n", x[0], y[0], result[0]);
    return 0;
  }
  std::vector<double> expected(n);
  double plain_ms = example::median_ms([&] {
    for (int i = 0; i < n; ++i)
      expected[i] = double(x[i]) * y[i] + std::abs(double(x[i]) - y[i]);
  });
  return example::report("jit", example::largest_error(result, expected), 1e-5, ms, plain_ms, 3.0 * sizeof(float) * n,
                         "GB/s");
}
