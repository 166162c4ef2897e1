//===-- Profile.cpp - times inside kernels, for the trace -------------------------------------------------------===//
//
// tilecc/profile.h describes the buffer. The kernel's text is read from its variable after each launch, because a
// module may be unloaded at any time.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Profile.h"
#include "Fork.h"
#include "Trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

using namespace tilecc::rt;

namespace {
enum : uint64_t { usualBytes = 8 << 20, fewestRecords = 64, mostRecords = 1 << 20, mostDepth = 64 };

struct Scope {
  const char *name, *file, *line;
};

// The scopes of a kernel, and the text that describes them.
struct Scopes {
  char *text = nullptr;
  Scope *rows = nullptr;
  uint32_t count = 0;
  ~Scopes() {
    free(text);
    free(rows);
  }
};
} // namespace

static uint64_t bytesOfPart(uint64_t records) {
  return sizeof(tilecc_profile_part) + records * sizeof(tilecc_profile_record) + sizeof(tilecc_profile_end);
}

// Held during a launch that is recorded, because the code of a kernel has one variable.
static constinit Mutex profileLock;

void tilecc::rt::lockProfileForFork() { profileLock.lock(); }
void tilecc::rt::unlockProfileAfterFork() { profileLock.unlock(); }

static uint64_t setting(const char *name, uint64_t usual) {
  const char *text = secure_getenv(name);
  char *end;
  uint64_t value = text && *text ? strtoull(text, &end, 0) : usual;
  return value ? value : usual;
}

static void tell(const Kernel &kernel, const char *problem) {
  fprintf(stderr, "tilecc: TILECC_PROFILE: kernel '%s' %s\n", kernel.abi->display_name, problem);
}

void tilecc::rt::tellUnprofiledGraph(const Kernel &kernel) {
  static constinit std::atomic<bool> isTold{false};
  if (!isTold.exchange(true))
    tell(kernel, "is launched by a graph: such launches are not recorded");
}

ProfiledLaunch::ProfiledLaunch(const ProfileMemory &memory, Kernel &kernel, void *variable, ttDim3 blocks,
                               uint32_t threads)
    : memory(memory), kernel(kernel), variable(variable),
      warps(uint64_t(blocks.x) * blocks.y * blocks.z * ((threads + 127) / 128)) {
  if (!variable)
    return;
  if (kernel.profiledLaunches.fetch_add(1) >= setting("TILECC_PROFILE_LAUNCHES", 1)) {
    this->variable = nullptr;
    return;
  }
  profileLock.lock();
  if (begin())
    return;
  tell(kernel, "is not recorded: there is no memory for it on the device");
  if (buffer)
    memory.free(buffer);
  this->variable = nullptr;
  profileLock.unlock();
}

// Returns false after an error.
bool ProfiledLaunch::begin() {
  const uint64_t bytes = setting("TILECC_PROFILE_BYTES", usualBytes);
  uint64_t records = bytes / warps / sizeof(tilecc_profile_record);
  records = records < fewestRecords ? fewestRecords : records > mostRecords ? mostRecords : records;
  const uint64_t partBytes = bytesOfPart(records);
  uint64_t parts = bytes / partBytes + 1;
  tilecc_profile_buffer header = {};
  header.part_count = static_cast<uint32_t>(parts < warps ? parts : warps);
  header.records = static_cast<uint32_t>(records);
  if (memory.allocate(&buffer, sizeof(header) + header.part_count * partBytes) ||
      memory.copy(buffer, &header, sizeof(header)))
    return false;
  auto address = reinterpret_cast<uint64_t>(buffer);
  start = traceNanoseconds();
  return memory.copy(variable, &address, sizeof(address)) == ttSuccess; // its first member
}

void ProfiledLaunch::finish() {
  if (!variable)
    return;
  constexpr uint64_t none = 0;
  // Other threads may have launched the kernel meanwhile; then these launches use the buffer, too.
  if (memory.copy(variable, &none, sizeof(none)) || memory.synchronize())
    tell(kernel, "has failed, and its records cannot be read");
  else
    read();
  memory.free(buffer);
  variable = nullptr;
  profileLock.unlock();
}

static bool readScopes(const ProfileMemory &memory, void *variable, Scopes &scopes) {
  tilecc_gpu_profile head;
  if (memory.copy(&head, variable, sizeof(head)))
    return false;
  scopes.text = static_cast<char *>(calloc(1, head.text_bytes + 1));
  scopes.rows = static_cast<Scope *>(calloc(head.scope_count + 1, sizeof(Scope)));
  if (!scopes.text || !scopes.rows ||
      memory.copy(scopes.text, static_cast<char *>(variable) + sizeof(head), head.text_bytes))
    return false;
  const char *next = scopes.text;
  for (; scopes.count < head.scope_count; ++scopes.count)
    for (const char **field :
         {&scopes.rows[scopes.count].name, &scopes.rows[scopes.count].file, &scopes.rows[scopes.count].line}) {
      *field = next;
      next += strlen(next) + 1;
    }
  return true;
}

namespace {
// Writes what one warp did.
class Warp {
public:
  // `address` is where the part was on the device; `room` is the number of records that fit.
  Warp(const Kernel &kernel, const Scopes &scopes, const char *part, uint64_t address, uint32_t room)
      : kernel(kernel), scopes(scopes), part(*reinterpret_cast<const tilecc_profile_part *>(part)),
        row(reinterpret_cast<const tilecc_profile_record *>(part + sizeof(tilecc_profile_part))),
        end(*reinterpret_cast<const tilecc_profile_end *>(row + room)) {
    const uint64_t made = (end.next - address - sizeof(tilecc_profile_part)) / sizeof(tilecc_profile_record);
    records = made < room ? made : room;
    lost = made - records;
  }

  bool hasEnded() const { return end.end_time != 0; }
  uint64_t beginTime() const { return part.begin_time; }
  uint64_t lostRecords() const { return lost; }

  // `zero`: the time on the trace's clock at which the device's clock was 0.
  void write(uint64_t zero) {
    const uint64_t last = lastCycle();
    const double nanoseconds = last ? double(end.end_time - part.begin_time) / last : 0;
    uint64_t cycles = 0;
    auto time = [&](uint64_t cycle) { return zero + part.begin_time + static_cast<uint64_t>(cycle * nanoseconds); };
    char name[64], details[320];
    snprintf(name, sizeof(name), "block (%u, %u, %u), warp %u", part.block[0], part.block[1], part.block[2], part.warp);
    const uint64_t lane = laneOfWarp(part.block, part.warp, name);
    snprintf(details, sizeof(details),
             "\"where\":\"%s\",\"launch\":%u,\"multiprocessor\":%u,\"cycles\":%llu,\"records\":%u,\"lost\":%llu", name,
             kernel.profiledLaunches.load(), part.multiprocessor, static_cast<unsigned long long>(last), records,
             static_cast<unsigned long long>(lost));
    traceEvent("warp", kernel.abi->display_name, time(0), time(last), details, lane);
    for (uint32_t i = 0; i < records; ++i) {
      cycles += clockSince(i);
      if (row[i].event % 2 == 0) {
        if (depth < mostDepth)
          open[depth] = {row[i].event / 2, cycles};
        ++depth;
      } else if (depth > 0 && --depth < mostDepth) {
        writeScope(open[depth].scope, time(open[depth].begin), time(cycles), "", lane);
      }
    }
    while (depth > 0)
      if (--depth < mostDepth)
        writeScope(open[depth].scope, time(open[depth].begin), time(last), ",\"end\":\"lost\"", lane);
  }

private:
  void writeScope(uint32_t scope, uint64_t begin, uint64_t end, const char *more, uint64_t lane) {
    if (scope >= scopes.count)
      return;
    const Scope &about = scopes.rows[scope];
    char file[192], details[320];
    snprintf(details, sizeof(details), "\"file\":\"%s\",\"line\":%s%s", escapeForTrace(about.file, file, sizeof(file)),
             about.line, more);
    traceEvent("scope", about.name, begin, end, details, lane);
  }

  // The cycles from the record before.
  uint32_t clockSince(uint32_t i) const { return row[i].clock - (i ? row[i - 1].clock : part.begin_clock); }
  // The last cycle, if no scope takes 2^32.
  uint64_t lastCycle() const {
    uint64_t cycles = 0;
    for (uint32_t i = 0; i < records; ++i)
      cycles += clockSince(i);
    return cycles + (end.end_clock - (records ? row[records - 1].clock : part.begin_clock));
  }

  const Kernel &kernel;
  const Scopes &scopes;
  const tilecc_profile_part &part;
  const tilecc_profile_record *const row;
  const tilecc_profile_end &end;
  uint32_t records; // that fit
  uint64_t lost;
  struct {
    uint32_t scope;
    uint64_t begin;
  } open[mostDepth];
  uint64_t depth = 0;
};
} // namespace

void ProfiledLaunch::read() {
  tilecc_profile_buffer header;
  Scopes scopes;
  if (memory.copy(&header, buffer, sizeof(header)) || !readScopes(memory, variable, scopes))
    return tell(kernel, "has records that cannot be read");
  const uint32_t count = header.claimed < header.part_count ? header.claimed : header.part_count;
  const size_t bytes = bytesOfPart(header.records);
  auto *parts = static_cast<char *>(malloc(count * bytes + 1));
  if (!parts || memory.copy(parts, static_cast<char *>(buffer) + sizeof(header), count * bytes)) {
    free(parts);
    return tell(kernel, "has records that cannot be read");
  }
  auto warpAt = [&](uint32_t i) {
    const uint64_t address = reinterpret_cast<uint64_t>(buffer) + sizeof(header) + i * bytes;
    return Warp(kernel, scopes, parts + i * bytes, address, header.records);
  };
  uint64_t first = UINT64_MAX, lost = 0, unfinished = 0;
  for (uint32_t i = 0; i < count; ++i)
    if (uint64_t begin = warpAt(i).beginTime(); begin < first)
      first = begin;
  for (uint32_t i = 0; i < count; ++i) {
    Warp warp = warpAt(i);
    unfinished += !warp.hasEnded();
    if (!warp.hasEnded())
      continue;
    lost += warp.lostRecords();
    warp.write(start - first);
  }
  free(parts);
  if (header.claimed > count || lost)
    fprintf(stderr,
            "tilecc: TILECC_PROFILE: kernel '%s': there was no room for %u of %u warps, and for %llu records of the "
            "others; set TILECC_PROFILE_BYTES to more than %llu\n",
            kernel.abi->display_name, header.claimed - count, header.claimed, static_cast<unsigned long long>(lost),
            static_cast<unsigned long long>(setting("TILECC_PROFILE_BYTES", usualBytes)));
  if (unfinished)
    fprintf(stderr, "tilecc: TILECC_PROFILE: kernel '%s': %llu warps have not ended, and are not shown\n",
            kernel.abi->display_name, static_cast<unsigned long long>(unfinished));
}
