// 64 products in a row, none in a loop, as in code that the source unrolls (see RESULTS.md).
#include <tilecc/tt.h>
__tile_global__ void unrolled(const tt::float16 *a, const tt::float16 *b, float *c, int lda) {
  auto i = tt::arange<64>();
  auto sum = tt::zeros<float, 64, 64>();
  tt::static_range<64>([&](auto k) {
    auto x = tt::load(a + i.col() * lda + i.row() + k * 64);
    auto y = tt::load(b + (i.col() + k * 64) * 64 + i.row());
    sum = tt::dot(x, y, sum);
  });
  tt::store(c + i.col() * 64 + i.row(), sum);
}
