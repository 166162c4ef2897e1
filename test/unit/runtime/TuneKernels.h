//===-- TuneKernels.h - a kernel in three configurations --------------------------------------------------------===//
//
// work<row>(values, n) adds 1 to values[0]. On the CPU, workRows determines how long a program of each row takes. On
// the fake GPU, the functions are work0, work1 and work2. work2 needs more shared memory than the device has.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TEST_TUNEKERNELS_H
#define TILECC_TEST_TUNEKERNELS_H

#include "TestKernels.h"
#include <tilecc/tune.h>

#include <atomic>
#include <string>

template <int row> void work(int *values, int n);

struct WorkRow {
  std::atomic<int> microseconds; // the time of a program
  std::atomic<int> launches;
};
extern WorkRow workRows[3];

// Sets the hash of the rows' code, which the compiler would write. Must be called before any tuning.
void setCodeOfWork(uint64_t hash);

inline constexpr int allRows[] = {0, 1, 2};
inline constexpr auto makeWork = []<int row>() { return work<row>; };
using MakeWork = decltype(makeWork);

#endif
