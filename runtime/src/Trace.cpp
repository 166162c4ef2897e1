//===-- Trace.cpp - the file of TILECC_TRACE ---------------------------------------------------------------------===//
//
// Watch.cpp decides what to record. Lines are buffered and written in blocks. The file is a complete JSON array after
// each block: a writer removes the closing bracket and appends it again, under a lock on the file, because other copies
// of the runtime and other processes may write to it, too.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Trace.h"
#include "Fork.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

using namespace tilecc::rt;

namespace {
enum { bufferSize = 1 << 16, longestLine = 2048, maxLanes = 256, endSize = 3 };
constexpr char end[] = "\n]\n";
struct Lane {
  int device;
  const void *stream;
};
} // namespace

static constinit Mutex traceLock;
static constinit int file = -1;
// The lock guards everything below.
static char buffer[bufferSize];
static constinit size_t used = 0;
static constinit Lane lanes[maxLanes] = {};
static constinit unsigned laneCount = 0;

uint64_t tilecc::rt::traceNanoseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000ull + now.tv_nsec;
}

// The start time of this process, in ticks since boot. Together with the process id it is unique.
static unsigned long long startOfProcess() {
  char text[1024] = "";
  int stat = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (stat < 0)
    return 0;
  ssize_t size = read(stat, text, sizeof(text) - 1);
  close(stat);
  unsigned long long start = 0;
  const char *field = size > 0 ? strrchr(text, ')') : nullptr; // the name may contain spaces
  for (int i = 2; field && i < 22; ++i)
    field = strchr(field + 1, ' ');
  if (field)
    sscanf(field, " %llu", &start);
  return start;
}

// The first copy of the runtime in a process truncates the file; others append.
static bool begin(int opened) {
  char wanted[160], found[160] = "";
  int size = snprintf(wanted, sizeof(wanted),
                      "[{\"name\":\"process_labels\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"labels\":"
                      "\"tilecc, started at %llu\"}}",
                      getpid(), startOfProcess());
  if (pread(opened, found, size, 0) == size && !memcmp(found, wanted, size))
    return true;
  return ftruncate(opened, 0) == 0 && write(opened, wanted, size) == size && write(opened, end, endSize) == endSize;
}

static void flush() {
  if (!used)
    return;
  char last[endSize];
  flock(file, LOCK_EX);
  off_t size = lseek(file, 0, SEEK_END);
  if (size > endSize && pread(file, last, endSize, size - endSize) == endSize && !memcmp(last, end, endSize) &&
      ftruncate(file, size - endSize) == 0) {
    memcpy(buffer + used, end, endSize); // addLine() reserves room for it
    used += endSize;
  }
  for (size_t written = 0; written < used;) {
    ssize_t result = write(file, buffer + written, used - written);
    if (result < 0 && errno != EINTR)
      break; // give up: writing the trace must not delay the program
    written += result > 0 ? result : 0;
  }
  flock(file, LOCK_UN);
  used = 0;
}

__attribute__((destructor)) static void endTrace() {
  Lock lock(traceLock);
  if (file >= 0)
    flush();
}

bool tilecc::rt::openTrace(bool *profiles) {
  const char *path = secure_getenv("TILECC_PROFILE"), *plain = secure_getenv("TILECC_TRACE");
  *profiles = path && *path;
  const char *variable = *profiles ? "TILECC_PROFILE" : "TILECC_TRACE";
  if (*profiles && plain && *plain && strcmp(path, plain))
    fprintf(stderr, "tilecc: TILECC_TRACE=%s is ignored: TILECC_PROFILE=%s has the same events and more\n", plain,
            path);
  if (!*profiles)
    path = plain;
  if (!path || !*path)
    return false;
  installForkHandlers();
  char name[4096];
  if (const char *place = strstr(path, "%p"))
    snprintf(name, sizeof(name), "%.*s%d%s", static_cast<int>(place - path), path, getpid(), place + 2);
  else
    snprintf(name, sizeof(name), "%s", path);
  Lock lock(traceLock);
  if (file >= 0)
    return true;
  int opened = open(name, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  bool good = opened >= 0;
  if (good) {
    flock(opened, LOCK_EX);
    good = begin(opened);
    flock(opened, LOCK_UN);
  }
  if (!good) {
    fprintf(stderr, "tilecc: %s=%s: cannot be written: %s\n", variable, path, strerror(errno));
    return false;
  }
  file = opened;
  return true;
}

// Adds a line, given in printf style without the preceding comma. The caller holds the lock.
__attribute__((format(printf, 1, 2))) static void addLine(const char *format, ...) {
  if (used + longestLine + endSize > bufferSize)
    flush();
  va_list args;
  va_start(args, format);
  int size = snprintf(buffer + used, longestLine, ",\n");
  size += vsnprintf(buffer + used + size, longestLine - size, format, args);
  va_end(args);
  if (size < longestLine) // otherwise the line is truncated
    used += size;
}

const char *tilecc::rt::escapeForTrace(const char *text, char *escaped, size_t size) {
  char *to = escaped;
  for (; *text && to + 7 < escaped + size; ++text)
    if (static_cast<unsigned char>(*text) < 0x20)
      to += sprintf(to, "\\u%04x", static_cast<unsigned char>(*text));
    else {
      if (*text == '"' || *text == '\\')
        *to++ = '\\';
      *to++ = *text;
    }
  *to = 0;
  return escaped;
}

void tilecc::rt::traceEvent(const char *category, const char *name, uint64_t begin, uint64_t end, const char *details,
                            uint64_t lane) {
  char escaped[512];
  unsigned long long thread = lane ? lane : syscall(SYS_gettid);
  Lock lock(traceLock);
  addLine(
      "{\"name\":\"%s\",\"cat\":\"%s\",\"ph\":\"X\",\"ts\":%.3f,\"dur\":%.3f,\"pid\":%d,\"tid\":%llu,\"args\":{%s}}",
      escapeForTrace(name, escaped, sizeof(escaped)), category, begin * 1e-3, (end - begin) * 1e-3, getpid(), thread,
      details ? details : "");
}

// Thread ids are smaller than the lanes of streams, and these smaller than those of warps.
constexpr uint64_t firstLane = 1ull << 32, firstWarpLane = 1ull << 33;

uint64_t tilecc::rt::laneOfWarp(const uint32_t (&block)[3], uint32_t warp, const char *name) {
  // Up to 2^16 blocks along y and z, which have their own lanes up to 2^10; a lane is a number below 2^53.
  const uint64_t number =
      ((block[2] % 1024ull * 1024 + block[1] % 1024) << 21 | block[0] % (1u << 21)) << 5 | warp % 32;
  Lock lock(traceLock);
  addLine("{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":%llu,\"args\":{\"name\":\"%s\"}}", getpid(),
          static_cast<unsigned long long>(firstWarpLane + number), name);
  return firstWarpLane + number;
}

uint64_t tilecc::rt::laneOfStream(int device, const void *stream) {
  Lock lock(traceLock);
  unsigned i = 0;
  while (i < laneCount && (lanes[i].device != device || lanes[i].stream != stream))
    ++i;
  if (i == laneCount && laneCount + 1 < maxLanes) {
    lanes[laneCount++] = {device, stream};
    addLine("{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":%llu,\"args\":{\"name\":\"GPU %d, stream %p\"}}",
            getpid(), static_cast<unsigned long long>(firstLane + i), device, stream);
  }
  return firstLane + i; // the last lane is shared by all that do not fit
}

void tilecc::rt::lockTraceForFork() {
  traceLock.lock();
  if (file >= 0)
    flush(); // otherwise both processes would write it
}
void tilecc::rt::unlockTraceAfterFork() { traceLock.unlock(); }
