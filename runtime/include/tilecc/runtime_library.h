/*===-- tilecc/runtime_library.h - kernels that are loaded while the program runs ------------------------------*- C -*-
 *
 * Part of <tilecc/runtime.h>, which includes it. These calls load libraries that libtilecc has compiled
 * (<tilecc/compiler.h>). The kernels of a library are like those of the program: all other calls identify them by
 * address. In C++, tt::jit (<tilecc/jit.h>) compiles and loads in one step.
 *===--------------------------------------------------------------------------------------------------------------===*/
#ifndef TILECC_RUNTIME_LIBRARY_H
#define TILECC_RUNTIME_LIBRARY_H

#include <tilecc/detail/push_macros.h>

#include <tilecc/runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ttLibrary_st *ttLibrary_t;

/* Loads a library that tilecc_program_get(..., TILECC_LIBRARY, ...) returned; `data` may be freed afterwards. It
 * becomes code of this process, so it must come from a trusted source. GPU code is loaded when a kernel is first used.
 * Returns ttErrorInvalidKernelImage for other data. */
ttError_t ttLibraryLoadData(ttLibrary_t *library, const void *data, size_t bytes);
/* Unloads the library. Its kernels must not be used any more, and their launches must have ended. */
ttError_t ttLibraryUnload(ttLibrary_t library);

/* Finds the kernel with this name, as written in the source ("add<1024>") or mangled. It remains valid as long as the
 * library. If there is none, returns ttErrorSymbolNotFound, and the message lists the kernels of the library. */
ttError_t ttLibraryGetKernel(const void **kernel, ttLibrary_t library, const char *name);

/* The kind of a kernel's parameter. Parameter i has its value at args[i] of a launch. */
typedef enum ttParamKind {
  ttParamPointer = 0,
  ttParamInteger = 1,
  ttParamOther = 2,
  ttParamPositive = 3 /* a floating-point number that variants assume to be positive, such as the scale of a softmax */
} ttParamKind;
typedef enum ttParamType { ttTypeOther = 0, ttTypePointer = 1, ttTypeInteger = 2, ttTypeFloat = 3 } ttParamType;
typedef struct ttKernelParam {
  unsigned size, offset, align; /* bytes; the offset among packed arguments */
  unsigned short kind; /* ttParamKind; Other also if no variant assumes anything about it */
  unsigned short type; /* ttParamType: what it is in C++ */
} ttKernelParam;

typedef struct ttKernelInfo {
  const char *name; /* as the source has it */
  const char *symbol;
  const char *source; /* its file */
  const ttKernelParam *params;
  unsigned paramCount;
  const char *ttir; /* its IR as text, if it was compiled with -ffusion (docs/fusion.md); otherwise null */
  size_t ttirSize;
} ttKernelInfo;

/* Describes any kernel. The pointers remain valid as long as the kernel. */
ttError_t ttKernelGetInfo(ttKernelInfo *info, const void *kernel);

#ifdef __cplusplus
} /* extern "C" */
#endif

#include <tilecc/detail/pop_macros.h>

#endif /* TILECC_RUNTIME_LIBRARY_H */
