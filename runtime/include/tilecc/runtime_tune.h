/*===-- tilecc/runtime_tune.h - which configuration of a kernel a launch takes ---------------------------------*- C -*-
 *
 * Part of <tilecc/runtime.h>, which includes it. Kernels that differ in their configuration alone (sizes of tiles,
 * warps, stages) are the rows of a table, and a launch takes the one that is best for its arguments: a choice for each
 * key, made by measuring, or read from a table that was made before. <tilecc/tune.h> is how C++ says it, and
 * docs/tuning.md explains it; this is what it is made of.
 *
 * A choice is looked for, in this order, in
 *   the file that TILECC_TUNE_TABLE names; files of ttTuneLoad, the latest first; the object that brought the kernels
 *   (--tune-table); FILE.tune beside the executable or library FILE that brought them; the user's cache
 * and measured if none has it, or if the kernels' code or the device is another than it was. Environment variables:
 *   TILECC_TUNE=verbose        each choice, with the times of all rows, is written to standard error
 *   TILECC_TUNE=off            nothing is measured: what no table has is the first row, or the user's model's first
 *   TILECC_TUNE=fresh          no table and no cache is asked
 *   TILECC_TUNE=record=FILE    choices are written to the table FILE as well
 *   TILECC_TUNE=wait=SECONDS   how long others that measure the same are waited for; 20 by default
 *                              (several with commas between them; record last)
 *   TILECC_TUNE_CHOICE=NAME=ROW;NAME=ROW   these kernels take these rows
 *   TILECC_CACHE_DIR           where the cache is, instead of $XDG_CACHE_HOME/tilecc or ~/.cache/tilecc
 *===--------------------------------------------------------------------------------------------------------------===*/
#ifndef TILECC_RUNTIME_TUNE_H
#define TILECC_RUNTIME_TUNE_H

#include <tilecc/runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A table of kernels, and the choices made so far. Zeroed memory is one without choices; it stays where it is. */
typedef struct ttTuned {
  void *state;
} ttTuned;

/* What a choice depends on besides the device, and which of the variants' assumptions the arguments meet. */
enum { TT_TUNE_MOST_VALUES = 12 };
typedef struct ttTuneKey {
  unsigned count;
  long long values[TT_TUNE_MOST_VALUES];
} ttTuneKey;

/* Memory that the kernels change, and which measuring must leave as it was: with zeros in it, or whatever it is. */
typedef struct ttTuneBuffer {
  void *pointer;
  size_t bytes;
  int isZero;
} ttTuneBuffer;

/* Excluded rows compute something else for these arguments; pruned ones do not promise to be fast. */
enum { TT_TUNE_CANDIDATE = 0, TT_TUNE_PRUNED = 1, TT_TUNE_EXCLUDED = 2 };

/* What making a choice takes. Nothing of it is kept. */
typedef struct ttTuneRequest {
  unsigned rows;
  const void *const *kernels;     /* [rows]; all of the same parameters */
  const ttLaunchConfig *launches; /* [rows]; all of one stream */
  const unsigned char *status;    /* [rows], TT_TUNE_*; null: all are candidates */
  const double *costs;            /* [rows], as a model predicts them; or null */
  unsigned most;                  /* this many candidates are measured, those of the least cost; 0: all */
  unsigned bufferCount;
  const ttTuneBuffer *buffers;
  void **args; /* as for ttLaunchKernel */
} ttTuneRequest;

/* The row that was chosen for a key on the current device; -1 if none has been. Takes no lock. */
int ttTuneFind(const ttTuned *tuned, const ttTuneKey *key, void **args);

/* Makes the choice. All threads get the same one: one measures, the others wait. In a stream that is captured nothing is
 * measured; the row is then that of a table, or else the first, and a later call may choose another. Buffers are as
 * they were on return. Fails if no row can be launched, or a kernel did something wrong. */
ttError_t ttTuneChoose(ttTuned *tuned, const ttTuneKey *key, const ttTuneRequest *request, unsigned *row);

/* Frees the choices, which nobody may use any more. At the end of the program it does nothing. */
void ttTuneForget(ttTuned *tuned);

/* Reads a table of choices, which counts from now on; writes one with all choices that this process knows. For this copy of
 * the runtime. */
ttError_t ttTuneLoad(const char *file);
ttError_t ttTuneSave(const char *file);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* TILECC_RUNTIME_TUNE_H */
