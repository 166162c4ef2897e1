//===- Architectures.h - the table of AMD GPU architectures ------------------------------------------------*- C++ -*-//
//
// A target is a processor, with the name that LLVM and ROCm use: gfx942. A code object is for one processor, or, for a
// generic target (gfx11-generic), for several, and runs with any settings of the device (xnack, sramecc).
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_AMD_ARCHITECTURES_H
#define TILECC_TARGETS_AMD_ARCHITECTURES_H

#include "targets/GpuFacts.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include <string>

namespace tilecc::amd {

/// CDNA processors have waves of 64 lanes and MFMA instructions; RDNA processors have waves of 32 lanes and WMMA
/// instructions.
enum class Family { CDNA2, CDNA3, CDNA4, RDNA3, RDNA4 };

/// The encodings of 8-bit floats that a processor converts. Ocp are those of the language; Fnuz are those of gfx942,
/// which have other exponent biases.
enum class Float8 { None, Fnuz, Ocp };

struct Facts final : GpuFacts {
  Facts(llvm::StringLiteral name, uint32_t number, Family family, unsigned sharedBytes);

  llvm::StringLiteral name; ///< "gfx90a"
  uint32_t number; ///< the digits of the name, 0x90a, as in tilecc_image
  Family family;
  unsigned sharedBytes; ///< maximum per work-group
  bool isGeneric; ///< the code runs on several processors, and uses what all of them have
  Float8 float8 = Float8::None;

  bool isCdna() const { return family <= Family::CDNA4; }
  /// Returns the version of MFMA or WMMA, as used in the encodings of results: 2 for CDNA 2, 1 for RDNA 3.
  unsigned getMatrixVersion() const {
    return isCdna() ? 2 + unsigned(family) - unsigned(Family::CDNA2) : 1 + unsigned(family) - unsigned(Family::RDNA3);
  }
  /// Returns LLVM features in addition to those of the processor. real-true16, which makes halves of registers separate
  /// registers, is disabled: with it, LLVM 22 copies 16 bits from registers that do not exist.
  llvm::StringRef getFeatures() const { return isCdna() ? "" : "-real-true16"; }

  /// Returns the last word of a buffer's descriptor: elements of 32 bits, and on RDNA bounds that are compared with the
  /// offset of each access.
  uint32_t getBufferFlags() const {
    constexpr uint32_t is32Bit = 7 << 12 | 4 << 15, isValid = 1 << 24, hasRawBounds = 3 << 28;
    return isCdna() ? is32Bit : is32Bit | isValid | hasRawBounds;
  }
  /// Returns the largest constant that a buffer instruction adds to an offset.
  uint32_t getMaxBufferConstant() const { return family == Family::RDNA4 ? (1 << 23) - 1 : (1 << 12) - 1; }
  /// Returns the cache policy, an operand of buffer instructions, with which data does not stay in the caches.
  uint32_t getStreamPolicy(bool isStore) const {
    switch (family) {
    case Family::CDNA2: return 3; // glc, slc
    case Family::CDNA3:
    case Family::CDNA4: return 2; // nt
    case Family::RDNA3: return isStore ? 7 : 6; // slc and dlc; glc
    case Family::RDNA4: return 1; // th:TH_LOAD_NT, th:TH_STORE_NT
    }
    llvm_unreachable("all families are listed");
  }

  bool fits(int64_t bytesOfSharedMemory) const override { return bytesOfSharedMemory <= sharedBytes; }
  unsigned getMostSharedBytes() const override { return sharedBytes; }
  bool hasClusters() const override { return false; }
  unsigned getMostAdded(mlir::Type) const override { return 1; }
};

llvm::ArrayRef<Facts> allArchitectures();

/// Returns the architecture named `name`, such as "gfx942", or null if there is none.
const Facts *findFacts(llvm::StringRef name);

/// Returns the value of the module attribute ttg.target: "hip:gfx942", as in Triton.
std::string spellTarget(const Facts &facts);
/// Returns the architecture that `spelling`, a value of ttg.target, names, or null if there is none.
const Facts *parseTarget(llvm::StringRef spelling);

} // namespace tilecc::amd

#endif // TILECC_TARGETS_AMD_ARCHITECTURES_H
