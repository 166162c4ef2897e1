//===- Architectures.cpp - the table of AMD GPU architectures -----------------------------------------------------===//
//
// The back end reads this table, and so does every pass that needs the warp size. To support a new GPU, add a row.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/amd/Architectures.h"
#include "runtime/include/tilecc/abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tilecc::amd {

static constexpr unsigned KiB = 1024;

Facts::Facts(StringLiteral name, uint32_t number, Family family, unsigned sharedBytes)
    : name(name), number(number), family(family), sharedBytes(sharedBytes), isGeneric(name.ends_with("-generic")) {
  constexpr unsigned maxThreads = 1024; // per work-group
  if (isCdna()) {
    // A compute unit has four SIMDs, each with up to 8 waves and 512 registers of 64 lanes, shared by VGPRs and AGPRs.
    warpSize = 64;
    registers = 4 * 64 * 512;
    maxThreadRegisters = 512;
    threads = 4 * 8 * 64;
    float8 = family == Family::CDNA3 ? Float8::Fnuz : family == Family::CDNA4 ? Float8::Ocp : Float8::None;
  } else {
    // A compute unit has two SIMDs, each with up to 16 waves and 1536 registers of 32 lanes.
    warpSize = 32;
    registers = 2 * 32 * 1536;
    maxThreadRegisters = 256;
    registerUnit = 24;
    threads = 2 * 16 * 32;
    float8 = family == Family::RDNA4 ? Float8::Ocp : Float8::None;
  }
  maxRaisedRegisters = maxThreadRegisters;
  hasAsyncCopies = hasMatrixLoads = sharedBarriersOrderAll = false;
  hasCudaCalls = false;
  hasBuffers = true;
  maxWarps = maxThreads / warpSize;
}

ArrayRef<Facts> allArchitectures() {
  static const Facts all[] = {
      {"gfx90a", 0x90a, Family::CDNA2, 64 * KiB}, // MI200
      {"gfx942", 0x942, Family::CDNA3, 64 * KiB}, // MI300
      {"gfx950", 0x950, Family::CDNA4, 160 * KiB}, // MI350
      {"gfx1100", 0x1100, Family::RDNA3, 64 * KiB}, // RX 7900
      {"gfx1201", 0x1201, Family::RDNA4, 64 * KiB}, // RX 9070
      {"gfx9-4-generic", TILECC_ARCH_FAMILY | 0x940, Family::CDNA3, 64 * KiB}, // MI300 and MI350
      {"gfx11-generic", TILECC_ARCH_FAMILY | 0x1100, Family::RDNA3, 64 * KiB}, // all of RDNA 3 and 3.5
      {"gfx12-generic", TILECC_ARCH_FAMILY | 0x1200, Family::RDNA4, 64 * KiB}, // all of RDNA 4
  };
  return all;
}

const Facts *findFacts(StringRef name) {
  for (const Facts &facts : allArchitectures())
    if (facts.name == name)
      return &facts;
  return nullptr;
}

static constexpr StringLiteral prefix = "hip:";

std::string spellTarget(const Facts &facts) { return (prefix + facts.name).str(); }

const Facts *parseTarget(StringRef spelling) { return spelling.consume_front(prefix) ? findFacts(spelling) : nullptr; }

} // namespace tilecc::amd
