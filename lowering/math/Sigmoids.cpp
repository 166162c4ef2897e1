//===- Sigmoids.cpp - functions that rise from -1 to 1: tanh and erf ----------------------------------------------===//
//
// Near 0 they are computed as a polynomial, so that small results keep their precision. For larger arguments, they are
// 1 minus an exponential, of which only a few digits matter. Both are computed without a branch.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/math/Formulas.h"

using namespace tilecc;
using llvm::ArrayRef;

/// x + x p(x^2), or x + x^3 p(x^2).
static Real oddPolynomial(Real x, ArrayRef<double> f32, ArrayRef<double> f64, bool fromCube) {
  Real square = x * x;
  Real p = formulas::polynomial(square, x.a->isDouble ? f64 : f32);
  return mulAdd(fromCube ? x * square : x, p, x);
}

Real formulas::tanh(Real x) {
  static const double f32[] = {-3.333329856e-01, 1.333193630e-01, -5.378471687e-02, 2.079862542e-02, -5.897966679e-03};
  static const double f64[] = {-3.33333333333331261e-01, 1.33333333332997656e-01,  -5.39682539493343411e-02,
                               2.18694880033289511e-02,  -8.86322678653022299e-03, 3.59203744757407781e-03,
                               -1.45521569750591516e-03, 5.87189469401565582e-04,  -2.30398929671012603e-04,
                               7.93163524638404872e-05,  -1.71799085223529974e-05};
  Arithmetic &a = *x.a;
  Real size = abs(x), power = size;
  if (a.isDouble) {
    power = exp(size + size);
  } else {
    // e^(2 size) = 2^(size * c), corrected for the rounding errors of the product and of c.
    const double c = 2.8853900817779268, c32 = double(float(c));
    Real product = size * c32;
    Real lost = mulAdd(size, c - c32, fma(size, a.real(c32), -product));
    power = Real{{&a, a.fastExp2(product.value)}};
    power = select(power < 0x1p64, mulAdd(power, lost * 0.69314718055994531, power), 0x1p64);
  }
  Real far = 1.0 - 2.0 / (power + 1.0);
  Real result = select(size < 0.6, oddPolynomial(size, f32, f64, /*fromCube=*/true), far);
  return select(unordered(x, x), x, copySign(result, x));
}

Real formulas::erf(Real x) {
  static const double near32[] = {1.283791661e-01, -3.761262596e-01, 1.128357872e-01, -2.685334720e-02,
                                  5.187162198e-03, -7.997853099e-04, 7.806903159e-05};
  static const double near64[] = {1.28379167095512559e-01,  -3.76126389031833430e-01, 1.12837916709369504e-01,
                                  -2.68661706419592063e-02, 5.22397759673722071e-03,  -8.54832548510601445e-04,
                                  1.20552805011093532e-04,  -1.49244657517975213e-05, 1.64441522396078051e-06,
                                  -1.61840059136495760e-07, 1.36167702846982869e-08,  -7.60795591290597177e-10};
  // log2(1 - erf)
  static const double far32[] = {-4.626110604e-04, -1.626164436e+00, -9.204579592e-01, -1.489115655e-01,
                                 3.157966211e-02,  -4.270431586e-03, 2.706443775e-04};
  static const double far64[] = {
      -2.38756765018891660e-07, -1.62790457599232674e+00, -9.18459859828503533e-01, -1.48235496587260457e-01,
      2.75289321711044109e-02,  3.97505695778014234e-04,  -2.54427099398267520e-03, 9.18281920759925945e-04,
      -6.00992184645178401e-05, -1.03984163707322545e-04, 6.60393671306530225e-05,  -2.41903681232304634e-05,
      6.34203171478014706e-06,  -1.24820183822015494e-06, 1.84764184609903829e-07,  -2.00652405102972441e-08,
      1.51328864400584441e-09,  -7.09033829586204870e-11, 1.55496301874528733e-12};
  Arithmetic &a = *x.a;
  const double end = a.isDouble ? 6.0 : 4.0; // from here on the result rounds to 1
  Real size = abs(x), inside = select(size < end, size, end);
  Real power = polynomial(inside, a.isDouble ? ArrayRef(far64) : ArrayRef(far32));
  power = a.isDouble ? exp2(power) : Real{{&a, a.fastExp2(power.value)}};
  Real result = select(size < 1.0, oddPolynomial(size, near32, near64, /*fromCube=*/false), 1.0 - power);
  return select(unordered(x, x), x, copySign(result, x));
}
