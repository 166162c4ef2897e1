//===-- Program.h - a kernel, decoded --------------------------------------------------------------------------===//
//
// Decoding is done once per kernel: calls are inlined, every instruction is found in the instruction table, operands of a
// width that an instruction does not have go through a temporary row, and registers get rows of the register file by a
// linear scan over their live ranges, so that a warp's file stays small enough for the caches.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_PROGRAM_H
#define TILECC_EMULATOR_EXEC_PROGRAM_H

#include "emulator/exec/Machine.h"

#include <map>

namespace tilecc::emu {

// Where the module's variables are: device addresses of global and constant ones.
using GlobalAddresses = std::map<std::string, uint64_t, std::less<>>;

struct Program {
  const ptx::Module *module = nullptr;
  const ptx::Function *function = nullptr;
  std::unique_ptr<ptx::Function> flat; // the same with its calls inlined
  std::vector<Inst> code;
  // By instruction: where it is in the PTX and in the user's source, and how it was written (line of the text).
  struct Origin {
    ptx::Location where;
    ptx::SourceLocation source;
    std::string text;
  };
  std::vector<Origin> origins;

  std::vector<std::byte> initialFile; // of every warp: immediates are in it
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
  uint32_t localBytes = 0;  // per thread
  uint32_t registersAtLaunch = 0; // of a thread, as setmaxnreg counts them; 0: the kernel does not say
  std::vector<std::vector<uint32_t>> jumpTables;

  // Registers that some path reads before it writes them: only where there are any is definedness followed.
  bool tracksUndefined = false;
  std::vector<uint32_t> undefinedAtEntry;               // row numbers
  bool hasProducts = false;                         // wgmma
  bool hasTensorLoads = false;                      // tcgen05.ld
  std::vector<std::vector<uint32_t>> reads, writes; // row numbers, by instruction, where one of these is so
  uint32_t rowNumbers = 0;

  std::vector<std::unique_ptr<uint32_t[]>> operandStorage;
};

// Throws ptx::Error for what cannot run: an unknown instruction, a call of an unknown function, recursion ...
std::unique_ptr<Program> decode(const ptx::Module &module, const ptx::Function &kernel,
                                const GlobalAddresses &globals);

} // namespace tilecc::emu
#endif
