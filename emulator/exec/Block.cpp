//===-- Block.cpp - creates clusters, blocks and warps ----------------------------------------------------------===//
#include "emulator/exec/Interpreter.h"
#include "emulator/exec/Program.h"
#include "emulator/exec/Replicas.h"

#include <algorithm>

using namespace tilecc::emu;

uint32_t Warp::pc(const Inst &inst) const { return &inst - block->launch->program->code.data(); }

Place Warp::place(const Inst &inst, Mask lanes) const {
  uint32_t lane = lanes ? __builtin_ctz(lanes) : 0;
  return {block->number, index * warpSize + lane, pc(inst), block->profile ? block->profile->now(index) : 0};
}

void tilecc::emu::faultAt(const Launch &launch, const Place &place, int error, const std::string &key,
                          const std::string &what, const std::vector<std::string> &details) {
  Reporter &reporter = *launch.reporter;
  std::vector<std::string> lines = {reporter.thread(place) + " executes",
                                    "  " + reporter.names().instruction(place.pc)};
  lines.insert(lines.end(), details.begin(), details.end());
  reporter.fault(error, key, place, what, lines);
}

void Warp::fault(const Inst &inst, Mask lanes, int error, const std::string &key, const std::string &what,
                 const std::vector<std::string> &details) {
  faultAt(*block->launch, place(inst, lanes), error, key, what, details);
}

Block::Block() = default;
Block::~Block() = default;

uint32_t Block::aliveThreads() const {
  uint32_t count = 0;
  for (const Warp &warp : warps)
    count += __builtin_popcount(warp.alive);
  return count;
}

static uint64_t specialValue(const Block &block, const Warp &warp, uint32_t lane, Program::Special special) {
  const Launch &launch = *block.launch;
  uint32_t thread = warp.index * warpSize + lane;
  using Special = Program::Special;
  switch (special) {
  case Special::tidX: return thread % launch.block[0];
  case Special::tidY: return thread / launch.block[0] % launch.block[1];
  case Special::tidZ: return thread / launch.block[0] / launch.block[1];
  case Special::ntidX:
  case Special::ntidY:
  case Special::ntidZ: return launch.block[static_cast<int>(special) - static_cast<int>(Special::ntidX)];
  case Special::ctaidX:
  case Special::ctaidY:
  case Special::ctaidZ: return block.id[static_cast<int>(special) - static_cast<int>(Special::ctaidX)];
  case Special::nctaidX:
  case Special::nctaidY:
  case Special::nctaidZ: return launch.grid[static_cast<int>(special) - static_cast<int>(Special::nctaidX)];
  case Special::laneid: return lane;
  case Special::warpid: return warp.index;
  case Special::nwarpid: return block.warps.size();
  case Special::lanemaskEq: return 1u << lane;
  case Special::lanemaskLe: return (2ull << lane) - 1;
  case Special::lanemaskLt: return (1u << lane) - 1;
  case Special::lanemaskGe: return ~((1u << lane) - 1);
  case Special::lanemaskGt: return static_cast<u32>(~((2ull << lane) - 1));
  case Special::dynamicShared: return launch.dynamicShared;
  case Special::totalShared: return launch.program->sharedBytes + launch.dynamicShared;
  case Special::clusteridX:
  case Special::clusteridY:
  case Special::clusteridZ: {
    unsigned axis = static_cast<int>(special) - static_cast<int>(Special::clusteridX);
    return block.id[axis] / launch.cluster[axis];
  }
  case Special::nclusteridX:
  case Special::nclusteridY:
  case Special::nclusteridZ: {
    unsigned axis = static_cast<int>(special) - static_cast<int>(Special::nclusteridX);
    return launch.grid[axis] / launch.cluster[axis];
  }
  case Special::clusterCtaidX:
  case Special::clusterCtaidY:
  case Special::clusterCtaidZ: {
    unsigned axis = static_cast<int>(special) - static_cast<int>(Special::clusterCtaidX);
    return block.id[axis] % launch.cluster[axis];
  }
  case Special::clusterNctaidX:
  case Special::clusterNctaidY:
  case Special::clusterNctaidZ:
    return launch.cluster[static_cast<int>(special) - static_cast<int>(Special::clusterNctaidX)];
  case Special::clusterRank: return block.rank;
  case Special::clusterBlocks: return launch.clusterBlocks();
  case Special::isExplicitCluster: return launch.isExplicitCluster;
  case Special::envreg1: return launch.gridWorkspace >> 32;
  case Special::envreg2: return launch.gridWorkspace;
  case Special::smid:
  case Special::gridid: return 0;
  case Special::nsmid: return 1;
  }
  return 0;
}

static std::unique_ptr<Block> startBlock(Launch &launch, Cluster &cluster, const uint32_t (&id)[3]) {
  const Program &program = *launch.program;
  auto block = std::make_unique<Block>();
  block->launch = &launch;
  block->cluster = &cluster;
  block->rank = cluster.blocks.size();
  std::copy(std::begin(id), std::end(id), block->id);
  block->number = id[0] + uint64_t(launch.grid[0]) * (id[1] + uint64_t(launch.grid[1]) * id[2]);
  block->threads = launch.block[0] * launch.block[1] * launch.block[2];
  block->sharedBytes = program.sharedBytes + launch.dynamicShared;
  uint32_t warps = (block->threads + warpSize - 1) / warpSize;

  // All memory of a block is one allocation: shared memory, then each warp's register file and local memory. 128 bytes
  // is the largest alignment that any access requires (TMA, in shared memory).
  constexpr size_t align = 128;
  auto round = [](size_t bytes) { return (bytes + align - 1) / align * align; };
  size_t fileBytes = round(program.initialFile.size()), localBytes = round(size_t(program.localBytes) * warpSize);
  block->storage =
      std::make_unique_for_overwrite<std::byte[]>(align + round(block->sharedBytes) + warps * (fileBytes + localBytes));
  auto *at = reinterpret_cast<std::byte *>(round(reinterpret_cast<uintptr_t>(block->storage.get())));
  block->shared = at;
  std::memset(block->shared, 0xa5, block->sharedBytes);
  at += round(block->sharedBytes);
  block->warps.resize(warps);
  for (uint32_t w = 0; w < warps; ++w) {
    Warp &warp = block->warps[w];
    warp.block = block.get();
    warp.index = w;
    warp.registers = program.registersAtLaunch;
    warp.file = at;
    warp.local = at + fileBytes;
    at += fileBytes + localBytes;
    std::memcpy(warp.file, program.initialFile.data(), program.initialFile.size());
    std::memset(warp.local, 0xa5, localBytes);
    uint32_t lanes = std::min<uint32_t>(warpSize, block->threads - w * warpSize);
    warp.alive = lanes == warpSize ? allLanes : (Mask(1) << lanes) - 1;
    Split all;
    all.lanes = warp.alive;
    warp.splits.push_back(all);
    for (const Program::SpecialRow &row : program.specials)
      for (uint32_t lane = 0; lane < warpSize; ++lane) {
        uint64_t value = specialValue(*block, warp, lane, row.special);
        if (row.wide)
          warp.row<u64>(row.row)[lane] = value;
        else
          warp.row<u32>(row.row)[lane] = static_cast<u32>(value);
      }
    if (program.hasWgmma && launch.checksInitialized)
      warp.fenceNeeded.resize(program.rowNumbers);
    if (program.tracksUndefined && launch.checksInitialized) {
      warp.undefined.assign(program.rowNumbers, {});
      for (uint32_t row : program.undefinedAtEntry)
        warp.undefined[row].fill(allLanes);
    }
  }
  if (launch.checksReplicas)
    block->replicas = std::make_unique<Replicas>();
  if (launch.profile)
    block->profile = std::make_unique<BlockProfile>(*launch.profile, block->number, warps);
  if (launch.checker)
    block->checker = launch.checker->startBlock(block->number, warps, block->shared, block->sharedBytes,
                                                program.localBytes, program.paramBytes, block->threads);
  return block;
}

bool Cluster::finished() const {
  return std::all_of(blocks.begin(), blocks.end(), [](const auto &block) { return block->finished(); });
}

// Clusters of the grid are numbered along x first.
void Launch::firstBlock(uint64_t number, uint32_t (&id)[3]) const {
  for (int axis = 0; axis < 3; ++axis) {
    uint32_t clusters = grid[axis] / cluster[axis];
    id[axis] = static_cast<uint32_t>(number % clusters) * cluster[axis];
    number /= clusters;
  }
}

// `number`: index in the grid of clusters. The blocks of a cluster are adjacent along each axis; ranks are assigned
// along x first.
std::unique_ptr<Cluster> tilecc::emu::startCluster(Launch &launch, uint64_t number) {
  auto cluster = std::make_unique<Cluster>();
  cluster->launch = &launch;
  uint32_t first[3];
  launch.firstBlock(number, first);
  for (uint32_t z = 0; z < launch.cluster[2]; ++z)
    for (uint32_t y = 0; y < launch.cluster[1]; ++y)
      for (uint32_t x = 0; x < launch.cluster[0]; ++x)
        cluster->blocks.push_back(startBlock(launch, *cluster, {first[0] + x, first[1] + y, first[2] + z}));
  return cluster;
}
