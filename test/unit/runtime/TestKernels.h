//===-- TestKernels.h - kernels as tcc would have compiled them --------------------------------------------------===//
//
// The host stubs, CPU entries and the tables that describe them are written by hand, so that the runtime is tested
// without a compiler. Their GPU code exists only for the fake driver.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TEST_TESTKERNELS_H
#define TILECC_TEST_TESTKERNELS_H

#include <tilecc/abi.h>
#include <tilecc/runtime.h>

// out[i] = x[i] + y[i] for i < n, 256 elements by each program.
// GPU: sm_80, sm_90 and compute_90 in a fatbinary; variants add_16 (everything divisible by 16), add_p16 (pointers) and
// add; 128 threads, and 16 KiB of shared memory in sm_90's code. CPU: any x86-64 (or other) processor.
void add(const float *x, const float *y, float *out, int n);

// Counts the programs that ran, by number, in `counts`, and checks its 1000 bytes of scratch. CPU only.
void countPrograms(unsigned *counts);

// Waits until all programs of the grid, counted in `arrived`, have arrived. CPU only.
void meet(unsigned *arrived);

// Needs 100 KiB of shared memory. PTX for compute_80 only, without a fatbinary.
void bigShared(int *out);

// Runs in clusters of 4 blocks. PTX for compute_90 only.
void clustered(int *out);

// Its variant for aligned pointers takes two tensor maps: one of constants, one of rows of 4 * distance bytes. PTX for
// compute_90 only.
void mapped(const float *x, long distance);
void imaged(const float *x, long width); // images with rows of that length, of which a variant has a map
void persistent(const float *x, long distance); // the same, of which any number of blocks, or of pairs, runs all programs
void flattened(const float *x, long distance); // the same along two axes; or blocks for three halves of programs
void splits(int *out); // has variants for few programs, which clusters may run, and for those that all run at once
void summed(const float *x, long distance);     // the same, of which few programs are run by several clusters each
void shared(const float *x, long distance);     // the same, of which three programs along y share a block

// PTX that does not compile. compute_80.
void broken(int *out);

// Needs more shared memory than any GPU has.
void tooBig(int *out);

// Cubins for sm_80 and sm_90a, and no PTX. Its object is not registered.
void compiled(int *out);
extern const tilecc_module cubinsOnly;

// For gfx942, without code: the fake HIP only logs its launches. Its object is not registered.
void onAmd(const float *x, long n);
extern const tilecc_module amdOnly;

// CPU code for a processor of level 9, and nothing else.
void fromTheFuture(int *out);

// The same kernel (the same stub) from two objects: the second one writes 2.
void twice(int *out);
extern const tilecc_module firstTwice, secondTwice; // not registered

// Does what a stub of tcc does for `kernel<<<grid, block, shared, stream>>>(args)`.
uint32_t pushCall(unsigned gridX, unsigned blockX = 1, uint64_t shared = 0, ttStream_t stream = nullptr);

// For GoogleTest: the call fails with this error, and its message has the words.
#define EXPECT_FAILS(call, error, words)                                                                               \
  do {                                                                                                                 \
    EXPECT_EQ(call, error);                                                                                            \
    EXPECT_NE(std::string(ttGetLastErrorMessage()).find(words), std::string::npos) << ttGetLastErrorMessage();         \
    ttGetLastError();                                                                                                  \
  } while (0)

#endif
