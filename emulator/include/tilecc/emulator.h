/*===-- tilecc/emulator.h - the PTX device's C interface -------------------------------------------------------*- C -*-
 *
 * The interface of libtilecc_emu for libtilecc_rt, which opens it on request (TILECC_DEVICE=emu), and for tcc-run.
 * Programs use <tilecc/runtime.h> instead.
 *
 * The device has its own memory. The host cannot access its addresses: such an access faults, as with a GPU. All calls,
 * including launches, are synchronous. Every function is thread-safe.
 *===--------------------------------------------------------------------------------------------------------------===*/
#ifndef TILECC_EMULATOR_H
#define TILECC_EMULATOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TILECC_EMULATOR_VERSION 4

/* Runs body(context, i) for i in [0, count), on any threads, and returns when all are done. */
typedef void (*tilecc_emu_parallel)(uint64_t count, void (*body)(void *context, uint64_t index), void *context);

enum {
  TILECC_EMU_CHECK_MEMORY = 1, /* bounds, alignment, use after free; what is fatal anyway is always checked */
  TILECC_EMU_CHECK_INITIALIZED = 2, /* reads of shared and global memory and of registers never written */
  TILECC_EMU_CHECK_RACES = 4,
  TILECC_EMU_CHECK_REPLICAS = 16, /* copies of one value, where the PTX says which there are (tcc -fcheck-replicas) */
  TILECC_EMU_CHECK_ALL = 23,
  /* With races: data copied by cp.async also needs a proxy fence before bulk copies and wgmma read it. PTX does not
   * specify this clearly, and hardware does not need it, so this check is not part of all. */
  TILECC_EMU_CHECK_COPY_FENCES = 8,
  /* With races: ordering accesses to tensor memory by several threads, or by a thread and the tensor core, requires
   * tcgen05.fence on both sides. PTX requires this, but Triton's kernels omit it, so this check is not part of all. */
  TILECC_EMU_CHECK_TENSOR_FENCES = 32
};
enum { TILECC_EMU_SCHEDULE_FAST = 0, TILECC_EMU_SCHEDULE_RANDOM = 1 };

typedef struct tilecc_emu_options {
  uint32_t version; /* TILECC_EMULATOR_VERSION */
  uint32_t arch; /* 90 for sm_90, whose PTX may say sm_90a, too; 0: each module has the .target of its PTX */
  uint32_t checks; /* TILECC_EMU_CHECK_* */
  uint32_t schedule; /* TILECC_EMU_SCHEDULE_*: random picks warps and completions at random, on one thread */
  uint64_t seed; /* of the random schedule: the same seed replays exactly */
  uint64_t instruction_limit; /* of warps, a launch: a launch that runs longer fails; 0 is the default limit */
  void (*print)(const char *text, size_t size); /* what kernels print; null: to standard output */
  void (*report)(const char *text, size_t size); /* each finding, once, with the seed of a random schedule; null: to
                                                  * standard error */
  const char *profile; /* the file to which a profile is written when the device is destroyed, and that of the default
                        * device when the process exits or a launch fails; null: none. Empty: no file is written, and
                        * clocks count the steps of a profile, as they do with a file. PTX only. */
} tilecc_emu_options;

typedef struct tilecc_emu_device tilecc_emu_device;
typedef struct tilecc_emu_module tilecc_emu_module;
typedef struct tilecc_emu_kernel tilecc_emu_kernel;

/* Every call returns 0 or the number of a CUDA error (ttError_t). tilecc_emu_error_message describes the thread's
 * last failure. */
typedef int tilecc_emu_error;
const char *tilecc_emu_error_message(void);

/* Fails with a message if the options are of another version or request something that this library or processor
 * does not support. */
tilecc_emu_error tilecc_emu_create(const tilecc_emu_options *options, tilecc_emu_device **device);
void tilecc_emu_destroy(tilecc_emu_device *device);
/* Returns the device that all copies of the runtime in a process share, so that pointers can be passed between them.
 * The first call creates it; later calls only check their options. It exists until the process ends, also during static
 * destructors, and a forked child continues to use it. */
tilecc_emu_error tilecc_emu_default_device(const tilecc_emu_options *options, tilecc_emu_device **device);
/* Returns the maximum shared memory of a block, static and dynamic, in bytes, or 0 if the architecture is unknown. */
size_t tilecc_emu_shared_limit(uint32_t arch);

/* Allocate memory, aligned to 256 bytes. Kernels access host memory at the same address. */
tilecc_emu_error tilecc_emu_allocate(tilecc_emu_device *device, size_t bytes, void **address);
tilecc_emu_error tilecc_emu_free(tilecc_emu_device *device, void *address);
tilecc_emu_error tilecc_emu_allocate_host(tilecc_emu_device *device, size_t bytes, void **address);
tilecc_emu_error tilecc_emu_free_host(tilecc_emu_device *device, void *address);
/* Makes other host memory accessible to kernels, at the same address. */
tilecc_emu_error tilecc_emu_register_host(tilecc_emu_device *device, void *address, size_t bytes);
tilecc_emu_error tilecc_emu_unregister_host(tilecc_emu_device *device, void *address);
/* Returns an address that stands for one address in each of several ranges of device memory, for multimem instructions
 * alone: copies[i] is the beginning of range i. It is valid as long as the ranges are. */
tilecc_emu_error tilecc_emu_allocate_multicast(tilecc_emu_device *device, void *const *copies, size_t count,
                                               size_t bytes, void **address);
void tilecc_emu_memory_info(tilecc_emu_device *device, size_t *free_bytes, size_t *total_bytes);
/* Copies bytes. Each address may be the device's or the host's. */
tilecc_emu_error tilecc_emu_copy(tilecc_emu_device *device, void *to, const void *from, size_t bytes);
tilecc_emu_error tilecc_emu_set(tilecc_emu_device *device, void *address, int byte, size_t bytes);

/* Encodes the 128 bytes of a tensor map, aligned to 64, that a kernel takes as a parameter or reads from memory. The
 * arguments and enumerators are those of cuTensorMapEncodeTiled. The format is the emulator's own: GPUs do not
 * understand it, and the emulator does not understand that of GPUs. Returns ttErrorNotSupported for interleaved
 * layouts, swizzles of larger atoms and 16U4_ALIGN8B. */
tilecc_emu_error tilecc_emu_tensor_map_encode_tiled(void *map, int type, uint32_t rank, void *address,
                                                    const uint64_t *dims, const uint64_t *strides, const uint32_t *box,
                                                    const uint32_t *element_strides, int interleave, int swizzle,
                                                    int l2_promotion, int out_of_bounds_fill);

/* The same for cuTensorMapEncodeIm2col: images have one to three dimensions between their channels and the batch. */
tilecc_emu_error tilecc_emu_tensor_map_encode_im2col(void *map, int type, uint32_t rank, void *address,
                                                     const uint64_t *dims, const uint64_t *strides,
                                                     const int *lower_corner, const int *upper_corner,
                                                     uint32_t channels, uint32_t pixels,
                                                     const uint32_t *element_strides, int interleave, int swizzle,
                                                     int l2_promotion, int out_of_bounds_fill);

/* Parses and checks the PTX, which need not outlive the call. `name` is for messages. */
tilecc_emu_error tilecc_emu_load(tilecc_emu_device *device, const char *ptx, size_t size, const char *name,
                                 tilecc_emu_module **module);
tilecc_emu_error tilecc_emu_unload(tilecc_emu_module *module);
/* The kernel belongs to the module. `display_name` (or null) is for messages. */
tilecc_emu_error tilecc_emu_get_kernel(tilecc_emu_module *module, const char *symbol, const char *display_name,
                                       tilecc_emu_kernel **kernel);
/* Returns the name of a module's kernel, in the order of the text, or null past the last. */
const char *tilecc_emu_kernel_name(const tilecc_emu_module *module, size_t index);
/* Returns a parameter's size in bytes, or 0 past the last. */
size_t tilecc_emu_param_size(const tilecc_emu_kernel *kernel, size_t index);
/* The launch requirements of the kernel, from its PTX. */
typedef struct tilecc_emu_kernel_attributes {
  size_t shared_bytes, local_bytes; /* static shared memory of a block, local memory of a thread */
  uint32_t max_threads; /* of a block */
  uint32_t arch; /* of the PTX's .target: 90 for sm_90 and sm_90a */
} tilecc_emu_kernel_attributes;
void tilecc_emu_get_attributes(const tilecc_emu_kernel *kernel, tilecc_emu_kernel_attributes *attributes);
/* Returns the address of a .global or .const variable of the module. Managed variables are in host memory, which
 * kernels access at the same address. */
tilecc_emu_error tilecc_emu_get_global(tilecc_emu_module *module, const char *symbol, void **address, size_t *bytes);

typedef struct tilecc_emu_launch_config {
  uint32_t grid[3];
  uint32_t block[3]; /* (1, 1, 1) stands for the block that the kernel requires (.reqntid) */
  uint32_t cluster[3]; /* all 1 for none */
  uint32_t shared_bytes; /* dynamic */
  tilecc_emu_parallel parallel; /* null: everything runs on the calling thread */
  uint32_t cooperative; /* not 0: all blocks run together, and have a barrier (cooperative groups' grid) */
  uint32_t devices_along_z; /* not 0: blocks with different z count as blocks of different GPUs, which only
                                             scope .sys includes */
  uint32_t counts_banks; /* not 0: count the cycles of accesses to LDS; of AMD GPUs only */
} tilecc_emu_launch_config;

typedef struct tilecc_emu_stats {
  uint64_t warp_instructions; /* executed */
  uint64_t thread_instructions; /* the same, times the threads that took part */
  uint64_t findings; /* reports made, duplicates not counted */
  uint64_t bank_cycles, bank_conflicts; /* with counts_banks: of accesses to LDS, and those that only conflicts add */
} tilecc_emu_stats;

/* Launches a kernel and returns when the grid has finished. args[i] points to the value of parameter i, as for
 * cuLaunchKernel. The error is the one that a GPU would report, or ttErrorLaunchFailure if a check found an error.
 * `stats` may be null. */
tilecc_emu_error tilecc_emu_launch(tilecc_emu_kernel *kernel, const tilecc_emu_launch_config *config, void *const *args,
                                   tilecc_emu_stats *stats);
/* Returns the first error of a kernel since the last call, or 0. Errors are also recorded, because on a GPU they are
 * reported only after the launch. The message is the one of the launch. */
tilecc_emu_error tilecc_emu_synchronize(tilecc_emu_device *device);

/* Returns the syntax of row `index` of the instruction table, or null past the last. */
const char *tilecc_emu_instruction(size_t index);

#ifdef __cplusplus
}
#endif
#endif /* TILECC_EMULATOR_H */
