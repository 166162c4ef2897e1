//===-- MemoryModifiers.h - common modifiers of memory instructions --------------------------------------------===//
#ifndef TILECC_EMULATOR_ISA_MEMORYMODIFIERS_H
#define TILECC_EMULATOR_ISA_MEMORYMODIFIERS_H

#include "emulator/isa/Table.h"

namespace tilecc::emu {

// Sets the space, order and scope of `inst` from the modifiers $space, $sem and $scope, and the size from type T.
void setMemoryModifiers(const Match &match, Inst &inst);

inline Handler bySize(unsigned bytes, Handler one, Handler two, Handler four, Handler eight,
                      Handler sixteen = nullptr) {
  return bytes == 1 ? one : bytes == 2 ? two : bytes == 4 ? four : bytes == 8 ? eight : bytes == 16 ? sixteen : nullptr;
}

} // namespace tilecc::emu
#endif
