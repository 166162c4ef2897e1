/*===-- tilecc/runtime_library.h - kernels that are loaded while the program runs --------------------------------*- C -*-
 *
 * Part of <tilecc/runtime.h>, which includes it. What libtilecc compiled (<tilecc/compiler.h>) is loaded here, and its
 * kernels are kernels like those of the program: they have an address, by which all other calls know them. C++ programs
 * have all of it in one, tt::jit (<tilecc/jit.h>).
 *===--------------------------------------------------------------------------------------------------------------===*/
#ifndef TILECC_RUNTIME_LIBRARY_H
#define TILECC_RUNTIME_LIBRARY_H

#include <tilecc/runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ttLibrary_st *ttLibrary_t;

/* Loads a library as tilecc_program_get(..., TILECC_LIBRARY, ...) gives it; `data` may be freed afterwards. It is
 * code of this process from then on, so it must come from where the program itself could. GPUs get theirs when a
 * kernel is first used. Any other data is ttErrorInvalidKernelImage. */
ttError_t ttLibraryLoadData(ttLibrary_t *library, const void *data, size_t bytes);
/* Its kernels must not be used any more, and no work of theirs be under way. */
ttError_t ttLibraryUnload(ttLibrary_t library);

/* The kernel of a library that is called `name`: as the source has it, "add<1024>", or its symbol. It lives as long
 * as the library. ttErrorSymbolNotFound lists what there is. */
ttError_t ttLibraryGetKernel(const void **kernel, ttLibrary_t library, const char *name);

/* One parameter of a kernel: the value at args[i] of a launch. */
typedef enum ttParamKind { ttParamPointer = 0, ttParamInteger = 1, ttParamOther = 2 } ttParamKind;
typedef enum ttParamType { ttTypeOther = 0, ttTypePointer = 1, ttTypeInteger = 2, ttTypeFloat = 3 } ttParamType;
typedef struct ttKernelParam {
  unsigned size, offset, align; /* bytes; the offset among packed arguments */
  unsigned short kind;          /* ttParamKind; Other also where no variant assumes anything of it */
  unsigned short type;          /* ttParamType: what it is in C++ */
} ttKernelParam;

typedef struct ttKernelInfo {
  const char *name;        /* as the source has it */
  const char *symbol;
  const char *source;      /* its file */
  const ttKernelParam *params;
  unsigned paramCount;
  const char *ttir;        /* its IR as text, where it was compiled with -ffusion (docs/fusion.md); else null */
  size_t ttirSize;
} ttKernelInfo;

/* What is known of any kernel. The pointers live as long as the kernel. */
ttError_t ttKernelGetInfo(ttKernelInfo *info, const void *kernel);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* TILECC_RUNTIME_LIBRARY_H */
