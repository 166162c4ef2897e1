//===- Architectures.h - the table of AMD GPU architectures ------------------------------------------------*- C++ -*-//
//
// A target is a processor, named as in LLVM and ROCm: gfx942. A code object is for one processor and does not depend on
// other device settings (xnack, sramecc).
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_AMD_ARCHITECTURES_H
#define TILECC_TARGETS_AMD_ARCHITECTURES_H

#include "targets/GpuFacts.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tilecc::amd {

/// CDNA has waves of 64 lanes and MFMA instructions; RDNA has waves of 32 lanes and WMMA instructions.
enum class Family { CDNA2, CDNA3, CDNA4, RDNA3, RDNA4 };

/// The encodings of 8-bit floats: OCP's, which the language has, and those of gfx942, which have other biases.
enum class Float8 { None, Fnuz, Ocp };

struct Facts final : GpuFacts {
  Facts(llvm::StringLiteral name, uint32_t number, Family family, unsigned sharedBytes);

  llvm::StringLiteral name; ///< "gfx90a"
  uint32_t number; ///< its digits: 0x90a
  Family family;
  unsigned sharedBytes; ///< maximum per work-group
  Float8 float8 = Float8::None;

  bool isCdna() const { return family <= Family::CDNA4; }
  /// Returns the version of MFMA or WMMA in the encodings of results: 2 for CDNA 2, 1 for RDNA 3.
  unsigned getMatrixVersion() const {
    return isCdna() ? 2 + unsigned(family) - unsigned(Family::CDNA2) : 1 + unsigned(family) - unsigned(Family::RDNA3);
  }
  /// Returns LLVM features in addition to those of the processor. Disables real-true16, with which halves of registers
  /// are separate registers: LLVM 22 then copies 16 bits from registers that do not exist.
  llvm::StringRef getFeatures() const { return isCdna() ? "" : "-real-true16"; }

  bool fits(int64_t bytesOfSharedMemory) const override { return bytesOfSharedMemory <= sharedBytes; }
  unsigned getMostSharedBytes() const override { return sharedBytes; }
  bool hasClusters() const override { return false; }
  unsigned getMostAdded(mlir::Type) const override { return 1; }
};

llvm::ArrayRef<Facts> allArchitectures();

/// Returns the architecture of that name, such as "gfx942"; null if there is none.
const Facts *findFacts(llvm::StringRef name);

/// Returns the module attribute ttg.target, "hip:gfx942", as in Triton.
std::string spellTarget(const Facts &facts);
/// Returns null if `spelling` names no architecture.
const Facts *parseTarget(llvm::StringRef spelling);

} // namespace tilecc::amd

#endif // TILECC_TARGETS_AMD_ARCHITECTURES_H
