//===-- Profile.cpp - times inside kernels, for the trace -------------------------------------------------------===//
//
// tilecc/profile.h describes the buffer. The kernel's scopes are read from its variable after each launch, because a
// module may be unloaded at any time.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Profile.h"
#include "Fork.h"
#include "Trace.h"
#include "Watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

using namespace tilecc::rt;

namespace {
enum : uint64_t {
  usualBytes = 8 << 20,
  maxBytes = 1u << 31, // places have 32 bits
  fewestRecords = 64,
  maxRecords = 1 << 20,
  maxDepth = 64
};

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

// The location of the records of a launch, and their copy.
struct RecordedLaunch {
  tilecc_profile_buffer header;
  uint32_t rows = 0;
  char *copy = nullptr; // owned: the parts, and then the records
  ~RecordedLaunch() { free(copy); }

  uint64_t partBytes() const { return header.part_count * sizeof(tilecc_profile_part); }
  uint64_t rowBytes() const { return header.part_count * sizeof(tilecc_profile_record); }
  uint64_t allBytes() const { return partBytes() + rows * rowBytes(); }
  const tilecc_profile_part &part(uint32_t number) const {
    return reinterpret_cast<const tilecc_profile_part *>(copy)[number];
  }
  const tilecc_profile_record &record(uint32_t part, uint32_t number) const {
    return reinterpret_cast<const tilecc_profile_record *>(copy + partBytes() + number * rowBytes())[part];
  }
};
} // namespace

static constinit Mutex profileLock;

tilecc::rt::ProfileGuard::ProfileGuard() { profileLock.lock(); }
tilecc::rt::ProfileGuard::~ProfileGuard() { profileLock.unlock(); }

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

ProfileVariables tilecc::rt::findProfile(const char *symbol, void *(*find)(void *module, const char *name),
                                         void *module) {
  if (!isWatched() || !(watchers() & watchProfile))
    return {};
  auto variable = [&](const char *suffix) -> void * {
    char name[4096];
    const bool fits = snprintf(name, sizeof(name), "%s$%s", symbol, suffix) < int(sizeof(name));
    return fits ? find(module, name) : nullptr;
  };
  ProfileVariables variables = {variable("profile"), variable("scopes")};
  return variables.scopes ? variables : ProfileVariables();
}

bool tilecc::rt::wantsProfile(Kernel &kernel) {
  return kernel.profiledLaunches.fetch_add(1) < setting("TILECC_PROFILE_LAUNCHES", 1);
}

uint64_t tilecc::rt::countRecordingWarps(ttDim3 blocks, uint32_t threads) {
  return uint64_t(blocks.x) * blocks.y * blocks.z * ((threads + 127) / 128);
}

ProfiledLaunch::ProfiledLaunch(const ProfileMemory &memory, Kernel &kernel, ProfileVariables variables, uint64_t warps)
    : memory(memory), kernel(kernel), variables(variables), warps(warps) {
  if (begin())
    return;
  tell(kernel, "is not recorded: there is no memory for it on the device");
  if (buffer)
    memory.free(buffer);
  this->variables = {};
}

// Returns false after an error.
bool ProfiledLaunch::begin() {
  uint64_t bytes = setting("TILECC_PROFILE_BYTES", usualBytes);
  bytes = bytes < maxBytes ? bytes : uint64_t(maxBytes);
  RecordedLaunch launch = {};
  uint64_t rows = bytes / warps / sizeof(tilecc_profile_record);
  launch.rows = rows < fewestRecords ? fewestRecords : rows > maxRecords ? maxRecords : rows;
  const uint64_t parts = bytes / (launch.rows * sizeof(tilecc_profile_record)) + 1;
  launch.header.part_count = parts < warps ? parts : warps;
  if (memory.allocate(&buffer, sizeof(launch.header) + launch.allBytes()) ||
      memory.copy(buffer, &launch.header, sizeof(launch.header)))
    return false;
  profile.buffer = reinterpret_cast<uint64_t>(buffer);
  profile.records = profile.buffer + sizeof(launch.header) + launch.partBytes();
  profile.stride = launch.rowBytes();
  profile.limit = launch.rows * profile.stride;
  start = traceNanoseconds();
  return memory.copy(variables.profile, &profile, sizeof(profile)) == ttSuccess;
}

void ProfiledLaunch::finish() {
  if (!variables)
    return;
  constexpr tilecc_gpu_profile none = {};
  // Other threads may have launched the kernel meanwhile; then these launches use the buffer, too.
  if (memory.copy(variables.profile, &none, sizeof(none)) || memory.synchronize())
    tell(kernel, "has failed, and its records cannot be read");
  else
    read();
  memory.free(buffer);
  variables = {};
}

static bool readScopes(const ProfileMemory &memory, void *variable, Scopes &scopes) {
  tilecc_gpu_scopes head;
  if (memory.copy(&head, variable, sizeof(head)))
    return false;
  scopes.text = static_cast<char *>(calloc(1, head.text_bytes + 1));
  scopes.rows = static_cast<Scope *>(calloc(head.count + 1, sizeof(Scope)));
  if (!scopes.text || !scopes.rows ||
      memory.copy(scopes.text, static_cast<char *>(variable) + sizeof(head), head.text_bytes))
    return false;
  const char *next = scopes.text;
  for (; scopes.count < head.count; ++scopes.count)
    for (const char **field :
         {&scopes.rows[scopes.count].name, &scopes.rows[scopes.count].file, &scopes.rows[scopes.count].line}) {
      *field = next;
      next += strlen(next) + 1;
    }
  return true;
}

namespace {
// Writes the records of one warp.
class Warp {
public:
  Warp(const Kernel &kernel, const Scopes &scopes, const RecordedLaunch &launch, uint32_t number)
      : kernel(kernel), scopes(scopes), launch(launch), number(number), part(launch.part(number)) {
    const uint64_t made = part.next / launch.rowBytes();
    records = made < launch.rows ? made : launch.rows;
  }

  bool hasEnded() const { return part.end_time != 0; }
  // If all rows are used, records may have been lost.
  bool isFull() const { return records == launch.rows; }

  // `zero`: the time on the trace's clock at which the device's clock was 0.
  void write(uint64_t zero) {
    uint64_t cycles = 0;
    uint32_t clock = part.begin_clock; // of `cycles`
    auto advance = [&](uint32_t to) {
      cycles += static_cast<uint32_t>(to - clock); // no scope takes 2^32 cycles
      clock = to;
      return cycles;
    };
    for (uint32_t i = 0; i < records; ++i) {
      advance(row(i).clock);
      if (isWhole(i))
        advance(row(i).end_clock);
    }
    const uint64_t last = advance(part.end_clock);
    const double nanoseconds = last ? double(part.end_time - part.begin_time) / last : 0;
    auto time = [&](uint64_t cycle) { return zero + part.begin_time + static_cast<uint64_t>(cycle * nanoseconds); };
    char name[64], details[320];
    snprintf(name, sizeof(name), "block (%u, %u, %u), warp %u", part.block[0], part.block[1], part.block[2], part.warp);
    const uint64_t lane = laneOfWarp(part.block, part.warp, name);
    snprintf(details, sizeof(details),
             "\"where\":\"%s\",\"launch\":%u,\"multiprocessor\":%u,\"cycles\":%llu,\"records\":%u,\"full\":%s", name,
             kernel.profiledLaunches.load(), part.multiprocessor, static_cast<unsigned long long>(last), records,
             isFull() ? "true" : "false");
    traceEvent("warp", kernel.abi->display_name, time(0), time(last), details, lane);
    cycles = 0;
    clock = part.begin_clock;
    for (uint32_t i = 0; i < records; ++i) {
      const uint64_t now = advance(row(i).clock);
      const uint32_t scope = row(i).event / tilecc_profile_kinds, kind = row(i).event % tilecc_profile_kinds;
      if (isWhole(i)) {
        writeScope(scope, time(now), time(advance(row(i).end_clock)), "", lane);
      } else if (kind == tilecc_profile_begins) {
        if (depth < maxDepth)
          open[depth] = {scope, now};
        ++depth;
      } else if (depth > 0 && --depth < maxDepth) {
        writeScope(open[depth].scope, time(open[depth].begin), time(now), "", lane);
      }
    }
    while (depth > 0)
      if (--depth < maxDepth)
        writeScope(open[depth].scope, time(open[depth].begin), time(last), ",\"end\":\"lost\"", lane);
  }

private:
  const tilecc_profile_record &row(uint32_t i) const { return launch.record(number, i); }
  bool isWhole(uint32_t i) const { return row(i).event % tilecc_profile_kinds == tilecc_profile_whole; }

  void writeScope(uint32_t scope, uint64_t begin, uint64_t end, const char *more, uint64_t lane) {
    if (scope >= scopes.count)
      return;
    const Scope &about = scopes.rows[scope];
    char file[192], details[320];
    snprintf(details, sizeof(details), "\"file\":\"%s\",\"line\":%s%s", escapeForTrace(about.file, file, sizeof(file)),
             about.line, more);
    traceEvent("scope", about.name, begin, end, details, lane);
  }

  const Kernel &kernel;
  const Scopes &scopes;
  const RecordedLaunch &launch;
  const uint32_t number;
  const tilecc_profile_part &part;
  uint32_t records;
  struct {
    uint32_t scope;
    uint64_t begin;
  } open[maxDepth];
  uint64_t depth = 0;
};
} // namespace

void ProfiledLaunch::read() {
  RecordedLaunch launch = {};
  Scopes scopes;
  if (memory.copy(&launch.header, buffer, sizeof(launch.header)) || !readScopes(memory, variables.scopes, scopes))
    return tell(kernel, "has records that cannot be read");
  const tilecc_profile_buffer &header = launch.header;
  if (!header.claimed) { // a graph without this kernel
    kernel.profiledLaunches.fetch_sub(1);
    return;
  }
  launch.rows = profile.limit / profile.stride;
  launch.copy = static_cast<char *>(malloc(launch.allBytes()));
  if (!launch.copy || memory.copy(launch.copy, static_cast<char *>(buffer) + sizeof(header), launch.allBytes()))
    return tell(kernel, "has records that cannot be read");
  const uint32_t count = header.claimed < header.part_count ? header.claimed : header.part_count;
  uint64_t first = UINT64_MAX;
  for (uint32_t i = 0; i < count; ++i)
    if (launch.part(i).begin_time < first)
      first = launch.part(i).begin_time;
  uint32_t full = 0, unfinished = 0;
  for (uint32_t i = 0; i < count; ++i) {
    Warp warp(kernel, scopes, launch, i);
    unfinished += !warp.hasEnded();
    if (!warp.hasEnded())
      continue;
    full += warp.isFull();
    warp.write(start - first);
  }
  if (header.claimed > count || full)
    fprintf(
        stderr,
        "tilecc: TILECC_PROFILE: kernel '%s': there was no room for %u of %u warps, and %u of the others have filled "
        "theirs; set TILECC_PROFILE_BYTES to more than %llu\n",
        kernel.abi->display_name, header.claimed - count, header.claimed, full,
        static_cast<unsigned long long>(setting("TILECC_PROFILE_BYTES", usualBytes)));
  if (unfinished)
    fprintf(stderr, "tilecc: TILECC_PROFILE: kernel '%s': %u warps have not ended, and are not shown\n",
            kernel.abi->display_name, unfinished);
}
