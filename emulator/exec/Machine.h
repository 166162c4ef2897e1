//===-- Machine.h - warps, blocks and decoded instructions -----------------------------------------------------===//
//
// A warp is 32 lanes that share their instructions and a register file. The register file consists of rows. A row
// contains one register for all lanes; each lane has as many bits as the register (a predicate has one). Immediates and
// special registers are rows, too. So the handler of an instruction, which is selected once when the kernel is decoded,
// accesses only rows:
//
//   void add(Warp &warp, const Inst &inst, Mask lanes)   d[lane] = a[lane] + b[lane] where `lanes` has the bit
//
// When lanes diverge, they form splits: sets of lanes with their own program counters. The split that is furthest
// behind in the program text runs first, and merges with others where their paths join; this works because compilers
// place joins after branches. Correctness does not depend on it: a collective (shfl.sync, bar.sync ...) waits until all
// lanes that it names have arrived.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_MACHINE_H
#define TILECC_EMULATOR_EXEC_MACHINE_H

#include "emulator/checks/Checker.h"
#include "emulator/exec/BulkCopies.h"
#include "emulator/exec/MadeMaps.h"
#include "emulator/exec/Mbarrier.h"
#include "emulator/exec/TensorMemory.h"
#include "emulator/isa/numerics/Rounding.h"
#include "emulator/isa/numerics/Scalar.h"
#include "emulator/profile/Profile.h"
#include "emulator/ptx/Module.h"

#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <unordered_map>
#include <vector>

namespace tilecc::emu {

struct Block;
struct Cluster;
struct Inst;
struct Launch;
struct Program;
class Replicas;
struct Warp;

// Tells the compiler that the iterations of a loop over lanes are independent, even if rows alias.
#if defined(__clang__)
#define TILECC_LANES _Pragma("clang loop vectorize(assume_safety) unroll(disable)")
#else
#define TILECC_LANES _Pragma("GCC ivdep")
#endif

enum : unsigned { warpSize = 32 };
constexpr Mask allLanes = ~Mask(0);

using Handler = void (*)(Warp &, const Inst &, Mask lanes);

// What the interpreter does for an instruction, in addition to calling its handler.
enum class Flow : uint8_t {
  next, // continue
  branch, // the lanes jump to `target`
  indexed, // brx.idx: each lane jumps to its entry of the jump table
  exit, // the lanes exit
  collective, // wait for the lanes in its member mask
  barrier, // a barrier of the block: the handler selects it; the lanes arrive and may wait
  pause, // continue after others have run, because it polls (nanosleep, a failed try_wait)
  cluster, // barrier.cluster: the lanes arrive or wait
};

// The way in which an instruction moves parts of registers, for tracking undefined values. half, quarter: the
// destination is the lowest part of the source. shift: a right shift of 64 bits. accumulate: the first sources are the
// old destinations, used if the source `predicate` is true. exchange: a shuffle, whose handler tracks the values.
enum class Parts : uint8_t { none, copy, pack, unpack, half, quarter, permute, mask, shift, accumulate, exchange };

struct Inst {
  Handler run = nullptr;
  const uint32_t *op = nullptr; // row offsets in the register file: destinations, then sources
  Flow flow = Flow::next;
  bool guarded = false, guardNegated = false;
  Modifiers fp; // .rz, .ftz, .sat ...
  uint8_t dests = 0, sources = 0;
  uint32_t guard = 0; // row
  uint32_t target = 0; // branch: an instruction; indexed: a jump table
  // Memory instructions.
  bool memory = false; // accesses memory at a computed address
  bool replaces = false; // atom.exch
  bool polls = false; // the load of a wait, and the annotation that follows it (Signals.h)
  bool selects = false; // sources are a, b and a selecting predicate; for wgmma, `target` is the operand that is false
  // if D is not read
  Parts parts = Parts::none;
  uint8_t predicate = 0;
  bool landsLater = false; // tcgen05.ld: writes its destinations until tcgen05.wait::ld
  bool anywhere = false; // a collective whose members may be at different instructions of its kind
  ptx::Space space = ptx::Space::generic;
  Order order = Order::weak;
  Scope scope = Scope::gpu;
  bool wideAddress = false; // the address row has 64 bits per lane
  uint8_t elementBytes = 0; // of one vector element
  int64_t offset = 0; // added to the address
  uint32_t extra = 0; // additional data for the handler
  void (*function)() = nullptr; // called by a shared handler, which knows its type
};

// Returns a row as an array with the value of each lane.
template <class T> T *rowAt(std::byte *file, uint32_t offset) { return reinterpret_cast<T *>(file + offset); }

template <class T> inline void writeLanes(std::byte *file, uint32_t offset, Mask lanes, T value) {
  for (; lanes; lanes &= lanes - 1)
    rowAt<T>(file, offset)[__builtin_ctz(lanes)] = value;
}

// The parameters of a barrier instruction. Its handler sets them.
struct Arrival {
  uint32_t barrier = 0;
  uint32_t count = 0; // threads; 0: all of the block
  bool waits = true;
  enum Reduction : uint8_t { none, popc, logicalAnd, logicalOr } reduction = none; // the result goes to inst.op[0]
  Mask predicate = 0;
};

// The condition that threads are polling.
struct Wait {
  enum Kind : uint8_t { nothing, mbarrier, registers, warpGroup, tensorMemory, peer, signal } kind = nothing;
  uint32_t pc = 0; // of the instruction that returned "not yet"
  const Block *block = nullptr; // owner of the mbarrier
  uint32_t offset = 0, phase = 0;
  uint64_t since = 0; // in a profile: the time of the first such poll
};

struct Split {
  uint32_t pc = 0; // of the instruction where a split waits
  Mask lanes = 0;
  enum State : uint8_t { ready, atCollective, atBarrier, atClusterBarrier } state = ready;
  Mask members = 0; // atCollective: the lanes it waits for
  uint32_t barrier = 0; // atBarrier
  Arrival::Reduction reduction = Arrival::none;
  Wait asksFor; // ready: the condition of its last unsuccessful poll
  uint64_t since = 0; // in a profile: the time when it came to the barrier where it waits
};

// A wgmma that is pending, and the contents that its operands in shared memory had when it was issued.
struct Wgmma {
  const Inst *inst;
  uint64_t (*digest)(Warp &, const Inst &, uint64_t a, uint64_t b);
  uint64_t a, b; // descriptors
  uint64_t before;
  uint64_t group; // numbered from 1
};

struct Warp {
  Block *block = nullptr;
  uint32_t index = 0; // in the block
  std::byte *file = nullptr;
  std::byte *local = nullptr; // localBytes per lane
  Mask alive = 0;
  std::vector<Split> splits;
  Wait asksFor; // of the running split; set by handlers that return "not yet", cleared by those that succeed
  Arrival arrival; // set by handlers of barrier instructions
  Mask arrived[16] = {}; // at barriers with a count: lanes that wait for the rest of the warp to arrive
  // At the cluster barrier: the lanes that have arrived and not waited yet, and the lanes whose phase is not complete.
  Mask clusterArrived = 0, clusterPending = 0;
  AsyncCopies copies;
  std::unique_ptr<BulkGroups> bulkGroups; // once there are any
  uint32_t registers = 0; // per thread, for setmaxnreg; 0: unknown
  struct RegisterChange {
    uint32_t registers, pc;
  };
  std::vector<RegisterChange> registerChanges; // in order
  std::vector<Wgmma> wgmmas;
  uint64_t wgmmaGroups = 0; // number committed
  // If this is checked: the wgmmas for whose registers the warp has not waited. For each row, it has the number of
  // these wgmmas that write the row, and that read it.
  struct InFlight {
    uint32_t pc;
    uint64_t group;
  };
  std::vector<InFlight> inFlight;
  std::vector<uint16_t> accumulatorsInFlight, operandsInFlight;
  // If this is checked: the tcgen05.ld instructions since the last tcgen05.wait::ld. For each row, it has the number of
  // them that write the row.
  std::vector<uint32_t> tensorLoads;
  std::vector<uint16_t> loadsInFlight;
  // For each row, the number (from 1) of the wgmma.fence that must precede a use of the row, or a write of it, by a
  // wgmma. Empty if this is not checked.
  struct FenceNeeded {
    uint32_t beforeUse = 0, beforeWrite = 0;
  };
  std::vector<FenceNeeded> fenceNeeded;
  uint32_t wgmmaFences = 0; // number executed
  using Quarters = std::array<Mask, 4>; // lowest part of a register first
  std::vector<Quarters> undefined; // by row number; empty while no register is known to be undefined
  bool hasShuffledNothing = false; // a shuffle has read a lane that does not participate
  uint64_t warpInstructions = 0, threadInstructions = 0;
  uint64_t clock = 0;
  uint64_t changes = 0; // stores, arrivals, and atomic operations with an effect: a warp that makes none may be waiting
  uint64_t progress = 0; // changes of memory contents, and exits: a launch that makes none may be waiting forever
  uint64_t looks = 0; // strong accesses to global memory, which other blocks may change
  bool watchesRegisters() const {
    return !undefined.empty() || !inFlight.empty() || !fenceNeeded.empty() || !tensorLoads.empty();
  }
  bool paused() const { return asksFor.kind != Wait::nothing; }

  template <class T> T *row(uint32_t offset) { return rowAt<T>(file, offset); }
  Mask &mask(uint32_t offset) { return *rowAt<Mask>(file, offset); }
  uint32_t pc(const Inst &inst) const; // index of the instruction
  Place place(const Inst &inst, Mask lanes) const; // of the first of the lanes
  // Ends the launch with an error at this instruction.
  [[noreturn]] void fault(const Inst &inst, Mask lanes, int error, const std::string &key, const std::string &what,
                          const std::vector<std::string> &details = {});
};

// One of a block's 16 barriers.
struct Barrier {
  uint32_t arrived = 0; // threads that have arrived in this phase; whole warps if there is a count
  uint32_t count = 0; // threads that the phase requires; 0: all of the block that have not exited
  uint32_t phase = 0;
  uint32_t ones = 0; // bar.red: threads whose predicate was true
  Place first; // first arrival in this phase, for messages
  uint64_t latest = 0; // in a profile: the time of the last arrival
};

struct Block {
  Launch *launch = nullptr;
  Cluster *cluster = nullptr;
  uint32_t rank = 0; // in the cluster
  uint32_t id[3] = {0, 0, 0};
  uint64_t number = 0; // linear index
  uint32_t threads = 0;
  std::byte *shared = nullptr;
  uint32_t sharedBytes = 0;
  std::vector<Warp> warps;
  Barrier barriers[16];
  std::unordered_map<uint32_t, Mbarrier> mbarriers; // initialized ones, by offset in shared memory
  BulkCopies bulkCopies; // issued by its threads
  std::unique_ptr<TensorMemory> tensor; // once used
  TensorWork tensorWork; // tensor core work issued by its threads (tcgen05)
  uint32_t freeRegisters = 0; // released by warps with setmaxnreg
  bool knowsLastCancel = false; // a clusterlaunchcontrol.try_cancel has found nothing to cancel
  std::unordered_map<uint64_t, uint64_t> acquiredMaps; // versions of tensor maps that it has acquired, by address
  std::unique_ptr<BlockChecker> checker; // null: no checks
  std::unique_ptr<BlockProfile> profile; // null: no profile
  std::unique_ptr<Replicas> replicas; // null: not compared
  std::unique_ptr<std::byte[]> storage; // backs the pointers above

  Block();
  ~Block();
  uint32_t aliveThreads() const;
  bool finished() const { return aliveThreads() == 0; }
};

// Blocks that run at the same time and access each other's shared memory. Without clusters, each block is a cluster of
// its own.
struct Cluster {
  Launch *launch = nullptr;
  std::vector<std::unique_ptr<Block>> blocks; // by rank
  struct {
    uint32_t arrived = 0, phase = 0;
    Place first;
    uint64_t latest = 0; // in a profile: the time of the last arrival, also of completed phases
  } barrier;
  bool changesNothing = false; // in its last round: it may be waiting for other clusters
  uint32_t idleRounds = 0; // consecutive rounds in which threads only polled

  bool finished() const;
};

// The state that the blocks of a launch share.
struct Launch {
  const Program *program = nullptr;
  DeviceMemory *memory = nullptr;
  Reporter *reporter = nullptr;
  LaunchChecker *checker = nullptr; // null: no checks
  KernelProfile *profile = nullptr; // null: no profile
  uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  uint32_t cluster[3] = {1, 1, 1}; // in blocks
  bool isExplicitCluster = false; // specified by the launch or the kernel
  uint32_t clusterBlocks() const { return cluster[0] * cluster[1] * cluster[2]; }
  uint64_t clusterCount() const { return uint64_t(grid[0]) * grid[1] * grid[2] / clusterBlocks(); }
  // The number of the next cluster to start. Whoever starts or cancels a cluster takes its number.
  std::atomic<uint64_t> nextCluster{0};
  // Computes the position in the grid of the first block of a cluster.
  void firstBlock(uint64_t number, uint32_t (&id)[3]) const;
  uint32_t dynamicShared = 0;
  // The address of the barrier of a cooperative launch, whose blocks all run at the same time. Its form is that of
  // CUDA's headers.
  uint64_t gridWorkspace = 0;
  std::vector<std::byte> params;
  MadeMaps madeMaps;
  uint64_t instructionLimit = 0;
  uint64_t idleLimit = 0; // maximum instructions without progress
  bool checksInitialized = false, checksReplicas = false;
  void (*print)(const char *text, size_t size) = nullptr;
};

// Ends the launch with an error of the thread at `place`.
[[noreturn]] void faultAt(const Launch &launch, const Place &place, int error, const std::string &key,
                          const std::string &what, const std::vector<std::string> &details = {});

// Generic addresses outside global memory: there is one window for each state space.
constexpr uint64_t sharedWindow = 0x0001'0000'0000'0000, localWindow = 0x0002'0000'0000'0000,
                   paramWindow = 0x0003'0000'0000'0000, windowMask = 0xffff'0000'0000'0000;

// A .shared::cluster address is an offset in the shared memory of this block. If the bits from this one on are not
// zero, they are the rank of another block plus one, and the offset is in the shared memory of that block.
constexpr unsigned clusterRankShift = 24;

} // namespace tilecc::emu
#endif
