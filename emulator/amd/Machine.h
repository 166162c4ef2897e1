//===-- Machine.h - executes waves and workgroups of an AMD GPU ------------------------------------------------===//
//
// A wave has 32 or 64 lanes in lockstep, one program counter, scalar registers and vector registers. EXEC is the mask
// of active lanes. Loads execute when they are issued. Until the wave has waited for a load with its counter, the
// load's result registers are in flight, and any use of them is reported (WaitCounters.h).
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_AMD_MACHINE_H
#define TILECC_EMULATOR_AMD_MACHINE_H

#include "emulator/amd/WaitCounters.h"
#include "emulator/amd/object/CodeObject.h"
#include "emulator/amd/object/Text.h"
#include "emulator/checks/Checker.h"
#include "emulator/isa/numerics/Scalar.h"

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tilecc::emu::amd {

inline constexpr unsigned maxLanes = 64, warpLanes = 32; // the checker has warps of 32
using LaneMask = uint64_t;

// What differs between processors.
struct Target {
  unsigned major = 9, minor = 4, stepping = 2;
  bool isWave32 = false;

  static Target parse(const std::string &processor, bool isWave32); // throws Unsupported
  unsigned lanes() const { return isWave32 ? 32 : 64; }
  bool isGfx9() const { return major == 9; }
  bool isGfx950() const { return major == 9 && minor == 5; }
  bool hasFnuz() const { return major == 9 && minor == 4; } // fp8 with a single NaN and no negative zero
  bool hasSeparateStores() const { return major >= 10; } // has a separate counter for stores
  bool hasSeparateScalar() const { return major >= 12; } // has a separate counter for scalar loads
  bool keepsHighHalf() const { return major >= 10; } // 16-bit results preserve the upper half
  bool hasPackedIds() const { return major >= 11 || (major == 9 && (minor == 4 || minor == 5 || stepping == 10)); }
};

struct Operand {
  enum Kind : uint8_t { none, scalar, vector, constant };
  // The part of a 32-bit source or result that SDWA selects.
  enum Select : uint8_t { byte0, byte1, byte2, byte3, word0, word1, dword };
  Kind kind = none;
  uint16_t first = 0, words = 1;
  bool negate = false, absolute = false, signExtend = false;
  bool high = false; // for 16 bits: uses the upper half of the register
  bool keepsRest = false; // for 16-bit results: preserves the other half
  Select select = dword;
  uint64_t value = 0; // of a constant
};

class Wave;
struct Inst;
using Handler = void (*)(Wave &, const Inst &);

// Data-parallel primitives (DPP): from which lane each lane takes its first source.
struct LaneMoves {
  std::array<int8_t, maxLanes> from; // -1: none
  LaneMask writes = ~LaneMask(0); // row_mask and bank_mask
  bool zeroes = false; // bound_ctrl: lanes without a source lane read 0 and are written
  bool takesInactive = false; // fi
};

struct Inst {
  Handler run = nullptr;
  const struct Row *row = nullptr;
  std::vector<Operand> op; // results first
  unsigned results = 0;
  bool clamp = false;
  int8_t outputScale = 0; // exponent of a power of two
  enum Unused : uint8_t { padded, signExtended, preserved } unused = padded;
  uint8_t opSelect = 0, opSelectHigh = 0xff, negateLow = 0, negateHigh = 0;
  std::shared_ptr<LaneMoves> moves;

  int64_t offset = 0;
  uint32_t bytes = 0;
  bool strong = false, returns = false, indexed = false, offsetted = false;
  uint32_t numbers[4] = {}; // derived from modifiers by the row: cbsz, abid, blgp; waits
  uint32_t target = 0; // branch target, as an instruction number

  std::vector<Inst> parts; // for dual issue

  // The registers that it uses, for WaitCounters.h.
  std::vector<RegisterUse> uses;
  Waits::Event issues = Waits::eventCount; // the kind of memory event that it issues, if it accesses memory
  uint32_t index = 0;
  uint64_t address = 0;
  std::string mnemonic; // for rows that execute several forms
  std::string text;
};

struct Program {
  const KernelObject *kernel = nullptr;
  Target target;
  std::vector<Inst> code; // ordered by address
  uint32_t entry = 0; // instruction number
  CodeObject *object = nullptr;
  uint64_t imageAddress = 0; // of the object's image in device memory
};

// The cycles of accesses to LDS, and those that only bank conflicts add.
struct BankCycles {
  uint64_t cycles = 0, conflicts = 0;
};

struct Launch {
  const Program *program = nullptr;
  DeviceMemory *memory = nullptr;
  Reporter *reporter = nullptr;
  LaunchChecker *checker = nullptr; // null if there are no checks
  bool checksInitialized = false, countsBanks = false;
  uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  uint32_t sharedBytes = 0;
  uint64_t arguments = 0; // the kernarg segment
  uint64_t dispatch = 0; // hsa_kernel_dispatch_packet_t
  uint64_t instructionLimit = 0;
};

struct Workgroup;

// The windows of flat addresses that stand for LDS and for private memory.
inline constexpr uint64_t sharedWindow = uint64_t(0x10000) << 32, privateWindow = uint64_t(0x20000) << 32,
                          windowMask = ~uint64_t(0xffffffff);

class Wave {
public:
  Wave(Workgroup &group, unsigned index);

  Workgroup &group;
  const Target &target;
  unsigned index, lanes;
  LaneMask existing; // the lanes that have a thread
  uint32_t pc = 0; // instruction number
  enum State : uint8_t { running, atBarrier, ended } state = running;
  uint32_t barrierPhase = 0; // the phase that s_barrier_wait waits for
  bool hasSignalled = false;
  bool scc = false;
  uint32_t mode = 0xf0; // hwreg MODE
  uint64_t executed = 0, executedLanes = 0;
  BankCycles banks; // if Launch::countsBanks
  Waits waits;
  std::vector<std::byte> scratch; // for all lanes

  LaneMask exec() const { return mask(scalarExec); }
  LaneMask mask(unsigned first) const {
    return target.isWave32 ? scalars[first] : scalars[first] | uint64_t(scalars[first + 1]) << 32;
  }
  void setMask(unsigned first, LaneMask value) {
    if (first == scalarNull)
      return;
    scalars[first] = static_cast<u32>(value);
    if (!target.isWave32)
      scalars[first + 1] = static_cast<u32>(value >> 32);
  }
  u32 *vector(unsigned number) { return &vectors[size_t(number) * maxLanes]; }
  u32 scalar(unsigned number) const { return number == scalarNull ? 0 : number == scalarScc ? scc : scalars[number]; }
  void setScalar(unsigned number, u32 value) {
    if (number != scalarNull)
      scalars[number] = value;
  }
  bool flushes32() const { return !(mode >> 4 & 3); }

  Place place(const Inst &inst, unsigned lane) const;
  // Reports an error at an instruction, and ends the launch.
  [[noreturn]] void fault(const Inst &inst, LaneMask lanes, int error, const std::string &what,
                          const std::string &detail) const;

  std::array<u32, 256> scalars;
  std::vector<u32> vectors; // 64 lanes each
};

struct Workgroup {
  Workgroup(Launch &launch, uint64_t number);

  // Executes one instruction of the wave.
  void step(Wave &wave);
  bool finished() const;
  // Releases the waves whose barrier is complete. Returns false if there are none.
  bool release();
  void arriveAtBarrier(Wave &wave);
  // Makes completed stores of the wave visible to other waves, and their stores visible to the wave.
  void fence(Wave &wave);
  // Calls `use` for each of the checker's warps (of 32 threads) in which the wave has threads.
  template <class F> void eachWarp(const Wave &wave, F use) const {
    for (unsigned warp = wave.index * wave.lanes / warpLanes, end = warp + wave.lanes / warpLanes; warp < end; ++warp)
      if (warp * warpLanes < threads)
        use(warp);
  }

  Launch &launch;
  uint64_t number;
  uint32_t id[3];
  uint32_t threads;
  std::vector<std::byte> shared;
  std::vector<std::unique_ptr<Wave>> waves;
  std::unique_ptr<BlockChecker> checker;
  uint32_t barrierPhase = 0, signalled = 0;

private:
  void shareKnowledge(Wave &wave);
  void reportInFlight(Wave &wave, const Inst &inst, const Waits::InFlight &entry);
  uint64_t tokens = uint64_t(1) << 32; // for shareKnowledge; distinct from barrier phases
};

// Decodes the code that is reachable from the kernel's entry. Throws Unsupported.
std::unique_ptr<Program> decode(CodeObject &object, const KernelObject &kernel);

struct RunTotals {
  uint64_t waveInstructions = 0, laneInstructions = 0;
  BankCycles banks;
};
RunTotals runFast(Launch &launch, void (*parallel)(uint64_t, void (*)(void *, uint64_t), void *));
RunTotals runRandom(Launch &launch, uint64_t seed);

} // namespace tilecc::emu::amd
#endif
