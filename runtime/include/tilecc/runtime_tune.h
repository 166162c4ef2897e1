/*===-- tilecc/runtime_tune.h - the choice of a kernel's configuration by a launch -----------------------------*- C -*-
 *
 * Part of <tilecc/runtime.h>, which includes it. Kernels that differ only in their configuration (tile sizes, warps,
 * stages) are the rows of a table. A launch uses the best row for its arguments: one choice per key, measured, or
 * read from a table that was made before. <tilecc/tune.h> is the C++ interface, and docs/tuning.md explains it.
 *
 * A choice is looked up in these places, in this order:
 *   the file that TILECC_TUNE_TABLE names; files of ttTuneLoad, the latest first; the object that has the kernels
 *   (--tune-table); FILE.tune beside the executable or library FILE that contains them; the user's cache
 * If none of them has it, or if the code of the kernels or the device has changed, the rows are measured. Environment
 * variables:
 *   TILECC_TUNE=verbose        write each choice, with the times of all rows, to standard error
 *   TILECC_TUNE=off            measure nothing: without a table the choice is the first row, or the model's best
 *   TILECC_TUNE=fresh          ignore tables and cache
 *   TILECC_TUNE=record=FILE    write choices to the table FILE as well
 *   TILECC_TUNE=wait=SECONDS   how long to wait for threads or processes that measure the same; 20 by default
 *                              (several are separated by commas; record comes last)
 *   TILECC_TUNE_CHOICE=NAME=ROW;NAME=ROW   force rows for these kernels
 *   TILECC_CACHE_DIR           the cache, instead of $XDG_CACHE_HOME/tilecc or ~/.cache/tilecc
 *===--------------------------------------------------------------------------------------------------------------===*/
#ifndef TILECC_RUNTIME_TUNE_H
#define TILECC_RUNTIME_TUNE_H

#include <tilecc/detail/push_macros.h>

#include <tilecc/runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A table of kernels and the choices made so far. Zeroed memory is a table without choices. It must not move. */
typedef struct ttTuned {
  void *state;
} ttTuned;

/* The key of a choice. A choice also depends on the device and on the variants' assumptions that the arguments meet. */
enum { TT_TUNE_MOST_VALUES = 12 };
typedef struct ttTuneKey {
  unsigned count;
  long long values[TT_TUNE_MOST_VALUES];
} ttTuneKey;

/* Memory that the kernels change and that measuring must restore: to zeros, or to its previous contents. */
typedef struct ttTuneBuffer {
  void *pointer;
  size_t bytes;
  int isZero;
} ttTuneBuffer;

/* Excluded rows are wrong for these arguments; pruned rows are not expected to be fast. */
enum { TT_TUNE_CANDIDATE = 0, TT_TUNE_PRUNED = 1, TT_TUNE_EXCLUDED = 2 };

/* The inputs of a choice. The runtime keeps no reference to them. */
typedef struct ttTuneRequest {
  unsigned rows;
  const void *const *kernels; /* [rows]; all of the same parameters */
  const ttLaunchConfig *launches; /* [rows]; all of one stream */
  const unsigned char *status; /* [rows], TT_TUNE_*; null: all are candidates */
  const double *costs; /* [rows], as a model predicts them; or null */
  unsigned most; /* this many candidates with the least cost are measured; 0: all */
  unsigned bufferCount;
  const ttTuneBuffer *buffers;
  void **args; /* as for ttLaunchKernel */
} ttTuneRequest;

/* Returns the row that was chosen for a key on the current device, or -1. Takes no lock. */
int ttTuneFind(const ttTuned *tuned, const ttTuneKey *key, void **args);

/* Makes the choice. All threads get the same one: one thread measures, the others wait. Nothing is measured in a stream
 * that is being captured; the row is then taken from a table, or is the first, and a later call may choose another.
 * Buffers are restored on return. Fails if no row can be launched, or if a kernel fails. */
ttError_t ttTuneChoose(ttTuned *tuned, const ttTuneKey *key, const ttTuneRequest *request, unsigned *row);

/* Frees the choices, which must no longer be in use. At the end of the program it does nothing. */
void ttTuneForget(ttTuned *tuned);

/* ttTuneLoad reads a table of choices, which applies from now on; ttTuneSave writes a table of all choices that this
 * process knows. Both apply to this copy of the runtime. */
ttError_t ttTuneLoad(const char *file);
ttError_t ttTuneSave(const char *file);

#ifdef __cplusplus
} /* extern "C" */
#endif

#include <tilecc/detail/pop_macros.h>

#endif /* TILECC_RUNTIME_TUNE_H */
