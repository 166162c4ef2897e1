// The functions and types that the generated kernels use.
using T = tt::tile<int, 64>;
struct pair {
  T u, v;
};
#define LOAD(p) tt::load((p) + tt::arange<64>())
#define STORE(p, v) tt::store((p) + tt::arange<64>(), v)
