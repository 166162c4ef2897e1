//===- PackedIntegers.h - unpacks integers that are parts of a wider one --------------------------------*- C++ -*-===//
//
// Clang returns a small struct from a function as one integer. After inlining, the members are shifts and truncations
// of that integer, but TTIR needs them as separate values.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_FRONTEND_RAISE_PACKEDINTEGERS_H
#define TILECC_FRONTEND_RAISE_PACKEDINTEGERS_H

namespace llvm {
class Function;
}

namespace tilecc {

/// Replaces extractions from packed integers in `function` by the integers that were packed.
void unpackIntegers(llvm::Function &function);

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_PACKEDINTEGERS_H
