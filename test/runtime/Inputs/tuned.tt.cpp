// For tuning.test: a sum in three configurations, whose accumulator is zero before a launch.
#include <tilecc/runtime.h>
#include <tilecc/tt.h>
#include <tilecc/tune.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

template <int BLOCK> __tile_global__ void add_up(const int *x, int *total, int n) {
  auto i = tt::program_id(0) * BLOCK + tt::arange<BLOCK>();
  tt::atomic_add(total, tt::sum(tt::load(x + i, i < n, 0)) CHANGE);
}

constexpr int blocks[] = {16, 64, 256};
static auto tuned_sum =
    tt::autotune<blocks>([]<int BLOCK>() { return add_up<BLOCK>; },
                         tt::reset_to_zero([](const int *, int *total, int) { return tt::tuning_buffers(total, 1); }));

int main(int argc, char **argv) {
  for (int n : {argc > 1 ? std::atoi(argv[1]) : 500, 1000}) {
    std::vector<int> values(n, 3), total(1);
    tt::device_buffer<int> x(values.data(), n), out(total.data(), 1);
    tuned_sum.launch([&](int block) { return tt::cdiv(n, block); }, nullptr, x.data(), out.data(), n);
    out.copy_to(total.data());
    std::printf("the sum is %s\n", total[0] == 3 * n ? "right" : "WRONG");
  }
}
