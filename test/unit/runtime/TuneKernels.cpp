//===-- TuneKernels.cpp - a kernel in three configurations -------------------------------------------------------===//
#include "TuneKernels.h"

#include <chrono>

WorkRow workRows[3] = {{300, 0}, {100, 0}, {500, 0}};

template <int row> void work(int *, int) {}
template void work<0>(int *, int);
template void work<1>(int *, int);
template void work<2>(int *, int);

template <int row> static void runWork(void *const *args, const uint32_t *, const uint32_t *, void *) {
  ++workRows[row].launches;
  __atomic_fetch_add(*static_cast<int **>(args[0]), 1, __ATOMIC_RELAXED);
  auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(workRows[row].microseconds);
  while (std::chrono::steady_clock::now() < end) {
  }
}

#define ADDRESS(kernel) reinterpret_cast<const void *>(kernel)
static const tilecc_param params[] = {{8, 0, 8, TILECC_PARAM_POINTER}, {4, 8, 4, TILECC_PARAM_INTEGER}};
// Parameters of row 0: the divisibility of n does not matter.
static const tilecc_param pointerAlone[] = {{8, 0, 8, TILECC_PARAM_POINTER}, {4, 8, 4, TILECC_PARAM_OTHER}};
static const char ptx[] = "ptx of work";
static const tilecc_image image[] = {{TILECC_IMAGE_PTX, 80, ptx, sizeof(ptx) - 1}};
static const tilecc_gpu_entry entry[] = {{128, 0, 1, 0, nullptr}}, tooLarge[] = {{128, 1 << 20, 1, 0, nullptr}};
static const tilecc_variant variants[3][1] = {
    {{0, 0, "work0", entry}}, {{0, 0, "work1", entry}}, {{0, 0, "work2", tooLarge}}};
static const tilecc_cpu_entry cpu[3][1] = {{{0, 0, 0, runWork<0>}}, {{0, 0, 0, runWork<1>}}, {{0, 0, 0, runWork<2>}}};
static tilecc_kernel kernels[] = {
    {ADDRESS(work<0>), "_Z4workILi0EEvPii", "work<0>", pointerAlone, variants[0], cpu[0], 2, 1, 1, 0, 10},
    {ADDRESS(work<1>), "_Z4workILi1EEvPii", "work<1>", params, variants[1], cpu[1], 2, 1, 1, 0, 11},
    {ADDRESS(work<2>), "_Z4workILi2EEvPii", "work<2>", params, variants[2], cpu[2], 2, 1, 1, 0, 12}};
static const tilecc_module object = {TILECC_ABI_VERSION, 3, 1, 0, kernels, image, nullptr, 0, "work.tt.cpp", nullptr};

void setCodeOfWork(uint64_t hash) { kernels[0].code = hash; }

__attribute__((constructor(200))) static void registerWork() { __tilecc_register(&object); }
__attribute__((destructor(200))) static void unregisterWork() { __tilecc_unregister(&object); }
