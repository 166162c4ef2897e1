//===-- Replicas.h - checks that copies of one value are equal -------------------------------------------------===//
//
// tcc -fcheck-replicas emits comments that only the emulator reads:
//
//   //@ replicas.b32 a, t, m, n;     thread t of n holds `a`; those that differ only in bits of m hold copies
//
// All n threads execute such a line equally often. The value that a thread has at its k-th execution is compared with
// the values that other threads have at their k-th execution, no matter at which times these are.
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
  void compare(Warp &warp, const Inst &inst, Mask lanes, const uint64_t *values, const uint32_t *thread,
               uint32_t copies, uint32_t threads);

private:
  struct Copy {
    uint64_t value = 0;
    uint32_t thread = ~0u; // the thread of the block that came first; ~0: none yet
  };
  // The k-th executions of all threads.
  struct Round {
    uint32_t arrived = 0;
    std::vector<Copy> copies; // by thread number, with the bits in m cleared
  };
  struct Comparison {
    std::vector<uint64_t> rounds; // of each thread: number of executions
    uint64_t first = 0;           // number of the oldest open round
    std::deque<Round> open;       // in order
  };
  std::unordered_map<uint32_t, Comparison> comparisons; // by instruction
};

} // namespace tilecc::emu
#endif
