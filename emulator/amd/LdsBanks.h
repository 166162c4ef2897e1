//===-- LdsBanks.h - bank conflicts of accesses to LDS ---------------------------------------------------------===//
//
// LDS consists of banks, each of which serves one word of 4 bytes in a cycle. The hardware divides the lanes of an
// access into phases, and a phase takes as many cycles as different words are in one bank.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_AMD_LDSBANKS_H
#define TILECC_EMULATOR_AMD_LDSBANKS_H

#include "emulator/amd/Machine.h"

namespace tilecc::emu::amd {

// Returns the cycles of an access of `bytes` for each of the active lanes, and how many of them only conflicts add.
BankCycles countBankCycles(const Target &target, bool isLoad, unsigned bytes, LaneMask lanes,
                           const uint64_t (&addresses)[maxLanes]);

} // namespace tilecc::emu::amd
#endif
