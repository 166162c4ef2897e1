//===-- Replicas.h - copies of one value are the same ----------------------------------------------------------===//
//
// tcc -fcheck-replicas has, in comments that only the emulator reads,
//
//   //@ replicas.b32 a, t, m, n;     thread t of n holds `a`; those whose numbers differ in bits of m alone hold copies
//
// All n threads come by equally often: what one holds the k-th time is compared with what others hold their k-th time,
// however far apart they run.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_REPLICAS_H
#define TILECC_EMULATOR_EXEC_REPLICAS_H

#include "emulator/exec/Machine.h"

#include <deque>
#include <vector>

namespace tilecc::emu {

// The comparisons of a block.
class Replicas {
public:
  // `values`: of each lane. `thread`, `copies`, `threads`: the operands t, m and n.
  void compare(Warp &warp, const Inst &inst, Mask lanes, const uint64_t *values, const uint32_t *thread, uint32_t copies,
               uint32_t threads);

private:
  struct Copy {
    uint64_t value = 0;
    uint32_t thread = ~0u; // of the block, who came first; ~0: nobody yet
  };
  // One time that all threads come by.
  struct Round {
    uint32_t arrived = 0;
    std::vector<Copy> copies; // by the thread's number, with the bits that do not tell zero
  };
  struct Comparison {
    std::vector<uint64_t> rounds; // of each thread: how often it has come
    uint64_t first = 0;           // number of the oldest round that is kept
    std::deque<Round> open;       // in turn
  };
  std::unordered_map<uint32_t, Comparison> comparisons; // by instruction
};

} // namespace tilecc::emu
#endif
