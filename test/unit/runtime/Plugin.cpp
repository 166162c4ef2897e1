//===-- Plugin.cpp - a library with a kernel and a copy of the runtime -----------------------------------------===//
//
// This is built twice, as "one" and "two", with a kernel of the same name. Each copy of the runtime must find its own.
//
//===----------------------------------------------------------------------------------------------------------===//
#include <tilecc/abi.h>
#include <tilecc/runtime.h>
#include <tilecc/tune.h>

#include <string.h>

// A kernel's stub has the kernel's name and is visible like any function.
__attribute__((visibility("default"), noinline)) void scale(float *data, int n) {
  tilecc_dim3 grid, block;
  uint64_t shared;
  void *stream;
  if (__tilecc_pop_call(&grid, &block, &shared, &stream))
    return;
  struct {
    float *data;
    int n;
  } packed = {data, n};
  tilecc_packed_args args = {sizeof(packed), &packed, nullptr};
  __tilecc_launch(reinterpret_cast<const void *>(scale), grid, block, &args, shared, stream);
}

static void scaleOnCpu(void *const *args, const uint32_t *program, const uint32_t *, void *) {
  float *data = *static_cast<float **>(args[0]);
  int n = *static_cast<int *>(args[1]), begin = program[0] * 64;
  for (int i = begin; i < begin + 64 && i < n; ++i)
    data[i] *= strcmp(PLUGIN_NAME, "one") ? 2 : 1;
}

static const tilecc_param params[] = {{8, 0, 8, TILECC_PARAM_POINTER}, {4, 8, 4, TILECC_PARAM_INTEGER}};
static const char ptx[] = "ptx of plugin " PLUGIN_NAME, hsaco[] = "fake code of plugin " PLUGIN_NAME;
static const tilecc_image images[] = {{TILECC_IMAGE_PTX, 80, ptx, sizeof(ptx) - 1},
                                      {TILECC_IMAGE_HSACO, 0x942, hsaco, sizeof(hsaco)}};
static const tilecc_gpu_entry entries[] = {{128, 0, 1, 0}, {256, 0, 1, 0}};
static const tilecc_variant variants[] = {{0, 0, "scale", entries}};
static const tilecc_cpu_entry cpu[] = {{0, 0, 4096, scaleOnCpu}};
static const tilecc_kernel kernels[] = {
    {reinterpret_cast<const void *>(scale), "_Z5scalePfi", "scale", params, variants, cpu, 2, 1, 1, 0}};
static const tilecc_module module = {TILECC_ABI_VERSION, 1, 2, 0, kernels, images, nullptr, 0, "plugin-" PLUGIN_NAME ".tt.cpp"};

__attribute__((constructor)) static void registerModule() { __tilecc_register(&module); }
__attribute__((destructor)) static void unregisterModule() { __tilecc_unregister(&module); }

// The tests look this function up. It runs scale on host memory (on the current device of this copy of the runtime) and
// returns the error.
extern "C" __attribute__((visibility("default"))) int runScale(float *data, int n) {
  tilecc_dim3 grid = {static_cast<uint32_t>(n + 63) / 64, 1, 1}, block = {1, 1, 1};
  __tilecc_push_call(&grid, &block, 0, nullptr);
  scale(data, n);
  return ttGetLastError();
}

// Does the same with a tuned kernel of this library. Its choices are removed with the library.
static constexpr int rows[] = {1, 2};
static auto tunedScale = tt::autotune<rows>([]<int>() { return scale; }, tt::restore_value([](float *data, int n) {
                                              return tt::tuning_buffers(data, n);
                                            }));
extern "C" __attribute__((visibility("default"))) int tuneScale(float *data, int n) {
  tunedScale.launch((n + 63) / 64, nullptr, data, n);
  return ttGetLastError();
}

// The error that the library's own copy has recorded for this thread.
extern "C" __attribute__((visibility("default"))) int pendingError(const char **message) {
  *message = ttGetLastErrorMessage();
  return ttPeekAtLastError();
}
