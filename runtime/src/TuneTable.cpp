//===-- TuneTable.cpp - text tables of tuning choices ----------------------------------------------------------===//
//
// Used by Tune.cpp, which decides which tables apply.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "TuneTable.h"
#include "Support.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

using namespace tilecc::rt;

static const char header[] = TILECC_TUNE_TABLE_HEADER;
enum : size_t { headerSize = sizeof(header) - 1, largestFile = 64 << 20, longestLine = 4096 };

static uint64_t hash(const char *text, size_t size) { // FNV-1a
  uint64_t value = 0xcbf29ce484222325;
  for (size_t i = 0; i < size; ++i)
    value = (value ^ static_cast<unsigned char>(text[i])) * 0x100000001b3;
  return value;
}

static size_t countLines(const char *text, size_t size) {
  size_t count = 0;
  for (size_t i = 0; i < size; ++i)
    count += text[i] == '\n';
  return count;
}

static int printEnd(char (&end)[64], const char *lines, size_t size) {
  return snprintf(end, sizeof(end), "end\t%zu\t%016" PRIx64 "\n", countLines(lines, size), hash(lines, size));
}

void tilecc::rt::makeTuneText(char *text) {
  for (; *text; ++text)
    if (static_cast<unsigned char>(*text) < 0x20)
      *text = ' ';
}

bool tilecc::rt::parseTuneTable(const char *text, size_t size, const char *origin, TuneTable *table) {
  *table = {};
  // The lines before the last one determine it.
  size_t last = size ? size - 1 : 0;
  while (last > 0 && text[last - 1] != '\n')
    --last;
  char end[64];
  bool good = size >= headerSize && !memcmp(text, header, headerSize) && last >= headerSize;
  if (good) {
    size_t length = printEnd(end, text + headerSize, last - headerSize);
    good = size - last == length && !memcmp(text + last, end, length);
  }
  if (!good) {
    bool isDamaged = size >= headerSize && !memcmp(text, header, headerSize);
    if (origin)
      fprintf(stderr, "tilecc: %s: %s; it is ignored\n", origin,
              isDamaged ? "this table of tuned choices is damaged" : "this is no table of tuned choices");
    return false;
  }
  size_t bytes = last - headerSize;
  table->lines = static_cast<char *>(malloc(bytes + 1));
  if (!table->lines)
    return false;
  memcpy(table->lines, text + headerSize, bytes);
  table->size = bytes;
  return true;
}

bool tilecc::rt::readTuneTable(const char *path, TuneFile kind, TuneTable *table) {
  *table = {};
  int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0 || fstat(file, &status) || !S_ISREG(status.st_mode) ||
      static_cast<size_t>(status.st_size) > largestFile) {
    bool isMissing = file < 0 && (errno == ENOENT || errno == ENOTDIR);
    if (kind == TuneFile::MustBe || (kind == TuneFile::MayBeMissing && !isMissing))
      fprintf(stderr, "tilecc: %s: %s; it is ignored\n", path,
              file < 0 ? strerror(errno) : "this is no table of tuned choices");
    if (file >= 0)
      close(file);
    return false;
  }
  size_t size = status.st_size, got = 0;
  auto *text = static_cast<char *>(malloc(size + 1));
  while (text && got < size) {
    ssize_t result = read(file, text + got, size - got);
    if (result == 0 || (result < 0 && errno != EINTR))
      break;
    got += result > 0 ? result : 0;
  }
  close(file);
  bool good = text && parseTuneTable(text, got, kind == TuneFile::Again ? nullptr : path, table);
  free(text);
  return good;
}

// Formats the beginning of a problem's line. Returns its length, or 0 if it is too long.
static size_t printProblem(char (&line)[longestLine], const TuneProblem &problem) {
  int length = snprintf(line, sizeof(line), "%016" PRIx64 "\t%s\t%s\t%s\t", problem.code, problem.device,
                        problem.kernel, problem.key);
  return length > 0 && static_cast<size_t>(length) < sizeof(line) ? length : 0;
}

// Finds the line with this beginning. Returns null if there is none.
static char *findLine(const TuneTable &table, const char *beginning, size_t length) {
  for (char *line = table.lines, *end = line + table.size; line && line < end;) {
    auto *next = static_cast<char *>(memchr(line, '\n', end - line)) + 1; // every line has an end
    if (static_cast<size_t>(next - line) > length && !memcmp(line, beginning, length))
      return line;
    line = next;
  }
  return nullptr;
}

bool tilecc::rt::findInTuneTable(const TuneTable &table, const TuneProblem &problem, unsigned *row,
                                 double *microseconds) {
  char beginning[longestLine];
  size_t length = printProblem(beginning, problem);
  const char *line = length ? findLine(table, beginning, length) : nullptr;
  return line && sscanf(line + length, "%u\t%lf", row, microseconds) == 2;
}

static bool append(TuneTable &table, const char *line, size_t length) {
  auto *lines = static_cast<char *>(realloc(table.lines, table.size + length + 1));
  if (!lines)
    return false;
  memcpy(lines + table.size, line, length);
  table.lines = lines;
  table.size += length;
  return true;
}

static void erase(TuneTable &table, const char *beginning, size_t length) {
  if (char *line = findLine(table, beginning, length)) {
    char *end = table.lines + table.size, *next = static_cast<char *>(memchr(line, '\n', end - line)) + 1;
    memmove(line, next, end - next);
    table.size -= next - line;
  }
}

bool tilecc::rt::addToTuneTable(TuneTable &table, const TuneProblem &problem, unsigned row, double microseconds,
                                const char *name) {
  char line[longestLine];
  size_t length = printProblem(line, problem);
  if (!length)
    return false;
  erase(table, line, length);
  int rest = snprintf(line + length, sizeof(line) - length, "%u\t%.3f\t%.500s\n", row, microseconds, name);
  return static_cast<size_t>(rest) < sizeof(line) - length && append(table, line, length + rest);
}

static bool writeAll(int file, const char *text, size_t size) {
  while (size > 0) {
    ssize_t result = write(file, text, size);
    if (result < 0 && errno != EINTR)
      return false;
    text += result > 0 ? result : 0;
    size -= result > 0 ? result : 0;
  }
  return true;
}

bool tilecc::rt::writeTuneTable(const TuneTable &table, const char *path) {
  // Use a new name. In a folder that others can write to, a link with a predictable name could make this overwrite
  // another file of the user.
  char fresh[4096];
  int file = -1;
  for (unsigned attempt = 0; file < 0 && attempt < 100; ++attempt) {
    timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (static_cast<size_t>(snprintf(fresh, sizeof(fresh), "%s.%d-%09ld.new", path, getpid(), now.tv_nsec)) >=
        sizeof(fresh)) {
      errno = ENAMETOOLONG;
      return false;
    }
    file = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno != EEXIST)
      return false;
  }
  if (file < 0)
    return false;
  char end[64];
  int length = printEnd(end, table.lines, table.size);
  bool good =
      writeAll(file, header, headerSize) && writeAll(file, table.lines, table.size) && writeAll(file, end, length);
  int error = errno;
  if (close(file) && good) {
    error = errno;
    good = false;
  }
  if (good && !rename(fresh, path))
    return true;
  error = good ? errno : error;
  unlink(fresh);
  errno = error;
  return false;
}

void tilecc::rt::freeTuneTable(TuneTable &table) {
  free(table.lines);
  table = {};
}

//===-- Locks -----------------------------------------------------------------------------------------------------===//

static void makeFolders(const char *path) {
  char part[4096];
  snprintf(part, sizeof(part), "%s", path);
  for (char *slash = part; (slash = strchr(slash + 1, '/'));) {
    *slash = 0;
    mkdir(part, 0777);
    *slash = '/';
  }
  mkdir(part, 0777);
}

FolderLock::FolderLock(const char *folder, double seconds) : file(-1), held(true) {
  if (!folder)
    return;
  makeFolders(folder);
  file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0)
    return;
  auto now = [] {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
  };
  const timespec pause = {0, 5'000'000};
  for (double end = now() + seconds; flock(file, LOCK_EX | LOCK_NB);) {
    if (errno == EINTR)
      continue;
    if (errno != EWOULDBLOCK)
      return; // the file system has no locks
    if (now() >= end) {
      held = false;
      return;
    }
    nanosleep(&pause, nullptr);
  }
}

FolderLock::~FolderLock() {
  if (file < 0)
    return;
  flock(file, LOCK_UN); // a child that was forked meanwhile also has the file open
  close(file);
}
