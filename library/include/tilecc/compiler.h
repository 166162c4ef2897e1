/*===-- tilecc/compiler.h - libtilecc, the compiler as a library --------------------------------------------------*- C -*-
 *
 * libtilecc compiles tile kernels from text while a program runs. The interface has the shape of NVRTC: create a
 * program from a source, name the kernels that are wanted ("add<1024>"), compile it with options, and get its log and
 * its code.
 *
 *   tilecc_program program;
 *   tilecc_program_create(&program, source, "add.tt.cpp", 0, NULL, NULL);
 *   tilecc_program_add_name_expression(program, "add<1024>");
 *   const char *options[] = {"-arch=sm_90"};
 *   if (tilecc_program_compile(program, 1, options)) puts(tilecc_program_log(program));
 *   tilecc_program_get(program, TILECC_PTX, &ptx, &bytes);
 *   tilecc_program_destroy(&program);
 *
 * A source is the text of a .tt.cpp. It includes <tilecc/tt.h>; its host code is checked and discarded. Alternatively,
 * a source is bytecode of CUDA Tile IR (tilecc_program_create_tileir). C++ programs that launch what they compile use
 * tt::jit (<tilecc/jit.h>) instead.
 *
 * Options have tcc's spelling:
 *   -arch=sm_XX           code and PTX for a GPU (sm_90: for sm_90a); several targets may be named
 *   -arch=compute_XX      PTX only; compute_90 if no target is named
 *   -arch=cpu, cpu:N      code for all levels of the host's architecture, or for level N (2, 3, ...)
 *   -D -U -I -isystem -include -std= -W -w -f[no-]...  as in Clang; a value may also be an option of its own
 *   -fmad= -ftz= -prec-div= -prec-sqrt= -use_fast_math  as in nvcc, with one dash or two
 *   -maxrregcount=N, -lineinfo          for ptxas
 *   --num-warps=N --num-stages=N --num-ctas=N  for kernels without these attributes
 *   -ffusion              the library's kernels carry their TTIR (docs/fusion.md)
 *   -fprofile-tile        kernels record times for TILECC_PROFILE (docs/profiling.md)
 *   --cuda-path=DIR       the toolkit with ptxas and libdevice; by default the one that tcc finds; "none": no toolkit
 *   --cache[=DIR]         use a folder as a cache of compiled code (docs/jit.md)
 *
 * Threads. Any number of programs may be compiled at the same time, each by one thread. A compilation runs in a
 * thread of its own with a large stack, while the caller waits. No call changes the process: no signal handlers, no
 * working directory, no environment, no locale, nothing on standard output or error.
 *
 * Errors. An error in a source is TILECC_ERROR_COMPILATION, with messages in the log. If the compiler detects a bug in
 * itself (a pass that leaves invalid IR, an instruction that LLVM cannot select), the result is TILECC_ERROR_INTERNAL,
 * and the memory of that compilation leaks. A crash by a signal ends the process, so a program that compiles untrusted
 * text should do so in a separate process.
 *===--------------------------------------------------------------------------------------------------------------===*/
#ifndef TILECC_COMPILER_H
#define TILECC_COMPILER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TILECC_API __attribute__((visibility("default")))

/* The values are those of nvrtcResult. */
typedef enum tilecc_result {
  TILECC_SUCCESS = 0,
  TILECC_ERROR_OUT_OF_MEMORY = 1,
  TILECC_ERROR_INVALID_INPUT = 3,
  TILECC_ERROR_INVALID_PROGRAM = 4,
  TILECC_ERROR_INVALID_OPTION = 5,
  TILECC_ERROR_COMPILATION = 6,
  TILECC_ERROR_NOT_COMPILED = 9,
  TILECC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  TILECC_ERROR_INTERNAL = 11,
  TILECC_ERROR_NOT_JOINABLE = 100
} tilecc_result;

/* Returns the name of a result, such as "TILECC_ERROR_COMPILATION"; a constant string, never null. */
TILECC_API const char *tilecc_result_name(tilecc_result result);

/* Returns the version, such as "0.1.0", and an identifier of the build: a hash of this library. */
TILECC_API const char *tilecc_version(void);
TILECC_API const char *tilecc_build_id(void);

typedef struct tilecc_program_st *tilecc_program;

/* Creates a program. All texts are copied. Messages call the source `name`; null stands for "program.tt.cpp".
 * `#include` of include_names[i] finds headers[i], before files on disk. */
TILECC_API tilecc_result tilecc_program_create(tilecc_program *program, const char *source, const char *name,
                                               int header_count, const char *const *headers,
                                               const char *const *include_names);

/* Creates a program from bytecode of CUDA Tile IR (docs/cutile.md), which is copied. Name expressions are the kernels'
 * symbols. Messages name the lines of the user's source that the bytecode names. */
TILECC_API tilecc_result tilecc_program_create_tileir(tilecc_program *program, const void *bytecode, size_t bytes,
                                                      const char *name);

/* Creates a program with one kernel that does the work of a chain of launches, program by program (docs/fusion.md);
 * <tilecc/fusion.h> creates them from graphs. Compiling it either proves that this is valid or
 * fails with TILECC_ERROR_NOT_JOINABLE and the reason in the log. */
typedef struct tilecc_chain_launch {
  const char *ttir; /* of the kernel, from an object that was compiled with -ffusion (ttKernelGetInfo) */
  size_t ttir_bytes;
  const unsigned *arguments; /* for each parameter, the number of the chain's argument that it receives */
  unsigned argument_count;
} tilecc_chain_launch;
typedef struct tilecc_chain_argument {
  unsigned block; /* addresses in blocks with different numbers are different; 0: an unknown pointer, or a number */
  int is_temporary; /* nothing reads its contents after the chain */
} tilecc_chain_argument;
TILECC_API tilecc_result tilecc_program_create_joined(tilecc_program *program, const char *name,
                                                      const tilecc_chain_launch *launches, unsigned launch_count,
                                                      const tilecc_chain_argument *arguments, unsigned argument_count,
                                                      const unsigned grid[3]);

/* Destroys a program and sets *program to null. A null program is not an error. */
TILECC_API tilecc_result tilecc_program_destroy(tilecc_program *program);

/* Names a kernel to compile, as in C++: "add<1024>", "layers::gelu". Only the named instances of templates are
 * compiled; kernels that are not templates are always compiled. Call it before compiling. */
TILECC_API tilecc_result tilecc_program_add_name_expression(tilecc_program program, const char *name);

/* Compiles the program, once. */
TILECC_API tilecc_result tilecc_program_compile(tilecc_program program, int option_count, const char *const *options);

/* Returns warnings and errors, or the reason why a call failed; empty if there are none. The program owns the text,
 * which is valid until the next call. */
TILECC_API const char *tilecc_program_log(tilecc_program program);

typedef enum tilecc_output {
  TILECC_PTX = 1, /* text for the first GPU that was named */
  TILECC_CUBIN = 2, /* its machine code; empty without ptxas, or if only PTX was requested */
  TILECC_OBJECT = 3, /* CPU code: an object file with a tilecc_cpu_fn (tilecc/abi.h) for each kernel and level */
  TILECC_LIBRARY = 4, /* all code, for ttLibraryLoadData (tilecc/runtime.h): a shared object */
  TILECC_TTIR = 5 /* the kernels' IR as text */
} tilecc_output;

/* Gets a result of the compilation. The program owns it. Text ends in a NUL that `bytes` does not count. */
TILECC_API tilecc_result tilecc_program_get(tilecc_program program, tilecc_output output, const void **data,
                                            size_t *bytes);

/* Gets the symbol of the kernel that was requested as `name`. The program owns the text. */
TILECC_API tilecc_result tilecc_program_lowered_name(tilecc_program program, const char *name, const char **symbol);

/* Returns nonzero if the result was found in the cache. */
TILECC_API int tilecc_program_was_cached(tilecc_program program);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* TILECC_COMPILER_H */
