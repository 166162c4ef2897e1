/*===-- tilecc/compiler.h - libtilecc, the compiler as a library --------------------------------------------------*- C -*-
 *
 * Compiles tile kernels from text while a program runs. The shape is NVRTC's: a program is made of a source, told which
 * kernels are wanted ("add<1024>"), compiled with options, and asked for its log and its code.
 *
 *   tilecc_program program;
 *   tilecc_program_create(&program, source, "add.tt.cpp", 0, NULL, NULL);
 *   tilecc_program_add_name_expression(program, "add<1024>");
 *   const char *options[] = {"-arch=sm_90"};
 *   if (tilecc_program_compile(program, 1, options)) puts(tilecc_program_log(program));
 *   tilecc_program_get(program, TILECC_PTX, &ptx, &bytes);
 *   tilecc_program_destroy(&program);
 *
 * A source is what tcc takes as a .tt.cpp; it includes <tilecc/tt.h>, and what it has of host code is checked and
 * dropped. C++ programs that launch what they compile have an easier way, tt::jit (<tilecc/jit.h>).
 *
 * Options, in tcc's spelling:
 *   -arch=sm_XX           code and PTX for a GPU; for sm_90 with all that chip has. Several targets may be named
 *   -arch=compute_XX      PTX alone; compute_90 where no target is named
 *   -arch=cpu, cpu:N      code for the host's processors of all levels of x86-64, or of level N (2 to 4)
 *   -D -U -I -isystem -include -std= -W -w -f[no-]...  as Clang has them, also with the value as an option of its own
 *   -fmad= -ftz= -prec-div= -prec-sqrt= -use_fast_math  as nvcc has them, with one dash or two
 *   -maxrregcount=N, -lineinfo          for ptxas
 *   --num-warps=N --num-stages=N --num-ctas=N  of kernels that do not say it themselves
 *   -ffusion              the library's kernels carry their TTIR (docs/fusion.md)
 *   --cuda-path=DIR       the toolkit whose ptxas and libdevice are used; without, as tcc finds it. "none": none
 *   --cache[=DIR]         takes what was compiled before from a folder, and leaves there what is compiled (docs/jit.md)
 *
 * Threads. Any number of programs may be compiled at a time, each by one thread. Each compilation runs in a thread of
 * its own with a large stack, while the caller waits. No call changes the process: no handlers of signals, no working
 * folder, no environment, no locale, nothing on standard output or error.
 *
 * A mistake in a source is TILECC_ERROR_COMPILATION and a text with lines in the log. A bug of the compiler that it
 * finds itself (a pass that leaves invalid IR, an instruction that LLVM cannot select) is TILECC_ERROR_INTERNAL;
 * memory of that compilation is not given back. A crash by a signal is the process' crash: whoever compiles what he
 * does not trust does so in a process of its own.
 *===--------------------------------------------------------------------------------------------------------------===*/
#ifndef TILECC_COMPILER_H
#define TILECC_COMPILER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TILECC_API __attribute__((visibility("default")))

/* Numbered as nvrtcResult. */
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

/* "TILECC_ERROR_COMPILATION"; a constant string, never null. */
TILECC_API const char *tilecc_result_name(tilecc_result result);

/* "0.1.0", and what tells builds apart: a hash of this library. */
TILECC_API const char *tilecc_version(void);
TILECC_API const char *tilecc_build_id(void);

typedef struct tilecc_program_st *tilecc_program;

/* All texts are copied. `name` is what messages call the source, null for "program.tt.cpp". headers[i] is found by
 * #include of include_names[i], ahead of files on the disk. */
TILECC_API tilecc_result tilecc_program_create(tilecc_program *program, const char *source, const char *name,
                                               int header_count, const char *const *headers,
                                               const char *const *include_names);

/* A kernel that does what a chain of launches does, program by program (docs/fusion.md); <tilecc/fusion.h> makes
 * these of graphs. Compiling it proves that it may be done, or is TILECC_ERROR_NOT_JOINABLE with the reason in the
 * log. */
typedef struct tilecc_chain_launch {
  const char *ttir; /* of the kernel, from an object that was compiled with -ffusion (ttKernelGetInfo) */
  size_t ttir_bytes;
  const unsigned *arguments; /* of each parameter: the number of the chain's argument that it is given */
  unsigned argument_count;
} tilecc_chain_launch;
typedef struct tilecc_chain_argument {
  unsigned block;   /* addresses in blocks of different numbers are different; 0: of an unknown pointer, or a number */
  int is_temporary; /* nobody reads what the chain leaves there */
} tilecc_chain_argument;
TILECC_API tilecc_result tilecc_program_create_joined(tilecc_program *program, const char *name,
                                                      const tilecc_chain_launch *launches, unsigned launch_count,
                                                      const tilecc_chain_argument *arguments, unsigned argument_count,
                                                      const unsigned grid[3]);

/* Sets *program to null; null is no mistake. */
TILECC_API tilecc_result tilecc_program_destroy(tilecc_program *program);

/* A kernel that is to be compiled, as C++ names it: "add<1024>", "layers::gelu". Templates are compiled for these names
 * alone, and kernels that are no templates always. To be called before compiling. */
TILECC_API tilecc_result tilecc_program_add_name_expression(tilecc_program program, const char *name);

/* Once for a program. */
TILECC_API tilecc_result tilecc_program_compile(tilecc_program program, int option_count, const char *const *options);

/* Warnings and errors, empty if there were none; also what was wrong with a call. The program's own, until the next
 * call. */
TILECC_API const char *tilecc_program_log(tilecc_program program);

typedef enum tilecc_output {
  TILECC_PTX = 1,     /* text for the first GPU that was named */
  TILECC_CUBIN = 2,   /* its machine code; empty where there is no ptxas, or PTX alone was asked for */
  TILECC_OBJECT = 3,  /* the CPU's code: an object file with a tilecc_cpu_fn (tilecc/abi.h) for each kernel and level */
  TILECC_LIBRARY = 4, /* all of it, for ttLibraryLoadData (tilecc/runtime.h): a shared object */
  TILECC_TTIR = 5     /* the kernels' IR as text */
} tilecc_output;

/* The program's own, as long as the program. Text ends in a NUL that `bytes` does not count. */
TILECC_API tilecc_result tilecc_program_get(tilecc_program program, tilecc_output output, const void **data,
                                            size_t *bytes);

/* The symbol of the kernel that was asked for as `name`. The program's own. */
TILECC_API tilecc_result tilecc_program_lowered_name(tilecc_program program, const char *name, const char **symbol);

/* Whether it was found in the cache. */
TILECC_API int tilecc_program_was_cached(tilecc_program program);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* TILECC_COMPILER_H */
