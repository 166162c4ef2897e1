//===-- MemoryAccess.h - accesses of a wave to memory ----------------------------------------------------------===//
#ifndef TILECC_EMULATOR_AMD_MEMORYACCESS_H
#define TILECC_EMULATOR_AMD_MEMORYACCESS_H

#include "emulator/amd/Machine.h"

#include <mutex>

namespace tilecc::emu::amd {

// The host's memory behind what the lanes access, until this is gone.
struct Pointers {
  std::byte *at[maxLanes];
  BlockChecker *performed = nullptr; // is told then that a strong access has happened
  std::unique_lock<std::mutex> lock; // of atomic ones, where nothing is checked
  ~Pointers() {
    if (performed)
      performed->performed();
  }
};

struct MemoryRequest {
  Access::Where where = Access::global;
  Access::Kind kind = Access::load;
  uint32_t bytes = 0;                // of a lane
  const std::byte *values = nullptr; // of a store
  uint32_t group = 0;                // of LDS: its number in the counter
  bool strong = false;
};

// Checks an access that is about to happen, and tells where. Faults when it must not.
void access(Wave &wave, const Inst &inst, LaneMask lanes, const u64 (&addresses)[maxLanes],
            const MemoryRequest &request, Pointers &pointers);

// What a memory instruction moves per lane: by the end of its name.
struct MemoryForm {
  std::string_view names; // "dwordx2|b64"
  uint8_t bytes;
  bool isSigned = false;  // a small number is extended by its sign
  bool keepsRest = false; // goes to, or comes from, a half of the register
  bool high = false;      // ... the upper one
};
const MemoryForm *findForm(std::string_view name, bool isStore);

// Moves between registers and what a form has in memory.
void loadRegisters(Wave &wave, const Inst &inst, LaneMask lanes, const MemoryForm &form, unsigned first,
                   const std::byte *const (&at)[maxLanes]);
void gatherValues(Wave &wave, LaneMask lanes, const MemoryForm &form, const Operand &data, std::byte *values);

// Atomic operations by the end of their names: "add_u32", "add", "umax_x2", "max_u64".
struct AtomicForm {
  uint8_t bytes = 4;
  u64 (*apply)(u64 old, u64 value, u64 compare) = nullptr;
  bool compares = false;
};
AtomicForm findAtomic(std::string_view name); // apply is null: there is none
std::vector<std::string> atomicNames();

} // namespace tilecc::emu::amd
#endif
