/*===-- tilecc/abi.h - interface of compiled objects and the runtime -------------------------------------------*- C -*-
 *
 * The interface between objects that tcc compiles and libtilecc_rt: constant tables that describe the kernels of one
 * translation unit, the constructor that registers them, and the calls in a kernel's host stub. Users never include
 * this file; <tilecc/runtime.h> is the public interface.
 *
 * All tables are plain data in the object's read-only sections. Registration only keeps a pointer to them: it calls no
 * driver, reports no errors, and does not depend on the order of static constructors.
 *===--------------------------------------------------------------------------------------------------------------===*/
#ifndef TILECC_ABI_H
#define TILECC_ABI_H

/* The types of <stdint.h>, which is not included because it takes longer to parse than the headers for tile kernels. */
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __UINTPTR_TYPE__ uintptr_t;

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface and of the data that copies of the runtime in a process share (runtime/src/Peers.h). */
#define TILECC_ABI_VERSION 22

/* A kernel parameter in the C++ declaration. A struct passed by value is one parameter. */
enum { TILECC_PARAM_POINTER = 0, TILECC_PARAM_INTEGER = 1, TILECC_PARAM_OTHER = 2, TILECC_PARAM_POSITIVE = 3 };
enum { TILECC_TYPE_OTHER = 0, TILECC_TYPE_POINTER = 1, TILECC_TYPE_INTEGER = 2, TILECC_TYPE_FLOAT = 3 };
typedef struct tilecc_param {
  uint32_t size; /* bytes */
  uint32_t offset; /* bytes; of the value in the packed arguments that the host stub passes to __tilecc_launch */
  uint32_t align; /* bytes */
  uint16_t kind; /* TILECC_PARAM_*: what variants assume about it; integers are signed or unsigned, 1 to 8 bytes;
                    * POSITIVE is a float or a double */
  uint16_t type; /* TILECC_TYPE_*: its type in C++ */
} tilecc_param;

/* The assumptions that a variant of a kernel can make about its arguments. A launch uses the first variant whose
 * assumptions hold. */
enum {
  TILECC_POINTERS_DIVISIBLE_BY_16 = 1, /* every pointer parameter is 16-byte aligned */
  TILECC_INTEGERS_DIVISIBLE_BY_16 =
      2, /* every integer parameter that is neither a unit nor free is a multiple of 16, and not negative */
  TILECC_INTEGERS_DIVISIBLE_BY_8 =
      4, /* every integer parameter that is neither a unit nor free is a multiple of 8, and not negative */
  TILECC_FLOATS_POSITIVE = 8, /* every parameter of the kind POSITIVE is positive and finite */
  TILECC_FEW_BLOCKS = 16, /* the launch has no more thread blocks than the device has multiprocessors */
  TILECC_IMAGES = 32, /* the launch can make the variant's tensor maps of images */
  TILECC_ONE_WAVE = 64, /* the device can run all thread blocks of the launch at once */
  TILECC_FEW_ROWS = 128, /* no integer parameter is negative, and `rows` of the variant is at most `max_rows` */
  /* Holds if the next variant would take longer on this device. The time is estimated from rounds (waves) of blocks:
   * this variant needs fewer or shorter ones. The next variant makes the same other assumptions. */
  TILECC_SHORTER_ROUNDS = 256,
  /* The loops of the launch are short: the iterations of a program's loop, divided by the number of blocks that run the
   * program, are at most `max_iterations` of the variant. These blocks run the program's parts. If there are more
   * multiprocessors than parts, several blocks split the iterations of each part. */
  TILECC_SHORT_LOOPS = 512,
  /* All parts of the launch's programs run at the same time, there are less than two multiprocessors for each program,
   * and the multiprocessor with the most parts is done earlier than one with the most whole programs would be. (Of 144
   * whole programs on 132 multiprocessors, one multiprocessor runs two; of 288 halves, one runs three.) */
  TILECC_EVEN_SHARES = 1024,
  /* Rows of a tensor that the variant copies do not begin with cache lines, and the number of programs is even: pairs
   * of blocks share copies. */
  TILECC_PAIRS = 2048,
};
enum { TILECC_UNIT_PARAMETERS = 31 }; /* only the first 31 parameters can be units, or strides with a limit */
enum { TILECC_MAX_STRIDE = 1 << 21 }; /* the limit of strides, in elements */

/* Operations of the stack code by which a launch computes numbers from integer arguments. Each word is an operation,
 * which pops two numbers from a stack and pushes one. If an operation overflows, a divisor is not positive, or a number
 * that must be non-negative is negative, the code has no result. */
enum {
  TILECC_CODE_NUMBER, /* the next word */
  TILECC_CODE_PARAMETER, /* the integer parameter whose number is the next word */
  TILECC_CODE_ADD,
  TILECC_CODE_SUBTRACT,
  TILECC_CODE_MULTIPLY,
  TILECC_CODE_DIVIDE, /* rounds towards 0 */
  TILECC_CODE_REMAINDER,
  TILECC_CODE_REQUIRE, /* takes the last number from the stack; it must not be negative */
};

/* A tensor map that a launch encodes (cuTensorMapEncodeTiled) and passes after the kernel's own parameters. The
 * tensor has 4 dimensions, or 2 if the third has no size. Elements are copied unchanged, and elements out of bounds
 * are zeros. If the driver cannot encode the arguments, the launch uses the variant without assumptions. */
enum { TILECC_MAP_DIMENSIONS = 4, TILECC_IMAGE_DIMENSIONS = 5, TILECC_NO_PARAMETER = 0xffffffff };
typedef struct tilecc_tensor_map {
  uint32_t element_bytes; /* 1, 2, 4 or 8 */
  uint32_t swizzle; /* bytes: 0, 32, 64 or 128 */
  uint32_t parameter; /* an integer parameter by which strides[0] is multiplied, or TILECC_NO_PARAMETER */
  uint32_t limits[2]; /* integer parameters, read as unsigned, that are sizes[0] and [1]; or TILECC_NO_PARAMETER */
  uint32_t base; /* the pointer parameter where the tensor begins; TILECC_NO_PARAMETER: address 0 */
  uint64_t sizes[TILECC_MAP_DIMENSIONS]; /* elements */
  uint64_t strides[TILECC_MAP_DIMENSIONS - 1]; /* bytes, of the second and later dimensions */
  uint32_t box[TILECC_MAP_DIMENSIONS]; /* elements that are copied at once */
  /* If not 0, this is a map of images (cuTensorMapEncodeIm2col) with this number of dimensions, 1 to 3, between the
   * channels and the batch. A copy has box[0] channels of box[1] pixels. `limits`, `sizes`, `strides` and
   * `parameter` are unused. The code leaves these numbers, fastest-varying dimension first: the sizes of all
   * dimensions; the strides in bytes of all but the first; and, for the image dimensions, the lower corners, then
   * the upper corners, then the steps from pixel to pixel. */
  uint32_t image_dimensions;
  uint32_t code_size; /* words */
  const int64_t *code;
} tilecc_tensor_map;

/* How to launch one variant from one GPU image. */
typedef struct tilecc_gpu_entry {
  uint32_t threads; /* per block */
  uint32_t shared_bytes; /* dynamic shared memory per block */
  uint32_t cluster; /* blocks per cluster; 1 means none */
  uint32_t map_count;
  const tilecc_tensor_map *maps; /* [map_count]; none in a variant without assumptions */
  /* If not 0, the kernel is persistent: any number of blocks along x executes the programs of this many axes of the
   * grid, starting with x. The numbers of programs along these axes (uint32_t each) are passed after the maps. */
  uint16_t persistent;
  /* If above 1, a launch may run each program as a cluster of up to this many blocks. If the entry is persistent, this
   * is 2: a launch whose numbers of blocks along x and of programs are even may use clusters of two blocks. Each block
   * of such a cluster then runs its own programs, and the two share copies. */
  uint16_t max_blocks;
  /* If above 1, this many programs, adjacent along `axis`, share a block, and the number of programs along that axis
   * (uint32_t) is passed after the maps. */
  uint16_t programs;
  uint16_t axis; /* 0 for x, 1 for y, 2 for z */
  /* If not 0, the entry is numbered: a launch may run a subset of the programs of this many axes of the grid, starting
   * with x. It runs consecutive programs, one per block (or cluster). The numbers of programs along these axes and the
   * first program's number (uint32_t each) are passed after the maps. A launch of such an entry may begin when all
   * blocks of another entry's launch are running, and it ends after that launch. An entry that is also persistent runs
   * the first programs of the grid; their count is passed in place of the first program's number. */
  uint32_t numbered;
  /* If not 0, the entry is numbered, and a launch may split each program over several clusters (or blocks). The number
   * of clusters per program (uint32_t) and a pointer to memory are passed after the numbers of programs. If that number
   * is above 1, the clusters of a program are adjacent along x, programs are in the order of their numbers, and the
   * memory has this many bytes, a multiple of 16, for each cluster. In front of the pointer is a counter (uint32_t) for
   * each program, in reverse order: the counter of the first program comes last. The counters are 0 before and after
   * the launch. */
  uint32_t cluster_bytes;
  /* If 1, the code waits for the previous launch in its stream before it accesses global memory, so a launch may begin
   * before the previous one has ended (CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION). */
  uint32_t waits;
  /* If not 0, the blocks that run a program share the iterations of a loop, and each block executes at least this many.
   * A launch need not use more blocks for a program than there are multiples of this number (tilecc_variant.iterations). */
  uint32_t least_iterations;
} tilecc_gpu_entry;

typedef struct tilecc_variant {
  uint32_t demands; /* TILECC_*_DIVISIBLE_BY_* bits; the last variant of a kernel has none */
  uint32_t units; /* bit i: the integer parameter i is 1, as the stride of the last axis usually is */
  const char *symbol; /* of the entry in every GPU image */
  const tilecc_gpu_entry *gpu; /* [image_count of the module], null where the module has no image */
  uint32_t free; /* bit i: parameter i, an integer, has any value */
  uint32_t parts; /* above 1: so many programs, adjacent along x, run each program of the grid */
  uint32_t rows, max_rows; /* for TILECC_FEW_ROWS: the number of a parameter of 4 or 8 bytes, and its limit */
  /* for TILECC_SHORTER_ROUNDS: the time of a round, in percent of one of the next variant;
   * for TILECC_EVEN_SHARES: the time of all parts of a program together, in percent of the whole program */
  uint32_t round_percent;
  uint32_t max_iterations; /* for TILECC_SHORT_LOOPS */
  const int64_t
      *iterations; /* code that leaves the number of iterations of a program's loop; null if it is not known */
  uint32_t iterations_size; /* words */
  uint32_t strides; /* bit i: the integer parameter i is from 0 to TILECC_MAX_STRIDE */
} tilecc_variant;

/* Runs one program of the grid, or several adjacent ones, on the calling thread. args[i] points to the value of
 * parameter i, as for cuLaunchKernel. scratch is at least scratch_bytes long, 64-byte aligned, and exclusive to this
 * program while it runs. */
typedef void (*tilecc_cpu_fn)(void *const *args, const uint32_t program_id[3], const uint32_t num_programs[3],
                              void *scratch);

/* Calls from CPU code. A call that finds an error prints it, ends the program of the grid, and makes the launch
 * fail. */

/* Implements device_assert. */
void __tilecc_cpu_assertion_failed(const char *file, uint32_t line, const char *function, const char *message);

/* Called before an access, by code compiled with -fsanitize=tile. The access is to `bytes` at each of addresses[0,
 * count) for which active[i] is not 0 (null: all). If exact[i] is 0, an offset in the address computation has
 * overflowed (null: none has). `base` is the kernel parameter from which the addresses are computed (null: several,
 * or unknown). */
typedef struct tilecc_cpu_access {
  const char *file;
  const char *kind; /* "load", "store" or "atomic access" */
  uint32_t line;
  uint32_t element_bytes;
} tilecc_cpu_access;
void __tilecc_cpu_check_access(const tilecc_cpu_access *access, const void *base, const void *const *addresses,
                               const uint8_t *exact, const uint8_t *active, uint32_t count, uint64_t bytes);

/* Called in each iteration of a loop that waits until another program has written to memory and, unless it ended at
 * once, after the loop. */
void __tilecc_cpu_wait(const char *file, uint32_t line, uint64_t iteration);
void __tilecc_cpu_wait_over(void);

/* Set by the runtime before a CPU entry runs; if undefined, the entry uses 2^64 - 1. In launches that access at
 * least this many bytes, programs use non-temporal stores, unless other programs of the launch may wait for these
 * stores. The caller of entries executes a fence (sfence) when a thread has run its share. */
extern uint64_t __tilecc_cpu_stream_bytes;

/* The processors that can run a CPU entry. x86-64: micro-architecture level 1 to 4, and 5 for 4 with AMX (tiles, bf16,
 * 8-bit integers). AArch64: 8 for Armv8-A with NEON; 128, 256 and 512 for SVE with vectors of exactly that length. */
typedef struct tilecc_cpu_entry {
  uint32_t level;
  /* The number of programs that `run` executes: neighbours along x, beginning with program_id; 0 means 1. An entry for
   * two programs precedes the entry of the same level for one program, which executes a remaining program. */
  uint32_t programs;
  uint64_t scratch_bytes;
  tilecc_cpu_fn run;
} tilecc_cpu_entry;

typedef struct tilecc_kernel {
  const void *stub; /* the host function of the kernel's name: its identity in this process */
  const char *name; /* mangled */
  const char *display_name; /* as written, for messages: "add<1024>" */
  const tilecc_param *params;
  const tilecc_variant *variants; /* most demanding first */
  const tilecc_cpu_entry *cpu; /* best level first */
  uint32_t param_count;
  uint32_t variant_count;
  uint32_t cpu_count;
  uint32_t reserved;
  uint64_t code; /* a hash of everything that determines the kernel's code; 0: not known */
  const char *ttir; /* text of the kernel's IR after raising, for -ffusion; otherwise null */
  uint64_t ttir_size; /* bytes, without the NUL */
} tilecc_kernel;

enum { TILECC_IMAGE_CUBIN = 1, TILECC_IMAGE_PTX = 2, TILECC_IMAGE_SPIRV = 3, TILECC_IMAGE_HSACO = 4 };
enum { TILECC_ARCH_SPECIFIC = 1u << 16, TILECC_ARCH_FAMILY = 1u << 17 }; /* sm_90a, sm_100f */
typedef struct tilecc_image {
  uint32_t kind; /* TILECC_IMAGE_* */
  uint32_t arch; /* 90 for sm_90, with TILECC_ARCH_SPECIFIC for sm_90a; of SPIR-V, the lanes of a sub-group; of a code
                    object, the digits of its processor: 0x90a for gfx90a; with TILECC_ARCH_FAMILY, of the first of the
                    processors on which it runs: 0x940 for gfx9-4-generic */
  const void *data; /* PTX: text that ends in a NUL. SPIR-V: modules one after the other, one for each variant. HSACO:
                       one code object with all. A cubin: its bytes, or null where it is only in the fatbin */
  uint64_t size; /* bytes, without the NUL */
} tilecc_image;

/* The first line of a table of tuned choices, in the format described in runtime/internal/TuneTable.h. */
#define TILECC_TUNE_TABLE_HEADER "tilecc-tune 1\n"

/* The kernels of one translation unit. */
typedef struct tilecc_module {
  uint32_t abi_version; /* TILECC_ABI_VERSION */
  uint32_t kernel_count;
  uint32_t image_count;
  uint32_t checks_cpu_memory; /* not 0: code for the CPU checks its accesses, for which allocations need bounds */
  const tilecc_kernel *kernels;
  const tilecc_image *images;
  const void *fatbin; /* in .nv_fatbin; null if the object was made without a CUDA toolkit: then the PTX is loaded */
  uint64_t fatbin_size;
  const char *source; /* the translation unit's main file, for messages */
  const char *tune_table; /* choices made before (--tune-table), as text; or null */
} tilecc_module;

struct tilecc_cpu_scope;

/* The functions above and __tilecc_cpu_record (tilecc/profile.h), as a table for code that cannot be linked with the
 * runtime. */
typedef struct tilecc_cpu_calls {
  void (*assertion_failed)(const char *file, uint32_t line, const char *function, const char *message);
  void (*check_access)(const tilecc_cpu_access *access, const void *base, const void *const *addresses,
                       const uint8_t *exact, const uint8_t *active, uint32_t count, uint64_t bytes);
  void (*wait)(const char *file, uint32_t line, uint64_t iteration);
  void (*wait_over)(void);
  void (*record)(const struct tilecc_cpu_scope *scope, uint32_t is_end);
} tilecc_cpu_calls;

/* The symbol that a shared library compiled at run time exports, instead of having constructors (ttLibraryLoadData).
 * The runtime that loads it sets *calls to its own functions. */
#define TILECC_LIBRARY_SYMBOL "__tilecc_library"
typedef struct tilecc_library {
  uint32_t abi_version; /* TILECC_ABI_VERSION */
  uint32_t reserved;
  const tilecc_module *module;
  const tilecc_cpu_calls **calls;
} tilecc_library;

/* Called by a constructor and by a destructor of each object. The destructor matters for libraries that are
 * dlclosed. */
void __tilecc_register(const tilecc_module *module);
void __tilecc_unregister(const tilecc_module *module);

typedef struct tilecc_dim3 {
  uint32_t x, y, z;
} tilecc_dim3;

/* For `kernel<<<grid, block, shared, stream>>>(args)`, the configuration is pushed for this thread; then the stub
 * pops it and launches. The stub packs its arguments into one buffer, at the offsets in tilecc_param::offset. */
uint32_t __tilecc_push_call(const tilecc_dim3 *grid, const tilecc_dim3 *block, uint64_t shared, void *stream);
uint32_t __tilecc_pop_call(tilecc_dim3 *grid, tilecc_dim3 *block, uint64_t *shared, void **stream);
typedef struct tilecc_packed_args {
  uint64_t size;
  void *data;
  void *unused;
} tilecc_packed_args;
uint32_t __tilecc_launch(const void *stub, tilecc_dim3 grid, tilecc_dim3 block, const tilecc_packed_args *args,
                         uint64_t shared, void *stream);

/* The same for a kernel without parameters; `pop` is the __tilecc_pop_call of the program's only stack of
 * configurations. */
uint32_t __tilecc_launch_plain(const void *stub,
                               uint32_t (*pop)(tilecc_dim3 *grid, tilecc_dim3 *block, uint64_t *shared, void **stream));

/* The same for a source with SIMT code, where Clang makes stubs for cudaLaunchKernel: args[i] points to parameter i. */
uint32_t __tilecc_launch_args(const void *stub, tilecc_dim3 grid, tilecc_dim3 block, void **args, uint64_t shared,
                              void *stream);

#ifdef __cplusplus
}
#endif
#endif /* TILECC_ABI_H */
