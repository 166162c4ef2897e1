/*===-- Library.c - a library as libtilecc makes it -----------------------------------------------------------------===*/
#include <tilecc/abi.h>

static const char stub __attribute__((aligned(16)));
static const tilecc_cpu_calls *calls;

/* *out = value, which must not be 13. */
static void set(void *const *args, const uint32_t *program, const uint32_t *programs, void *scratch) {
  int value = *(int *)args[1];
  (void)program, (void)programs, (void)scratch;
  if (value == 13)
    calls->assertion_failed("library.tt.cpp", 1, "set", "value != 13");
  **(int **)args[0] = value;
}

static const tilecc_param params[] = {{8, 0, 8, TILECC_PARAM_POINTER}, {4, 8, 4, TILECC_PARAM_INTEGER}};
static const char ptx[] = "ptx of the library";
static const tilecc_image images[] = {{TILECC_IMAGE_PTX, 80, ptx, sizeof(ptx) - 1}};
static const tilecc_gpu_entry entries[] = {{128, 0, 1, 0, 0}};
static const tilecc_variant variants[] = {{0, 0, "set", entries}};
static const tilecc_cpu_entry cpu[] = {{0, 0, 0, set}};
static const tilecc_kernel kernels[] = {{&stub, "_Z3setPii", "set", params, variants, cpu, 2, 1, 1, 0, 0, "module {}", 9}};
static const tilecc_module module = {TILECC_ABI_VERSION, 1, 1, 0, kernels, images, 0, 0, "library.tt.cpp"};

__attribute__((visibility("default"))) extern const tilecc_library library __asm__(TILECC_LIBRARY_SYMBOL);
const tilecc_library library = {TILECC_ABI_VERSION + WRONG, 0, &module, &calls};
