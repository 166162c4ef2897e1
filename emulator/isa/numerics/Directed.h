//===-- Directed.h - double precision in the other rounding modes -------------------------------------------------===//
//
// The one place that changes the processor's rounding mode: no wider format is at hand for doubles, and programs hardly
// ever ask. A call takes some tens of nanoseconds. NaN results are the processor's; the callers replace them.
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
