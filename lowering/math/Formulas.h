//===- Formulas.h - math functions as formulas over abstract arithmetic ---------------------------------*- C++ -*-===//
//
// Each function takes f32 or f64, depending on the Arithmetic of its argument, and accepts any value: for zeros,
// infinities, NaNs and subnormal numbers, the results are those of the C functions. Error bounds are in units in the
// last place (ulp), as measured by test/unit/math.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_MATH_FORMULAS_H
#define TILECC_LOWERING_MATH_FORMULAS_H

#include "lowering/math/Arithmetic.h"

namespace tilecc::formulas {

// Exponentials and logarithms (Exponential.cpp).
Real exp(Real x); ///< f64: 1 ulp; for f32, targets have faster implementations
Real exp2(Real x); ///< the same as for exp
Real log(Real x); ///< 1 ulp
Real log2(Real x); ///< 1.5 ulp
Real pow(Real x, Real y); ///< 1 ulp

// Trigonometric functions, of arguments of any size (Trigonometric.cpp).
Real sin(Real x); ///< 2 ulp
Real cos(Real x); ///< 2 ulp

// Functions that are based on exponentials (Sigmoids.cpp).
Real tanh(Real x); ///< 2 ulp
Real erf(Real x); ///< 2 ulp

// Helpers that several functions use.

/// c[0] + c[1] x + c[2] x^2 + …
Real polynomial(Real x, llvm::ArrayRef<double> coefficients);
/// Returns x rounded to an integer, as a number and as an integer. |x| must be below 2^22 (f32) or 2^51 (f64).
std::pair<Real, Integer> roundSmall(Real x);

} // namespace tilecc::formulas

#endif // TILECC_LOWERING_MATH_FORMULAS_H
