//===-- tilecc/tt/threads.h - calls of SIMT code ------------------------------------------------------------------===//
#ifndef TILECC_TT_THREADS_H
#define TILECC_TT_THREADS_H
#pragma GCC system_header

#include "escape.h"

namespace tt {
namespace detail {

// The order of tt::ThreadCallKind.
inline constexpr int call_once = 0, call_all = 1, call_items = 2, call_shared = 3;

// A function as a function object.
template <auto Function> struct function_object {
  template <class... A> __device__ auto operator()(A &&...a) const { return Function(static_cast<A &&>(a)...); }
};

// How an argument reaches the function: a scalar as it is, a tile by the address of its elements.
template <class T> struct by_value {
  static_assert(kind_of<T> != no_kind && kind_of<T> != float8_kind,
                "a call of SIMT code passes numbers and pointers: pass the address of anything else");
  using type = T;
  static __device__ T pass(T x) { return x; }
};
template <class T> inline constexpr bool is_passed = kind_of<T> == int_kind || kind_of<T> == float_kind;
template <class T, int N> struct by_items {
  static_assert(is_passed<T>, "a call of SIMT code passes tiles of numbers");
  using type = T *;
  static __device__ auto &pass(T *x) { return *reinterpret_cast<T(*)[N]>(x); }
};
template <class T, class S> struct in_memory;
template <class T, int N> struct in_memory<T, shape<N>> : by_items<T, N> {};
template <class T, int M, int N> struct in_memory<T, shape<M, N>> {
  static_assert(is_passed<T>, "a call of SIMT code passes tiles of numbers");
  using type = T *;
  static __device__ auto &pass(T *x) { return *reinterpret_cast<T(*)[M][N]>(x); }
};

template <class X, int Threads> struct items_argument {
  using type = by_value<X>;
};
template <class T, int N, int Threads> struct items_argument<tensor<T, shape<N>>, Threads> {
  static_assert(N % Threads == 0, "tt::with_items: the tile's size is not a multiple of the thread count");
  using type = by_items<T, N / Threads>;
};
template <class T, int M, int N, int Threads> struct items_argument<tensor<T, shape<M, N>>, Threads> {
  static_assert(M == 0, "tt::with_items takes tiles of one dimension: tt::ravel(x) has one");
};
template <class X> struct shared_argument {
  using type = by_value<X>;
};
template <class T, class S> struct shared_argument<tensor<T, S>> {
  using type = in_memory<T, S>;
};

// The function in the form that the kernel's code calls. It is SIMT code, which only the parse for a device compiles.
template <class F, class R, class... A> struct thread_call {
#ifdef __CUDA_ARCH__
  static __attribute__((device, used, annotate("tt.thread"))) R call(typename A::type... a) {
    return F()(A::pass(a)...);
  }
#else
  static __attribute__((device)) R call(typename A::type... a);
#endif
};

// Fails for a lambda with captures, before anything else does.
template <class F> constexpr bool check_captures() {
  static_assert(__is_empty(F),
                "a function that a tile kernel calls in threads cannot capture: pass values as arguments");
  return __is_empty(F);
}

template <int Kind, class F, class... X>
  requires(check_captures<F>())
__TILECC_FN auto call_for_scalar(X... x) {
  static_assert(!(is_tile<X> || ...), "tt::once and tt::all_threads pass scalars; tt::with_items and tt::in_shared "
                                      "pass tiles");
  using R = decltype(F()(x...));
  using Call = thread_call<F, R, by_value<X>...>;
  if constexpr (__is_void(R)) {
    builtin::call_threads<Kind, 0>(&Call::call, x...);
  } else {
    static_assert(kind_of<R> != no_kind && kind_of<R> != float8_kind,
                  "a function that a tile kernel calls returns a number, a pointer or nothing");
    return builtin::result<0, R>(builtin::call_threads<Kind, 0, R>(&Call::call, x...));
  }
}

// The tiles among X, in order.
template <class... T> struct tiles {
  static __TILECC_FN auto results_of(results *r) {
    static_assert(sizeof...(T) > 0, "tt::with_items and tt::in_shared pass at least one tile");
    return unpack_elements<T...>(r, up_to<sizeof...(T)>());
  }
  template <int Kind, int Threads, class Call, class... X> static __TILECC_FN results *call(X... x) {
    return builtin::call_threads<Kind, Threads, T...>(&Call::call, x...);
  }
};
template <class Found, class... X> struct tiles_among {
  using type = Found;
};
template <class... T, class X, class... Rest>
struct tiles_among<tiles<T...>, X, Rest...> : tiles_among<tiles<T...>, Rest...> {};
template <class... T, class E, class S, class... Rest>
struct tiles_among<tiles<T...>, tensor<E, S>, Rest...> : tiles_among<tiles<T..., tensor<E, S>>, Rest...> {};

template <int Threads, class F, class... X>
  requires(check_captures<F>())
__TILECC_FN auto call_with_items(X... x) {
  using Tiles = typename tiles_among<tiles<>, X...>::type;
  using Call = thread_call<F, void, typename items_argument<X, Threads>::type...>;
  return Tiles::results_of(Tiles::template call<call_items, Threads, Call>(x...));
}
template <class F, class... X>
  requires(check_captures<F>())
__TILECC_FN auto call_in_shared(X... x) {
  using Tiles = typename tiles_among<tiles<>, X...>::type;
  using Call = thread_call<F, void, typename shared_argument<X>::type...>;
  return Tiles::results_of(Tiles::template call<call_shared, 0, Call>(x...));
}

} // namespace detail

/// Calls a function in one thread of the program, and returns its result, which all of the program gets. The function
/// may release what the whole program has stored, and acquire for the whole program.
/// Types: the arguments and the result are numbers and pointers.
/// Errors: the lambda captures variables.
/// Example: see "SIMT code in tile kernels" in the guide to CUDA code.
template <auto Function, class... X> __TILECC_FN auto once(X... x) {
  return detail::call_for_scalar<detail::call_once, detail::function_object<Function>>(x...);
}
template <class F, class... X> __TILECC_FN auto once(F, X... x) {
  return detail::call_for_scalar<detail::call_once, F>(x...);
}

/// Calls a function in every thread of the program: blockDim.x of them, 32 for each warp. If it returns a value, that
/// must be the same in all threads.
/// Types: the arguments and the result are numbers and pointers.
/// Errors: the lambda captures variables.
/// Example: see "SIMT code in tile kernels" in the guide to CUDA code.
template <auto Function, class... X> __TILECC_FN auto all_threads(X... x) {
  return detail::call_for_scalar<detail::call_all, detail::function_object<Function>>(x...);
}
template <class F, class... X> __TILECC_FN auto all_threads(F, X... x) {
  return detail::call_for_scalar<detail::call_all, F>(x...);
}

/// Calls a function in every thread, with the elements of the tiles that belong to the thread: a reference to an array
/// of N / Threads neighbours, of which thread 0 has the first ones (the blocked arrangement of CUB). Returns the tile
/// as the function leaves it, or a tuple for several tiles. Elements stay in registers.
/// `Threads` is the number of threads of the program, 32 for each warp. A kernel that does not state
/// [[tt::num_warps]] gets as many.
/// Shapes: tiles of one dimension, with a multiple of `Threads` elements.
/// Types: integers and floating-point numbers; further arguments are numbers and pointers.
/// Errors: the kernel has another number of threads; the lambda captures variables.
/// Example: see "SIMT code in tile kernels" in the guide to CUDA code.
template <int Threads, auto Function, class... X> __TILECC_FN auto with_items(X... x) {
  return detail::call_with_items<Threads, detail::function_object<Function>>(x...);
}
template <int Threads, class F, class... X> __TILECC_FN auto with_items(F, X... x) {
  return detail::call_with_items<Threads, F>(x...);
}

/// Calls a function in every thread, with the tiles in shared memory: references to arrays `T[N]` or `T[M][N]`, which
/// all threads of the program share. Returns the tile as the function leaves it, or a tuple for several tiles.
/// Shapes: tiles of one or two dimensions.
/// Types: integers and floating-point numbers; further arguments are numbers and pointers.
/// Errors: the lambda captures variables.
/// Example: see "SIMT code in tile kernels" in the guide to CUDA code.
template <auto Function, class... X> __TILECC_FN auto in_shared(X... x) {
  return detail::call_in_shared<detail::function_object<Function>>(x...);
}
template <class F, class... X> __TILECC_FN auto in_shared(F, X... x) { return detail::call_in_shared<F>(x...); }

} // namespace tt

#endif // TILECC_TT_THREADS_H
