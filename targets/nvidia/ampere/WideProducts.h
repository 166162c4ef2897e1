//===- WideProducts.h - computes both halves of a product with one multiplication -----------------------*- C++ -*-===//
//
// GPUs multiply two 32-bit numbers to a 64-bit product in one instruction, but LLVM computes the halves separately.
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
