//===-- SanitizerCalls.cpp -------------------------------------------------------------------------------------===//
//
// Functions that host code compiled by tcc with -fsanitize=thread calls, and that GCC's libtsan does not have: the link is
// that of a project whose compiler is g++. Where Clang's has them, nothing asks for this member of the archive.
//
//===----------------------------------------------------------------------------------------------------------===//
#include <string.h>

// libtsan watches the functions that these call.
extern "C" {
__attribute__((weak)) void *__tsan_memcpy(void *to, const void *from, size_t bytes) { return memcpy(to, from, bytes); }
__attribute__((weak)) void *__tsan_memmove(void *to, const void *from, size_t bytes) { return memmove(to, from, bytes); }
__attribute__((weak)) void *__tsan_memset(void *to, int value, size_t bytes) { return memset(to, value, bytes); }
}
