//===-- memory.h - the system's memory.h for Clang's wrapper, and the source's for all others ---------------------===//
//
// Clang's wrapper of CUDA's headers includes one of cuRAND's, which includes <memory.h>, another name of <string.h>.
// See cuda.h beside this file.
//
//===--------------------------------------------------------------------------------------------------------------===//
#pragma GCC system_header

#ifdef __TILECC_IN_WRAPPER
#include <string.h>
#else
#include_next <memory.h>
#endif
