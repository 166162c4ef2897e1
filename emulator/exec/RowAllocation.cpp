//===-- RowAllocation.cpp --------------------------------------------------------------------------------------===//
#include "emulator/exec/RowAllocation.h"

#include <algorithm>
#include <map>

using namespace tilecc::emu;

namespace {

using Bits = std::vector<uint64_t>;

struct BasicBlock {
  uint32_t begin, end; // in instructions
  std::vector<uint32_t> successors;
  Bits reads, writes; // reads: before any write in the block; writes: of the whole row
  Bits liveIn, liveOut;
};

void set(Bits &bits, uint32_t i) { bits[i / 64] |= uint64_t(1) << i % 64; }
bool test(const Bits &bits, uint32_t i) { return bits[i / 64] >> i % 64 & 1; }

template <class F> void forEach(const Bits &bits, F f) {
  for (size_t word = 0; word < bits.size(); ++word)
    for (uint64_t rest = bits[word]; rest; rest &= rest - 1)
      f(static_cast<uint32_t>(word * 64 + __builtin_ctzll(rest)));
}

std::vector<BasicBlock> findBlocks(const std::vector<RowUse> &code,
                                   const std::vector<std::vector<uint32_t>> &jumpTables) {
  std::vector<char> leads(code.size() + 1, 0);
  leads[0] = 1;
  for (size_t i = 0; i < code.size(); ++i) {
    if (code[i].flow == Flow::branch)
      leads[code[i].target] = 1;
    if (code[i].flow == Flow::indexed)
      for (uint32_t target : jumpTables[code[i].target])
        leads[target] = 1;
    if (code[i].flow == Flow::branch || code[i].flow == Flow::indexed || code[i].flow == Flow::exit)
      leads[i + 1] = 1;
  }
  std::vector<BasicBlock> blocks;
  std::vector<uint32_t> blockAt(code.size() + 1);
  for (uint32_t i = 0; i < code.size(); ++i) {
    if (leads[i])
      blocks.push_back({i, i, {}, {}, {}, {}, {}});
    blockAt[i] = blocks.size() - 1;
    blocks.back().end = i + 1;
  }
  for (BasicBlock &block : blocks) {
    const RowUse &last = code[block.end - 1];
    bool leaves = (last.flow == Flow::branch || last.flow == Flow::exit || last.flow == Flow::indexed) && !last.partial;
    if (!leaves && block.end < code.size())
      block.successors.push_back(blockAt[block.end]);
    if (last.flow == Flow::branch)
      block.successors.push_back(blockAt[last.target]);
    if (last.flow == Flow::indexed)
      for (uint32_t target : jumpTables[last.target])
        block.successors.push_back(blockAt[target]);
  }
  return blocks;
}

void findLiveness(std::vector<BasicBlock> &blocks, const std::vector<VirtualRow> &rows,
                  const std::vector<RowUse> &code) {
  size_t words = (rows.size() + 63) / 64;
  for (BasicBlock &block : blocks) {
    block.reads = block.writes = block.liveIn = block.liveOut = Bits(words);
    for (uint32_t i = block.begin; i < block.end; ++i) {
      const std::vector<uint32_t> &used = *code[i].rows;
      for (size_t k = code[i].dests; k < used.size(); ++k)
        if (!rows[used[k]].fixed && !test(block.writes, used[k]))
          set(block.reads, used[k]);
      for (size_t k = 0; k < code[i].dests; ++k)
        if (code[i].partial && !test(block.writes, used[k]))
          set(block.reads, used[k]); // values that inactive lanes keep count as read
        else
          set(block.writes, used[k]);
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = blocks.size(); b-- > 0;) {
      BasicBlock &block = blocks[b];
      for (size_t w = 0; w < words; ++w) {
        uint64_t out = block.liveOut[w];
        for (uint32_t successor : block.successors)
          out |= blocks[successor].liveIn[w];
        uint64_t in = block.reads[w] | (out & ~block.writes[w]);
        changed |= in != block.liveIn[w] || out != block.liveOut[w];
        block.liveOut[w] = out;
        block.liveIn[w] = in;
      }
    }
  }
}

struct Range {
  uint32_t begin = ~0u, end = 0;
  void include(uint32_t at) {
    begin = std::min(begin, at);
    end = std::max(end, at);
  }
};

uint32_t bytesOf(const VirtualRow &row) { return row.bits == 1 ? sizeof(Mask) : row.bits / 8 * warpSize; }

} // namespace

RowAllocation tilecc::emu::allocateRows(const std::vector<VirtualRow> &rows, const std::vector<RowUse> &code,
                                        const std::vector<std::vector<uint32_t>> &jumpTables) {
  std::vector<BasicBlock> blocks = findBlocks(code, jumpTables);
  findLiveness(blocks, rows, code);
  std::vector<Range> ranges(rows.size());
  for (const BasicBlock &block : blocks) {
    forEach(block.liveIn, [&](uint32_t row) { ranges[row].include(2 * block.begin); });
    forEach(block.liveOut, [&](uint32_t row) { ranges[row].include(2 * block.end); });
    // Positions are doubled: an instruction reads at 2i and writes at 2i + 1. A destination must not share a row with a
    // source, because handlers with several results read sources after the first write.
    for (uint32_t i = block.begin; i < block.end; ++i)
      for (size_t k = 0; k < code[i].rows->size(); ++k) {
        uint32_t row = (*code[i].rows)[k];
        ranges[row].include(2 * i);
        ranges[row].include(2 * i + 1);
      }
  }

  RowAllocation result;
  result.offsets.resize(rows.size());
  std::vector<uint32_t> order;
  for (uint32_t row = 0; row < rows.size(); ++row)
    if (!rows[row].fixed && ranges[row].begin != ~0u)
      order.push_back(row);
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return std::pair(ranges[a].begin, a) < std::pair(ranges[b].begin, b); });

  // Rows of 32 lanes of a byte or more are aligned to their size, up to 64 bytes; predicates come first.
  std::map<uint32_t, std::vector<uint32_t>> freeRows; // by size: positions in units of the size
  std::map<uint32_t, uint32_t> places; // by size: number of positions
  std::vector<uint32_t> placeOf(rows.size());
  std::vector<uint32_t> active; // a heap by end of range
  auto endsLater = [&](uint32_t a, uint32_t b) { return ranges[a].end > ranges[b].end; };
  for (uint32_t row : order) {
    while (!active.empty() && ranges[active.front()].end < ranges[row].begin) {
      std::pop_heap(active.begin(), active.end(), endsLater);
      freeRows[bytesOf(rows[active.back()])].push_back(placeOf[active.back()]);
      active.pop_back();
    }
    uint32_t size = bytesOf(rows[row]);
    std::vector<uint32_t> &free = freeRows[size];
    if (free.empty()) {
      placeOf[row] = places[size]++;
    } else {
      placeOf[row] = free.back();
      free.pop_back();
    }
    active.push_back(row);
    std::push_heap(active.begin(), active.end(), endsLater);
  }
  for (uint32_t row = 0; row < rows.size(); ++row)
    if (rows[row].fixed)
      placeOf[row] = places[bytesOf(rows[row])]++;

  std::map<uint32_t, uint32_t> base;
  uint32_t fileBytes = 0;
  for (auto [size, count] : places) {
    fileBytes = (fileBytes + 63) / 64 * 64;
    base[size] = fileBytes;
    fileBytes += size * count;
  }
  // Unwritten registers hold an implausible value.
  result.initialFile.assign((fileBytes + 63) / 64 * 64, std::byte{0xa5});
  for (uint32_t row = 0; row < rows.size(); ++row) {
    uint32_t size = bytesOf(rows[row]);
    result.offsets[row] = base[size] + placeOf[row] * size;
    if (!rows[row].fixed)
      continue;
    std::byte *at = result.initialFile.data() + result.offsets[row];
    if (rows[row].bits == 1) {
      Mask mask = rows[row].value ? allLanes : 0;
      std::memcpy(at, &mask, sizeof(mask));
    } else {
      unsigned bytes = rows[row].bits / 8;
      std::memset(at, 0, size);
      for (unsigned lane = 0; lane < warpSize; ++lane)
        std::memcpy(at + lane * bytes, &rows[row].value, std::min(bytes, 8u));
    }
  }
  if (!blocks.empty())
    forEach(blocks.front().liveIn, [&](uint32_t row) { result.readBeforeWritten.push_back(row); });
  return result;
}
