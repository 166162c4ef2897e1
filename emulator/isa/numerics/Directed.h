//===-- Directed.h - directed rounding in double precision --------------------------------------------------------===//
//
// This is the only code that changes the processor's rounding mode: there is no wider format for doubles, and programs
// hardly ever use directed rounding. A call takes tens of nanoseconds. NaN results are the processor's; callers replace
// them.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_ISA_NUMERICS_DIRECTED_H
#define TILECC_EMULATOR_ISA_NUMERICS_DIRECTED_H

#include "emulator/isa/numerics/Rounding.h"

namespace tilecc::emu::directed {

double add(double a, double b, Rounding rounding);
double mul(double a, double b, Rounding rounding);
double fma(double a, double b, double c, Rounding rounding);
double div(double a, double b, Rounding rounding);
double sqrt(double a, Rounding rounding);

} // namespace tilecc::emu::directed
#endif
