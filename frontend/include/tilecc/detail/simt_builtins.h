//===-- tilecc/detail/simt_builtins.h - what is built into nvcc
//-----------------------------------------------------===//
//
// Functions and traits that nvcc has without a header, or that its headers only declare. Part of tilecc/detail/simt.h.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_DETAIL_SIMT_BUILTINS_H
#define TILECC_DETAIL_SIMT_BUILTINS_H
#pragma GCC system_header

#define __TILECC_SIMT_FN static inline __attribute__((device, always_inline, unused))

//===-- atomic operations with an order and a scope
//-----------------------------------------------------------------===//

// The memory orders have the numbers of C++.
enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

// Clang's number for a scope. The scope of a single thread is mapped to its block, because Clang's narrower scopes are
// for other hardware. On targets without clusters, the cluster scope is mapped to the GPU.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define __TILECC_CLUSTER_SCOPE __MEMORY_SCOPE_CLUSTR
#define __TILECC_CLUSTER "cluster."
#else
#define __TILECC_CLUSTER_SCOPE __MEMORY_SCOPE_DEVICE
#define __TILECC_CLUSTER "gpu."
#endif
#define __TILECC_SCOPE(S)                                                                                              \
  ((S) == __NV_THREAD_SCOPE_SYSTEM    ? __MEMORY_SCOPE_SYSTEM                                                          \
   : (S) == __NV_THREAD_SCOPE_DEVICE  ? __MEMORY_SCOPE_DEVICE                                                          \
   : (S) == __NV_THREAD_SCOPE_CLUSTER ? __TILECC_CLUSTER_SCOPE                                                         \
                                      : __MEMORY_SCOPE_WRKGRP)
#define __TILECC_ATOMIC template <class _Tp> __TILECC_SIMT_FN
// Values are converted to the type in memory.
template <class _Tp> struct __tilecc_value_of {
  using type = _Tp;
};
#define __TILECC_VALUE typename __tilecc_value_of<_Tp>::type

__TILECC_ATOMIC _Tp __nv_atomic_load_n(_Tp *p, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __scoped_atomic_load_n(p, order, __TILECC_SCOPE(scope));
}
__TILECC_ATOMIC void __nv_atomic_load(_Tp *p, _Tp *value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __scoped_atomic_load(p, value, order, __TILECC_SCOPE(scope));
}
__TILECC_ATOMIC void __nv_atomic_store_n(_Tp *p, __TILECC_VALUE value, int order,
                                         int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __scoped_atomic_store_n(p, value, order, __TILECC_SCOPE(scope));
}
__TILECC_ATOMIC void __nv_atomic_store(_Tp *p, _Tp *value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __scoped_atomic_store(p, value, order, __TILECC_SCOPE(scope));
}
__TILECC_ATOMIC bool __nv_atomic_compare_exchange_n(_Tp *p, _Tp *expected, __TILECC_VALUE value, bool weak, int success,
                                                    int failure, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __scoped_atomic_compare_exchange_n(p, expected, value, weak, success, failure, __TILECC_SCOPE(scope));
}
__TILECC_ATOMIC bool __nv_atomic_compare_exchange(_Tp *p, _Tp *expected, _Tp *value, bool weak, int success,
                                                  int failure, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __scoped_atomic_compare_exchange(p, expected, value, weak, success, failure, __TILECC_SCOPE(scope));
}
__TILECC_SIMT_FN void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __scoped_atomic_thread_fence(order, __TILECC_SCOPE(scope));
}

// Loads and stores. LLVM generates relaxed accesses at GPU scope for all orders and scopes, so these use inline
// assembly between fences.
__TILECC_SIMT_FN void __tilecc_fence_before(int order, int scope) {
  if (order == __NV_ATOMIC_SEQ_CST)
    __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, scope);
  else if (order == __NV_ATOMIC_RELEASE || order == __NV_ATOMIC_ACQ_REL)
    __nv_atomic_thread_fence(__NV_ATOMIC_ACQ_REL, scope);
}
__TILECC_SIMT_FN void __tilecc_fence_after(int order, int scope) {
  if (order != __NV_ATOMIC_RELAXED && order != __NV_ATOMIC_RELEASE)
    __nv_atomic_thread_fence(__NV_ATOMIC_ACQ_REL, scope);
}

#define __TILECC_ATOM(SCOPE, PTX, C)                                                                                   \
  asm volatile("atom.relaxed." SCOPE PTX " %0, [%1], %2;" : "=" C(result) : "l"(p), C(value) : "memory")
#define __TILECC_RELAXED(NAME, TYPE, PTX, C)                                                                           \
  __TILECC_SIMT_FN TYPE __tilecc_atom_##NAME(TYPE *p, TYPE value, int scope) {                                         \
    TYPE result;                                                                                                       \
    if (scope == __NV_THREAD_SCOPE_SYSTEM)                                                                             \
      __TILECC_ATOM("sys.", PTX, C);                                                                                   \
    else if (scope == __NV_THREAD_SCOPE_DEVICE)                                                                        \
      __TILECC_ATOM("gpu.", PTX, C);                                                                                   \
    else if (scope == __NV_THREAD_SCOPE_CLUSTER)                                                                       \
      __TILECC_ATOM(__TILECC_CLUSTER, PTX, C);                                                                         \
    else                                                                                                               \
      __TILECC_ATOM("cta.", PTX, C);                                                                                   \
    return result;                                                                                                     \
  }
#define __TILECC_INTEGERS(NAME, S32, U32, S64, U64)                                                                    \
  __TILECC_RELAXED(NAME, int, S32, "r")                                                                                \
  __TILECC_RELAXED(NAME, unsigned, U32, "r")                                                                           \
  __TILECC_RELAXED(NAME, long, S64, "l")                                                                               \
  __TILECC_RELAXED(NAME, unsigned long, U64, "l")                                                                      \
  __TILECC_RELAXED(NAME, long long, S64, "l")                                                                          \
  __TILECC_RELAXED(NAME, unsigned long long, U64, "l")
__TILECC_INTEGERS(add, "add.u32", "add.u32", "add.u64", "add.u64")
__TILECC_RELAXED(add, float, "add.f32", "f")
__TILECC_RELAXED(add, double, "add.f64", "d")
__TILECC_INTEGERS(and, "and.b32", "and.b32", "and.b64", "and.b64")
__TILECC_INTEGERS(or, "or.b32", "or.b32", "or.b64", "or.b64")
__TILECC_INTEGERS(xor, "xor.b32", "xor.b32", "xor.b64", "xor.b64")
__TILECC_INTEGERS(max, "max.s32", "max.u32", "max.s64", "max.u64")
__TILECC_INTEGERS(min, "min.s32", "min.u32", "min.s64", "min.u64")
__TILECC_INTEGERS(exchange_n, "exch.b32", "exch.b32", "exch.b64", "exch.b64")
__TILECC_RELAXED(exchange_n, float, "exch.b32", "f")
__TILECC_RELAXED(exchange_n, double, "exch.b64", "d")
__TILECC_ATOMIC _Tp __tilecc_atom_sub(_Tp *p, _Tp value, int scope) { return __tilecc_atom_add(p, _Tp(-value), scope); }
#undef __TILECC_INTEGERS
#undef __TILECC_RELAXED
#undef __TILECC_ATOM
#undef __TILECC_CLUSTER

#define __TILECC_FETCH(FUNCTION, NAME)                                                                                 \
  __TILECC_ATOMIC _Tp FUNCTION(_Tp *p, __TILECC_VALUE value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {        \
    __tilecc_fence_before(order, scope);                                                                               \
    _Tp result = __tilecc_atom_##NAME(p, value, scope);                                                                \
    __tilecc_fence_after(order, scope);                                                                                \
    return result;                                                                                                     \
  }
#define __TILECC_FETCH_OR_NOT(NAME)                                                                                    \
  __TILECC_FETCH(__nv_atomic_fetch_##NAME, NAME)                                                                       \
  __TILECC_ATOMIC void __nv_atomic_##NAME(_Tp *p, __TILECC_VALUE value, int order,                                     \
                                          int scope = __NV_THREAD_SCOPE_SYSTEM) {                                      \
    __nv_atomic_fetch_##NAME(p, value, order, scope);                                                                  \
  }
__TILECC_FETCH(__nv_atomic_exchange_n, exchange_n)
__TILECC_ATOMIC void __nv_atomic_exchange(_Tp *p, _Tp *value, _Tp *before, int order,
                                          int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *before = __nv_atomic_exchange_n(p, *value, order, scope);
}
__TILECC_FETCH_OR_NOT(add)
__TILECC_FETCH_OR_NOT(sub)
__TILECC_FETCH_OR_NOT(and)
__TILECC_FETCH_OR_NOT(or)
__TILECC_FETCH_OR_NOT(xor)
__TILECC_FETCH_OR_NOT(max)
__TILECC_FETCH_OR_NOT(min)
#undef __TILECC_FETCH_OR_NOT
#undef __TILECC_FETCH
#undef __TILECC_VALUE
#undef __TILECC_ATOMIC
#undef __TILECC_SCOPE
#undef __TILECC_CLUSTER_SCOPE

//===-- 16 bytes at a time
//------------------------------------------------------------------------------------------===//

// The host's parse also has these functions, like all device functions.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
template <class _Tp, bool = sizeof(_Tp) == 16 && __alignof__(_Tp) >= 16 && __is_trivially_copyable(_Tp)>
struct __tilecc_if_16_bytes {};
template <class _Tp> struct __tilecc_if_16_bytes<_Tp, true> {
  using type = _Tp;
};
struct __tilecc_16_bytes {
  unsigned long long low, high;
};

#define __TILECC_ATOMIC_16(SUFFIX, SCOPE)                                                                              \
  template <class _Tp>                                                                                                 \
  __TILECC_SIMT_FN typename __tilecc_if_16_bytes<_Tp>::type atomicCAS##SUFFIX(_Tp *p, _Tp compare, _Tp value) {        \
    __tilecc_16_bytes c = __builtin_bit_cast(__tilecc_16_bytes, compare),                                              \
                      v = __builtin_bit_cast(__tilecc_16_bytes, value), r;                                             \
    asm volatile("{ .reg .b128 c, v, r; mov.b128 c, {%2, %3}; mov.b128 v, {%4, %5}; atom." SCOPE                       \
                 "cas.b128 r, [%6], c, v; mov.b128 {%0, %1}, r; }"                                                     \
                 : "=l"(r.low), "=l"(r.high)                                                                           \
                 : "l"(c.low), "l"(c.high), "l"(v.low), "l"(v.high), "l"(p)                                            \
                 : "memory");                                                                                          \
    return __builtin_bit_cast(_Tp, r);                                                                                 \
  }                                                                                                                    \
  template <class _Tp>                                                                                                 \
  __TILECC_SIMT_FN typename __tilecc_if_16_bytes<_Tp>::type atomicExch##SUFFIX(_Tp *p, _Tp value) {                    \
    __tilecc_16_bytes v = __builtin_bit_cast(__tilecc_16_bytes, value), r;                                             \
    asm volatile("{ .reg .b128 v, r; mov.b128 v, {%2, %3}; atom." SCOPE                                                \
                 "exch.b128 r, [%4], v; mov.b128 {%0, %1}, r; }"                                                       \
                 : "=l"(r.low), "=l"(r.high)                                                                           \
                 : "l"(v.low), "l"(v.high), "l"(p)                                                                     \
                 : "memory");                                                                                          \
    return __builtin_bit_cast(_Tp, r);                                                                                 \
  }
__TILECC_ATOMIC_16(, "")
__TILECC_ATOMIC_16(_block, "cta.")
__TILECC_ATOMIC_16(_system, "sys.")
#undef __TILECC_ATOMIC_16
#endif

//===-- functions of float
//------------------------------------------------------------------------------------------===//

__TILECC_SIMT_FN float __tanhf(float x) {
  float y;
  asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

// Operations on two floats at a time, which GPUs have from sm_100 on.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 1000
#define __TILECC_PAIR(X) __builtin_bit_cast(unsigned long long, X)
#define __TILECC_FLOAT2(ROUND, PTX)                                                                                    \
  __TILECC_SIMT_FN float2 __ffma2_##ROUND(float2 a, float2 b, float2 c) {                                              \
    unsigned long long r;                                                                                              \
    asm("fma." PTX ".f32x2 %0, %1, %2, %3;"                                                                            \
        : "=l"(r)                                                                                                      \
        : "l"(__TILECC_PAIR(a)), "l"(__TILECC_PAIR(b)), "l"(__TILECC_PAIR(c)));                                        \
    return __builtin_bit_cast(float2, r);                                                                              \
  }                                                                                                                    \
  __TILECC_SIMT_FN float2 __fadd2_##ROUND(float2 a, float2 b) {                                                        \
    unsigned long long r;                                                                                              \
    asm("add." PTX ".f32x2 %0, %1, %2;" : "=l"(r) : "l"(__TILECC_PAIR(a)), "l"(__TILECC_PAIR(b)));                     \
    return __builtin_bit_cast(float2, r);                                                                              \
  }                                                                                                                    \
  __TILECC_SIMT_FN float2 __fmul2_##ROUND(float2 a, float2 b) {                                                        \
    unsigned long long r;                                                                                              \
    asm("mul." PTX ".f32x2 %0, %1, %2;" : "=l"(r) : "l"(__TILECC_PAIR(a)), "l"(__TILECC_PAIR(b)));                     \
    return __builtin_bit_cast(float2, r);                                                                              \
  }
__TILECC_FLOAT2(rn, "rn")
__TILECC_FLOAT2(rz, "rz")
__TILECC_FLOAT2(rd, "rm")
__TILECC_FLOAT2(ru, "rp")
#undef __TILECC_FLOAT2
#undef __TILECC_PAIR
#endif

#undef __TILECC_SIMT_FN

//===-- traits
//------------------------------------------------------------------------------------------------------===//

// The traits of extended lambdas. frontend/ExtendedLambdas.cpp adds the member types.
template <class...> struct __tilecc_void {
  typedef void type;
};
#define __TILECC_HAS_MEMBER(TRAIT, MEMBER)                                                                             \
  template <class _Tp, class = void> struct TRAIT {                                                                    \
    static const bool value = false;                                                                                   \
  };                                                                                                                   \
  template <class _Tp> struct TRAIT<_Tp, typename __tilecc_void<typename _Tp::MEMBER>::type> {                         \
    static const bool value = true;                                                                                    \
  };
__TILECC_HAS_MEMBER(__tilecc_is_device_lambda, __tilecc_device_lambda)
__TILECC_HAS_MEMBER(__tilecc_is_host_device_lambda, __tilecc_host_device_lambda)
__TILECC_HAS_MEMBER(__tilecc_is_device_lambda_with_result, __tilecc_device_lambda_with_result)
#undef __TILECC_HAS_MEMBER
#define __nv_is_extended_device_lambda_closure_type(...) (__tilecc_is_device_lambda<__VA_ARGS__>::value)
#define __nv_is_extended_host_device_lambda_closure_type(...) (__tilecc_is_host_device_lambda<__VA_ARGS__>::value)
#define __nv_is_extended_device_lambda_with_preserved_return_type(...)                                                 \
  (__tilecc_is_device_lambda_with_result<__VA_ARGS__>::value)

#endif // TILECC_DETAIL_SIMT_BUILTINS_H
