// Which thread holds each element of a tile: of a tile that is loaded, and of an accumulator. figures.py runs it on the emulator.
#include <cstdio>
#include <tilecc/host.h>
#include <tilecc/tt.h>

template <int N> __tile_global__ void loaded(const float *x, int *thread) {
  auto i = tt::arange<N>();
  tt::store(thread + i, tt::inline_asm_elementwise<"mov.u32 $0, %tid.x; // $1", "=r,f", int>(tt::load(x + i)));
}

template <int M, int N, int K> __tile_global__ void accumulator(const tt::float16 *a, const tt::float16 *b, int *thread) {
  auto m = tt::arange<M>().col();
  auto n = tt::arange<N>().row();
  auto k = tt::arange<K>();
  auto acc = tt::dot(tt::load(a + m * K + k.row()), tt::load(b + k.col() * N + n));
  tt::store(thread + m * N + n, tt::inline_asm_elementwise<"mov.u32 $0, %tid.x; // $1", "=r,f", int>(acc));
}

void print(const tt::buffer<int> &threads) {
  TT_CHECK(ttDeviceSynchronize());
  for (int thread : threads.to_vector())
    std::printf("%d ", thread);
  std::printf("\n");
}

int main() {
  tt::buffer<float> x(1024, 1.0f);
  tt::buffer<int> of_loaded(1024), of_accumulator(64 * 64);
  loaded<1024><<<1>>>(x, of_loaded);
  print(of_loaded);
  tt::buffer<tt::float16> a(64 * 32, tt::float16(1)), b(32 * 64, tt::float16(1));
  accumulator<64, 64, 32><<<1>>>(a, b, of_accumulator);
  print(of_accumulator);
}
