//===-- tilecc/detail/builtins.h - the operations that the compiler knows -----------------------------------------===//
//
// These functions are declared and never defined: the compiler reads the operation from the name, and element types,
// signedness and shapes from the types of the parameters and the result. They check and convert nothing; the functions
// that users call do that.
//
// `const` and `pure` let LLVM fold equal calls and drop unused ones. V is a tile or, for scalars, its element type.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_DETAIL_BUILTINS_H
#define TILECC_DETAIL_BUILTINS_H
#pragma GCC system_header

#include "../tt/tile.h"

#define __TILECC_CONST __attribute__((device, const, nothrow))
#define __TILECC_PURE __attribute__((device, pure, nothrow))
#define __TILECC_EFFECT __attribute__((device, nothrow))

namespace tt {
namespace builtin {

// The program and the creation of tiles.
__TILECC_CONST int program_id(int axis);
__TILECC_CONST int num_programs(int axis);
template <int Start, int End> __TILECC_CONST tensor<int, shape<End - Start>> make_range();
template <class R, class T> __TILECC_CONST R splat(T value);

// Shapes.
template <int Axis, class R, class T, class S> __TILECC_CONST R expand_dims(tensor<T, S> x);
template <class R, class T, class S> __TILECC_CONST R broadcast(tensor<T, S> x);
template <bool Reorder, class R, class T, class S> __TILECC_CONST R reshape(tensor<T, S> x);
template <class R, int... Order, class T, class S> __TILECC_CONST R trans(tensor<T, S> x);
template <class R, class V> __TILECC_CONST R join(V a, V b);
template <int Half, class R, class T, class S> __TILECC_CONST R split(tensor<T, S> x);
template <class R, class V> __TILECC_CONST R cat(V a, V b);
template <class R, class T> __TILECC_CONST R unsplat(tensor<T, shape<1>> x);
template <int Axis, class R, class V, class I> __TILECC_CONST R gather(V source, I indices);
template <class R, class V> __TILECC_CONST R histogram(V x);
template <class R, class V, class M> __TILECC_CONST R histogram(V x, M mask);

// Element by element.
template <class V> __TILECC_CONST V add(V a, V b);
template <class V> __TILECC_CONST V sub(V a, V b);
template <class V> __TILECC_CONST V mul(V a, V b);
template <class V> __TILECC_CONST V div(V a, V b);
template <class V> __TILECC_CONST V rem(V a, V b);
template <class V> __TILECC_CONST V bit_and(V a, V b);
template <class V> __TILECC_CONST V bit_or(V a, V b);
template <class V> __TILECC_CONST V bit_xor(V a, V b);
template <class V> __TILECC_CONST V shl(V a, V b);
template <class V> __TILECC_CONST V shr(V a, V b);
template <class V> __TILECC_CONST V maxnum(V a, V b);
template <class V> __TILECC_CONST V minnum(V a, V b);
template <class V> __TILECC_CONST V maximum(V a, V b);
template <class V> __TILECC_CONST V minimum(V a, V b);
template <class V> __TILECC_CONST V neg(V a);
template <class R, class V> __TILECC_CONST R less(V a, V b);
template <class R, class V> __TILECC_CONST R less_equal(V a, V b);
template <class R, class V> __TILECC_CONST R greater(V a, V b);
template <class R, class V> __TILECC_CONST R greater_equal(V a, V b);
template <class R, class V> __TILECC_CONST R equal(V a, V b);
template <class R, class V> __TILECC_CONST R not_equal(V a, V b);
template <class C, class V> __TILECC_CONST V select(C condition, V a, V b);
template <class R, class V> __TILECC_CONST R cast(V x);
template <class R, class V> __TILECC_CONST R bitcast(V x);

// Mathematical functions.
template <class V> __TILECC_CONST V abs(V a);
template <class V> __TILECC_CONST V ceil(V a);
template <class V> __TILECC_CONST V floor(V a);
template <class V> __TILECC_CONST V trunc(V a);
template <class V> __TILECC_CONST V round(V a);
template <class V> __TILECC_CONST V rint(V a);
template <class V> __TILECC_CONST V popcount(V a);
template <class V> __TILECC_CONST V clz(V a);
template <class V> __TILECC_CONST V exp(V a);
template <class V> __TILECC_CONST V exp2(V a);
template <class V> __TILECC_CONST V log(V a);
template <class V> __TILECC_CONST V log2(V a);
template <class V> __TILECC_CONST V cos(V a);
template <class V> __TILECC_CONST V sin(V a);
template <class V> __TILECC_CONST V tanh(V a);
template <class V> __TILECC_CONST V erf(V a);
template <class V> __TILECC_CONST V sqrt(V a);
template <class V> __TILECC_CONST V sqrt_rn(V a);
template <class V> __TILECC_CONST V rsqrt(V a);
template <class V> __TILECC_CONST V pow(V a, V b);
template <class V> __TILECC_CONST V div_rn(V a, V b);
template <class V> __TILECC_CONST V mulhiui(V a, V b);
template <class V> __TILECC_CONST V fma(V a, V b, V c);
template <int PropagateNan, class V> __TILECC_CONST V clamp(V x, V low, V high);

// Memory. P is a pointer or a tile of pointers, M bool or a tile of bool.
template <class P, class O> __TILECC_CONST P addptr(P pointers, O offsets);
// Cache, Evict, Op, Sem and Scope are numbers of numbers.h. A volatile load is declared as if it also wrote.
template <int Cache, int Evict, class V, class P> __TILECC_PURE V load(P pointers);
template <int Cache, int Evict, class V, class P, class M> __TILECC_PURE V load(P pointers, M mask);
template <int Cache, int Evict, class V, class P, class M> __TILECC_PURE V load(P pointers, M mask, V other);
template <int Cache, int Evict, class V, class P> __TILECC_EFFECT V load_volatile(P pointers);
template <int Cache, int Evict, class V, class P, class M> __TILECC_EFFECT V load_volatile(P pointers, M mask);
template <int Cache, int Evict, class V, class P, class M> __TILECC_EFFECT V load_volatile(P pointers, M mask, V other);
template <int Cache, int Evict, class P, class V> __TILECC_EFFECT void store(P pointers, V value);
template <int Cache, int Evict, class P, class V, class M> __TILECC_EFFECT void store(P pointers, V value, M mask);
template <int Op, int Sem, int Scope, class V, class P, class M>
__TILECC_EFFECT V atomic_rmw(P pointers, V value, M mask);
template <int Sem, int Scope, class V, class P> __TILECC_EFFECT V atomic_cas(P pointers, V compare, V value);
template <class P, class V, class M> __TILECC_EFFECT void wait_signal(P pointers, V value, M mask);
template <class V, class P, class M> __TILECC_EFFECT V multimem_sum(P pointers, M mask);
template <class P, class V, class M> __TILECC_EFFECT void multimem_store(P pointers, V value, M mask);
template <class P, class V, class M> __TILECC_EFFECT void multimem_add(P pointers, V value, M mask);
__TILECC_EFFECT void debug_barrier(); // declared as if it read and wrote all memory, so nothing moves across it
__TILECC_EFFECT void grid_dependency_wait(); // the same holds for these
__TILECC_EFFECT void grid_dependency_launch();

// Tensor descriptors: D is a descriptor_handle; sizes and strides, and where a block begins.
template <int Padding, class D, class T, class... I> __TILECC_CONST D make_tensor_descriptor(T *base, I... numbers);
__TILECC_EFFECT void unit_stride(long stride);
template <class R, class D, class... I> __TILECC_PURE R descriptor_load(D desc, I... first);
template <class D, class V, class... I> __TILECC_EFFECT void descriptor_store(D desc, V value, I... first);
template <int Kind, class D, class V, class... I> __TILECC_EFFECT void descriptor_reduce(D desc, V value, I... first);
template <class R, class D, class X> __TILECC_PURE R descriptor_gather(D desc, X rows, int column);
template <class D, class X, class V> __TILECC_EFFECT void descriptor_scatter(D desc, X rows, int column, V value);

// The condition of a counted loop, and the loop's options.
template <class T>
__TILECC_CONST bool range_goes_on(T i, T last, T step, int stages, int unrolled, int specialized, int flat, int single,
                                  int split);

// Linear algebra.
template <int Precision, int MaxNumImpreciseAcc, class A, class B, class R>
__TILECC_CONST R dot(A a, B b, R accumulator);
// The scales of those operands that have any, in order.
template <int FormatA, int FormatB, bool ScaledA, bool ScaledB, class A, class B, class R, class... S>
__TILECC_CONST R dot_scaled(A a, B b, R accumulator, S... scales);

// Operations with a function on elements: a device function that becomes the operation's region and passes its results
// to yield. `result` extracts the individual results of the operation.
template <int Axis, class F, class... X> __TILECC_CONST detail::results *reduce(F *combine, X... x);
template <int Axis, bool Reverse, class F, class... X> __TILECC_CONST detail::results *scan(F *combine, X... x);
template <class F, class... X> __TILECC_CONST detail::results *map_elementwise(F *function, X... x);
template <int I, class R> __TILECC_CONST R result(detail::results *results);
template <class... T> __TILECC_EFFECT void yield(T... values);

// Assembly and messages. Texts are string literals; the R of inline_asm are the result types.
template <bool Hex, class... X> __TILECC_EFFECT void print(const char *text, X... values);
template <class... X> __TILECC_EFFECT void print_formatted(const char *format, X... values);
template <class C> __TILECC_EFFECT void require(const char *message, C condition);
template <class... X> __TILECC_EFFECT void static_print(const char *text, X... values);
template <bool Start> __TILECC_EFFECT void record(const char *name);
template <detail::text Asm, detail::text Constraints, int Pack, bool Pure, class... R, class... X>
  requires(Pure)
__TILECC_CONST detail::results *inline_asm(X... x);
template <detail::text Asm, detail::text Constraints, int Pack, bool Pure, class... R, class... X>
  requires(!Pure)
__TILECC_EFFECT detail::results *inline_asm(X... x);

// A call of SIMT code: Kind is a tt::ThreadCallKind, Threads the number that the function is for (0: any). The results
// are the R.
template <int Kind, int Threads, class... R, class F, class... X>
__TILECC_EFFECT detail::results *call_threads(F *function, X... x);

// Facts that the compiler may assume.
__TILECC_EFFECT void assume(bool condition);
template <int... N, class V> __TILECC_CONST V multiple_of(V x);

// Returns `first`, the position at which an unmasked tile of `size` elements begins along dimension Dim of a tensor.
// The compiler warns if the extent of the tensor is a constant that is smaller than `size`.
template <int Dim> __TILECC_CONST long whole_tile(long first, long extent, int size);
template <int... N, class V> __TILECC_CONST V max_contiguous(V x);
template <int... N, class V> __TILECC_CONST V max_constancy(V x);

} // namespace builtin
} // namespace tt

#endif // TILECC_DETAIL_BUILTINS_H
