/*===-- tilecc/profile.h - records of the time inside kernels --------------------------------------------------*- C -*-
 *
 * The interface between kernels compiled with -fprofile-tile and the runtime. Users never include this file.
 *
 * On a GPU, each entry <symbol> has a variable <symbol>$profile in constant memory, which the runtime makes point to a
 * buffer before a launch, and a variable <symbol>$scopes. The buffer has parts, followed by the records, in rows of one
 * record for each part. The first warp of each group of four, and of each partition, claims a part when it begins, and
 * writes a record at the beginning and the end of each scope.
 *===--------------------------------------------------------------------------------------------------------------===*/
#ifndef TILECC_PROFILE_H
#define TILECC_PROFILE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The variable <symbol>$profile. If it is zero, nothing is recorded. Positions of records are offsets from the first
 * record. */
typedef struct tilecc_gpu_profile {
  uint64_t buffer; /* the address of a tilecc_profile_buffer */
  uint64_t records; /* the address of the first record */
  uint32_t limit; /* the end of the last row; a multiple of the stride */
  uint32_t stride; /* the bytes of a row */
} tilecc_gpu_profile;

/* The variable <symbol>$scopes. For each scope, its name, file and line follow as text; each ends in a NUL. */
typedef struct tilecc_gpu_scopes {
  uint32_t count;
  uint32_t text_bytes;
} tilecc_gpu_scopes;

typedef struct tilecc_profile_buffer {
  uint32_t claimed; /* how many warps asked for a part */
  uint32_t part_count; /* how many parts follow */
  uint32_t reserved[14];
} tilecc_profile_buffer;

/* A part: the records of one warp. */
typedef struct tilecc_profile_part {
  uint64_t begin_time; /* nanoseconds, on one clock for all parts */
  uint64_t end_time; /* the same; 0 until the warp has ended */
  uint32_t begin_clock; /* cycles, at the same moments */
  uint32_t end_clock;
  uint32_t warp; /* in its block */
  uint32_t block[3];
  uint32_t multiprocessor;
  uint32_t next; /* the place of the next record; the limit or beyond: records may have been lost */
} tilecc_profile_part;

enum { tilecc_profile_begins, tilecc_profile_ends, tilecc_profile_whole, tilecc_profile_kinds };

typedef struct tilecc_profile_record {
  uint32_t clock; /* cycles; the upper bits follow from the order */
  uint32_t event; /* the scope's number * tilecc_profile_kinds + a kind */
  uint32_t end_clock; /* of a whole scope, within which no other begins or ends */
  uint32_t reserved;
} tilecc_profile_record;

/* Called by CPU code at the beginning and the end of a scope. */
typedef struct tilecc_cpu_scope {
  const char *name;
  const char *file;
  uint32_t line;
} tilecc_cpu_scope;
void __tilecc_cpu_record(const tilecc_cpu_scope *scope, uint32_t is_end);

#ifdef __cplusplus
}
#endif
#endif /* TILECC_PROFILE_H */
