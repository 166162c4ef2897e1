/*===-- tilecc/profile.h - records of the time inside kernels --------------------------------------------------*- C -*-
 *
 * What kernels compiled with -fprofile-tile and the runtime agree on. Users never include this file.
 *
 * On a GPU, each entry <symbol> has a variable <symbol>$profile, which the runtime makes point to a buffer before a
 * launch. The buffer is divided into parts. The first warp of each group of four, and of each partition, takes a part
 * when it begins, and writes a record at the beginning and the end of each scope.
 *===--------------------------------------------------------------------------------------------------------------===*/
#ifndef TILECC_PROFILE_H
#define TILECC_PROFILE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The variable. For each scope, its name, file and line follow as text; each ends in a NUL. */
typedef struct tilecc_gpu_profile {
  uint64_t buffer; /* the address of a tilecc_profile_buffer; 0: nothing is recorded */
  uint32_t scope_count;
  uint32_t text_bytes;
} tilecc_gpu_profile;

typedef struct tilecc_profile_buffer {
  uint32_t claimed; /* how many warps asked for a part */
  uint32_t part_count; /* how many parts follow */
  uint32_t records; /* of each part */
  uint32_t reserved[13];
} tilecc_profile_buffer;

/* A part: what one warp did. Its records follow, and then a tilecc_profile_end. */
typedef struct tilecc_profile_part {
  uint64_t begin_time; /* nanoseconds, on one clock for all parts */
  uint32_t begin_clock; /* cycles, at the same moment */
  uint32_t warp; /* in its block */
  uint32_t block[3];
  uint32_t multiprocessor;
  uint32_t reserved[8];
} tilecc_profile_part;

typedef struct tilecc_profile_record {
  uint32_t clock; /* cycles; the upper bits follow from the order */
  uint32_t event; /* twice the number of the scope that begins; 1: the innermost scope ends */
} tilecc_profile_record;

typedef struct tilecc_profile_end {
  uint64_t end_time; /* nanoseconds; 0 until the warp has ended */
  uint64_t next; /* the address of the next record if there were room: those that did not fit are lost */
  uint32_t end_clock;
  uint32_t reserved[3];
} tilecc_profile_end;

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
