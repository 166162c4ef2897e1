// 36: the kernels of the operators.
#include "kernels.h"
#include <tilecc/tt.h>

template <class T, int BLOCK> __tile_global__ void softmaxRow(const T *x, T *out, int columns) {
  auto i = tt::arange<BLOCK>();
  long row = long(tt::program_id(0)) * columns;
  auto values = tt::load(x + row + i, i < columns, T(-__builtin_inff())).template to<float>();
  auto powers = tt::exp(values - tt::max(values));
  tt::store(out + row + i, (powers / tt::sum(powers)).template to<T>(), i < columns);
}

template <class T, int BLOCK> __tile_global__ void softmaxBackwardRow(const T *dy, const T *y, T *dx, int columns) {
  auto i = tt::arange<BLOCK>();
  long row = long(tt::program_id(0)) * columns;
  auto gradient = tt::load(dy + row + i, i < columns, T(0)).template to<float>();
  auto value = tt::load(y + row + i, i < columns, T(0)).template to<float>();
  auto dot = tt::sum(gradient * value);
  tt::store(dx + row + i, (value * (gradient - dot)).template to<T>(), i < columns);
}

template <class T, int BM, int BN, int BK, int GROUP>
[[tt::num_warps(8)]] __tile_global__ void linearReluTile(const T *x, const T *w, const T *bias, T *out, int M, int N,
                                                         int K) {
  // Programs are ordered in groups of GROUP rows of tiles and, within a group, column by column.
  int pid = tt::program_id(0), in_group = GROUP * tt::cdiv(N, BN);
  int first = pid / in_group * GROUP, height = tt::minimum(tt::cdiv(M, BM) - first, GROUP);
  int pm = first + pid % in_group % height, pn = pid % in_group / height;

  auto rm = pm * BM + tt::arange<BM>();
  auto rn = pn * BN + tt::arange<BN>();
  auto rk = tt::arange<BK>();
  auto px = x + rm.col() * long(K) + rk.row();
  auto pw = w + rk.col() * long(N) + rn.row();
  auto acc = tt::zeros<float, BM, BN>();
  for (int k = 0; k < K; k += BK) {
    auto in_k = rk < K - k;
    auto tx = tt::load(px, (rm < M).col() && in_k.row(), T(0));
    auto tw = tt::load(pw, in_k.col() && (rn < N).row(), T(0));
    acc = tt::dot(tx, tw, acc);
    px += BK;
    pw += BK * long(N);
  }
  // The fused epilogue works in registers; a separate kernel would have to read and write the result again.
  auto sum = acc + tt::load(bias + rn, rn < N, T(0)).template to<float>().row();
  tt::store(out + rm.col() * long(N) + rn.row(), tt::maximum(sum, 0.0f).template to<T>(),
            (rm < M).col() && (rn < N).row());
}

//===-- From types and sizes to instances -----------------------------------------------------------------------===//

// Calls use(T()) for the element type T.
template <class Use> static void withType(Type type, Use use) {
  switch (type) {
  case Type::f32: return use(float());
  case Type::f16: return use(tt::float16());
  case Type::bf16: return use(tt::bfloat16());
  }
}

template <int N> struct Constant {
  static constexpr int value = N;
};

// Calls use(Constant<BLOCK>()) with the smallest block that holds a row.
template <class Use> static void withBlock(int columns, Use use) {
  if (columns <= 128)
    use(Constant<128>());
  else if (columns <= 1024)
    use(Constant<1024>());
  else if (columns <= 4096)
    use(Constant<4096>());
  else
    use(Constant<maxColumns>());
}

void softmax(Type type, const void *x, void *out, long rows, int columns, ttStream_t stream) {
  withType(type, [&]<class T>(T) {
    withBlock(columns, [&]<int BLOCK>(Constant<BLOCK>) {
      softmaxRow<T, BLOCK><<<rows, stream>>>(static_cast<const T *>(x), static_cast<T *>(out), columns);
    });
  });
  tt::check(ttGetLastError());
}

void softmaxBackward(Type type, const void *dy, const void *y, void *dx, long rows, int columns, ttStream_t stream) {
  withType(type, [&]<class T>(T) {
    withBlock(columns, [&]<int BLOCK>(Constant<BLOCK>) {
      softmaxBackwardRow<T, BLOCK><<<rows, stream>>>(static_cast<const T *>(dy), static_cast<const T *>(y),
                                                     static_cast<T *>(dx), columns);
    });
  });
  tt::check(ttGetLastError());
}

void linearRelu(Type type, const void *x, const void *w, const void *bias, void *out, int M, int N, int K,
                ttStream_t stream) {
  withType(type, [&]<class T>(T) {
    constexpr int BM = 128, BN = 128, BK = sizeof(T) == 4 ? 32 : 64;
    linearReluTile<T, BM, BN, BK, 8>
        <<<tt::cdiv(M, BM) * tt::cdiv(N, BN), stream>>>(static_cast<const T *>(x), static_cast<const T *>(w),
                                                        static_cast<const T *>(bias), static_cast<T *>(out), M, N, K);
  });
  tt::check(ttGetLastError());
}
