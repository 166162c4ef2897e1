//===- WideProducts.h - both halves of a product by one multiplication ------------------------------*- C++ -*-----===//
#ifndef TILECC_TARGETS_NVIDIA_AMPERE_WIDEPRODUCTS_H
#define TILECC_TARGETS_NVIDIA_AMPERE_WIDEPRODUCTS_H

#include "llvm/IR/Module.h"

namespace tilecc {

/// Where a function needs the upper and the lower half of a product of 32-bit numbers (Philox does, forty times for
/// four numbers), makes both of one product of 64 bits. Called when all else is optimized.
void formWideProducts(llvm::Module &module);

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_AMPERE_WIDEPRODUCTS_H
