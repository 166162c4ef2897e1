/*===- CDevice.c - runs the images of CBackend.cpp ----------------------------------------------------------------===//
 *
 *   TILECC_DEVICE_PLUGINS=./libcdevice.so TILECC_DEVICE=c ./program
 *
 * An image is a shared object. Its functions have the type of CPU entries (tilecc_cpu_fn), and run one program each.
 * A launch runs the programs one after the other.
 *
 *===--------------------------------------------------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <tilecc/device_plugin.h>
#include <unistd.h>

static const char *start(void) { return NULL; }

static const char *describe(tilecc_device_description *description) {
  strcpy(description->name, "C on one thread");
  description->memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
  description->multiprocessors = 1;
  return NULL;
}

static const char *allocate(void **pointer, size_t bytes) {
  return posix_memalign(pointer, 256, bytes) ? "there is not enough memory" : NULL;
}
static const char *release(void *pointer) { return free(pointer), NULL; }
static const char *copy(void *to, const void *from, size_t bytes) { return memmove(to, from, bytes), NULL; }
static const char *set(void *pointer, int byte, size_t bytes) { return memset(pointer, byte, bytes), NULL; }

/* The loader opens only files, so the image is written to a file in memory. */
static const char *load(void **module, const void *data, uint64_t size) {
  char path[64];
  int file = memfd_create("kernels", MFD_CLOEXEC);
  if (file < 0 || write(file, data, size) != (ssize_t)size)
    return "there is no memory for the image";
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  *module = dlopen(path, RTLD_NOW | RTLD_LOCAL); /* the file stays open, so that no other gets the same path */
  return *module ? NULL : dlerror();
}
static const char *unload(void *module) { return dlclose(module) ? dlerror() : NULL; }
static const char *find(void **function, void *module, const char *symbol) {
  return (*function = dlsym(module, symbol)) ? NULL : dlerror();
}

static const char *launch(void *function, const tilecc_device_launch *launch) {
  const uint32_t *grid = launch->grid;
  void *scratch = NULL;
  if (posix_memalign(&scratch, 64, launch->shared_bytes + 64))
    return "there is not enough memory for scratch";
  for (uint32_t z = 0; z < grid[2]; ++z)
    for (uint32_t y = 0; y < grid[1]; ++y)
      for (uint32_t x = 0; x < grid[0]; ++x)
        ((tilecc_cpu_fn)function)(launch->args, (const uint32_t[]){x, y, z}, grid, scratch);
  free(scratch);
  return NULL;
}

const tilecc_device_plugin *tilecc_get_device_plugin(void) {
  static const tilecc_device_plugin plugin = {TILECC_DEVICE_PLUGIN_VERSION, TILECC_IMAGE_OF_PLUGIN('C', 's', 'r', 'c'),
                                              "c", start, describe, allocate, release, copy, set,
                                              load, unload, find, launch};
  return &plugin;
}
