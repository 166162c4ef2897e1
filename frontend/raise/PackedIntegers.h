//===- PackedIntegers.h - unpacks integers that are parts of a wider one --------------------------------*- C++ -*-===//
//
// Clang packs small structs into one integer to pass them, and LLVM keeps them packed. TTIR needs the members.
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
