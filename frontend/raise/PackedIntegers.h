//===- PackedIntegers.h - integers that travel as parts of a wider one ----------------------------------*- C++ -*-===//
#ifndef TILECC_FRONTEND_RAISE_PACKEDINTEGERS_H
#define TILECC_FRONTEND_RAISE_PACKEDINTEGERS_H

namespace llvm {
class Function;
}

namespace tilecc {

/// Replaces the parts that `function` takes of packed integers by the integers that were packed.
void unpackIntegers(llvm::Function &function);

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_PACKEDINTEGERS_H
