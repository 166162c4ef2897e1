//===-- Profile.h - counts the events of each instruction of a kernel ------------------------------------------===//
//
// With TILECC_EMU_PROFILE, the interpreter counts by instruction in a BlockProfile, which is added to the KernelProfile
// when its block ends. Thus threads that run blocks share no state. docs/emulator.md defines each count and the file.
//
// Time is counted in steps, independently of the schedule: every warp executes one instruction per step, all warps run
// at the same time, and a wait ends when the last awaited warp has arrived. Asynchronous copies take no time.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_PROFILE_PROFILE_H
#define TILECC_EMULATOR_PROFILE_PROFILE_H

#include "emulator/checks/Reporter.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <sys/types.h>
#include <vector>

namespace tilecc::emu {

// The counts of the executions of one instruction.
struct InstructionCounts {
  uint64_t executed = 0; // by warps
  uint64_t threads = 0; // the sum of the threads that took part
  uint64_t divergent = 0; // branches that only some of the threads took
  uint64_t bytes = 0; // of global memory that threads requested
  uint64_t sectors = 0; // of 32 bytes that contain these bytes
  uint64_t wavefronts = 0; // of accesses to shared memory, of 128 bytes at most
  uint64_t conflicts = 0; // additional wavefronts due to bank conflicts
  uint64_t waits = 0, waited = 0; // at barriers: how often a warp waited, and for how many steps
};

// All counts, with their names in the file.
struct CountMember {
  const char *name;
  uint64_t InstructionCounts::*count;
};
inline constexpr CountMember countMembers[] = {
    {"executed", &InstructionCounts::executed},   {"threads", &InstructionCounts::threads},
    {"divergent", &InstructionCounts::divergent}, {"bytes", &InstructionCounts::bytes},
    {"sectors", &InstructionCounts::sectors},     {"wavefronts", &InstructionCounts::wavefronts},
    {"conflicts", &InstructionCounts::conflicts}, {"waits", &InstructionCounts::waits},
    {"waited", &InstructionCounts::waited}};

// The time of one warp of a block, and its waits.
struct WarpTimeline {
  struct Wait {
    uint64_t begin, end;
    uint32_t pc;
  };
  uint64_t now = 0; // in steps
  uint64_t waited = 0; // how many of them
  uint64_t released = 0; // set by a successful poll of an mbarrier: when the phase was complete
  std::vector<Wait> waits; // only if the block's timeline is kept
};

// The timeline of one block.
struct BlockTimeline {
  uint64_t launch; // of the kernel, from 1
  uint32_t block[3];
  std::vector<WarpTimeline> warps;
};

// The times of the warps with the same number in all blocks of all launches.
struct WarpSum {
  uint64_t blocks = 0, steps = 0, waited = 0;
};

class KernelProfile;

// The counts of one block. Only one thread may use an object at a time.
class BlockProfile {
public:
  BlockProfile(KernelProfile &kernel, uint64_t number, uint32_t warps);
  ~BlockProfile(); // adds the counts to the kernel's
  BlockProfile(const BlockProfile &) = delete;
  BlockProfile &operator=(const BlockProfile &) = delete;

  void execute(uint32_t warp, uint32_t pc, uint32_t lanes) {
    InstructionCounts &count = counts[pc];
    ++count.executed;
    count.threads += __builtin_popcount(lanes);
    ++warps[warp].now;
  }
  void diverge(uint32_t pc) { ++counts[pc].divergent; }
  // An access of `bytes` consecutive bytes per lane. `addresses` is indexed by lane.
  void accessGlobal(uint32_t pc, uint32_t lanes, const uint64_t *addresses, uint32_t bytes);
  void accessShared(uint32_t pc, uint32_t lanes, const uint64_t *addresses, uint32_t bytes);
  // An asynchronous copy of consecutive bytes of global memory.
  void copyGlobal(uint32_t pc, uint64_t address, uint32_t bytes);

  uint64_t now(uint32_t warp) const { return warps[warp].now; }
  void setReleased(uint32_t warp, uint64_t time) { warps[warp].released = time; }
  uint64_t released(uint32_t warp) const { return warps[warp].released; }
  // A warp that came to instruction `pc` at `begin` may continue at `end`. `polls`: the steps since then were polls,
  // which count as waiting.
  void wait(uint32_t warp, uint32_t pc, uint64_t begin, uint64_t end, bool polls = false);

private:
  KernelProfile &kernel;
  bool keepsTimeline;
  BlockTimeline timeline;
  std::vector<WarpTimeline> &warps = timeline.warps;
  std::vector<InstructionCounts> counts; // by pc
};

// The counts of all launches of a kernel. Thread-safe.
class KernelProfile {
public:
  struct Instruction {
    uint32_t line; // of the PTX
    std::string text; // of that line
    std::string source; // "softmax.tt.cpp:31:7"; empty if unknown
    bool isCalled = false; // of an inlined function, not of the kernel's own text
  };
  KernelProfile(std::string symbol, std::string name, std::string ptx, std::string target,
                std::vector<Instruction> instructions);

  // Counts a launch and must be called before its blocks run.
  void begin(const uint32_t (&grid)[3], const uint32_t (&block)[3], const uint32_t (&cluster)[3]);
  void addFinding(const Place &place, const std::string &text);
  void write(std::string &json) const;

private:
  friend class BlockProfile;
  struct Finding {
    uint32_t pc;
    std::string text;
  };
  mutable std::mutex lock;
  const std::string symbol, name, ptx, target;
  const std::vector<Instruction> instructions;
  uint64_t launches = 0;
  uint32_t grid[3] = {}, block[3] = {}, cluster[3] = {}; // of the last launch
  std::vector<InstructionCounts> counts; // by pc
  std::vector<Finding> findings;
  std::vector<BlockTimeline> timelines; // of the first blocks of the first launches
  size_t keptWaits = 0; // in them
  std::vector<WarpSum> warpSums; // by number in the block
};

// The profile of a device, and its file.
class Profile {
public:
  explicit Profile(std::string path) : path(std::move(path)) {}
  // Creates the file, so that a path that cannot be written is found early. Returns the error, or 0.
  int create();
  KernelProfile &add(std::unique_ptr<KernelProfile> kernel);
  // Writes all kernels to the file, or an error to standard error. A forked child writes nothing.
  void write() const;

private:
  const std::string path;
  pid_t creator = 0;
  mutable std::mutex lock;
  std::vector<std::unique_ptr<KernelProfile>> kernels;
};

} // namespace tilecc::emu
#endif
