//===-- TuneChooser.cpp - finds or measures the best configuration ---------------------------------------------===//
//
// Called by Tune.cpp for a launch whose key is new. It consults tables first, from the one that the user named to the
// user's cache. A row from a table is used if it is a candidate and can be loaded.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Tune.h"
#include "Device.h"
#include "Error.h"
#include "Trace.h"
#include "TuneMeasure.h"
#include "TuneOptions.h"
#include "Watch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

using namespace tilecc::rt;

namespace {

struct Loaded {
  Loaded *next;
  TuneTable table;
  char path[]; // its file
};

enum : size_t { longestText = 512 };

class Chooser {
public:
  Chooser(TuneState &state, const ttTuneRequest &request, const TunePlace &place)
      : state(state), request(request), place(place), options(tuneOptions()) {}
  ~Chooser() { free(rows); }

  // Chooses a row. *holds: the choice is also valid for later launches.
  ttError_t choose(unsigned *row, bool *holds);

private:
  ttError_t prepare();
  void keepCheapest();
  bool findInTables(unsigned *row);
  bool isIn(const TuneTable &table, const char *origin, unsigned *row);
  bool takeOnly(unsigned *row);
  ttError_t measure(unsigned *row, bool *holds);
  ttError_t chooseDefault(unsigned *row);
  void keep(unsigned row);
  void save(unsigned row, const char *path, bool isLocked);
  void noteOnce(const char *format, const char *why);
  void report(unsigned row, uint64_t begin);

  const char *nameOf(unsigned row) {
    const tilecc_kernel *kernel;
    const tilecc_module *object;
    return describeAnywhere(request.kernels[row], &kernel, &object) ? "?" : kernel->display_name;
  }

  TuneState &state;
  const ttTuneRequest &request;
  const TunePlace &place;
  const TuneOptions &options;
  TuneRow *rows = nullptr; // [request.rows], owned
  char deviceText[longestText], keyText[longestText];
  TuneProblem problem;
  char source[4200] = ""; // the origin of the choice
  bool isKnown = true;    // it is the best one measured so far
};
} // namespace

static constinit TuneTable made = {};            // choices of this process
static constinit Loaded *tableOfVariable = nullptr; // from TILECC_TUNE_TABLE; owned
static constinit Loaded *loadedTables = nullptr;    // latest first; owned

ttError_t Chooser::prepare() {
  rows = static_cast<TuneRow *>(calloc(request.rows, sizeof(TuneRow)));
  if (!rows)
    return fail(ttErrorMemoryAllocation, "not enough memory to tune kernel '%s'", state.name);
  for (unsigned i = 0; i < request.rows; ++i)
    rows[i].isCandidate = !request.status || request.status[i] == TT_TUNE_CANDIDATE;
  keepCheapest();
  for (unsigned i = 0; i < request.rows; ++i)
    rows[i].isPruned = !rows[i].isCandidate;
  ttDeviceProp properties = {};
  if (ttError_t error = place.device.properties(place.ordinal, properties))
    return error;
  snprintf(deviceText, sizeof(deviceText), "%s, %d, %d", properties.name, properties.arch,
           properties.multiProcessorCount);
  makeTuneText(deviceText);
  int length = snprintf(keyText, sizeof(keyText), "%u:", place.met);
  for (unsigned i = 0; i < place.key.count; ++i)
    length += snprintf(keyText + length, sizeof(keyText) - length, " %lld", place.key.values[i]);
  problem = {state.code, deviceText, state.name, keyText};
  return ttSuccess;
}

// Prunes by the user's model: keeps only the `most` cheapest candidates.
void Chooser::keepCheapest() {
  for (unsigned i = 0; request.costs && request.most && i < request.rows; ++i) {
    unsigned cheaper = 0;
    for (unsigned j = 0; j < request.rows; ++j)
      cheaper += (!request.status || request.status[j] == TT_TUNE_CANDIDATE) &&
                 (request.costs[j] < request.costs[i] || (request.costs[j] == request.costs[i] && j < i));
    rows[i].isCandidate &= cheaper < request.most;
  }
}

// Takes the table's row for this problem, if it can be used.
bool Chooser::isIn(const TuneTable &table, const char *origin, unsigned *row) {
  double microseconds;
  if (!findInTuneTable(table, problem, row, &microseconds) || *row >= request.rows || !rows[*row].isCandidate ||
      !canLoad(request.kernels[*row], rows[*row]))
    return false;
  rows[*row].microseconds = microseconds;
  snprintf(source, sizeof(source), "from %s", origin);
  return true;
}

bool Chooser::findInTables(unsigned *row) {
  if (isIn(made, "another launch", row))
    return true;
  if (options.isFresh)
    return false;
  if (tableOfVariable && isIn(tableOfVariable->table, tableOfVariable->path, row))
    return true;
  for (const Loaded *loaded = loadedTables; loaded; loaded = loaded->next)
    if (isIn(loaded->table, loaded->path, row))
      return true;
  return isIn(state.embedded, "the object file", row) || isIn(state.beside, state.besidePath, row);
}

void Chooser::noteOnce(const char *format, const char *why) {
  if (state.hasNoted)
    return;
  state.hasNoted = true;
  char reason[longestText];
  snprintf(reason, sizeof(reason), format, why);
  fprintf(stderr, "tilecc: kernel '%s' is not tuned for %s on %s: %s\n", state.name, keyText, deviceText, reason);
}

// Takes the first row that can be launched, in the order of the user's model, or else of the table.
ttError_t Chooser::chooseDefault(unsigned *row) {
  snprintf(source, sizeof(source), "by default");
  isKnown = false;
  const char *why = "all configurations are excluded or pruned";
  for (unsigned left = request.rows; left > 0; --left) {
    int best = -1;
    for (unsigned i = 0; i < request.rows; ++i)
      if (rows[i].isCandidate && (best < 0 || (request.costs && request.costs[i] < request.costs[best])))
        best = i;
    if (best < 0)
      break;
    *row = best;
    if (canLoad(request.kernels[best], rows[best]))
      return ttSuccess;
    rows[best].isCandidate = false;
    why = rows[best].why;
  }
  return fail(ttErrorLaunchOutOfResources, "kernel '%s': no configuration can be launched: %s", state.name, why);
}

// Adds the choice to the table in a file.
void Chooser::save(unsigned row, const char *path, bool isLocked) {
  char folder[4200];
  const char *slash = strrchr(path, '/');
  snprintf(folder, sizeof(folder), "%.*s", slash ? static_cast<int>(slash - path) : 1, slash ? path : ".");
  FolderLock lock(isLocked ? nullptr : slash == path ? "/" : folder, options.wait);
  TuneTable table;
  readTuneTable(path, TuneFile::Again, &table);
  errno = ETIMEDOUT;
  bool good = lock.isHeld() && addToTuneTable(table, problem, row, rows[row].microseconds, nameOf(row)) &&
              writeTuneTable(table, path);
  if (!good)
    fprintf(stderr, "tilecc: %s: the choice for kernel '%s' is not kept: %s\n", path, state.name, strerror(errno));
  freeTuneTable(table);
}

// Records the choice in this process and in the requested file.
void Chooser::keep(unsigned row) {
  addToTuneTable(made, problem, row, rows[row].microseconds, nameOf(row));
  if (*options.record)
    save(row, options.record, /*isLocked=*/false);
}

// A single candidate needs no measurement.
bool Chooser::takeOnly(unsigned *row) {
  unsigned count = 0;
  for (unsigned i = 0; i < request.rows; ++i)
    if (rows[i].isCandidate) {
      ++count;
      *row = i;
    }
  snprintf(source, sizeof(source), "the only one");
  return count == 1 && canLoad(request.kernels[*row], rows[*row]);
}

// Takes the row from the cache, where another process may have added it meanwhile, or else measures. The measuring
// process holds the lock on the cache folder.
ttError_t Chooser::measure(unsigned *row, bool *holds) {
  if (takeOnly(row))
    return ttSuccess;
  char folder[4096], path[4200] = "";
  bool hasCache = !options.isFresh && tuneCacheFolder(state.code, folder, sizeof(folder));
  if (hasCache)
    snprintf(path, sizeof(path), "%s/choices", folder);
  TuneTable cache = {};
  auto isInCache = [&](TuneFile file) {
    bool found = hasCache && readTuneTable(path, file, &cache) && isIn(cache, path, row);
    freeTuneTable(cache);
    return found;
  };
  if (isInCache(TuneFile::MayBeMissing))
    return ttSuccess;
  if (!options.measures) {
    noteOnce("%s", "TILECC_TUNE=off");
    return chooseDefault(row);
  }
  ttStreamCaptureStatus capture = ttStreamCaptureStatusNone;
  ttError_t error = ttStreamIsCapturing(request.launches[0].stream, &capture);
  if (error || capture != ttStreamCaptureStatusNone) {
    noteOnce("%s, in which nothing can be measured; launch it once before, or ship a table",
             error ? ttGetLastErrorMessage() : "its stream is captured");
    if (error)
      ttGetLastError();
    *holds = false;
    return chooseDefault(row);
  }
  FolderLock lock(hasCache ? folder : nullptr, options.wait);
  if (isInCache(TuneFile::Again))
    return ttSuccess;
  snprintf(source, sizeof(source), "measured");
  if (ttError_t error = measureRows(request, rows, row))
    return fail(error, "kernel '%s' cannot be tuned: %s", state.name, ttGetErrorMessage(error));
  if (hasCache && lock.isHeld())
    save(*row, path, /*isLocked=*/true);
  return ttSuccess;
}

// Reports the choice to the user and the trace.
void Chooser::report(unsigned row, uint64_t begin) {
  uint64_t end = traceNanoseconds();
  if (isWatched() && watchers() & watchTrace) {
    char details[1024], name[longestText];
    snprintf(name, sizeof(name), "%s", nameOf(row));
    for (char *c = name; *c; ++c)
      if (*c == '"' || *c == '\\' || static_cast<unsigned char>(*c) < 0x20)
        *c = '\'';
    snprintf(details, sizeof(details), "\"key\":\"%s\",\"row\":%u,\"choice\":\"%s\",\"microseconds\":%.3f", keyText,
             row, name, rows[row].microseconds);
    traceEvent("tune", state.name, begin, end, details);
  }
  if (!options.isVerbose)
    return;
  fprintf(stderr, "tilecc: tuning %s for %s on %s\n", state.name, keyText, deviceText);
  unsigned pruned = 0, excluded = 0;
  for (unsigned i = 0; i < request.rows; ++i) {
    const TuneRow &it = rows[i];
    bool isExcluded = request.status && request.status[i] == TT_TUNE_EXCLUDED;
    if (*it.why)
      fprintf(stderr, "tilecc:   %u: %s: %s\n", i, nameOf(i), it.why);
    else if (it.microseconds > 0 && i != row)
      fprintf(stderr, "tilecc:   %u: %s: %.3f us\n", i, nameOf(i), it.microseconds);
    excluded += isExcluded;
    pruned += it.isPruned && !isExcluded;
  }
  if (pruned || excluded)
    fprintf(stderr, "tilecc:   %u are not for these arguments, %u are pruned\n", excluded, pruned);
  fprintf(stderr, "tilecc:   takes %u: %s: %.3f us, %s, in %.3f ms\n", row, nameOf(row), rows[row].microseconds, source,
          (end - begin) * 1e-6);
}

ttError_t Chooser::choose(unsigned *row, bool *holds) {
  uint64_t begin = traceNanoseconds();
  *holds = true;
  if (ttError_t error = prepare())
    return error;
  bool isForced = forcedRow(options, state.name, row);
  if (isForced && *row >= request.rows)
    return fail(ttErrorInvalidValue, "TILECC_TUNE_CHOICE: kernel '%s' has no row %u; it has %u rows", state.name, *row,
                request.rows);
  if (isForced && !(request.status && request.status[*row] == TT_TUNE_EXCLUDED)) {
    snprintf(source, sizeof(source), "forced by TILECC_TUNE_CHOICE");
    isKnown = false;
  } else if (!findInTables(row)) {
    if (ttError_t error = measure(row, holds))
      return error;
  }
  if (isKnown)
    keep(*row);
  report(*row, begin);
  return ttSuccess;
}

ttError_t tilecc::rt::chooseRow(TuneState &state, const ttTuneRequest &request, const TunePlace &place, unsigned *row,
                                bool *holds) {
  return Chooser(state, request, place).choose(row, holds);
}

//===-- Tables for all kernels ------------------------------------------------------------------------------------===//

ttError_t tilecc::rt::loadTuneTable(const char *path, bool isOfVariable) {
  auto *loaded = static_cast<Loaded *>(malloc(sizeof(Loaded) + strlen(path) + 1));
  if (!loaded)
    return fail(ttErrorMemoryAllocation, "not enough memory for the table %s", path);
  if (!readTuneTable(path, TuneFile::MustBe, &loaded->table)) {
    free(loaded);
    return fail(ttErrorInvalidValue, "%s cannot be read, or is no table of tuned choices", path);
  }
  strcpy(loaded->path, path);
  Loaded *&list = isOfVariable ? tableOfVariable : loadedTables;
  loaded->next = list;
  list = loaded;
  return ttSuccess;
}

// Frees the tables that a closed library has loaded. The program's tables stay until the process ends, because other
// threads may still use them.
__attribute__((destructor)) static void forgetTables() {
  if (isInMainProgram(&made))
    return;
  freeTuneTable(made);
  for (Loaded *list : {tableOfVariable, loadedTables})
    while (Loaded *loaded = list) {
      list = loaded->next;
      freeTuneTable(loaded->table);
      free(loaded);
    }
}

bool tilecc::rt::saveTunedChoices(const char *path) { return writeTuneTable(made, path); }
