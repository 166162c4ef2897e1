//===-- SanitizerCalls.cpp -------------------------------------------------------------------------------------===//
//
// With -fsanitize=thread, host code compiled by tcc calls functions that GCC's libtsan lacks. This file provides them
// for projects that link with g++. Clang's libtsan has them, so this archive member is not used with it.
//
//===----------------------------------------------------------------------------------------------------------===//
#include <string.h>

// libtsan intercepts the functions called here.
extern "C" {
__attribute__((weak)) void *__tsan_memcpy(void *to, const void *from, size_t bytes) { return memcpy(to, from, bytes); }
__attribute__((weak)) void *__tsan_memmove(void *to, const void *from, size_t bytes) {
  return memmove(to, from, bytes);
}
__attribute__((weak)) void *__tsan_memset(void *to, int value, size_t bytes) { return memset(to, value, bytes); }
}
