//===-- MemoryAccess.h - memory accesses of a wave -------------------------------------------------------------===//
//
// All memory instructions of a wave check their accesses, and find the bytes behind an address, by these functions.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_AMD_MEMORYACCESS_H
#define TILECC_EMULATOR_AMD_MEMORYACCESS_H

#include "emulator/amd/Machine.h"

#include <mutex>

namespace tilecc::emu::amd {

// Host pointers to the memory that the lanes access. They are valid during the lifetime of this object.
struct Pointers {
  std::byte *at[maxLanes];
  BlockChecker *performed = nullptr; // notified afterwards that a strong access was performed
  std::unique_lock<std::mutex> lock; // for atomic accesses, if there is no checker
  ~Pointers() {
    if (performed)
      performed->performed();
  }
};

struct MemoryRequest {
  Access::Where where = Access::global;
  Access::Kind kind = Access::load;
  uint32_t bytes = 0;                // per lane
  const std::byte *values = nullptr; // for stores
  uint32_t group = 0;                // for LDS: the access's number in the counter
  bool strong = false;
};

// Checks an access before it is performed, and returns its host pointers in `pointers`. Faults if the access is not
// allowed.
void access(Wave &wave, const Inst &inst, LaneMask lanes, const u64 (&addresses)[maxLanes],
            const MemoryRequest &request, Pointers &pointers);

// The data that a memory instruction moves for each lane. It is selected by the suffix of the instruction's name.
struct MemoryForm {
  std::string_view names; // "dwordx2|b64"
  uint8_t bytes;
  bool isSigned = false;  // sign-extends small values
  bool keepsRest = false; // uses one half of the register
  bool high = false;      // that half is the upper one
};
const MemoryForm *findForm(std::string_view name, bool isStore);

// Moves data between registers and its representation in memory.
void loadRegisters(Wave &wave, const Inst &inst, LaneMask lanes, const MemoryForm &form, unsigned first,
                   const std::byte *const (&at)[maxLanes]);
void gatherValues(Wave &wave, LaneMask lanes, const MemoryForm &form, const Operand &data, std::byte *values);

// An atomic operation. It is selected by the suffix of the instruction's name: "add_u32", "add", "umax_x2", "max_u64".
struct AtomicForm {
  uint8_t bytes = 4;
  u64 (*apply)(u64 old, u64 value, u64 compare) = nullptr;
  bool compares = false;
};
AtomicForm findAtomic(std::string_view name); // apply is null if there is none
std::vector<std::string> atomicNames();

} // namespace tilecc::emu::amd
#endif
