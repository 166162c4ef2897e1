//===-- tilecc/detail/simt.h - declarations that Clang's wrapper of CUDA's headers lacks --------------------------===//
//
// Included before every source with SIMT code, after Clang's own wrapper. The comment of each part says what fails
// without it.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_DETAIL_SIMT_H
#define TILECC_DETAIL_SIMT_H
#pragma GCC system_header

// ::isfinite and similar functions, and ::clock, on the host: nvcc includes these headers before the source.
#include <math.h>
#include <time.h>
// operator new and delete on devices, which destructors of polymorphic classes call.
#include <new>

// Clang has this attribute only for HIP (frontend/SimtManaged.cpp).
#undef __managed__
#define __managed__ __attribute__((device, annotate("tt.managed")))
// Clang does not know these attributes (see frontend/SimtDevice.cpp).
#undef __maxnreg__
#define __maxnreg__(N) __attribute__((annotate("tt.maxnreg", N)))
// Clang does not accept this attribute without sizes, which means that each launch passes them.
#undef __cluster_dims__
#define __cluster_dims__(...) __attribute__((annotate("tt.cluster") __VA_OPT__(, cluster_dims(__VA_ARGS__))))
#undef __inline_hint__
#define __inline_hint__
#undef __nv_pure__
#define __nv_pure__ __attribute__((pure))

// Programs may now define these names (tilecc/detail/simt_renames.h).
#undef __shfl
#undef __shfl_up
#undef __shfl_down
#undef __shfl_xor
#undef __TILECC_IN_WRAPPER

#define __TILECC_SIMT_FN(SIDE) static inline __attribute__((SIDE, always_inline, unused))

// ::min and ::max on the host: Clang has them only for devices.
#define __TILECC_MIN_MAX(R, A, B)                                                                                      \
  __TILECC_SIMT_FN(host) R max(A a, B b) { return (R)a > (R)b ? (R)a : (R)b; }                                         \
  __TILECC_SIMT_FN(host) R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; }
#define __TILECC_MIN_MAX_OF(S)                                                                                         \
  __TILECC_MIN_MAX(S, S, S)                                                                                            \
  __TILECC_MIN_MAX(unsigned S, unsigned S, unsigned S)                                                                 \
  __TILECC_MIN_MAX(unsigned S, S, unsigned S)                                                                          \
  __TILECC_MIN_MAX(unsigned S, unsigned S, S)
__TILECC_MIN_MAX_OF(int)
__TILECC_MIN_MAX_OF(long)
__TILECC_MIN_MAX_OF(long long)
__TILECC_MIN_MAX(double, double, double)
__TILECC_MIN_MAX(double, double, float)
__TILECC_MIN_MAX(double, float, double)
// For floats they are the library's functions, which return the number if one operand is NaN.
__TILECC_SIMT_FN(host) float max(float a, float b) { return fmaxf(a, b); }
__TILECC_SIMT_FN(host) float min(float a, float b) { return fminf(a, b); }
#undef __TILECC_MIN_MAX_OF
#undef __TILECC_MIN_MAX

// nan("") in kernels: Clang declares it for devices, but there is no definition.
__TILECC_SIMT_FN(device) double nan(const char *) { return __builtin_nan(""); }
__TILECC_SIMT_FN(device) float nanf(const char *) { return __builtin_nanf(""); }

// __dp4a and __dp2a: the headers of CUDA 13.5 only declare them; those of older versions call libdevice.
#define __TILECC_DOT_PRODUCT(NAME, PTX, TYPE)                                                                          \
  extern "C" __attribute__((device)) inline TYPE __nv_##NAME##_impl(TYPE a, TYPE b, TYPE c) {                          \
    asm(PTX " %0, %1, %2, %0;" : "+r"(c) : "r"(a), "r"(b));                                                            \
    return c;                                                                                                          \
  }
__TILECC_DOT_PRODUCT(idp4a_s_s, "dp4a.s32.s32", int)
__TILECC_DOT_PRODUCT(idp4a_u_u, "dp4a.u32.u32", unsigned)
__TILECC_DOT_PRODUCT(idp2a_lo_s_s, "dp2a.lo.s32.s32", int)
__TILECC_DOT_PRODUCT(idp2a_lo_u_u, "dp2a.lo.u32.u32", unsigned)
__TILECC_DOT_PRODUCT(idp2a_hi_s_s, "dp2a.hi.s32.s32", int)
__TILECC_DOT_PRODUCT(idp2a_hi_u_u, "dp2a.hi.u32.u32", unsigned)
#undef __TILECC_DOT_PRODUCT

// __isGridConstant, which the headers only declare.
extern "C" __attribute__((device)) inline unsigned __nv_isGridConstant_impl(const void *p) {
  unsigned result;
  asm("{ .reg .pred p; isspacep.param::entry p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(result) : "l"(p));
  return result;
}

// Stores with a cache operator: Clang has only the loads and __stwt.
#define __TILECC_STORE(NAME, TYPE, PTX, C, AS)                                                                         \
  __TILECC_SIMT_FN(device) void __st##NAME(TYPE *p, TYPE v) {                                                          \
    asm volatile("st.global." #NAME "." PTX " [%0], %1;" ::"l"(p), C((AS)v) : "memory");                               \
  }
#define __TILECC_STORE2(NAME, TYPE, PTX, C)                                                                            \
  __TILECC_SIMT_FN(device) void __st##NAME(TYPE *p, TYPE v) {                                                          \
    asm volatile("st.global." #NAME ".v2." PTX " [%0], {%1, %2};" ::"l"(p), C(v.x), C(v.y) : "memory");                \
  }
#define __TILECC_STORE4(NAME, TYPE, PTX, C)                                                                            \
  __TILECC_SIMT_FN(device) void __st##NAME(TYPE *p, TYPE v) {                                                          \
    asm volatile("st.global." #NAME ".v4." PTX " [%0], {%1, %2, %3, %4};" ::"l"(p), C(v.x), C(v.y), C(v.z), C(v.w)     \
                 : "memory");                                                                                          \
  }
// Vectors of 8-bit and 16-bit elements are passed as unsigned integers of the vector's size.
#define __TILECC_STORE_BITS(NAME, TYPE, PTX, C, BITS)                                                                  \
  __TILECC_SIMT_FN(device) void __st##NAME(TYPE *p, TYPE v) {                                                          \
    BITS bits;                                                                                                         \
    __builtin_memcpy(&bits, &v, sizeof(bits));                                                                         \
    asm volatile("st.global." #NAME "." PTX " [%0], %1;" ::"l"(p), C(bits) : "memory");                                \
  }
#define __TILECC_STORES(NAME)                                                                                          \
  __TILECC_STORE(NAME, char, "s8", "r", int)                                                                           \
  __TILECC_STORE(NAME, signed char, "s8", "r", int)                                                                    \
  __TILECC_STORE(NAME, unsigned char, "u8", "r", unsigned)                                                             \
  __TILECC_STORE(NAME, short, "s16", "h", short)                                                                       \
  __TILECC_STORE(NAME, unsigned short, "u16", "h", unsigned short)                                                     \
  __TILECC_STORE(NAME, int, "s32", "r", int)                                                                           \
  __TILECC_STORE(NAME, unsigned, "u32", "r", unsigned)                                                                 \
  __TILECC_STORE(NAME, long, "s64", "l", long)                                                                         \
  __TILECC_STORE(NAME, unsigned long, "u64", "l", unsigned long)                                                       \
  __TILECC_STORE(NAME, long long, "s64", "l", long long)                                                               \
  __TILECC_STORE(NAME, unsigned long long, "u64", "l", unsigned long long)                                             \
  __TILECC_STORE(NAME, float, "f32", "f", float)                                                                       \
  __TILECC_STORE(NAME, double, "f64", "d", double)                                                                     \
  __TILECC_STORE2(NAME, int2, "s32", "r")                                                                              \
  __TILECC_STORE2(NAME, uint2, "u32", "r")                                                                             \
  __TILECC_STORE2(NAME, float2, "f32", "f")                                                                            \
  __TILECC_STORE2(NAME, double2, "f64", "d")                                                                           \
  __TILECC_STORE2(NAME, longlong2, "s64", "l")                                                                         \
  __TILECC_STORE2(NAME, ulonglong2, "u64", "l")                                                                        \
  __TILECC_STORE4(NAME, int4, "s32", "r")                                                                              \
  __TILECC_STORE4(NAME, uint4, "u32", "r")                                                                             \
  __TILECC_STORE4(NAME, float4, "f32", "f")                                                                            \
  __TILECC_STORE_BITS(NAME, char2, "u16", "h", unsigned short)                                                         \
  __TILECC_STORE_BITS(NAME, uchar2, "u16", "h", unsigned short)                                                        \
  __TILECC_STORE_BITS(NAME, char4, "u32", "r", unsigned)                                                               \
  __TILECC_STORE_BITS(NAME, uchar4, "u32", "r", unsigned)                                                              \
  __TILECC_STORE_BITS(NAME, short2, "u32", "r", unsigned)                                                              \
  __TILECC_STORE_BITS(NAME, ushort2, "u32", "r", unsigned)                                                             \
  __TILECC_STORE_BITS(NAME, short4, "u64", "l", unsigned long long)                                                    \
  __TILECC_STORE_BITS(NAME, ushort4, "u64", "l", unsigned long long)
__TILECC_STORES(cs)
__TILECC_STORES(cg)
__TILECC_STORES(wb)
#undef __TILECC_STORES
#undef __TILECC_STORE_BITS
#undef __TILECC_STORE4
#undef __TILECC_STORE2
#undef __TILECC_STORE

// Loads with cache operators that Clang lacks.
#define __TILECC_LOAD(NAME, TYPE, PTX, C, AS)                                                                          \
  __TILECC_SIMT_FN(device) TYPE __ld##NAME(const TYPE *p) {                                                            \
    AS v;                                                                                                              \
    asm volatile("ld.global." #NAME "." PTX " %0, [%1];" : C(v) : "l"(p) : "memory");                                  \
    return (TYPE)v;                                                                                                    \
  }
#define __TILECC_LOAD2(NAME, TYPE, PTX, C)                                                                             \
  __TILECC_SIMT_FN(device) TYPE __ld##NAME(const TYPE *p) {                                                            \
    TYPE v;                                                                                                            \
    asm volatile("ld.global." #NAME ".v2." PTX " {%0, %1}, [%2];" : C(v.x), C(v.y) : "l"(p) : "memory");               \
    return v;                                                                                                          \
  }
#define __TILECC_LOAD4(NAME, TYPE, PTX, C)                                                                             \
  __TILECC_SIMT_FN(device) TYPE __ld##NAME(const TYPE *p) {                                                            \
    TYPE v;                                                                                                            \
    asm volatile("ld.global." #NAME ".v4." PTX " {%0, %1, %2, %3}, [%4];"                                              \
                 : C(v.x), C(v.y), C(v.z), C(v.w)                                                                      \
                 : "l"(p)                                                                                              \
                 : "memory");                                                                                          \
    return v;                                                                                                          \
  }
#define __TILECC_LOADS(NAME)                                                                                           \
  __TILECC_LOAD(NAME, char, "s8", "=r", int)                                                                           \
  __TILECC_LOAD(NAME, signed char, "s8", "=r", int)                                                                    \
  __TILECC_LOAD(NAME, unsigned char, "u8", "=r", unsigned)                                                             \
  __TILECC_LOAD(NAME, short, "s16", "=h", short)                                                                       \
  __TILECC_LOAD(NAME, unsigned short, "u16", "=h", unsigned short)                                                     \
  __TILECC_LOAD(NAME, int, "s32", "=r", int)                                                                           \
  __TILECC_LOAD(NAME, unsigned, "u32", "=r", unsigned)                                                                 \
  __TILECC_LOAD(NAME, long, "s64", "=l", long)                                                                         \
  __TILECC_LOAD(NAME, unsigned long, "u64", "=l", unsigned long)                                                       \
  __TILECC_LOAD(NAME, long long, "s64", "=l", long long)                                                               \
  __TILECC_LOAD(NAME, unsigned long long, "u64", "=l", unsigned long long)                                             \
  __TILECC_LOAD(NAME, float, "f32", "=f", float)                                                                       \
  __TILECC_LOAD(NAME, double, "f64", "=d", double)                                                                     \
  __TILECC_LOAD2(NAME, int2, "s32", "=r")                                                                              \
  __TILECC_LOAD2(NAME, uint2, "u32", "=r")                                                                             \
  __TILECC_LOAD2(NAME, float2, "f32", "=f")                                                                            \
  __TILECC_LOAD2(NAME, double2, "f64", "=d")                                                                           \
  __TILECC_LOAD4(NAME, int4, "s32", "=r")                                                                              \
  __TILECC_LOAD4(NAME, uint4, "u32", "=r")                                                                             \
  __TILECC_LOAD4(NAME, float4, "f32", "=f")
__TILECC_LOADS(ca)
__TILECC_LOADS(lu)
#undef __TILECC_LOADS
#undef __TILECC_LOAD4
#undef __TILECC_LOAD2
#undef __TILECC_LOAD
#undef __TILECC_SIMT_FN

#include <tilecc/detail/simt_builtins.h>

// Sources include these headers for functions that are already declared: Clang's wrapper gets them from other headers.
#define __SM_20_ATOMIC_FUNCTIONS_H__
#define __SM_20_INTRINSICS_H__
#define __SM_32_ATOMIC_FUNCTIONS_H__
#define __SM_60_ATOMIC_FUNCTIONS_H__
#define __SM_61_INTRINSICS_H__
#define __SM_90_RT_H__
#define __SM_100_RT_H__

#endif // TILECC_DETAIL_SIMT_H
