//===-- Machine.h - warps, blocks and decoded instructions -----------------------------------------------------===//
//
// A warp is 32 lanes that share instructions and a register file. The file is rows: a row holds one register for all
// lanes, lane by lane in the register's own width (a predicate: one bit per lane). Immediates and special registers are
// rows, too, so that an instruction's handler, chosen once when the kernel is decoded, sees nothing but rows:
//
//   void add(Warp &warp, const Inst &inst, Mask lanes)   d[lane] = a[lane] + b[lane] where `lanes` has the bit
//
// Lanes that have diverged are splits: sets of lanes with a program counter of their own. The split that is furthest
// behind in the text runs, and meets the others where their paths join again, since compilers put joins after branches.
// Nothing depends on that: a collective (shfl.sync, bar.sync ...) waits until the lanes that it names have come.
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

// Iterations are independent, also where rows are the same.
#if defined(__clang__)
#define TILECC_LANES _Pragma("clang loop vectorize(assume_safety) unroll(disable)")
#else
#define TILECC_LANES _Pragma("GCC ivdep")
#endif

enum : unsigned { warpSize = 32 };
constexpr Mask allLanes = ~Mask(0);

using Handler = void (*)(Warp &, const Inst &, Mask lanes);

// What the interpreter does about an instruction besides running its handler.
enum class Flow : uint8_t {
  next,       // goes on
  branch,     // the lanes go to `target`
  indexed,    // brx.idx: each lane to its entry of the jump table
  exit,       // the lanes are done
  collective, // waits for the lanes that its member mask names
  barrier,    // a barrier of the block: the handler says which, and the lanes arrive there and may wait
  pause,      // goes on, but others first: what it waits for must get a chance (nanosleep, a failed try_wait)
  cluster,    // barrier.cluster: the lanes arrive, or wait
};

// How an instruction moves parts of registers, for who follows what is in them.
// half, quarter: the destination has that much of the source, its lowest part. shift: to the right, of 64 bits.
// accumulate: the first sources are what the destinations were, and count where the source `predicate` is true.
enum class Parts : uint8_t { none, copy, pack, unpack, half, quarter, permute, mask, shift, accumulate };

struct Inst {
  Handler run = nullptr;
  const uint32_t *op = nullptr; // the rows' offsets in the register file: destinations, then sources
  Flow flow = Flow::next;
  bool guarded = false, guardNegated = false;
  Modifiers fp; // .rz, .ftz, .sat ...
  uint8_t dests = 0, sources = 0;
  uint32_t guard = 0;  // row
  uint32_t target = 0; // branch: instruction; indexed: jump table
  // Memory instructions.
  bool memory = false;  // reads or writes memory at an address that it computes
  bool selects = false; // sources a, b and a predicate that picks one; of wgmma: `target` says which operand is false
                        // if D is not read
  Parts parts = Parts::none;
  uint8_t predicate = 0;
  bool landsLater = false; // tcgen05.ld: its destinations are not written before tcgen05.wait::ld
  bool anywhere = false; // a collective whose members may be at different instructions of its kind
  ptx::Space space = ptx::Space::generic;
  Order order = Order::weak;
  Scope scope = Scope::gpu;
  bool wideAddress = false; // the address row has 64 bits a lane
  uint8_t elementBytes = 0; // of one vector element
  int64_t offset = 0;       // added to the address
  uint32_t extra = 0;       // what else a handler wants to know
  void (*function)() = nullptr; // what a handler calls that is for several, as it knows it
};

// A row as an array of its lanes' values.
template <class T> T *rowAt(std::byte *file, uint32_t offset) { return reinterpret_cast<T *>(file + offset); }

template <class T> inline void writeLanes(std::byte *file, uint32_t offset, Mask lanes, T value) {
  for (; lanes; lanes &= lanes - 1)
    rowAt<T>(file, offset)[__builtin_ctz(lanes)] = value;
}

// What a barrier instruction wants, from its handler.
struct Arrival {
  uint32_t barrier = 0;
  uint32_t count = 0; // threads; 0: all of the block
  bool waits = true;
  enum Reduction : uint8_t { none, popc, logicalAnd, logicalOr } reduction = none; // into inst.op[0]
  Mask predicate = 0;
};

// What threads that are not stopped ask for again and again.
struct Wait {
  enum Kind : uint8_t { nothing, mbarrier, registers, warpGroup, tensorMemory, peer } kind = nothing;
  uint32_t pc = 0;              // of the instruction that has said "not yet"
  const Block *block = nullptr; // whose mbarrier
  uint32_t offset = 0, phase = 0;
};

struct Split {
  uint32_t pc = 0; // of a split that waits: of the instruction it waits at
  Mask lanes = 0;
  enum State : uint8_t { ready, atCollective, atBarrier, atClusterBarrier } state = ready;
  Mask members = 0;     // atCollective: whom it waits for
  uint32_t barrier = 0; // atBarrier
  Arrival::Reduction reduction = Arrival::none;
  Wait asksFor; // ready: what it was told to wait for when it asked last
};

// A product of wgmma that has not been waited for, and what its operands in shared memory were when it was issued.
struct Product {
  const Inst *inst;
  uint64_t (*digest)(Warp &, const Inst &, uint64_t a, uint64_t b);
  uint64_t a, b; // descriptors
  uint64_t before;
  uint64_t group; // from 1 on
};

struct Warp {
  Block *block = nullptr;
  uint32_t index = 0; // in the block
  std::byte *file = nullptr;
  std::byte *local = nullptr; // localBytes for each lane
  Mask alive = 0;
  std::vector<Split> splits;
  Wait asksFor;    // of the split that runs; set by handlers that say "not yet", and cleared by those that say yes
  Arrival arrival; // set by the handlers of barrier instructions
  Mask arrived[16] = {}; // at barriers with a count: lanes that wait for the others of the warp to come, too
  // At the barrier of the cluster: lanes that have arrived and not waited yet, and those whose phase is not complete.
  Mask clusterArrived = 0, clusterPending = 0;
  AsyncCopies copies;
  std::unique_ptr<BulkGroups> bulkGroups; // once there are any
  uint32_t registers = 0;                // of each thread: setmaxnreg; 0: not known
  struct RegisterChange {
    uint32_t registers, pc;
  };
  std::vector<RegisterChange> registerChanges; // in turn
  std::vector<Product> products;
  uint64_t productGroups = 0; // committed
  // Products whose registers the warp has not waited for, where that is checked, and by row number how many of them
  // write the row and how many read it.
  struct InFlight {
    uint32_t pc;
    uint64_t group;
  };
  std::vector<InFlight> inFlight;
  std::vector<uint16_t> sumsInFlight, operandsInFlight;
  // What tcgen05.ld writes and tcgen05.wait::ld has not made sure of, where that is checked: instructions, and by row
  // number how many of them write the row.
  std::vector<uint32_t> tensorLoads;
  std::vector<uint16_t> loadsInFlight;
  // By row number, which wgmma.fence has to come before a product uses it, or writes it, counted from 1; empty where that is
  // not checked.
  struct FenceNeeded {
    uint32_t beforeUse = 0, beforeWrite = 0;
  };
  std::vector<FenceNeeded> fenceNeeded;
  uint32_t productFences = 0; // that there were
  using Quarters = std::array<Mask, 4>; // the lowest part of a register first
  std::vector<Quarters> undefined;      // by row number, where the program tracks it
  uint64_t warpInstructions = 0, threadInstructions = 0;
  uint64_t clock = 0;
  uint64_t changes = 0; // stores, arrivals, atomic operations that changed something: a warp without any may be waiting
  uint64_t progress = 0; // what changed the contents of memory, and exits: a launch without any may wait for ever
  uint64_t looks = 0;   // at what other blocks may change: strong accesses to global memory
  bool watchesRegisters() const {
    return !undefined.empty() || !inFlight.empty() || !fenceNeeded.empty() || !tensorLoads.empty();
  }
  bool paused() const { return asksFor.kind != Wait::nothing; }

  template <class T> T *row(uint32_t offset) { return rowAt<T>(file, offset); }
  Mask &mask(uint32_t offset) { return *rowAt<Mask>(file, offset); }
  uint32_t pc(const Inst &inst) const; // the instruction's index
  Place place(const Inst &inst, Mask lanes) const; // of the first of the lanes
  // Ends the launch with an error at this instruction.
  [[noreturn]] void fault(const Inst &inst, Mask lanes, int error, const std::string &key, const std::string &what,
                          const std::vector<std::string> &details = {});
};

// One of a block's 16 barriers.
struct Barrier {
  uint32_t arrived = 0;  // threads in this phase; whole warps of them where there is a count
  uint32_t count = 0;    // threads that the phase takes; 0: every one of the block that has not exited
  uint32_t phase = 0;
  uint32_t ones = 0;     // bar.red: threads whose predicate was true
  Place first;           // who arrived first in this phase, for messages
};

struct Block {
  Launch *launch = nullptr;
  Cluster *cluster = nullptr;
  uint32_t rank = 0; // in the cluster
  uint32_t id[3] = {0, 0, 0};
  uint64_t number = 0; // linear
  uint32_t threads = 0;
  std::byte *shared = nullptr;
  uint32_t sharedBytes = 0;
  std::vector<Warp> warps;
  Barrier barriers[16];
  std::unordered_map<uint32_t, Mbarrier> mbarriers; // that are initialized, by their offset in shared memory
  BulkCopies bulkCopies;                 // that its threads have issued
  std::unique_ptr<TensorMemory> tensor;  // once it is used
  TensorWork tensorWork;                 // what its threads have issued of the tensor core's (tcgen05)
  uint32_t freeRegisters = 0;            // that warps have given back by setmaxnreg
  bool knowsLastCancel = false;          // that a clusterlaunchcontrol.try_cancel has found nothing to cancel
  std::unordered_map<uint64_t, uint64_t> acquiredMaps; // the versions of tensor maps that it has acquired, by address
  std::unique_ptr<BlockChecker> checker; // null: no checks
  std::unique_ptr<Replicas> replicas;    // null: they are not compared
  std::unique_ptr<std::byte[]> storage;  // of what is pointed at above

  Block();
  ~Block();
  uint32_t aliveThreads() const;
  bool finished() const { return aliveThreads() == 0; }
};

// Blocks that run together and see each other's shared memory. Without clusters, each block is one.
struct Cluster {
  Launch *launch = nullptr;
  std::vector<std::unique_ptr<Block>> blocks; // by rank
  struct {
    uint32_t arrived = 0, phase = 0;
    Place first;
  } barrier;
  bool changesNothing = false; // in its last round: it may be waiting for other clusters
  uint32_t idleRounds = 0;     // in a row, in which threads only asked again for what they wait for

  bool finished() const;
};

// What a launch's blocks share and do not change.
struct Launch {
  const Program *program = nullptr;
  DeviceMemory *memory = nullptr;
  Reporter *reporter = nullptr;
  LaunchChecker *checker = nullptr; // null: no checks
  uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  uint32_t cluster[3] = {1, 1, 1}; // blocks
  bool isExplicitCluster = false;  // the launch or the kernel says so
  uint32_t clusterBlocks() const { return cluster[0] * cluster[1] * cluster[2]; }
  uint64_t clusterCount() const { return uint64_t(grid[0]) * grid[1] * grid[2] / clusterBlocks(); }
  // The number of the cluster that starts next. Numbers are taken by who starts one, or cancels it.
  std::atomic<uint64_t> nextCluster{0};
  // Where the first block of a cluster is in the grid.
  void firstBlock(uint64_t number, uint32_t (&id)[3]) const;
  uint32_t dynamicShared = 0;
  // Of a cooperative launch, all of whose blocks run together: the address of its barrier, as CUDA's headers have it.
  uint64_t gridWorkspace = 0;
  std::vector<std::byte> params;
  MadeMaps madeMaps;
  uint64_t instructionLimit = 0;
  uint64_t idleLimit = 0; // of instructions without progress
  bool checksInitialized = false, checksReplicas = false;
  void (*print)(const char *text, size_t size) = nullptr;
};

// Ends the launch with an error of the thread at this place.
[[noreturn]] void faultAt(const Launch &launch, const Place &place, int error, const std::string &key,
                          const std::string &what, const std::vector<std::string> &details = {});

// Generic addresses outside global memory: a window for each space.
constexpr uint64_t sharedWindow = 0x0001'0000'0000'0000, localWindow = 0x0002'0000'0000'0000,
                   paramWindow = 0x0003'0000'0000'0000, windowMask = 0xffff'0000'0000'0000;

// An address of .shared::cluster: an offset in the own block's shared memory, or, where these bits are not zero, in
// that of the block whose rank they are, plus one.
constexpr unsigned clusterRankShift = 24;

} // namespace tilecc::emu
#endif
