//===-- stand_in.h - number types where no CUDA toolkit is found --------------------------------------------------===//
//
// Classes with NVIDIA's names that wrap a number, so that kernels have the same symbols with and without a toolkit.
// They convert implicitly from and to float. Arithmetic on them is computed in float and rounded once.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_CUDA_STAND_IN_H
#define TILECC_CUDA_STAND_IN_H
#pragma GCC system_header

#include <tilecc/detail/marks.h>

#define __TILECC_NUMBER(name, type)                                                                                    \
  struct name {                                                                                                        \
    type value;                                                                                                        \
    name() = default;                                                                                                  \
    __TILECC_HOST_FN constexpr name(float x) : value(static_cast<type>(x)) {}                                          \
    __TILECC_HOST_FN constexpr explicit name(double x) : value(static_cast<type>(x)) {}                                \
    __TILECC_HOST_FN constexpr explicit name(int x) : value(static_cast<type>(static_cast<float>(x))) {}               \
    __TILECC_HOST_FN constexpr operator float() const { return static_cast<float>(value); }                            \
  }
#define __TILECC_NUMBER_OPERATOR(name, op)                                                                             \
  __TILECC_HOST_FN constexpr name operator op(name a, name b) { return name(float(a) op float(b)); }                   \
  __TILECC_HOST_FN constexpr name &operator op## = (name & a, name b) { return a = a op b; }
#define __TILECC_NUMBER_COMPARISON(name, op)                                                                           \
  __TILECC_HOST_FN constexpr bool operator op(name a, name b) { return float(a) op float(b); }
#define __TILECC_NUMBER_OPERATORS(name)                                                                                \
  __TILECC_NUMBER_OPERATOR(name, +)                                                                                    \
  __TILECC_NUMBER_OPERATOR(name, -)                                                                                    \
  __TILECC_NUMBER_OPERATOR(name, *)                                                                                    \
  __TILECC_NUMBER_OPERATOR(name, /)                                                                                    \
  __TILECC_NUMBER_COMPARISON(name, ==)                                                                                 \
  __TILECC_NUMBER_COMPARISON(name, !=)                                                                                 \
  __TILECC_NUMBER_COMPARISON(name, <)                                                                                  \
  __TILECC_NUMBER_COMPARISON(name, <=)                                                                                 \
  __TILECC_NUMBER_COMPARISON(name, >)                                                                                  \
  __TILECC_NUMBER_COMPARISON(name, >=)                                                                                 \
  __TILECC_HOST_FN constexpr name operator-(name a) { return name(-float(a)); }

#endif // TILECC_CUDA_STAND_IN_H
