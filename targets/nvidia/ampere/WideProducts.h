//===- WideProducts.h - computes both halves of a product with one multiplication -----------------------*- C++ -*-===//
//
// ptxas compiles mul.hi.u32 and mul.lo.u32 of the same numbers to two instructions, but mul.wide.u32 computes both
// halves of the product at once.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_AMPERE_WIDEPRODUCTS_H
#define TILECC_TARGETS_NVIDIA_AMPERE_WIDEPRODUCTS_H

#include "llvm/IR/Module.h"

namespace tilecc {

/// If a function uses both halves of a product of 32-bit numbers, computes both from one 64-bit product. (Philox does
/// this forty times for four random numbers.) Called after all other optimizations.
void formWideProducts(llvm::Module &module);

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_AMPERE_WIDEPRODUCTS_H
