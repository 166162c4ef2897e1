/*===-- tilecc/device_plugin.h - devices in shared libraries ---------------------------------------------------*- C -*-
 *
 * A shared library that TILECC_DEVICE_PLUGINS names provides one kind of device, for the images of a back end that tcc
 * has loaded (tcc --load-backend). It defines one function:
 *
 *   const tilecc_device_plugin *tilecc_get_device_plugin(void);
 *
 * A program uses the device if TILECC_DEVICE is its name. It is then device 0, and the CPU is device 1. The library
 * must not use LLVM or the runtime.
 *
 * Every function returns null, or a message that says what failed: one sentence without a full stop. The caller reads
 * the message before the thread's next call and does not free it. Calls complete all their work before they return.
 * Functions are called from any thread, also at the same time.
 *===--------------------------------------------------------------------------------------------------------------===*/
#ifndef TILECC_DEVICE_PLUGIN_H
#define TILECC_DEVICE_PLUGIN_H

#include <tilecc/detail/push_macros.h>

#include "abi.h"
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. */
#define TILECC_DEVICE_PLUGIN_VERSION 1

/* The kind of an image (tilecc_image) of a plug-in: four letters. */
#define TILECC_IMAGE_OF_PLUGIN(a, b, c, d)                                                                             \
  ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (uint32_t)(d))

typedef struct tilecc_device_description {
  char name[256]; /* as ttGetDeviceProperties returns it */
  uint64_t memory_bytes;
  uint32_t multiprocessors; /* how many programs run at the same time */
  uint32_t reserved;
} tilecc_device_description;

/* The parameters of a launch, besides the function. All pointers are valid until the call returns. */
typedef struct tilecc_device_launch {
  uint32_t grid[3]; /* numbers of programs, at least 1 */
  uint32_t threads, shared_bytes; /* as the back end's code generator says for this variant (Launch) */
  uint32_t param_count;
  const tilecc_param *params;
  void *const *args; /* args[i] points to the value of parameter i */
} tilecc_device_launch;

typedef struct tilecc_device_plugin {
  uint32_t version; /* TILECC_DEVICE_PLUGIN_VERSION; always the first member */
  uint32_t image_kind; /* of the images that it runs: TILECC_IMAGE_OF_PLUGIN() */
  const char *name; /* the value of TILECC_DEVICE */
  /* Called once, before everything else. */
  const char *(*open)(void);
  const char *(*describe)(tilecc_device_description *description);
  /* Memory is aligned to 256 bytes. Kernels use its addresses; the host may use them only in these calls. */
  const char *(*allocate)(void **pointer, size_t bytes);
  const char *(*release)(void *pointer);
  const char *(*copy)(void *to, const void *from, size_t bytes); /* in any direction between host and device */
  const char *(*set)(void *pointer, int byte, size_t bytes);
  /* Loads an image. `data` remains valid as long as the module. */
  const char *(*load)(void **module, const void *data, uint64_t size);
  const char *(*unload)(void *module);
  const char *(*find)(void **function, void *module, const char *symbol);
  const char *(*launch)(void *function, const tilecc_device_launch *launch);
} tilecc_device_plugin;

const tilecc_device_plugin *tilecc_get_device_plugin(void);

#ifdef __cplusplus
}
#endif

#include <tilecc/detail/pop_macros.h>
#endif /* TILECC_DEVICE_PLUGIN_H */
