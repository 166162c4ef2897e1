//===-- tilecc/detail/builtins.h - the operations the compiler knows ----------------------------------------------===//
//
// Declared, never defined: the compiler reads the operation from the name, and element types, signedness and shapes from
// the types of parameters and result. Nothing here checks or converts; that is the job of the functions users call.
//
// `const` and `pure` let LLVM fold equal calls and drop unused ones. V is a tile or, for scalars, its element type.
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_DETAIL_BUILTINS_H
#define TILECC_DETAIL_BUILTINS_H
#pragma GCC system_header

#include "tile.h"

#define __TILECC_CONST __attribute__((device, const, nothrow))
#define __TILECC_PURE __attribute__((device, pure, nothrow))
#define __TILECC_EFFECT __attribute__((device, nothrow))

namespace tt {
namespace builtin {

// The program and the creation of tiles.
__TILECC_CONST int program_id(int axis);
__TILECC_CONST int num_programs(int axis);
template <int Start, int End> __TILECC_CONST tile<int, shape<End - Start>> make_range();
template <class R, class T> __TILECC_CONST R splat(T value);

// Shapes.
template <int Axis, class R, class T, class S> __TILECC_CONST R expand_dims(tile<T, S> x);
template <class R, class T, class S> __TILECC_CONST R broadcast(tile<T, S> x);
template <class R, class T, class S> __TILECC_CONST R reshape(tile<T, S> x);

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
template <class V> __TILECC_CONST V abs(V a);
template <class V> __TILECC_CONST V exp(V a);
template <class V> __TILECC_CONST V exp2(V a);
template <class V> __TILECC_CONST V log(V a);
template <class V> __TILECC_CONST V log2(V a);
template <class V> __TILECC_CONST V sqrt(V a);
template <class R, class V> __TILECC_CONST R less(V a, V b);
template <class R, class V> __TILECC_CONST R less_equal(V a, V b);
template <class R, class V> __TILECC_CONST R greater(V a, V b);
template <class R, class V> __TILECC_CONST R greater_equal(V a, V b);
template <class R, class V> __TILECC_CONST R equal(V a, V b);
template <class R, class V> __TILECC_CONST R not_equal(V a, V b);
template <class C, class V> __TILECC_CONST V select(C condition, V a, V b);
template <class R, class V> __TILECC_CONST R cast(V x);

// Memory. P is a pointer or a tile of pointers, M bool or a tile of bool.
template <class P, class O> __TILECC_CONST P addptr(P pointers, O offsets);
template <class V, class P> __TILECC_PURE V load(P pointers);
template <class V, class P, class M> __TILECC_PURE V load(P pointers, M mask);
template <class V, class P, class M> __TILECC_PURE V load(P pointers, M mask, V other);
template <class P, class V> __TILECC_EFFECT void store(P pointers, V value);
template <class P, class V, class M> __TILECC_EFFECT void store(P pointers, V value, M mask);
__TILECC_EFFECT void debug_barrier(); // as if it read and wrote all memory: nothing moves across it

// Linear algebra and reductions. `combine` is the address of a device function, raised into the reduction's region.
template <int Precision, class A, class B, class R> __TILECC_CONST R dot(A a, B b, R accumulator);
template <int Axis, class R, class T, class S> __TILECC_CONST R reduce(tile<T, S> x, T (*combine)(T, T));

// What the compiler may assume.
__TILECC_EFFECT void assume(bool condition);
template <int... N, class V> __TILECC_CONST V multiple_of(V x);

} // namespace builtin
} // namespace tt

#endif // TILECC_DETAIL_BUILTINS_H
