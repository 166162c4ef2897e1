// Sums of multicast memory, and stores and additions to it, of several types.
#include <tilecc/communication.h>

template <class T> __tile_global__ void sum(T *all, T *y, int n) {
  all = tt::multiple_of<16>(all), n = tt::multiple_of<8>(n);
  auto i = tt::program_id(0) * 512 + tt::arange<512>();
  tt::store(y + i, tt::multimem_sum(all + i, i < n), i < n);
}
template <class T> __tile_global__ void put(T *all, T *x, int n) {
  all = tt::multiple_of<16>(all), n = tt::multiple_of<8>(n);
  auto i = tt::program_id(0) * 512 + tt::arange<512>();
  auto value = tt::load(x + i, i < n);
  tt::multimem_store(all + i, value, i < n);
}
template <class T> __tile_global__ void add(T *all, T *x, int n) {
  all = tt::multiple_of<16>(all), n = tt::multiple_of<8>(n);
  auto i = tt::program_id(0) * 512 + tt::arange<512>();
  auto value = tt::load(x + i, i < n);
  tt::multimem_add(all + i, value, i < n);
}
// Fewer elements than threads: one thread acts for each element.
template <class T> __tile_global__ void count(T *all) {
  all = tt::multiple_of<16>(all);
  auto i = tt::arange<8>();
  tt::multimem_add(all + i, i.template to<T>());
}
// Two blocks share the work of a program, and hold copies of the scalar.
template <class T> [[tt::num_ctas(2)]] __tile_global__ void pair(T *all) {
  all = tt::multiple_of<16>(all);
  auto i = tt::arange<512>();
  tt::multimem_add(all + i, tt::multimem_sum(all + i) - i.template to<T>());
}

#define KERNELS(T)                                                                                                     \
  template __tile_global__ void sum<T>(T *, T *, int);                                                                 \
  template __tile_global__ void put<T>(T *, T *, int);                                                                 \
  template __tile_global__ void add<T>(T *, T *, int);                                                                 \
  template __tile_global__ void count<T>(T *);
KERNELS(float)
KERNELS(double)
KERNELS(int)
KERNELS(_Float16)
template __tile_global__ void pair<float>(float *);
