//===-- TestKernels.cpp - kernels as tcc would have compiled them ------------------------------------------------===//
#include "TestKernels.h"

#include <atomic>
#include <sched.h>
#include <string.h>

uint32_t pushCall(unsigned gridX, unsigned blockX, uint64_t shared, ttStream_t stream) {
  tilecc_dim3 grid = {gridX, 1, 1}, block = {blockX, 1, 1};
  return __tilecc_push_call(&grid, &block, shared, stream);
}

// The body of a host stub: packs the arguments like the members of a struct, and launches.
template <class Packed> static void launchStub(void (*stub)(), Packed packed) {
  tilecc_dim3 grid, block;
  uint64_t shared;
  void *stream;
  if (__tilecc_pop_call(&grid, &block, &shared, &stream))
    return;
  tilecc_packed_args args = {sizeof(packed), &packed, nullptr};
  __tilecc_launch(reinterpret_cast<const void *>(stub), grid, block, &args, shared, stream);
}
#define STUB(kernel) reinterpret_cast<void (*)()>(kernel)
#define ADDRESS(kernel) reinterpret_cast<const void *>(kernel)

template <class T> static T argument(void *const *args, int i) { return *static_cast<T *>(args[i]); }

//===-- add --------------------------------------------------------------------------------------------------------===//

void add(const float *x, const float *y, float *out, int n) {
  struct {
    const float *x, *y;
    float *out;
    int n;
  } packed = {x, y, out, n};
  launchStub(STUB(add), packed);
}

static void addOnCpu(void *const *args, const uint32_t *program, const uint32_t *, void *) {
  auto *x = argument<const float *>(args, 0), *y = argument<const float *>(args, 1);
  auto *out = argument<float *>(args, 2);
  int n = argument<int>(args, 3), begin = program[0] * 256;
  for (int i = begin; i < begin + 256 && i < n; ++i)
    out[i] = x[i] + y[i];
}

static const tilecc_param addParams[] = {{8, 0, 8, TILECC_PARAM_POINTER},
                                         {8, 8, 8, TILECC_PARAM_POINTER},
                                         {8, 16, 8, TILECC_PARAM_POINTER},
                                         {4, 24, 4, TILECC_PARAM_INTEGER}};
static const char addFatbin[] = "fatbin of add", addPtx[] = "ptx of add";
static const tilecc_image addImages[] = {{TILECC_IMAGE_CUBIN, 80, nullptr, 0},
                                         {TILECC_IMAGE_CUBIN, 90, nullptr, 0},
                                         {TILECC_IMAGE_PTX, 90, addPtx, sizeof(addPtx) - 1}};
static const tilecc_gpu_entry addEntries[] = {{128, 0, 1, 0}, {128, 16384, 1, 0}, {128, 0, 1, 0}};
static const tilecc_variant addVariants[] = {
    {TILECC_POINTERS_DIVISIBLE_BY_16 | TILECC_INTEGERS_DIVISIBLE_BY_16, 0, "add_16", addEntries},
    {TILECC_POINTERS_DIVISIBLE_BY_16, 0, "add_p16", addEntries},
    {0, 0, "add", addEntries}};
static const tilecc_cpu_entry addCpu[] = {{0, 0, 0, addOnCpu}};

//===-- countPrograms ------------------------------------------------------------------------------------------------===//

void countPrograms(unsigned *counts) { launchStub(STUB(countPrograms), counts); }

static void countOnCpu(void *const *args, const uint32_t *program, const uint32_t *programs, void *scratch) {
  auto *counts = argument<unsigned *>(args, 0);
  // No other program writes to the scratch memory while this one runs.
  memset(scratch, static_cast<int>(program[0] & 0xff), 1000);
  uint64_t number = (static_cast<uint64_t>(program[2]) * programs[1] + program[1]) * programs[0] + program[0];
  bool intact = reinterpret_cast<uintptr_t>(scratch) % 64 == 0;
  for (int i = 0; i < 1000; ++i)
    intact &= static_cast<unsigned char *>(scratch)[i] == (program[0] & 0xff);
  __atomic_fetch_add(&counts[number], intact ? 1 : 1000, __ATOMIC_RELAXED);
}

static const tilecc_param onePointer[] = {{8, 0, 8, TILECC_PARAM_POINTER}};
static const tilecc_variant noVariants[] = {{0, 0, "none", nullptr}};
static const tilecc_cpu_entry countCpu[] = {{0, 0, 1000, countOnCpu}};

//===-- meet ---------------------------------------------------------------------------------------------------------===//

void meet(unsigned *arrived) { launchStub(STUB(meet), arrived); }

static void meetOnCpu(void *const *args, const uint32_t *, const uint32_t *programs, void *) {
  auto *arrived = argument<unsigned *>(args, 0);
  __atomic_fetch_add(arrived, 1, __ATOMIC_ACQ_REL);
  while (__atomic_load_n(arrived, __ATOMIC_ACQUIRE) < programs[0])
    sched_yield();
}
static const tilecc_cpu_entry meetCpu[] = {{0, 0, 64, meetOnCpu}};

//===-- Kernels for one rule each --------------------------------------------------------------------------------===//

void bigShared(int *out) { launchStub(STUB(bigShared), out); }
void clustered(int *out) { launchStub(STUB(clustered), out); }
struct Rows {
  const float *x;
  long distance;
};
void mapped(const float *x, long distance) { launchStub(STUB(mapped), Rows{x, distance}); }
void imaged(const float *x, long width) { launchStub(STUB(imaged), Rows{x, width}); }
void persistent(const float *x, long distance) { launchStub(STUB(persistent), Rows{x, distance}); }
void flattened(const float *x, long distance) { launchStub(STUB(flattened), Rows{x, distance}); }
void splits(int *out) { launchStub(STUB(splits), out); }
void summed(const float *x, long distance) { launchStub(STUB(summed), Rows{x, distance}); }
void shared(const float *x, long distance) { launchStub(STUB(shared), Rows{x, distance}); }
void broken(int *out) { launchStub(STUB(broken), out); }
void tooBig(int *out) { launchStub(STUB(tooBig), out); }
void fromTheFuture(int *out) { launchStub(STUB(fromTheFuture), out); }

static void doNothing(void *const *, const uint32_t *, const uint32_t *, void *) {}

static const char ptx80[] = "ptx 80 of one rule each", ptx90[] = "ptx 90 of clustered", brokenPtx[] = "ptx with a syntax error";
static const tilecc_image ptx80Image[] = {{TILECC_IMAGE_PTX, 80, ptx80, sizeof(ptx80) - 1}};
static const tilecc_image ptx90Image[] = {{TILECC_IMAGE_PTX, 90, ptx90, sizeof(ptx90) - 1}};
static const tilecc_image brokenImage[] = {{TILECC_IMAGE_PTX, 80, brokenPtx, sizeof(brokenPtx) - 1}};
static const tilecc_gpu_entry bigEntry[] = {{256, 100 * 1024, 1, 0}}, clusterEntry[] = {{128, 1024, 4, 0}},
                              plainEntry[] = {{128, 0, 1, 0}}, tooBigEntry[] = {{128, 1 << 20, 1, 0}};
static const tilecc_variant bigVariant[] = {{0, 0, "bigShared", bigEntry}};
static const tilecc_variant clusterVariant[] = {{0, 0, "clustered", clusterEntry}};
// The second argument is the number of rows and, times 4 bytes, their stride; the first one points to the rows.
static const tilecc_param mappedParams[] = {{8, 0, 8, TILECC_PARAM_POINTER}, {8, 8, 8, TILECC_PARAM_INTEGER}};
static const tilecc_tensor_map rowsMap[] = {
    {2, 128, TILECC_NO_PARAMETER, {TILECC_NO_PARAMETER, TILECC_NO_PARAMETER}, TILECC_NO_PARAMETER, {64, 32, 1u << 31, 1u << 13}, {256, 16, 1ull << 35}, {64, 32, 1, 1}},
    {4, 64, 1, {TILECC_NO_PARAMETER, 1}, 0, {32, 8, 1u << 31, 1u << 13}, {4, 16, 1ull << 35}, {16, 8, 1, 1}}};
// Two images with 6 rows, 16 channels, and as many columns as the second argument says (at least 4), padded by 1 for a
// 3x3 filter.
static const int64_t imageCode[] = {
    TILECC_CODE_PARAMETER, 1, TILECC_CODE_NUMBER, 4, TILECC_CODE_SUBTRACT, TILECC_CODE_REQUIRE,
    TILECC_CODE_NUMBER, 16, TILECC_CODE_PARAMETER, 1, TILECC_CODE_NUMBER, 6, TILECC_CODE_NUMBER, 2,
    TILECC_CODE_NUMBER, 64, TILECC_CODE_PARAMETER, 1, TILECC_CODE_NUMBER, 64, TILECC_CODE_MULTIPLY,
    TILECC_CODE_PARAMETER, 1, TILECC_CODE_NUMBER, 768, TILECC_CODE_MULTIPLY, TILECC_CODE_NUMBER, 2, TILECC_CODE_DIVIDE,
    TILECC_CODE_NUMBER, -1, TILECC_CODE_NUMBER, -1, TILECC_CODE_NUMBER, -1, TILECC_CODE_NUMBER, -1,
    TILECC_CODE_NUMBER, 1, TILECC_CODE_PARAMETER, 1, TILECC_CODE_NUMBER, 3, TILECC_CODE_REMAINDER,
    TILECC_CODE_NUMBER, 1, TILECC_CODE_ADD};
static const tilecc_tensor_map imageMap[] = {{4, 64, TILECC_NO_PARAMETER, {TILECC_NO_PARAMETER, TILECC_NO_PARAMETER}, 0,
                                              {}, {}, {16, 128}, 2, sizeof(imageCode) / sizeof(*imageCode), imageCode}};
static const tilecc_gpu_entry imageEntry[] = {{256, 0, 1, 1, imageMap, 0, 0, 0, 0, 0, 0, /*waits=*/1}};
static const tilecc_variant imageVariants[] = {{TILECC_POINTERS_DIVISIBLE_BY_16, 0, "imaged_p16", imageEntry},
                                               {0, 0, "imaged", plainEntry}};
static const tilecc_gpu_entry mapsEntry[] = {{256, 0, 1, 2, rowsMap}};
static const tilecc_gpu_entry persistentEntry[] = {{256, 0, 1, 2, rowsMap, 1, /*max_blocks=*/2, 0, 0}}, sharedEntry[] = {{512, 0, 1, 2, rowsMap, 0, 0, 3, 1}};
static const tilecc_variant persistentVariants[] = {{TILECC_POINTERS_DIVISIBLE_BY_16, 0, "persistent_p16", persistentEntry},
                                                    {0, 0, "persistent", plainEntry}};
static const tilecc_gpu_entry flattenedEntry[] = {{256, 0, 1, 2, rowsMap, 2, 0, 0, 0}},
                              halvesEntry[] = {{512, 0, 1, 2, rowsMap, 0, 0, 3, 0}};
static const tilecc_variant flattenedVariants[] = {
    {TILECC_POINTERS_DIVISIBLE_BY_16 | TILECC_SHORTER_ROUNDS, 0, "flattened_shared", halvesEntry, 0, 2, 0, 0, 130},
    {TILECC_POINTERS_DIVISIBLE_BY_16, 0, "flattened_p16", flattenedEntry},
    {0, 0, "flattened", plainEntry}};
static const tilecc_variant sharedVariants[] = {{TILECC_POINTERS_DIVISIBLE_BY_16, 0, "shared_p16", sharedEntry},
                                                {0, 0, "shared", plainEntry}};
static const tilecc_gpu_entry splitsEntry[] = {{128, 200 * 1024, 1, 0, nullptr, 0, 8, 0, 0}};
static const tilecc_variant splitsVariants[] = {{TILECC_FEW_BLOCKS, 0, "splits_halves", splitsEntry, 0, 2},
                                                {TILECC_FEW_BLOCKS, 0, "splits_few", splitsEntry},
                                                {TILECC_ONE_WAVE, 0, "splits_wave", plainEntry},
                                                {0, 0, "splits", plainEntry}};
static const tilecc_gpu_entry summedEntry[] = {{256, 200 * 1024, 1, 2, rowsMap, 0, 8, 0, 0, /*numbered=*/1, /*cluster_bytes=*/4096}};
static const tilecc_variant summedVariants[] = {
    {TILECC_POINTERS_DIVISIBLE_BY_16 | TILECC_FEW_BLOCKS, 0, "summed_few", summedEntry}, {0, 0, "summed", plainEntry}};
static const tilecc_variant mapsVariants[] = {{TILECC_POINTERS_DIVISIBLE_BY_16, 0, "mapped_p16", mapsEntry},
                                              {0, 0, "mapped", plainEntry}};
static const tilecc_variant brokenVariant[] = {{0, 0, "broken", plainEntry}};
static const tilecc_variant tooBigVariant[] = {{0, 0, "tooBig", tooBigEntry}};
static const tilecc_cpu_entry futureCpu[] = {{9, 0, 0, doNothing}};

//===-- twice ----------------------------------------------------------------------------------------------------===//

void twice(int *out) { launchStub(STUB(twice), out); }

template <int value> static void writeOnCpu(void *const *args, const uint32_t *, const uint32_t *, void *) {
  *argument<int *>(args, 0) = value;
}
static const tilecc_cpu_entry firstCpu[] = {{0, 0, 0, writeOnCpu<1>}}, secondCpu[] = {{0, 0, 0, writeOnCpu<2>}};
static const tilecc_kernel firstKernels[] = {{ADDRESS(twice), "twice", "twice", onePointer, noVariants, firstCpu, 1, 1, 1, 0}};
static const tilecc_kernel secondKernels[] = {
    {ADDRESS(twice), "twice", "twice", onePointer, noVariants, secondCpu, 1, 1, 1, 0}};
extern const tilecc_module firstTwice = {TILECC_ABI_VERSION, 1, 0, 0, firstKernels, nullptr, nullptr, 0, "first.tt.cpp"};
extern const tilecc_module secondTwice = {TILECC_ABI_VERSION, 1, 0, 0, secondKernels, nullptr, nullptr, 0, "second.tt.cpp"};

//===-- compiled -------------------------------------------------------------------------------------------------===//

void compiled(int *out) { launchStub(STUB(compiled), out); }

static const tilecc_image cubins[] = {{TILECC_IMAGE_CUBIN, 80, nullptr, 0},
                                      {TILECC_IMAGE_CUBIN, 90 | TILECC_ARCH_SPECIFIC, nullptr, 0}};
static const tilecc_gpu_entry cubinEntries[] = {{128, 0, 1, 0}, {128, 0, 1, 0}};
static const tilecc_variant cubinVariant[] = {{0, 0, "compiled", cubinEntries}};
static const tilecc_kernel cubinKernels[] = {
    {ADDRESS(compiled), "_Z8compiledPi", "compiled", onePointer, cubinVariant, nullptr, 1, 1, 0, 0}};
extern const tilecc_module cubinsOnly = {TILECC_ABI_VERSION, 1, 2, 0, cubinKernels, cubins, addFatbin, sizeof(addFatbin), "compiled.tt.cpp"};

//===-- onAmd ------------------------------------------------------------------------------------------------------===//

void onAmd(const float *x, long n) { launchStub(STUB(onAmd), Rows{x, n}); }

static const char fakeCode[] = "fake code of onAmd";
static const tilecc_image hsacos[] = {{TILECC_IMAGE_HSACO, 0x942, fakeCode, sizeof(fakeCode)}};
static const tilecc_gpu_entry hsacoEntries[] = {{256, 0, 1, 0}};
static const tilecc_variant hsacoVariants[] = {{TILECC_POINTERS_DIVISIBLE_BY_16, 0, "onAmd_p16", hsacoEntries},
                                               {0, 0, "onAmd", hsacoEntries}};
static const tilecc_kernel hsacoKernels[] = {
    {ADDRESS(onAmd), "_Z5onAmdPKfl", "onAmd", mappedParams, hsacoVariants, nullptr, 2, 2, 0, 0}};
extern const tilecc_module amdOnly = {TILECC_ABI_VERSION, 1, 1, 0, hsacoKernels, hsacos, nullptr, 0, "amd.tt.cpp"};

//===-- The tables of three "objects" ------------------------------------------------------------------------------===//

static const tilecc_kernel mainKernels[] = {
    {ADDRESS(add), "_Z3addPKfS0_Pfi", "add", addParams, addVariants, addCpu, 4, 3, 1, 0}};
static const tilecc_kernel ptxKernels[] = {
    {ADDRESS(bigShared), "_Z9bigSharedPi", "bigShared", onePointer, bigVariant, nullptr, 1, 1, 0, 0},
    {ADDRESS(tooBig), "_Z6tooBigPi", "tooBig", onePointer, tooBigVariant, nullptr, 1, 1, 0, 0}};
static const tilecc_kernel clusterKernels[] = {
    {ADDRESS(clustered), "_Z9clusteredPi", "clustered<4>", onePointer, clusterVariant, nullptr, 1, 1, 0, 0}};
static const tilecc_kernel mapsKernels[] = {
    {ADDRESS(mapped), "_Z6mappedPKfl", "mapped", mappedParams, mapsVariants, nullptr, 2, 2, 0, 0},
    {ADDRESS(imaged), "_Z6imagedPKfl", "imaged", mappedParams, imageVariants, nullptr, 2, 2, 0, 0},
    {ADDRESS(splits), "_Z6splitsPi", "splits", onePointer, splitsVariants, nullptr, 1, 4, 0, 0},
    {ADDRESS(persistent), "_Z10persistentPKfl", "persistent", mappedParams, persistentVariants, nullptr, 2, 2, 0, 0},
    {ADDRESS(flattened), "_Z9flattenedPKfl", "flattened", mappedParams, flattenedVariants, nullptr, 2, 3, 0, 0},
    {ADDRESS(shared), "_Z6sharedPKfl", "shared", mappedParams, sharedVariants, nullptr, 2, 2, 0, 0},
    {ADDRESS(summed), "_Z6summedPKfl", "summed", mappedParams, summedVariants, nullptr, 2, 2, 0, 0}};
static const tilecc_kernel brokenKernels[] = {
    {ADDRESS(broken), "_Z6brokenPi", "broken", onePointer, brokenVariant, nullptr, 1, 1, 0, 0}};
static const tilecc_kernel cpuKernels[] = {
    {ADDRESS(countPrograms), "_Z13countProgramsPj", "countPrograms", onePointer, noVariants, countCpu, 1, 1, 1, 0},
    {ADDRESS(meet), "_Z4meetPj", "meet", onePointer, noVariants, meetCpu, 1, 1, 1, 0},
    {ADDRESS(fromTheFuture), "_Z13fromTheFuturePi", "fromTheFuture", onePointer, noVariants, futureCpu, 1, 1, 1, 0}};

static const tilecc_module modules[] = {
    {TILECC_ABI_VERSION, 1, 3, 0, mainKernels, addImages, addFatbin, sizeof(addFatbin), "add.tt.cpp"},
    {TILECC_ABI_VERSION, 2, 1, 0, ptxKernels, ptx80Image, nullptr, 0, "ptx.tt.cpp"},
    {TILECC_ABI_VERSION, 1, 1, 0, clusterKernels, ptx90Image, nullptr, 0, "cluster.tt.cpp"},
    {TILECC_ABI_VERSION, 7, 1, 0, mapsKernels, ptx90Image, nullptr, 0, "maps.tt.cpp"},
    {TILECC_ABI_VERSION, 1, 1, 0, brokenKernels, brokenImage, nullptr, 0, "broken.tt.cpp"},
    {TILECC_ABI_VERSION, 3, 0, 0, cpuKernels, nullptr, nullptr, 0, "cpu.tt.cpp"},
};

// Registers the modules in a constructor, as object files do. Its priority is high because tests launch kernels from
// constructors.
__attribute__((constructor(200))) static void registerModules() {
  for (const tilecc_module &module : modules)
    __tilecc_register(&module);
}
__attribute__((destructor(200))) static void unregisterModules() {
  for (const tilecc_module &module : modules)
    __tilecc_unregister(&module);
}
