//===-- OpenCLPrograms.cpp ---------------------------------------------------------------------------------------===//
//
// A file of the cache has a header, the key, the module, and the machine code. The key and the module are compared, so
// the hash in the file's name need not be unique.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "opencl/OpenCLPrograms.h"
#include "CacheFolder.h"
#include "Error.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

using namespace tilecc::rt;

namespace {
struct Header {
  char magic[16];
  uint64_t keyBytes, moduleBytes, codeBytes;
};

// What the code of a module depends on, and where it is kept.
struct Entry {
  char folder[PATH_MAX], name[32];
  char key[1024]; // the names and versions of the device and its driver, and the options
  CachedPart module;
};
} // namespace

static const char magic[16] = "tilecc opencl 1";

static const char *options() { return opencl.roundsDivisions ? "-cl-fp32-correctly-rounded-divide-sqrt" : nullptr; }

static uint64_t hash(uint64_t value, const void *data, size_t size) { // FNV-1a
  for (size_t i = 0; i < size; ++i)
    value = (value ^ static_cast<const unsigned char *>(data)[i]) * 0x100000001b3;
  return value;
}

// Returns false if there is no cache.
static bool findEntry(Entry &entry) {
  if (!cacheFolder("opencl", entry.folder, sizeof(entry.folder)))
    return false;
  size_t length = 0;
  for (cl_uint what : {CL_DEVICE_NAME, CL_DEVICE_VERSION, CL_DRIVER_VERSION}) {
    char text[256] = "";
    if (opencl.clGetDeviceInfo(opencl.device, what, sizeof(text) - 1, text, nullptr))
      return false;
    length += static_cast<size_t>(snprintf(entry.key + length, sizeof(entry.key) - length, "%s\n", text));
  }
  snprintf(entry.key + length, sizeof(entry.key) - length, "%s", options() ? options() : "");
  uint64_t value = hash(hash(0xcbf29ce484222325, entry.key, strlen(entry.key)), entry.module.data, entry.module.size);
  snprintf(entry.name, sizeof(entry.name), "%016" PRIx64 ".bin", value);
  return true;
}

// Returns null if the cache has no code that this device takes.
static cl_program loadProgram(const Entry &entry) {
  size_t size;
  char *file = readCached(entry.folder, entry.name, &size);
  if (!file)
    return nullptr;
  cl_program program = nullptr;
  Header header;
  const size_t keyBytes = strlen(entry.key);
  if (size >= sizeof(header)) {
    memcpy(&header, file, sizeof(header));
    const char *key = file + sizeof(header), *module = key + keyBytes, *code = module + entry.module.size;
    bool isSame = !memcmp(header.magic, magic, sizeof(magic)) && header.keyBytes == keyBytes &&
                  header.moduleBytes == entry.module.size &&
                  size - sizeof(header) == header.keyBytes + header.moduleBytes + header.codeBytes &&
                  !memcmp(key, entry.key, keyBytes) && !memcmp(module, entry.module.data, entry.module.size);
    if (isSame) {
      const size_t codeBytes = header.codeBytes;
      auto *binary = reinterpret_cast<const unsigned char *>(code);
      cl_int status = CL_SUCCESS, error = CL_SUCCESS;
      program =
          opencl.clCreateProgramWithBinary(opencl.context, 1, &opencl.device, &codeBytes, &binary, &status, &error);
      if (program &&
          (error || status || opencl.clBuildProgram(program, 1, &opencl.device, options(), nullptr, nullptr))) {
        opencl.clReleaseProgram(program);
        program = nullptr;
      }
    }
  }
  free(file);
  return program;
}

static void keepProgram(const Entry &entry, cl_program program) {
  size_t size = 0;
  if (opencl.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr) || !size)
    return;
  auto *code = static_cast<unsigned char *>(malloc(size));
  if (!code)
    return;
  if (!opencl.clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(code), &code, nullptr)) {
    Header header = {{}, strlen(entry.key), entry.module.size, size};
    memcpy(header.magic, magic, sizeof(magic));
    const CachedPart parts[] = {{&header, sizeof(header)}, {entry.key, strlen(entry.key)}, entry.module, {code, size}};
    writeCached(entry.folder, entry.name, parts, 4);
  }
  free(code);
}

ttError_t tilecc::rt::buildOpenCLProgram(const uint32_t *words, size_t count, const char *name, const char *source,
                                         cl_program *program) {
  Entry entry;
  entry.module = {words, count * sizeof(uint32_t)};
  const bool isCached = findEntry(entry);
  if (isCached && (*program = loadProgram(entry)))
    return ttSuccess;
  cl_int error;
  *program = opencl.clCreateProgramWithIL(opencl.context, words, count * sizeof(uint32_t), &error);
  if (error)
    return failOpenCL(error, "clCreateProgramWithIL");
  if ((error = opencl.clBuildProgram(*program, 1, &opencl.device, options(), nullptr, nullptr))) {
    char log[3072] = "";
    opencl.clGetProgramBuildInfo(*program, opencl.device, CL_PROGRAM_BUILD_LOG, sizeof(log) - 1, log, nullptr);
    return fail(ttErrorInvalidKernelImage, "kernel '%s' (%s) cannot be built: OpenCL's error %d%s%s", name, source,
                error, *log ? ":\n" : "", log);
  }
  if (isCached)
    keepProgram(entry, *program);
  return ttSuccess;
}
