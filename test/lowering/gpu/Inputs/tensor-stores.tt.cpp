// Stores in loops around dots, with and without descriptors.
#include <tilecc/tt.h>

using tt::float16;

enum How { Alone, LoadedToo, Ordered, ByPointers };

template <How how> [[tt::num_warps(8)]] __tile_global__ void stored(const float16 *a, float16 *c, int *flag, int M, int K) {
  auto from_a = tt::make_tensor_descriptor<128, 64>(a, {M, K}, {K, 1});
  auto to = tt::make_tensor_descriptor<128, 128>(c, {M, 128}, {128, 1});
  for (int tile = tt::program_id(0); tile < M / 128; tile += 132) {
    auto acc = tt::zeros<float, 128, 128>();
    for (int k = 0; k < K; k += 64) {
      auto x = from_a.load({tile * 128, k});
      acc = tt::dot(x, tt::trans(x), acc);
    }
    if constexpr (how == LoadedToo)
      acc += to.load({tile * 128, 0}).to<float>();
    if constexpr (how == ByPointers)
      tt::store(c + (tile * 128 + tt::arange<128>()).col() * 128 + tt::arange<128>().row(), acc.to<float16>());
    else
      to.store({tile * 128, 0}, acc.to<float16>());
    if constexpr (how == Ordered)
      tt::atomic_add(flag, 1);
  }
}

int main() {
  stored<Alone><<<1>>>(nullptr, nullptr, nullptr, 1, 1);
  stored<LoadedToo><<<1>>>(nullptr, nullptr, nullptr, 1, 1);
  stored<Ordered><<<1>>>(nullptr, nullptr, nullptr, 1, 1);
  stored<ByPointers><<<1>>>(nullptr, nullptr, nullptr, 1, 1);
}
