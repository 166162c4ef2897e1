//===-- AccessChecks.cpp - the checks of each access -----------------------------------------------------------===//
#include "emulator/checks/CheckerState.h"

#include <bit>

using namespace tilecc::emu;

void BlockChecker::State::check(const Access &access, const Engine &engine) {
  if (!access.lanes)
    return;
  if (options.memory)
    checkAlignment(access);
  if (access.where == Access::local || access.where == Access::param) {
    if (options.memory)
      checkRoom(access, access.where == Access::local ? localBytes : paramBytes);
    return;
  }

  const WarpClocks &clocks = warps[access.warp].clocks;
  Segment event;
  bool byThreads = engine.actor == Actor::threads;
  event.block = static_cast<uint32_t>(engine.actor == Actor::transactions ? engine.block : block);
  event.warp = access.warp;
  event.by = static_cast<uint32_t>(engine.actor);
  event.mbarrier = engine.mbarrier;
  event.clock = byThreads ? clocks.clock() : engine.clock;
  event.pc = access.pc;
  event.kind = access.kind;
  event.strong = access.order != Order::weak || access.kind == Access::atomic;
  event.scope = static_cast<uint32_t>(access.scope);
  pieces.build(access, event);
  if (options.memory)
    checkBounds(access);
  else if (!isThere(access)) // the access itself will fail
    return;
  // From here on, all bytes are known to exist.
  if (options.initialized)
    checkInitialized(access);
  if (options.races && access.where != Access::constant)
    checkRaces(access, engine);
}

void BlockChecker::State::checkAlignment(const Access &access) {
  uint64_t wrong = 0;
  for (Mask rest = access.lanes; rest; rest &= rest - 1)
    wrong |= access.address[std::countr_zero(rest)] & (access.align - 1);
  if (!wrong)
    return;
  for (Mask rest = access.lanes; rest; rest &= rest - 1)
    if (unsigned lane = std::countr_zero(rest); access.address[lane] & (access.align - 1))
      findings.misaligned(access, lane);
}

void BlockChecker::State::checkRoom(const Access &access, uint64_t room) {
  for (Mask rest = access.lanes; rest; rest &= rest - 1)
    if (uint64_t address = access.address[std::countr_zero(rest)]; address > room || access.bytes > room - address)
      findings.outOfBounds(access, std::countr_zero(rest), room);
}

bool BlockChecker::State::isThere(const Access &access) {
  for (const Piece &piece : pieces)
    if (access.where == Access::tensor   ? piece.line + piece.segment.bytes.last() >= tensorAddress(0, tensorColumns)
        : access.where == Access::shared ? piece.line + piece.segment.bytes.last() >= homeOf(access).sharedBytes
                                         : !launch.memory.backing(piece.line, lineBytes))
      return false;
  return true;
}

void BlockChecker::State::checkBounds(const Access &access) {
  const DeviceMemory &memory = launch.memory;
  if (access.where == Access::tensor) // its addresses are checked where they are computed
    return;
  uint32_t sharedBytes = homeOf(access).sharedBytes;
  auto isValid = [&](uint64_t address, uint32_t bytes) {
    if (access.where == Access::shared)
      return address <= sharedBytes && bytes <= sharedBytes - address;
    return memory.check(address, bytes) == DeviceMemory::State::valid;
  };
  for (const Piece &piece : pieces) {
    uint32_t first = piece.segment.bytes.first(), last = piece.segment.bytes.last();
    uint64_t address = piece.line + first;
    bool valid = isValid(address, last - first + 1);
    bool writable = access.where == Access::shared || access.kind == Access::load ||
                    (access.where == Access::global && !(valid && memory.isProtected(address, last - first + 1)));
    if (valid && writable)
      continue;
    // Report the first lane.
    for (Mask rest = access.lanes; rest; rest &= rest - 1) {
      unsigned lane = std::countr_zero(rest);
      if (!isValid(access.address[lane], access.bytes)) {
        if (access.where == Access::shared)
          findings.outOfBounds(access, lane, sharedBytes);
        findings.outOfBounds(access, lane);
      }
      if (access.kind != Access::load && access.where != Access::shared &&
          (access.where == Access::constant || memory.isProtected(access.address[lane], access.bytes)))
        findings.notWritable(access, lane);
    }
  }
}

void BlockChecker::State::checkInitialized(const Access &access) {
  bool inShared = access.where == Access::shared || access.where == Access::tensor; // memory of a block
  SharedShadow *shadow = inShared ? &shadowOf(access) : nullptr;
  bool missing = false;
  for (const Piece &piece : pieces) {
    ByteMask bytes = piece.segment.bytes;
    if ((access.kind != Access::store || access.readsToo) && !access.isMbarrier) // which has its own message
      missing |= bool(bytes & ~(inShared ? shadow->initializedIn(piece.line) : launch.memory.initialized(piece.line)));
  }
  if (missing)
    for (Mask rest = access.lanes; rest; rest &= rest - 1) {
      unsigned lane = std::countr_zero(rest);
      uint32_t count = 0;
      for (uint64_t byte = access.address[lane]; byte < access.address[lane] + access.bytes; ++byte) {
        uint64_t line = byte / lineBytes * lineBytes;
        count += !(inShared ? shadow->initializedIn(line) : launch.memory.initialized(line))[byte - line];
      }
      if (count) {
        findings.uninitialized(access, lane, count);
        break;
      }
    }
  if (access.kind == Access::load || !access.initializes)
    return;
  for (const Piece &piece : pieces)
    if (inShared)
      shadow->initializedIn(piece.line) |= piece.segment.bytes;
    else
      launch.memory.markInitialized(piece.line, piece.segment.bytes);
}

void BlockChecker::State::checkRaces(const Access &access, const Engine &engine) {
  SyncState &warp = warps[access.warp];
  State &home = homeOf(access);
  bool global = access.where == Access::global, isStrong = access.order != Order::weak || access.kind == Access::atomic;
  if (isStrong && global && engine.actor == Actor::threads && !strong.owns_lock())
    strong.lock();
  if (pieces.overlaps() && access.kind == Access::store && !isStrong && access.values)
    checkStoresAgree(access);
  RaceContext context{warp.clocks, scopes, access, global, races, options.copyFences};
  context.waveWarps = options.waveWarps;
  if (engine.actor >= Actor::tensorLoads) {
    context.inOrder = actorId(static_cast<uint32_t>(block), access.warp, engine.actor);
    context.tensorFences = options.tensorFences && access.where == Access::tensor;
  }
  for (Piece &piece : pieces) {
    if (!piece.first)
      continue;
    if (global) {
      std::byte *memory = launch.memory.backing(piece.line, lineBytes);
      GlobalShadow::Page &page = launch.global.page(piece.line, cache);
      std::lock_guard guard(page);
      checkLine(page[piece.line], pieces, piece, memory, context);
      if (access.kind == Access::store && !isStrong && access.values)
        storeAhead(access, piece, memory);
    } else {
      std::byte *memory = access.where == Access::shared ? home.shared + piece.line : nullptr;
      checkLine(shadowOf(access)[piece.line], pieces, piece, memory, context);
    }
  }
  for (const Race &race : races)
    findings.race(access, engine.actor, race);
  races.clear();
  if (!isStrong || access.isMbarrier || engine.actor != Actor::threads)
    return;
  uint32_t clock = warp.clocks.clock();
  std::vector<Release> released = (global ? launch.sync : home.sharedSync).access(access, pieces, warp, scopes);
  if (!global || !options.signals || access.kind == Access::load)
    return;
  launch.signals.write(access, block, clock, released, warp.clocks, launch.memory);
}

// Performs a weak store early. A store of a value that is already in memory does not race with another block's store.
// This can be decided only if the last recorded store has already happened. So a weak store is performed here, under
// the page's lock, and then again by the caller. Only a thread that races with it could observe that.
void BlockChecker::State::storeAhead(const Access &access, const Piece &first, std::byte *memory) {
  auto storeWord = [](std::byte *to, const std::byte *from) {
    uint32_t value;
    memcpy(&value, from, 4);
    __atomic_store_n(reinterpret_cast<uint32_t *>(to), value, __ATOMIC_RELAXED);
  };
  if (pieces.consecutive()) {
    unsigned lane = std::countr_zero(access.lanes);
    uint32_t begin = first.segment.bytes.first(), end = first.segment.bytes.last() + 1;
    const std::byte *from = access.values + lane * access.bytes + (first.line + begin - access.address[lane]);
    for (; begin < end; begin += 4, from += 4)
      storeWord(memory + begin, from);
    return;
  }
  for (const Piece *piece = &first;; piece = &pieces[piece->next]) {
    const Segment &segment = piece->segment;
    for (ByteMask rest = segment.bytes; rest;) {
      uint32_t begin = rest.first(), granule = begin / Segment::granuleBytes;
      ByteMask together = rest & ByteMask::range(granule * Segment::granuleBytes, Segment::granuleBytes);
      unsigned lane = std::countr_zero(segment.lanesAt(granule));
      const std::byte *from = access.values + lane * access.bytes + (piece->line + begin - access.address[lane]);
      uint32_t count = together.last() - begin + 1; // the bytes of a lane in a granule are contiguous
      if (count == 4) {
        storeWord(memory + begin, from);
      } else {
        for (uint32_t i = 0; i < count; ++i)
          __atomic_store_n(reinterpret_cast<uint8_t *>(memory + begin + i), uint8_t(from[i]), __ATOMIC_RELAXED);
      }
      rest &= ~together;
    }
    if (piece->next < 0)
      return;
  }
}

// Checks that lanes that store to the same bytes in one weak instruction store the same values.
void BlockChecker::State::checkStoresAgree(const Access &access) {
  for (Mask rest = access.lanes; rest; rest &= rest - 1)
    for (Mask others = rest & (rest - 1); others; others &= others - 1) {
      unsigned lane = std::countr_zero(rest), other = std::countr_zero(others);
      uint64_t a = access.address[lane], b = access.address[other];
      uint64_t begin = std::max(a, b), end = std::min(a, b) + access.bytes;
      if (begin >= end)
        continue;
      const std::byte *ours = access.values + lane * access.bytes, *theirs = access.values + other * access.bytes;
      if (memcmp(ours + (begin - a), theirs + (begin - b), end - begin))
        return findings.storesDiffer(access, other, lane);
    }
}
