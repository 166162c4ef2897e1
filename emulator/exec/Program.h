//===-- Program.h - decoded kernels ----------------------------------------------------------------------------===//
//
// A kernel is decoded once. Calls are inlined, and each instruction is looked up in the instruction table. If an
// operand has a width that its instruction does not support, it goes through a temporary row. Registers are assigned to
// rows of the register file by linear scan over their live ranges, so that the register file of a warp fits into the
// caches.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_PROGRAM_H
#define TILECC_EMULATOR_EXEC_PROGRAM_H

#include "emulator/exec/Machine.h"

#include <map>

namespace tilecc::emu {

// The device addresses of the global and constant variables of a module.
using GlobalAddresses = std::map<std::string, uint64_t, std::less<>>;

struct Program {
  const ptx::Module *module = nullptr;
  const ptx::Function *function = nullptr;
  std::unique_ptr<ptx::Function> flat; // the kernel with its calls inlined
  std::vector<Inst> code;
  // For each instruction: its location in the PTX and in the user's source, and its text.
  struct Origin {
    ptx::Location where;
    ptx::SourceLocation source;
    std::string text;
  };
  std::vector<Origin> origins;

  std::vector<std::byte> initialFile; // for every warp: contains the immediates
  enum class Special : uint8_t {
    tidX,
    tidY,
    tidZ,
    ntidX,
    ntidY,
    ntidZ,
    ctaidX,
    ctaidY,
    ctaidZ,
    nctaidX,
    nctaidY,
    nctaidZ,
    laneid,
    warpid,
    nwarpid,
    lanemaskEq,
    lanemaskLe,
    lanemaskLt,
    lanemaskGe,
    lanemaskGt,
    smid,
    nsmid,
    gridid,
    dynamicShared,
    totalShared,
    clusteridX,
    clusteridY,
    clusteridZ,
    nclusteridX,
    nclusteridY,
    nclusteridZ,
    clusterCtaidX,
    clusterCtaidY,
    clusterCtaidZ,
    clusterNctaidX,
    clusterNctaidY,
    clusterNctaidZ,
    clusterRank,
    clusterBlocks,
    isExplicitCluster,
    envreg1,
    envreg2,
  };
  struct SpecialRow {
    Special special;
    uint32_t row;
    bool wide;
  };
  std::vector<SpecialRow> specials;

  struct Param {
    uint32_t offset, size;
  };
  std::vector<Param> params;
  uint32_t paramBytes = 0;
  uint32_t sharedBytes = 0; // static; dynamic shared memory follows
  uint32_t localBytes = 0; // per thread
  uint32_t registersAtLaunch = 0; // per thread, as setmaxnreg counts them; 0: unspecified
  std::vector<std::vector<uint32_t>> jumpTables;

  // True if some path may read registers before it writes them. Undefined values are then tracked from the start.
  bool tracksUndefined = false;
  std::vector<uint32_t> undefinedAtEntry; // row numbers
  bool hasWgmma = false; // wgmma
  bool hasTensorLoads = false; // tcgen05.ld
  bool hasShuffles = false;
  bool awaitsSignals = false; // awaits
  std::vector<std::vector<uint32_t>> reads, writes; // row numbers by instruction; empty unless a flag above is true
  uint32_t rowNumbers = 0;

  std::vector<std::unique_ptr<uint32_t[]>> operandStorage;
};

// Decodes a kernel. Throws ptx::Error if it cannot run: an unknown instruction, a call of an unknown function,
// recursion ...
std::unique_ptr<Program> decode(const ptx::Module &module, const ptx::Function &kernel, const GlobalAddresses &globals);

} // namespace tilecc::emu
#endif
